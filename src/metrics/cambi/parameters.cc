#include "metrics/cambi/parameters.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace vmafx::cambi {
namespace {

constexpr double kDefaultShare = 0.6;
constexpr std::string_view kDefaultEotf = "bt1886";
// At least one dimension has as many pixels.
constexpr int kMinSize = 216;

const OptionSpec kOptions[] = {
    {.name = "cambi_max_val",
     .alias = "cmxv",
     .help = "largest score; larger ones are clipped",
     .default_value = 1000.0,
     .min = 0,
     .max = 1000,
     .in_key = true},
    {.name = "enc_width",
     .alias = "encw",
     .help = "width of the encode before it was scaled up; 0 or larger than the input: no scaling",
     .default_value = 0,
     .min = 180,
     .max = 7680,
     .in_key = true},
    {.name = "enc_height",
     .alias = "ench",
     .help = "height of the encode before it was scaled up; takes effect together with enc_width",
     .default_value = 0,
     .min = 150,
     .max = 7680,
     .in_key = true},
    {.name = "enc_bitdepth",
     .alias = "encbd",
     .help = "bit depth of the encode; below 10, dither is averaged out. 0: that of the input",
     .default_value = 0,
     .min = 6,
     .max = 16,
     .in_key = true},
    {.name = "src_width",
     .alias = "srcw",
     .help = "width at which the source is measured with full_ref; 0: that of the input",
     .default_value = 0,
     .min = 320,
     .max = 7680,
     .in_key = true},
    {.name = "src_height",
     .alias = "srch",
     .help = "height at which the source is measured with full_ref; 0: that of the input",
     .default_value = 0,
     .min = 200,
     .max = 4320,
     .in_key = true},
    {.name = "window_size",
     .alias = "ws",
     .help =
         "pixels across the window at 3840x2160, scaled with the picture; 65 is 1 degree of view",
     .default_value = kMaxWindow,
     .min = 15,
     .max = 127,
     .in_key = true},
    {.name = "topk",
     .help = "share of the pixels, those of most contrast, that is averaged",
     .default_value = kDefaultShare,
     .min = 0.0001,
     .max = 1,
     .in_key = true},
    {.name = "cambi_topk",
     .alias = "ctpk",
     .help = "the same as topk, which goes first if both are given",
     .default_value = kDefaultShare,
     .min = 0.0001,
     .max = 1,
     .in_key = true},
    {.name = "tvi_threshold",
     .alias = "tvit",
     .help = "smallest visible step of luminance, as a ratio",
     .default_value = 0.019,
     .min = 0.0001,
     .max = 1,
     .in_key = true},
    {.name = "cambi_vis_lum_threshold",
     .alias = "vlt",
     .help = "luminance in cd/m2 below which no banding is seen",
     .default_value = 0.0,
     .min = 0,
     .max = 300,
     .in_key = true},
    {.name = "max_log_contrast",
     .alias = "mlc",
     .help = "steps of up to 2 to this power in 10-bit luma are looked for",
     .default_value = 2,
     .min = 0,
     .max = 5,
     .in_key = true},
    {.name = "heatmaps_path",
     .help = "folder for a map of the contrasts of each scale: raw 16-bit grey, frame after frame",
     .default_value = std::string()},
    {.name = "full_ref",
     .help = "measure the source too, and report what the distortion adds",
     .default_value = false},
    {.name = "eotf",
     .help = "transfer function from luma to luminance",
     .default_value = std::string(kDefaultEotf),
     .choices = {"bt1886", "pq"},
     .in_key = true},
    {.name = "cambi_eotf",
     .alias = "ceot",
     .help = "the same as eotf, and goes first if both are given",
     .default_value = std::string(kDefaultEotf),
     .choices = {"bt1886", "pq"},
     .in_key = true},
    {.name = "cambi_high_res_speedup",
     .alias = "hrs",
     .help =
         "1080, 1440 or 2160: pictures of 1920x1080, 2560x1440 or 3840x2160 pixels and more are "
         "halved first; 0: none",
     .default_value = 0,
     .min = 0,
     .max = 2160,
     .in_key = true},
};

struct Size {
  int width = 0;
  int height = 0;

  bool is_small() const { return width < kMinSize && height < kMinSize; }
  std::int64_t pixels() const { return std::int64_t{width} * height; }
};

// The size by the two options, or `otherwise` unless both are given.
Size size_by_options(const Options& options, std::string_view width, std::string_view height,
                     Size otherwise) {
  const Size size{options.integer(width), options.integer(height)};
  return size.width == 0 || size.height == 0 ? otherwise : size;
}

// The window is given for 3840x2160 and scales with width + height.
int scaled_window(int window, Size size, bool halve_first) {
  constexpr int kSizeOfUhd = 3840 + 2160;
  int scaled = window * (size.width + size.height) / kSizeOfUhd;
  if (halve_first) scaled = (scaled + 1) / 2;
  return scaled | 1;
}

Result<bool> halves_first(const Options& options, Size size) {
  switch (const int lines = options.integer("cambi_high_res_speedup")) {
    case 0:
      return false;
    case 1080:
      return size.pixels() >= std::int64_t{1920} * 1080;
    case 1440:
      return size.pixels() >= std::int64_t{2560} * 1440;
    case 2160:
      return size.pixels() >= std::int64_t{3840} * 2160;
    default:
      return Error{
          ErrorCode::kUsage,
          fmt::format("cambi: cambi_high_res_speedup={} is not 0, 1080, 1440 or 2160", lines),
          {}};
  }
}

Status check_stream(std::string_view stream, Size size, int window) {
  if (size.is_small()) {
    return Error{ErrorCode::kNotApplicable,
                 fmt::format("cambi needs a width or height of at least {}, the {} has {}x{}",
                             kMinSize, stream, size.width, size.height),
                 {}};
  }
  if (window > kMaxWindow) {
    return Error{
        ErrorCode::kNotApplicable,
        fmt::format("cambi: the window for the {} of {}x{} would be {} pixels across, at most {}",
                    stream, size.width, size.height, window, kMaxWindow),
        "give a smaller window_size"};
  }
  return {};
}

}  // namespace

std::span<const OptionSpec> option_specs() { return kOptions; }

VisibilityOptions visibility_options(const Options& options) {
  const std::string& first = options.text("cambi_eotf");
  const std::string& eotf = first != kDefaultEotf ? first : options.text("eotf");
  return {.max_log_contrast = options.integer("max_log_contrast"),
          .eotf = eotf == "pq" ? Eotf::kPq : Eotf::kBt1886,
          .step_ratio = options.number("tvi_threshold"),
          .dark_threshold = options.number("cambi_vis_lum_threshold")};
}

Result<Streams> plan_streams(const Options& options, const PictureFormat& format) {
  const Size input{format.width, format.height};
  Size encode = size_by_options(options, "enc_width", "enc_height", input);
  // A picture that was scaled down after decoding is measured as it is.
  if (encode.width > input.width || encode.height > input.height) encode = input;
  const Size source = size_by_options(options, "src_width", "src_height", input);

  Streams streams;
  streams.full_reference = options.flag("full_ref");
  const auto halve_first = halves_first(options, encode);
  if (!halve_first) return halve_first.error();

  const int depth = options.integer("enc_bitdepth");
  const double share = options.number("topk");
  Parameters common;
  common.anti_dither = (depth == 0 ? format.bit_depth : depth) < 10;
  common.halve_first = *halve_first;
  common.pooled_share = share != kDefaultShare ? share : options.number("cambi_topk");
  const auto make = [&](Size size) {
    Parameters p = common;
    p.width = size.width;
    p.height = size.height;
    p.window = scaled_window(options.integer("window_size"), size, *halve_first);
    return p;
  };
  streams.distorted = make(encode);
  if (const Status s = check_stream("encode", encode, streams.distorted.window); !s) {
    return s.error();
  }
  if (!streams.full_reference) return streams;

  streams.source = make(source);
  if (const Status s = check_stream("source", source, streams.source.window); !s) {
    return s.error();
  }
  if ((source.width > encode.width && source.height < encode.height) ||
      (source.width < encode.width && source.height > encode.height)) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("cambi: a source of {}x{} and an encode of {}x{}: one must not be wider and "
                    "the other higher",
                    source.width, source.height, encode.width, encode.height),
        {}};
  }
  return streams;
}

}  // namespace vmafx::cambi
