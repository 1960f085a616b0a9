#include "metrics/ciede/ciede.h"

#include <cstring>
#include <limits>

#include "base/exact/log.h"

namespace vmafx {
namespace {

constexpr std::string_view kOutputs[] = {"ciede2000"};

class CiedeMeasurement final : public Measurement {
 public:
  std::size_t record_size() const override { return sizeof(double); }

  void measure(const MeasureInput& input, Scratch& /*scratch*/,
               std::span<std::byte> record) const override {
    const double sum = ciede::sum(input.reference[0], input.distorted[0]);
    std::memcpy(record.data(), &sum, sizeof sum);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return ciede::measure_on_device(format);
  }
};

class CiedeFold final : public Fold {
 public:
  explicit CiedeFold(const PictureFormat& format)
      : pixels_(static_cast<double>(format.width) * format.height) {}

  std::vector<OutputKey> keys() const override {
    return {{std::string(kOutputs[0]), std::string(kOutputs[0])}};
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    double sum = 0;
    std::memcpy(&sum, record.data(), sizeof sum);
    const double score =
        sum == 0 ? std::numeric_limits<double>::infinity() : 45 - 20 * exact::log10(sum / pixels_);
    sink.feature(frame, 0, score);
  }

 private:
  double pixels_;
};

class CiedeMetric final : public Metric {
 public:
  std::string_view name() const override { return "ciede"; }
  std::string_view summary() const override {
    return "CIEDE2000 colour difference, 45 - 20 log10(mean); needs chroma, assumes BT.709";
  }
  std::span<const OptionSpec> options() const override { return {}; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& /*options*/, const PictureFormat& format) const override {
    if (format.chroma != Chroma::k400) return {};
    return Error{ErrorCode::kNotApplicable,
                 "ciede compares colours, and these pictures have none (4:0:0)",
                 {}};
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> /*variants*/,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(std::make_unique<CiedeMeasurement>());
  }

  std::unique_ptr<Fold> fold(const Options& /*options*/, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<CiedeFold>(format);
  }
};

}  // namespace

const Metric& ciede_metric() {
  static const CiedeMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
