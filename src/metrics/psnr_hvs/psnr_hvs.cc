#include "metrics/psnr_hvs/psnr_hvs.h"

#include <array>
#include <cstring>

#include "base/exact/log.h"

namespace vmafx {
namespace {

const OptionSpec kOptions[] = {
    {.name = "enable_chroma", .help = "measure chroma planes too", .default_value = true},
};

constexpr std::array<std::string_view, 4> kOutputs = {"psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr",
                                                      "psnr_hvs"};
constexpr int kMaxDepth = 12;

// Raw sums of a frame; 0 for planes that are not measured.
struct Record {
  std::array<float, 3> error;
};

std::size_t planes_of(const Options& options, const PictureFormat& format) {
  return options.flag("enable_chroma") ? static_cast<std::size_t>(format.planes()) : 1;
}

class PsnrHvsMeasurement final : public Measurement {
 public:
  explicit PsnrHvsMeasurement(std::size_t planes) : planes_(planes) {}

  std::size_t record_size() const override { return sizeof(Record); }

  void measure(const MeasureInput& input, Scratch& /*scratch*/,
               std::span<std::byte> record) const override {
    Record out{};
    for (std::size_t p = 0; p < planes_; ++p) {
      out.error[p] = input.reference[0].format().bit_depth == 8 ? error<std::uint8_t>(input, p)
                                                                : error<std::uint16_t>(input, p);
    }
    std::memcpy(record.data(), &out, sizeof out);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return psnr_hvs::measure_on_device(static_cast<int>(planes_), format);
  }

 private:
  template <class Sample>
  static float error(const MeasureInput& input, std::size_t plane) {
    const int p = static_cast<int>(plane);
    return psnr_hvs::error(plane_view<Sample>(input.reference[0], p),
                           plane_view<Sample>(input.distorted[0], p), psnr_hvs::kWeights[plane]);
  }

  std::size_t planes_;
};

class PsnrHvsFold final : public Fold {
 public:
  PsnrHvsFold(const Options& options, const PictureFormat& format)
      : planes_(planes_of(options, format)) {
    const int peak = (1 << format.bit_depth) - 1;
    peak_squared_ = static_cast<float>(peak * peak);
    for (std::size_t p = 0; p < planes_; ++p) {
      const int plane = static_cast<int>(p);
      const std::int64_t blocks = std::int64_t{psnr_hvs::blocks_along(format.plane_width(plane))} *
                                  psnr_hvs::blocks_along(format.plane_height(plane));
      coefficients_[p] = static_cast<float>(blocks * psnr_hvs::kCoefficients);
    }
  }

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (std::size_t p = 0; p < planes_; ++p)
      keys.push_back({std::string(kOutputs[p]), std::string(kOutputs[p])});
    if (planes_ == 3) keys.push_back({std::string(kOutputs[3]), std::string(kOutputs[3])});
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Record raw;
    std::memcpy(&raw, record.data(), sizeof raw);
    std::array<double, 3> mean{};
    for (std::size_t p = 0; p < planes_; ++p) {
      mean[p] = raw.error[p] / coefficients_[p] / peak_squared_;
      sink.feature(frame, p, decibels(mean[p]));
    }
    if (planes_ == 3) sink.feature(frame, 3, decibels(mean[0] * .8 + .1 * (mean[1] + mean[2])));
  }

 private:
  // Infinite for equal planes.
  static double decibels(double mean) { return -10 * exact::log10(mean); }

  std::size_t planes_;
  float peak_squared_ = 0;
  std::array<float, 3> coefficients_{};
};

class PsnrHvsMetric final : public Metric {
 public:
  std::string_view name() const override { return "psnr_hvs"; }
  std::string_view summary() const override {
    return "PSNR with contrast sensitivity and masking (PSNR-HVS-M), in dB";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& options, const PictureFormat& format) const override {
    if (format.bit_depth > kMaxDepth)
      return Error{ErrorCode::kNotApplicable, "psnr_hvs: measures at most 12 bits a sample"};
    const int last = static_cast<int>(planes_of(options, format)) - 1;
    if (format.plane_width(last) < psnr_hvs::kBlock || format.plane_height(last) < psnr_hvs::kBlock)
      return Error{ErrorCode::kNotApplicable, "psnr_hvs: needs planes of at least 8x8 samples"};
    return {};
  }

  // Options change what is summed, not the sums: one measurement serves all.
  std::string group(const Options& /*options*/) const override { return {}; }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    std::size_t planes = 0;
    for (const Options& options : variants) planes = std::max(planes, planes_of(options, format));
    return std::unique_ptr<Measurement>(std::make_unique<PsnrHvsMeasurement>(planes));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<PsnrHvsFold>(options, format);
  }
};

}  // namespace

const Metric& psnr_hvs_metric() {
  static const PsnrHvsMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
