#include "media/libav/pixels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "media/rgb.h"

namespace vmafx::libav {
namespace {

bool has(const AVPixFmtDescriptor& d, std::uint64_t flag) { return (d.flags & flag) != 0; }

std::optional<Chroma> chroma_of(const AVPixFmtDescriptor& d) {
  if (d.nb_components < 3) return Chroma::k400;
  switch (d.log2_chroma_w * 10 + d.log2_chroma_h) {
    case 0:
      return Chroma::k444;
    case 1:
      return Chroma::k440;
    case 10:
      return Chroma::k422;
    case 11:
      return Chroma::k420;
    case 20:
      return Chroma::k411;
    default:
      return std::nullopt;
  }
}

// Components of the picture, without alpha.
int components(const AVPixFmtDescriptor& d) { return d.nb_components < 3 ? 1 : 3; }

bool is_native_planar(const AVPixFmtDescriptor& d) {
  for (int c = 0; c < components(d); ++c) {
    const AVComponentDescriptor& component = d.comp[c];
    if (component.plane != c || component.shift != 0 || component.offset != 0) return false;
    if (component.step != (component.depth > 8 ? 2 : 1) || component.depth < 8) return false;
  }
  constexpr bool kBigHost = std::endian::native == std::endian::big;
  return d.comp[0].depth == 8 || has(d, AV_PIX_FMT_FLAG_BE) == kBigHost;
}

// Layouts whose descriptors do not tell where the samples are, or that are neither RGB nor YUV.
bool is_foreign(int pixel_format, const AVPixFmtDescriptor& d) {
  const std::string_view name = d.name;
  return has(d, AV_PIX_FMT_FLAG_HWACCEL) || has(d, AV_PIX_FMT_FLAG_BAYER) ||
         has(d, AV_PIX_FMT_FLAG_FLOAT) || name.starts_with("xyz") ||
         pixel_format == AV_PIX_FMT_UYYVYY411;
}

int deepest(const AVPixFmtDescriptor& d) {
  int depth = 0;
  for (int c = 0; c < components(d); ++c) depth = std::max(depth, d.comp[c].depth);
  return depth;
}

void describe_rgb(const AVPixFmtDescriptor& d, Layout& layout) {
  const bool palette = has(d, AV_PIX_FMT_FLAG_PAL);
  layout.way = Layout::Way::kRgb;
  layout.format.chroma = Chroma::k444;
  layout.format.bit_depth = palette ? 8 : std::max(8, deepest(d));
  if (palette) layout.notes.emplace_back("palette expanded");
  layout.notes.emplace_back("RGB converted to 4:4:4 BT.709 limited range");
}

// Whether it is YUV or grey that planes of one depth can hold.
bool describe_yuv(const AVPixFmtDescriptor& d, Layout& layout) {
  const int depth = d.comp[0].depth;
  const bool one_bit = has(d, AV_PIX_FMT_FLAG_BITSTREAM) && depth == 1;
  const std::optional<Chroma> chroma = chroma_of(d);
  for (int c = 0; c < components(d); ++c)
    if (d.comp[c].depth != depth) return false;
  if (!chroma || (depth < 8 && !one_bit)) return false;
  layout.way = is_native_planar(d) ? Layout::Way::kShare : Layout::Way::kRepack;
  layout.format.chroma = *chroma;
  layout.format.bit_depth = one_bit ? 8 : depth;
  layout.full_range = one_bit || std::string_view(d.name).starts_with("yuvj");
  if (one_bit) layout.notes.emplace_back("1 bit expanded to 0 and 255");
  return true;
}

}  // namespace

std::string pixel_format_name(int pixel_format) {
  const char* const name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(pixel_format));
  return name != nullptr ? name : fmt::format("pixel format {}", pixel_format);
}

Result<Layout> layout_of(int pixel_format, int width, int height) {
  const Error refusal = {
      ErrorCode::kBadInput,
      fmt::format("the pixel layout {} is not supported", pixel_format_name(pixel_format)),
      "convert it to planar YUV, for example with ffmpeg -pix_fmt yuv444p16le"};
  const AVPixFmtDescriptor* const d = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(pixel_format));
  if (d == nullptr || is_foreign(pixel_format, *d) || deepest(*d) > 16) return refusal;

  Layout layout;
  layout.format.width = width;
  layout.format.height = height;
  if (has(*d, AV_PIX_FMT_FLAG_ALPHA)) layout.notes.emplace_back("alpha dropped");
  if (has(*d, AV_PIX_FMT_FLAG_RGB) || has(*d, AV_PIX_FMT_FLAG_PAL))
    describe_rgb(*d, layout);
  else if (!describe_yuv(*d, layout))
    return refusal;
  if (Status status = validate(layout.format); !status.ok()) return status.error();
  return layout;
}

PictureMaker::PictureMaker(int pixel_format, const Layout& layout)
    : pixel_format_(pixel_format),
      descriptor_(*av_pix_fmt_desc_get(static_cast<AVPixelFormat>(pixel_format))),
      layout_(layout),
      pool_(layout.format.tight_bytes()),
      line_(3 * static_cast<std::size_t>(layout.format.width)) {}

Picture PictureMaker::make(Owned<AVFrame> frame) {
  if (layout_.way == Layout::Way::kShare) return share(std::move(frame));
  const std::shared_ptr<std::byte> buffer = pool_.take();
  if (!buffer) return {};
  if (layout_.format.bit_depth > 8)
    fill<std::uint16_t>(*frame, buffer.get());
  else
    fill<std::uint8_t>(*frame, buffer.get());
  return tight_picture(layout_.format, buffer);
}

Picture PictureMaker::share(Owned<AVFrame> frame) const {
  std::array<Picture::Plane, 3> planes{};
  for (int p = 0; p < layout_.format.planes(); ++p)
    planes[static_cast<std::size_t>(p)] = {reinterpret_cast<const std::byte*>(frame->data[p]),
                                           frame->linesize[p]};
  return {layout_.format, planes, std::shared_ptr<AVFrame>(std::move(frame))};
}

template <class Sample>
void PictureMaker::fill(const AVFrame& frame, std::byte* buffer) {
  const PictureFormat& format = layout_.format;
  auto* row = reinterpret_cast<Sample*>(buffer);
  if (layout_.way == Layout::Way::kRgb) {
    const auto width = static_cast<std::size_t>(format.width);
    const std::size_t plane = width * static_cast<std::size_t>(format.height);
    for (int y = 0; y < format.height; ++y, row += width) {
      read_rgb(frame, y);
      rgb_to_ycbcr<Sample>({line_.data(), line_.data() + width, line_.data() + 2 * width},
                           {row, row + plane, row + 2 * plane}, width, format.bit_depth);
    }
    return;
  }
  for (int p = 0; p < format.planes(); ++p) {
    const int width = format.plane_width(p);
    for (int y = 0; y < format.plane_height(p); ++y, row += width) {
      read_component(frame, p, y, width, line_.data());
      for (int x = 0; x < width; ++x)
        row[x] = static_cast<Sample>(line_[static_cast<std::size_t>(x)]);
    }
  }
}

// Samples of one component in row `y` of its plane, widened to 8 bits if they have fewer.
void PictureMaker::read_component(const AVFrame& frame, int component, int y, int width,
                                  std::uint16_t* to) const {
  std::array<const std::uint8_t*, 4> data = {frame.data[0], frame.data[1], frame.data[2],
                                             frame.data[3]};
  av_read_image_line2(to, data.data(), frame.linesize, &descriptor_, 0, y, component, width, 0,
                      sizeof(std::uint16_t));
  const int depth = descriptor_.comp[component].depth;
  const int wanted = layout_.format.bit_depth;
  if (depth == wanted) return;
  const std::uint32_t from_max = (1u << depth) - 1;
  const std::uint32_t to_max = (1u << wanted) - 1;
  const std::uint32_t flip = pixel_format_ == AV_PIX_FMT_MONOWHITE ? from_max : 0;
  for (int x = 0; x < width; ++x)
    to[x] = static_cast<std::uint16_t>(((to[x] ^ flip) * to_max * 2 + from_max) / (2 * from_max));
}

// Row `y` as all red, then all green, then all blue.
void PictureMaker::read_rgb(const AVFrame& frame, int y) {
  const int width = layout_.format.width;
  const auto plane = static_cast<std::size_t>(width);
  if (!has(descriptor_, AV_PIX_FMT_FLAG_PAL)) {
    for (int c = 0; c < 3; ++c)
      read_component(frame, c, y, width, line_.data() + static_cast<std::size_t>(c) * plane);
    return;
  }
  const std::uint8_t* const row = frame.data[0] + std::ptrdiff_t{y} * frame.linesize[0];
  for (std::size_t x = 0; x < plane; ++x) {
    std::uint32_t argb = 0;
    std::memcpy(&argb, frame.data[1] + 4 * std::size_t{row[x]}, sizeof argb);
    for (std::size_t c = 0; c < 3; ++c)
      line_[c * plane + x] = static_cast<std::uint16_t>(argb >> (16 - 8 * c) & 0xFF);
  }
}

}  // namespace vmafx::libav
