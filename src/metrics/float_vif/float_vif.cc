#include "metrics/float_vif/float_vif.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/gaussian.h"
#include "metrics/vif_report.h"

namespace vmafx {
namespace {

using float_vif::kScales;
using float_vif::ScaleSums;
using float_vif::Sums;
using separable::Window;

using vif::kDebug;
using vif::kGainLimit;
using vif::kSkipScale0;

constexpr std::string_view kKernelScale = "vif_kernelscale";
constexpr std::string_view kPrescale = "vif_prescale";
constexpr std::string_view kPrescaleMethod = "vif_prescale_method";
constexpr std::string_view kNoise = "vif_sigma_nsq";
constexpr std::string_view kMinimum[] = {"vif_scale1_min_val", "vif_scale2_min_val",
                                         "vif_scale3_min_val"};

// What the measurement does not depend on, or only in its last step.
constexpr std::string_view kTailOptions[] = {kGainLimit,  kSkipScale0, kDebug,
                                             kMinimum[0], kMinimum[1], kMinimum[2]};

constexpr std::string_view kLongNames[] = {"VMAF_feature_vif_scale0_score",
                                           "VMAF_feature_vif_scale1_score",
                                           "VMAF_feature_vif_scale2_score",
                                           "VMAF_feature_vif_scale3_score",
                                           "vif",
                                           "vif_num",
                                           "vif_den",
                                           "vif_num_scale0",
                                           "vif_den_scale0",
                                           "vif_num_scale1",
                                           "vif_den_scale1",
                                           "vif_num_scale2",
                                           "vif_den_scale2",
                                           "vif_num_scale3",
                                           "vif_den_scale3"};

// libvmaf takes these, and what is within a thousandth of them.
constexpr double kKernelScales[] = {1,          1.0 / 2,  3.0 / 2, 2,        2.0 / 3,  24.0 / 10,
                                    360.0 / 97, 4.0 / 3,  3.5 / 3, 3.75 / 3, 4.25 / 3, 5.0 / 3,
                                    3,          1 / 2.25, 1.4746,  1.54,     1.6,      1.06667,
                                    0.711111,   0.740740, 1.111111};

bool is_kernel_scale(double wanted) {
  return std::any_of(std::begin(kKernelScales), std::end(kKernelScales),
                     [&](double scale) { return std::fabs(wanted - scale) < 1e-3; });
}

OptionSpec minimum_option(int scale, std::string_view name, std::string_view alias) {
  static constexpr std::string_view kHelp[] = {"least value of scale 1", "least value of scale 2",
                                               "least value of scale 3"};
  return {.name = name,
          .alias = alias,
          .help = kHelp[scale - 1],
          .default_value = 0.0,
          .min = 0,
          .max = 1,
          .in_key = true};
}

const OptionSpec kOptions[] = {
    vif::debug_option(),
    vif::gain_limit_option(),
    {.name = kKernelScale,
     .alias = "ks",
     .help = "factor on the width of the Gaussian windows, one of a list",
     .default_value = 1.0,
     .min = 0.1,
     .max = 4,
     .in_key = true},
    {.name = kPrescale,
     .alias = "ps",
     .help = "factor by which pictures are scaled before",
     .default_value = 1.0,
     .min = 0.1,
     .max = 4,
     .in_key = true},
    {.name = kPrescaleMethod,
     .alias = "pm",
     .help = "how pictures are scaled",
     .default_value = std::string("nearest"),
     .choices = {"nearest", "bilinear", "bicubic", "lanczos4"},
     .in_key = true},
    minimum_option(1, kMinimum[0], "s1miv"),
    minimum_option(2, kMinimum[1], "s2miv"),
    minimum_option(3, kMinimum[2], "s3miv"),
    {.name = kNoise,
     .alias = "snsq",
     .help = "variance of the visual noise",
     .default_value = 2.0,
     .min = 0,
     .max = 5,
     .in_key = true},
    vif::skip_scale0_option(),
};

int scaled_size(int size, double factor) { return static_cast<int>(size * factor + 0.5); }

// The smallest width and height at which every mirrored border exists.
int smallest_size(double kernel_scale) {
  const auto windows = float_vif::make_windows(kernel_scale);
  int smallest = 0;
  for (int s = 0; s < kScales; ++s)
    smallest = std::max(smallest, (windows[static_cast<std::size_t>(s)].radius() + 1) << s);
  return smallest;
}

class FloatVifFold final : public Fold {
 public:
  FloatVifFold(const Options& options, std::size_t variant)
      : suffix_(options.key_suffix()),
        skip_scale0_(options.flag(kSkipScale0)),
        debug_(options.flag(kDebug)),
        variant_(variant) {
    for (std::size_t i = 0; i < std::size(kMinimum); ++i) minimum_[i] = options.number(kMinimum[i]);
  }

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (int s = 0; s < kScales; ++s)
      keys.push_back({fmt::format("vif_scale{}{}", s, suffix_),
                      std::string(kLongNames[static_cast<std::size_t>(s)])});
    if (debug_) {
      for (std::size_t i = kScales; i < std::size(kLongNames); ++i)
        keys.push_back({fmt::format("{}{}", kLongNames[i], suffix_), std::string(kLongNames[i])});
    }
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Sums sums;
    std::memcpy(&sums, record.data() + variant_ * sizeof(Sums), sizeof(Sums));
    sink.feature(frame, 0, skip_scale0_ ? 0 : ratio(sums.scale[0]));
    for (std::size_t s = 1; s < kScales; ++s)
      sink.feature(frame, s, std::max(ratio(sums.scale[s]), minimum_[s - 1]));
    if (debug_) vif::report_parts<ScaleSums>(frame, kScales, sums.scale, skip_scale0_, sink);
  }

 private:
  static double ratio(const ScaleSums& sums) { return double{sums.num} / double{sums.den}; }

  std::string suffix_;
  bool skip_scale0_;
  bool debug_;
  std::size_t variant_;
  std::array<double, std::size(kMinimum)> minimum_{};
};

class FloatVifMeasurement final : public Measurement {
 public:
  FloatVifMeasurement(std::span<const Options> variants, const PictureFormat& format) {
    const Options& options = variants[0];
    task_.windows = float_vif::make_windows(options.number(kKernelScale));
    task_.noise = options.number(kNoise);
    task_.scale0 = false;
    for (const Options& variant : variants) {
      task_.gain_limits.push_back(static_cast<float>(variant.number(kGainLimit)));
      task_.scale0 = task_.scale0 || !variant.flag(kSkipScale0);
    }
    const double prescale = options.number(kPrescale);
    const int width = scaled_size(format.width, prescale);
    const int height = scaled_size(format.height, prescale);
    if (width != format.width || height != format.height)
      task_.prescaler.emplace(scaling_named(options.text(kPrescaleMethod)), format.width,
                              format.height, width, height);
  }

  std::size_t record_size() const override { return task_.gain_limits.size() * sizeof(Sums); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    const Scratch::Frame frame(scratch);
    const std::size_t variants = task_.gain_limits.size();
    const std::span<Sums> sums(scratch.take<Sums>(variants), variants);
    float_vif::measure_cpu(input.reference[0], input.distorted[0], task_, scratch, sums);
    std::memcpy(record.data(), sums.data(), sums.size_bytes());
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return float_vif::measure_on_device(task_, format);
  }

 private:
  float_vif::Task task_;
};

class FloatVifMetric final : public Metric {
 public:
  std::string_view name() const override { return "float_vif"; }
  std::string_view summary() const override {
    return "visual information fidelity in four scales, floating-point arithmetic";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kLongNames; }

  Status check(const Options& options, const PictureFormat& format) const override {
    const double kernel_scale = options.number(kKernelScale);
    if (!is_kernel_scale(kernel_scale)) {
      return Error{ErrorCode::kUsage,
                   fmt::format("float_vif: {} of {} is none of {:.4g}", kKernelScale, kernel_scale,
                               fmt::join(kKernelScales, ", ")),
                   {}};
    }
    const int smallest = smallest_size(kernel_scale);
    const double prescale = options.number(kPrescale);
    const int width = scaled_size(format.width, prescale);
    const int height = scaled_size(format.height, prescale);
    const bool scaled = width != format.width || height != format.height;
    if (scaled && std::min(format.width, format.height) < kSmallestScaled) {
      return Error{ErrorCode::kNotApplicable,
                   fmt::format("float_vif: pictures of {}x{} are too small to be scaled, {}x{} or "
                               "more are needed",
                               format.width, format.height, kSmallestScaled, kSmallestScaled),
                   {}};
    }
    if (width >= smallest && height >= smallest) return {};
    return Error{ErrorCode::kNotApplicable,
                 fmt::format("float_vif: pictures of {}x{}{} are too small, it needs {}x{} or more",
                             width, height, scaled ? " after prescaling" : "", smallest, smallest),
                 {}};
  }

  std::string group(const Options& options) const override {
    return options.canonical_without(kTailOptions);
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    return std::unique_ptr<Measurement>(std::make_unique<FloatVifMeasurement>(variants, format));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat&,
                             std::size_t variant) const override {
    return std::make_unique<FloatVifFold>(options, variant);
  }
};

}  // namespace

namespace float_vif {

std::array<Window, kScales> make_windows(double kernel_scale) {
  std::array<Window, kScales> windows;
  for (int s = 0; s < kScales; ++s) {
    const int taps = tap_count((1 << (kScales - s)) + 1, kernel_scale);
    windows[static_cast<std::size_t>(s)] = Window(gaussian(taps, static_cast<float>(taps) / 5.0f));
  }
  return windows;
}

}  // namespace float_vif

const Metric& float_vif_metric() {
  static const FloatVifMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
