#include "metrics/ssim/ssim.h"

#include <cstring>

#include "metrics/float_ssim/float_ssim.h"

namespace vmafx {
namespace {

const OptionSpec kOptions[] = {
    {.name = "enable_db", .help = "report -10 log10(1 - SSIM)", .default_value = false},
    {.name = "clip_db",
     .help = "cap of the dB value: an error of half a step in one sample",
     .default_value = false},
};

constexpr std::string_view kOutputs[] = {"ssim"};

double total_window_weight(int size) {
  double weight = 0;
  for (int i = 0; i < size; ++i) weight += ssim::window_weight(i, size);
  return weight;
}

class SsimMeasurement final : public Measurement {
 public:
  std::size_t record_size() const override { return sizeof(double); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    const double sum = input.reference[0].format().bit_depth == 8
                           ? luma_sum<std::uint8_t>(input, scratch)
                           : luma_sum<std::uint16_t>(input, scratch);
    std::memcpy(record.data(), &sum, sizeof sum);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return ssim::measure_on_device(format);
  }

 private:
  template <class Sample>
  static double luma_sum(const MeasureInput& input, Scratch& scratch) {
    return ssim::sum(plane_view<Sample>(input.reference[0], 0),
                     plane_view<Sample>(input.distorted[0], 0),
                     input.reference[0].format().bit_depth, scratch);
  }
};

class SsimFold final : public Fold {
 public:
  SsimFold(const Options& options, const PictureFormat& format)
      : weight_(total_window_weight(format.width) * total_window_weight(format.height)),
        decibels_(options.flag("enable_db")),
        cap_(float_ssim::decibel_cap(options.flag("clip_db"), format.bit_depth, format.width,
                                     format.height)) {}

  std::vector<OutputKey> keys() const override { return {{"ssim", "ssim"}}; }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    double sum = 0;
    std::memcpy(&sum, record.data(), sizeof sum);
    const double score = sum / weight_;
    sink.feature(frame, 0, decibels_ ? float_ssim::to_decibels(score, cap_) : score);
  }

 private:
  double weight_;
  bool decibels_;
  double cap_;
};

class SsimMetric final : public Metric {
 public:
  std::string_view name() const override { return "ssim"; }
  std::string_view summary() const override {
    return "structural similarity of luma at full size, integer window";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& /*options*/, const PictureFormat& /*format*/) const override {
    return {};
  }

  std::string group(const Options& /*options*/) const override { return {}; }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> /*variants*/,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(std::make_unique<SsimMeasurement>());
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<SsimFold>(options, format);
  }
};

}  // namespace

const Metric& ssim_metric() {
  static const SsimMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
