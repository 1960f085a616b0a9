#include "media/y4m.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/number.h"
#include "media/planar.h"

namespace vmafx {
namespace {

constexpr std::string_view kMagic = "YUV4MPEG2";
constexpr std::string_view kFrame = "FRAME";
constexpr std::size_t kUsualLine = 128;

Error bad(const std::string& name, const std::string& what) {
  return {ErrorCode::kBadInput, fmt::format("{}: {}", name, what), {}};
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// For messages: at most a few characters, printable ones only.
std::string excerpt(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 32))
    shown += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  return text.size() > 32 ? shown + "..." : shown;
}

struct Layout {
  Chroma chroma = Chroma::k420;
  int bit_depth = 8;
  bool alpha = false;
};

struct LayoutName {
  std::string_view name;
  Chroma chroma;
  bool alpha = false;
};

// A longer name before its beginnings.
constexpr LayoutName kLayouts[] = {
    {"420jpeg", Chroma::k420},  {"420mpeg2", Chroma::k420},
    {"420paldv", Chroma::k420}, {"420", Chroma::k420},
    {"411", Chroma::k411},      {"422", Chroma::k422},
    {"440", Chroma::k440},      {"444alpha", Chroma::k444, true},
    {"444", Chroma::k444},      {"mono", Chroma::k400},
};

// "420jpeg", "422p10", "mono12", ...: a layout, then a depth if it is not 8.
std::optional<Layout> parse_layout(std::string_view tag) {
  for (const LayoutName& l : kLayouts) {
    if (!tag.starts_with(l.name)) continue;
    std::string_view depth = tag.substr(l.name.size());
    if (depth.empty()) return Layout{l.chroma, 8, l.alpha};
    if (l.chroma != Chroma::k400) {
      if (depth.front() != 'p') continue;
      depth.remove_prefix(1);
    }
    const std::optional<std::int64_t> bits = parse_int(depth);
    if (!bits || *bits < 8 || *bits > 16) return std::nullopt;
    return Layout{l.chroma, static_cast<int>(*bits), l.alpha};
  }
  return std::nullopt;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

Status parse_size(std::string_view value, const char* what, int& size, const std::string& name) {
  const std::optional<std::int64_t> parsed = parse_int(value);
  if (!parsed || *parsed < 1 || *parsed > kMaxDimension)
    return bad(name, fmt::format("the y4m header's {} '{}' is not a number from 1 to {}", what,
                                 excerpt(value), kMaxDimension));
  size = static_cast<int>(*parsed);
  return {};
}

Status parse_rate(std::string_view value, std::optional<Rational>& rate, const std::string& name) {
  const std::size_t colon = value.find(':');
  const auto num = parse_int(value.substr(0, colon));
  const auto den = colon == value.npos ? std::nullopt : parse_int(value.substr(colon + 1));
  if (!num || !den || *num < 0 || *den < 0)
    return bad(name, fmt::format("the y4m header's frame rate '{}' is not a fraction such as 25:1",
                                 excerpt(value)));
  if (*num > 0 && *den > 0) rate = Rational{*num, *den};
  return {};
}

Status parse_interlacing(std::string_view value, bool& interlaced, const std::string& name) {
  if (value.size() != 1 || std::string_view("?ptbm").find(value) == value.npos)
    return bad(name, fmt::format("the y4m header's interlacing '{}' is none of ?, p, t, b, m",
                                 excerpt(value)));
  interlaced = value != "?" && value != "p";
  return {};
}

// The tags that are read after the magic word; others mean nothing here.
struct Tags {
  Y4mHeader header;
  std::optional<std::string> layout;      // C
  std::optional<std::string> old_layout;  // XYSCSS, of writers older than C
};

Status parse_tag(std::string_view tag, Tags& tags, const std::string& name) {
  constexpr std::string_view kRange = "XCOLORRANGE=";
  constexpr std::string_view kOldLayout = "XYSCSS=";
  const std::string_view value = tag.substr(1);
  switch (tag.front()) {
    case 'W':
      return parse_size(value, "width", tags.header.format.width, name);
    case 'H':
      return parse_size(value, "height", tags.header.format.height, name);
    case 'F':
      return parse_rate(value, tags.header.frame_rate, name);
    case 'I':
      return parse_interlacing(value, tags.header.interlaced, name);
    case 'C':
      tags.layout = lower(value);
      return {};
    case 'X':
      if (tag.starts_with(kOldLayout)) tags.old_layout = lower(tag.substr(kOldLayout.size()));
      if (tag == "XCOLORRANGE=LIMITED") tags.header.color.range = ColorInfo::Range::kLimited;
      if (tag == "XCOLORRANGE=FULL") tags.header.color.range = ColorInfo::Range::kFull;
      if (tag.starts_with(kRange) && tags.header.color.range == ColorInfo::Range::kUnspecified)
        return bad(name,
                   fmt::format("the y4m header's '{}' is neither LIMITED nor FULL", excerpt(tag)));
      return {};
    default:
      return {};
  }
}

// The line at the front of `bytes`, consumed with its end; nullopt if there is no byte left.
Result<std::optional<std::string>> take_line(ByteSource& bytes, const std::string& what) {
  std::string_view line;
  std::size_t end = line.npos;
  for (const std::size_t most : {kUsualLine, ByteSource::kMaxPeek}) {
    Result<std::span<const std::byte>> head = bytes.peek(most);
    if (!head.ok()) return head.error();
    line = as_text(*head);
    end = line.find('\n');
    if (end != line.npos || line.size() < most) break;
  }
  if (line.empty()) return std::optional<std::string>();
  if (end == line.npos)
    return bad(bytes.name(), line.size() < ByteSource::kMaxPeek
                                 ? fmt::format("ends inside {}", what)
                                 : fmt::format("{} has no end within {} bytes", what, line.size()));
  std::string result(line.substr(0, end));
  std::vector<std::byte> consumed(end + 1);
  Result<std::size_t> got = bytes.read(consumed.data(), consumed.size());
  if (!got.ok()) return got.error();
  return std::optional<std::string>(std::move(result));
}

class Y4mReader final : public FrameReader {
 public:
  Y4mReader(std::unique_ptr<ByteSource> bytes, StreamInfo info, std::size_t alpha_bytes,
            std::shared_ptr<FrameMemory> memory)
      : bytes_(std::move(bytes)),
        info_(std::move(info)),
        planes_(info_.format, std::move(memory)),
        alpha_bytes_(alpha_bytes) {}

  const StreamInfo& info() const override { return info_; }
  void cancel() noexcept override { bytes_->cancel(); }

  Result<std::optional<Picture>> next() override {
    Result<bool> more = take_frame_line();
    if (!more.ok()) return more.error();
    if (!*more) return std::optional<Picture>();
    Result<std::optional<Picture>> picture = planes_.read(*bytes_, frame_);
    if (!picture.ok()) return picture;
    if (!picture->has_value()) {
      const std::size_t whole = info_.format.tight_bytes();
      return cut_frame(*bytes_, frame_, whole, whole);
    }
    if (Status status = skip_alpha(); !status.ok()) return status.error();
    ++frame_;
    return picture;
  }

 private:
  Result<bool> take_frame_line() {
    Result<std::optional<std::string>> line =
        take_line(*bytes_, fmt::format("the line that begins frame {}", frame_));
    if (!line.ok()) return line.error();
    if (!line->has_value()) return false;
    const std::string_view text = **line;
    if (text == kFrame || text.starts_with("FRAME ")) return true;
    return bad(bytes_->name(), fmt::format("'{}' stands where frame {} should begin with FRAME",
                                           excerpt(text), frame_));
  }

  Status skip_alpha() {
    std::array<std::byte, 16384> dropped;
    for (std::size_t left = alpha_bytes_; left > 0;) {
      const std::size_t want = std::min(left, dropped.size());
      Result<std::size_t> got = bytes_->read(dropped.data(), want);
      if (!got.ok()) return got.error();
      left -= *got;
      if (*got < want)
        return cut_frame(*bytes_, frame_, left, info_.format.tight_bytes() + alpha_bytes_);
    }
    return {};
  }

  std::unique_ptr<ByteSource> bytes_;
  StreamInfo info_;
  PlanarReader planes_;
  std::size_t alpha_bytes_;
  std::int64_t frame_ = 0;
};

}  // namespace

bool is_y4m(std::span<const std::byte> head) { return as_text(head).starts_with(kMagic); }

Result<Y4mHeader> parse_y4m_header(std::string_view line, const std::string& name) {
  if (!line.starts_with(kMagic)) return bad(name, "does not begin with YUV4MPEG2");
  line.remove_prefix(kMagic.size());
  if (!line.empty() && line.front() != ' ') return bad(name, "does not begin with YUV4MPEG2");
  Tags tags;
  while (!line.empty()) {
    const std::size_t end = line.find(' ');
    const std::string_view tag = line.substr(0, end);
    line.remove_prefix(std::min(line.size(), tag.size() + 1));
    if (tag.empty()) continue;
    if (Status status = parse_tag(tag, tags, name); !status.ok()) return status.error();
  }

  Y4mHeader& header = tags.header;
  if (header.format.width == 0) return bad(name, "the y4m header has no width (W)");
  if (header.format.height == 0) return bad(name, "the y4m header has no height (H)");
  const std::string layout_tag = tags.layout.value_or(tags.old_layout.value_or("420"));
  const std::optional<Layout> layout = parse_layout(layout_tag);
  if (!layout)
    return Error{ErrorCode::kBadInput,
                 fmt::format("{}: the y4m layout 'C{}' is not known", name, excerpt(layout_tag)),
                 "known are 420 (jpeg, mpeg2, paldv), 411, 422, 440, 444, 444alpha and mono, with "
                 "p9 to p16 (mono9 to mono16) for more than 8 bits"};
  header.format.chroma = layout->chroma;
  header.format.bit_depth = layout->bit_depth;
  if (layout->alpha)
    header.alpha_bytes =
        header.format.tight_bytes() / static_cast<std::size_t>(header.format.planes());
  return header;
}

Result<std::unique_ptr<FrameReader>> open_y4m(std::unique_ptr<ByteSource> bytes,
                                              const std::string& path,
                                              std::shared_ptr<FrameMemory> memory) {
  Result<std::optional<std::string>> line = take_line(*bytes, "the y4m header");
  if (!line.ok()) return line.error();
  Result<Y4mHeader> header = parse_y4m_header(line->value_or(""), bytes->name());
  if (!header.ok()) return header.error();

  StreamInfo info;
  info.path = path;
  info.container = "y4m";
  info.codec = "rawvideo";
  info.format = header->format;
  info.color = header->color;
  info.frame_rate = header->frame_rate;
  info.interlaced = header->interlaced;
  if (header->alpha_bytes > 0) info.notes.emplace_back("alpha dropped");
  if (bytes->size())
    info.frame_count = (*bytes->size() - bytes->position()) /
                       static_cast<std::int64_t>(kFrame.size() + 1 + header->format.tight_bytes() +
                                                 header->alpha_bytes);
  return std::unique_ptr<FrameReader>(std::make_unique<Y4mReader>(
      std::move(bytes), std::move(info), header->alpha_bytes, std::move(memory)));
}

}  // namespace vmafx
