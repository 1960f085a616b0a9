#include "metrics/float_moment/float_moment.h"

#include <cstring>

namespace vmafx {
namespace {

constexpr std::string_view kOutputs[] = {"float_moment_ref1st", "float_moment_dis1st",
                                         "float_moment_ref2nd", "float_moment_dis2nd"};

struct Record {
  float_moment::Sums reference;
  float_moment::Sums distorted;
};

class FloatMomentMeasurement final : public Measurement {
 public:
  std::size_t record_size() const override { return sizeof(Record); }

  void measure(const MeasureInput& input, Scratch& /*scratch*/,
               std::span<std::byte> record) const override {
    const Record out = {luma_sums(input.reference[0]), luma_sums(input.distorted[0])};
    std::memcpy(record.data(), &out, sizeof out);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& /*format*/) const override {
    return float_moment::measure_on_device();
  }

 private:
  static float_moment::Sums luma_sums(const Picture& picture) {
    return picture.format().bit_depth == 8
               ? float_moment::sums(plane_view<std::uint8_t>(picture, 0))
               : float_moment::sums(plane_view<std::uint16_t>(picture, 0));
  }
};

class FloatMomentFold final : public Fold {
 public:
  explicit FloatMomentFold(const PictureFormat& format)
      : scale_(1 << (format.bit_depth - 8)),
        pixels_(static_cast<double>(format.width) * format.height) {}

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (const std::string_view key : kOutputs)
      keys.push_back({std::string(key), std::string(key)});
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Record raw;
    std::memcpy(&raw, record.data(), sizeof raw);
    sink.feature(frame, 0, mean(raw.reference.samples, scale_));
    sink.feature(frame, 1, mean(raw.distorted.samples, scale_));
    sink.feature(frame, 2, mean(raw.reference.squares, scale_ * scale_));
    sink.feature(frame, 3, mean(raw.distorted.squares, scale_ * scale_));
  }

 private:
  double mean(std::uint64_t sum, double scale) const {
    return static_cast<double>(sum) / scale / pixels_;
  }

  double scale_;  // of a sample, to the range of 8 bits
  double pixels_;
};

class FloatMomentMetric final : public Metric {
 public:
  std::string_view name() const override { return "float_moment"; }
  std::string_view summary() const override {
    return "mean and mean square of the luma of both pictures";
  }
  std::span<const OptionSpec> options() const override { return {}; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& /*options*/, const PictureFormat& /*format*/) const override {
    return {};
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> /*variants*/,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(std::make_unique<FloatMomentMeasurement>());
  }

  std::unique_ptr<Fold> fold(const Options& /*options*/, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<FloatMomentFold>(format);
  }
};

}  // namespace

const Metric& float_moment_metric() {
  static const FloatMomentMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
