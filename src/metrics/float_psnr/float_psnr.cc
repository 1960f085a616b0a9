#include "metrics/float_psnr/float_psnr.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/exact/log.h"
#include "metrics/psnr/psnr.h"

namespace vmafx {
namespace {

const OptionSpec kOptions[] = {
    {.name = "uncapped",
     .help = "no cap: equal planes give the PSNR of a mean squared error of 1e-10",
     .default_value = false},
};

constexpr std::string_view kOutputs[] = {"float_psnr"};

constexpr double kSmallestMse = 1e-10;

// The kernel and its definition are those of psnr: the sum of squared errors is an exact integer.
class FloatPsnrMeasurement final : public Measurement {
 public:
  std::size_t record_size() const override { return sizeof(std::uint64_t); }

  void measure(const MeasureInput& input, Scratch& /*scratch*/,
               std::span<std::byte> record) const override {
    const std::uint64_t sse = input.reference[0].format().bit_depth == 8
                                  ? luma_sse<std::uint8_t>(input)
                                  : luma_sse<std::uint16_t>(input);
    std::memcpy(record.data(), &sse, sizeof sse);
  }

  // The first of psnr's sums is that of luma.
  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& /*format*/) const override {
    return psnr::measure_on_device(1);
  }

 private:
  template <class Sample>
  static std::uint64_t luma_sse(const MeasureInput& input) {
    return psnr::sse(plane_view<Sample>(input.reference[0], 0),
                     plane_view<Sample>(input.distorted[0], 0),
                     input.reference[0].format().bit_depth);
  }
};

class FloatPsnrFold final : public Fold {
 public:
  FloatPsnrFold(const Options& options, const PictureFormat& format)
      : scale_(1 << (format.bit_depth - 8)),
        pixels_(static_cast<double>(format.width) * format.height),
        peak_(((1 << format.bit_depth) - 1) / scale_),
        cap_(options.flag("uncapped") ? HUGE_VAL : 6 * format.bit_depth + 12) {}

  std::vector<OutputKey> keys() const override { return {{"float_psnr", "float_psnr"}}; }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    std::uint64_t sse = 0;
    std::memcpy(&sse, record.data(), sizeof sse);
    const double mse = static_cast<double>(sse) / (scale_ * scale_) / pixels_;
    const double psnr = 10 * exact::log10(peak_ * peak_ / std::max(mse, kSmallestMse));
    sink.feature(frame, 0, std::min(psnr, cap_));
  }

 private:
  double scale_;  // of a sample, to the range of 8 bits
  double pixels_;
  double peak_;
  double cap_;
};

class FloatPsnrMetric final : public Metric {
 public:
  std::string_view name() const override { return "float_psnr"; }
  std::string_view summary() const override {
    return "peak signal-to-noise ratio of luma on the 8-bit scale, in dB";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& /*options*/, const PictureFormat& /*format*/) const override {
    return {};
  }

  std::string group(const Options& /*options*/) const override { return {}; }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> /*variants*/,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(std::make_unique<FloatPsnrMeasurement>());
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<FloatPsnrFold>(options, format);
  }
};

}  // namespace

const Metric& float_psnr_metric() {
  static const FloatPsnrMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
