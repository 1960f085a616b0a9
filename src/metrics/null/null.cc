#include "metrics/null/null.h"

namespace vmafx {
namespace {

class NullMeasurement final : public Measurement {
 public:
  std::size_t record_size() const override { return 0; }
  void measure(const MeasureInput& /*input*/, Scratch& /*scratch*/,
               std::span<std::byte> /*record*/) const override {}
};

class NullFold final : public Fold {
 public:
  std::vector<OutputKey> keys() const override { return {}; }
  void push(std::int64_t /*frame*/, std::span<const std::byte> /*record*/,
            FeatureSink& /*sink*/) override {}
};

class NullMetric final : public Metric {
 public:
  std::string_view name() const override { return "null"; }
  std::string_view summary() const override { return "measures nothing, to time reading alone"; }
  std::span<const OptionSpec> options() const override { return {}; }
  std::span<const std::string_view> outputs() const override { return {}; }
  Status check(const Options& /*options*/, const PictureFormat& /*format*/) const override {
    return {};
  }
  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> /*variants*/,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(std::make_unique<NullMeasurement>());
  }
  std::unique_ptr<Fold> fold(const Options& /*options*/, const PictureFormat& /*format*/,
                             std::size_t /*variant*/) const override {
    return std::make_unique<NullFold>();
  }
};

}  // namespace

const Metric& null_metric() {
  static const NullMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
