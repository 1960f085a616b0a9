#include "metrics/float_ssim/float_ssim.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "base/exact/log.h"

namespace vmafx {
namespace float_ssim {

Means means_of(const Sums& sums, int width, int height) {
  const double windows = static_cast<double>(width - kTaps + 1) * (height - kTaps + 1);
  const auto mean = [&](double sum) { return static_cast<float>(sum / windows); };
  return {mean(sums.ssim), mean(sums.luminance), mean(sums.contrast), mean(sums.structure)};
}

double to_decibels(double score, double cap) {
  // Rounding may lift the score of nearly equal pictures above 1.
  return std::min(-10 * exact::log10(std::max(0.0, 1 - score)), cap);
}

double decibel_cap(bool clip, int bit_depth, int width, int height) {
  if (!clip) return std::numeric_limits<double>::infinity();
  const double peak = (1 << bit_depth) - 1;
  const double mse = 0.5 / (static_cast<double>(width) * height);
  return std::ceil(10 * exact::log10(peak * peak / mse));
}

}  // namespace float_ssim

namespace {

const OptionSpec kOptions[] = {
    {.name = "enable_lcs",
     .help = "report means of luminance, contrast and structure too",
     .default_value = false},
    {.name = "enable_db", .help = "report -10 log10(1 - SSIM)", .default_value = false},
    {.name = "clip_db",
     .help = "cap of the dB value: an error of half a step in one sample",
     .default_value = false},
    {.name = "scale",
     .help = "decimation; 0: shorter side / 256, rounded; 1: none",
     .default_value = 0,
     .min = 0,
     .max = 10},
};
// Of the fold alone.
constexpr std::string_view kFoldOptions[] = {"enable_lcs", "enable_db", "clip_db"};

constexpr std::string_view kOutputs[] = {"float_ssim", "float_ssim_l", "float_ssim_c",
                                         "float_ssim_s"};

int factor_of(const Options& options, const PictureFormat& format) {
  constexpr int kViewed = 256;
  const int factor = options.integer("scale");
  if (factor > 0) return factor;
  return std::max(1, (std::min(format.width, format.height) + kViewed / 2) / kViewed);
}

class FloatSsimMeasurement final : public Measurement {
 public:
  FloatSsimMeasurement(const PictureFormat& format, int factor)
      : bit_depth_(format.bit_depth),
        factor_(factor),
        width_(float_ssim::decimated(format.width, factor)),
        height_(float_ssim::decimated(format.height, factor)) {}

  std::size_t record_size() const override { return sizeof(float_ssim::Sums); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    const Scratch::Frame frame(scratch);
    const float_ssim::Sums sums = bit_depth_ == 8 ? sums_of<std::uint8_t>(input, scratch)
                                                  : sums_of<std::uint16_t>(input, scratch);
    std::memcpy(record.data(), &sums, sizeof sums);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return float_ssim::measure_on_device(format, factor_);
  }

 private:
  template <class Sample>
  float_ssim::Sums sums_of(const MeasureInput& input, Scratch& scratch) const {
    const auto reference = plane_view<Sample>(input.reference[0], 0);
    const auto distorted = plane_view<Sample>(input.distorted[0], 0);
    if (factor_ == 1) return float_ssim::statistics(reference, distorted, bit_depth_, scratch);
    return float_ssim::statistics(decimated(reference, scratch), decimated(distorted, scratch),
                                  scratch);
  }

  template <class Sample>
  PlaneView<const float> decimated(PlaneView<const Sample> plane, Scratch& scratch) const {
    const auto samples = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    const PlaneView<float> out{scratch.take<float>(samples), width_, width_, height_};
    float_ssim::decimate(plane, bit_depth_, factor_, out, scratch);
    return {out.data, out.stride, out.width, out.height};
  }

  int bit_depth_;
  int factor_;
  int width_;
  int height_;
};

class FloatSsimFold final : public Fold {
 public:
  FloatSsimFold(const Options& options, const PictureFormat& format)
      : width_(float_ssim::decimated(format.width, factor_of(options, format))),
        height_(float_ssim::decimated(format.height, factor_of(options, format))),
        parts_(options.flag("enable_lcs")),
        decibels_(options.flag("enable_db")),
        cap_(float_ssim::decibel_cap(options.flag("clip_db"), format.bit_depth, format.width,
                                     format.height)) {}

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (const std::string_view key : kOutputs) {
      keys.push_back({std::string(key), std::string(key)});
      if (!parts_) break;
    }
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    float_ssim::Sums sums;
    std::memcpy(&sums, record.data(), sizeof sums);
    const float_ssim::Means means = float_ssim::means_of(sums, width_, height_);
    const double score = means.ssim;
    sink.feature(frame, 0, decibels_ ? float_ssim::to_decibels(score, cap_) : score);
    if (!parts_) return;
    sink.feature(frame, 1, means.luminance);
    sink.feature(frame, 2, means.contrast);
    sink.feature(frame, 3, means.structure);
  }

 private:
  int width_;
  int height_;
  bool parts_;
  bool decibels_;
  double cap_;
};

class FloatSsimMetric final : public Metric {
 public:
  std::string_view name() const override { return "float_ssim"; }
  std::string_view summary() const override { return "structural similarity of decimated luma"; }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& options, const PictureFormat& format) const override {
    const int factor = factor_of(options, format);
    const int width = float_ssim::decimated(format.width, factor);
    const int height = float_ssim::decimated(format.height, factor);
    if (width < float_ssim::kTaps || height < float_ssim::kTaps) {
      return Error{ErrorCode::kNotApplicable,
                   fmt::format("float_ssim: the window of {0}x{0} does not fit the picture, which "
                               "is {1}x{2} after decimation by {3}",
                               float_ssim::kTaps, width, height, factor),
                   {}};
    }
    return {};
  }

  std::string group(const Options& options) const override {
    return options.canonical_without(kFoldOptions);
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    return std::unique_ptr<Measurement>(
        std::make_unique<FloatSsimMeasurement>(format, factor_of(variants[0], format)));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<FloatSsimFold>(options, format);
  }
};

}  // namespace

const Metric& float_ssim_metric() {
  static const FloatSsimMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
