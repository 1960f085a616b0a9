#include "metrics/ssimulacra2/ssimulacra2.h"

#include <cstring>

#include <fmt/format.h>

namespace vmafx {
namespace {

using ssimulacra2::Colour;
using ssimulacra2::Sums;

const OptionSpec kOptions[] = {
    {.name = "yuv_matrix",
     .help = "0: BT.709 limited range, 1: BT.601 limited, 2: BT.709 full, 3: BT.601 full",
     .default_value = 0,
     .min = 0,
     .max = 3,
     .in_key = true},
};

constexpr std::string_view kOutputs[] = {"ssimulacra2"};

class Ssimulacra2Measurement final : public Measurement {
 public:
  explicit Ssimulacra2Measurement(Colour colour) : colour_(colour) {}

  std::size_t record_size() const override { return sizeof(Sums); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    const Sums sums = ssimulacra2::sums(input.reference[0], input.distorted[0], colour_, scratch);
    std::memcpy(record.data(), &sums, sizeof sums);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return ssimulacra2::measure_on_device(colour_, format);
  }

 private:
  Colour colour_;
};

class Ssimulacra2Fold final : public Fold {
 public:
  Ssimulacra2Fold(const Options& options, const PictureFormat& format)
      : key_(std::string(kOutputs[0]) + options.key_suffix()),
        width_(format.width),
        height_(format.height) {}

  std::vector<OutputKey> keys() const override { return {{key_, std::string(kOutputs[0])}}; }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Sums sums;
    std::memcpy(&sums, record.data(), sizeof sums);
    sink.feature(frame, 0, ssimulacra2::score(sums, width_, height_));
  }

 private:
  std::string key_;
  int width_;
  int height_;
};

class Ssimulacra2Metric final : public Metric {
 public:
  std::string_view name() const override { return "ssimulacra2"; }
  std::string_view summary() const override {
    return "SSIMULACRA 2.1: visibility of coding errors in XYB colours, in six scales";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& /*options*/, const PictureFormat& format) const override {
    if (format.width >= ssimulacra2::kMinSize && format.height >= ssimulacra2::kMinSize) return {};
    return Error{ErrorCode::kNotApplicable,
                 fmt::format("ssimulacra2 needs pictures of at least 8x8, and these are {}x{}",
                             format.width, format.height),
                 {}};
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& /*format*/) const override {
    const auto colour = static_cast<Colour>(variants[0].integer("yuv_matrix"));
    return std::unique_ptr<Measurement>(std::make_unique<Ssimulacra2Measurement>(colour));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<Ssimulacra2Fold>(options, format);
  }
};

}  // namespace

const Metric& ssimulacra2_metric() {
  static const Ssimulacra2Metric kMetric;
  return kMetric;
}

}  // namespace vmafx
