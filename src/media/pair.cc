// What two streams must have in common to be compared, and what makes a comparison doubtful.
#include <cmath>

#include <fmt/format.h>

#include "vmafx/session.h"

namespace vmafx {
namespace {

// libav's name: "yuv420p10le".
std::string pixel_format_name(const PictureFormat& format) {
  std::string name =
      format.chroma == Chroma::k400 ? "gray" : "yuv" + to_string(format.chroma) + "p";
  if (format.bit_depth > 8) name += std::to_string(format.bit_depth) + "le";
  return name;
}

std::string conversion_hint(const StreamInfo& reference, const StreamInfo& distorted) {
  const PictureFormat& want = reference.format;
  const PictureFormat& have = distorted.format;
  std::string filters;
  if (want.width != have.width || want.height != have.height)
    filters = fmt::format("scale={}:{}:flags=bicubic", want.width, want.height);
  if (want.bit_depth != have.bit_depth || want.chroma != have.chroma)
    filters += (filters.empty() ? "format=" : ",format=") + pixel_format_name(want);
  return fmt::format(
      "bring the distorted stream to the reference's format first, for example with "
      "ffmpeg -i DISTORTED -vf {} -c:v ffv1 converted.mkv",
      filters);
}

std::string differences(const PictureFormat& a, const PictureFormat& b) {
  std::string text;
  const auto add = [&](bool differs, std::string_view what) {
    if (differs) text += fmt::format("{}{}", text.empty() ? "" : " and ", what);
  };
  add(a.width != b.width || a.height != b.height, "size");
  add(a.chroma != b.chroma, "chroma format");
  add(a.bit_depth != b.bit_depth, "bit depth");
  return text;
}

// ITU-T H.273.
constexpr int kUnspecified = 2;
constexpr int kPq = 16;
constexpr int kHlg = 18;

std::string matrix_name(int code) {
  switch (code) {
    case 0:
      return "RGB";
    case 1:
      return "BT.709";
    case 5:
    case 6:
      return "BT.601";
    case 7:
      return "SMPTE 240M";
    case 9:
      return "BT.2020";
    default:
      return fmt::format("H.273 code {}", code);
  }
}

std::string transfer_name(int code) {
  switch (code) {
    // One curve under four numbers.
    case 1:
    case 6:
    case 14:
    case 15:
      return "BT.709";
    case 4:
      return "gamma 2.2";
    case 5:
      return "gamma 2.8";
    case 8:
      return "linear";
    case 13:
      return "sRGB";
    case kPq:
      return "PQ";
    case kHlg:
      return "HLG";
    default:
      return fmt::format("H.273 code {}", code);
  }
}

std::string primaries_name(int code) {
  switch (code) {
    case 1:
      return "BT.709";
    case 5:
      return "BT.601 (625 lines)";
    case 6:
    case 7:
      return "BT.601 (525 lines)";
    case 9:
      return "BT.2020";
    case 11:
      return "DCI-P3";
    case 12:
      return "Display P3";
    default:
      return fmt::format("H.273 code {}", code);
  }
}

// Unspecified agrees with everything: most files say nothing, and nothing is wrong with them.
void warn_if_codes_differ(std::string_view what, int reference, int distorted,
                          std::string (*name)(int), std::vector<std::string>& warnings) {
  if (reference == kUnspecified || distorted == kUnspecified) return;
  const std::string a = name(reference);
  const std::string b = name(distorted);
  if (a != b)
    warnings.push_back(fmt::format(
        "the {} differ: reference {}, distorted {}; samples are compared as they are", what, a, b));
}

// YUV that does not say so is of limited range.
bool full_range(const StreamInfo& info) { return info.color.range == ColorInfo::Range::kFull; }

double per_second(const Rational& rate) {
  return static_cast<double>(rate.num) / static_cast<double>(rate.den);
}

bool rates_differ(const StreamInfo& reference, const StreamInfo& distorted) {
  if (!reference.frame_rate || !distorted.frame_rate) return false;
  const Rational& a = *reference.frame_rate;
  const Rational& b = *distorted.frame_rate;
  if (a.num <= 0 || a.den <= 0 || b.num <= 0 || b.den <= 0) return false;
  // Containers round 1001/30000 s to their own clock; 30 and 29.97 differ by twice this bound.
  constexpr double kSameRate = 5e-4;
  return std::fabs(per_second(a) / per_second(b) - 1) > kSameRate;
}

void warn_about_stream(std::string_view role, const StreamInfo& info,
                       std::vector<std::string>& warnings) {
  const int transfer = info.color.transfer;
  if (transfer == kPq || transfer == kHlg)
    warnings.push_back(
        fmt::format("the {} is HDR ({}): VMAF is trained on SDR, so its score "
                    "ranks encodes at best",
                    role, transfer_name(transfer)));
  if (info.interlaced)
    warnings.push_back(fmt::format(
        "the {} is interlaced: metrics take its frames as progressive, deinterlace it first",
        role));
}

}  // namespace

Status check_pair(const StreamInfo& reference, const StreamInfo& distorted) {
  if (reference.format == distorted.format) return {};
  return Error{
      ErrorCode::kMismatch,
      fmt::format("the streams differ in {}: reference \"{}\" is {}, distorted \"{}\" is {}",
                  differences(reference.format, distorted.format), reference.path,
                  to_string(reference.format), distorted.path, to_string(distorted.format)),
      conversion_hint(reference, distorted)};
}

std::vector<std::string> pair_warnings(const StreamInfo& reference, const StreamInfo& distorted) {
  std::vector<std::string> warnings;
  if (full_range(reference) != full_range(distorted))
    warnings.push_back(fmt::format(
        "the colour ranges differ: reference {}, distorted {}; samples are compared as "
        "they are",
        full_range(reference) ? "full" : "limited", full_range(distorted) ? "full" : "limited"));
  warn_if_codes_differ("colour matrices", reference.color.matrix, distorted.color.matrix,
                       matrix_name, warnings);
  warn_if_codes_differ("transfer functions", reference.color.transfer, distorted.color.transfer,
                       transfer_name, warnings);
  warn_if_codes_differ("colour primaries", reference.color.primaries, distorted.color.primaries,
                       primaries_name, warnings);
  if (rates_differ(reference, distorted))
    warnings.push_back(
        fmt::format("the frame rates differ: reference {:.6g}, distorted {:.6g}; "
                    "frames are paired by their number",
                    per_second(*reference.frame_rate), per_second(*distorted.frame_rate)));
  warn_about_stream("reference", reference, warnings);
  warn_about_stream("distorted stream", distorted, warnings);
  return warnings;
}

}  // namespace vmafx
