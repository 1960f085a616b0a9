#include "metrics/vif/vif.h"

#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "metrics/vif_report.h"

namespace vmafx {
namespace {

using vif::kScales;
using vif::ScaleSums;
using vif::Sums;

using vif::kDebug;
using vif::kGainLimit;
using vif::kSkipScale0;

constexpr std::string_view kLongNames[] = {"VMAF_integer_feature_vif_scale0_score",
                                           "VMAF_integer_feature_vif_scale1_score",
                                           "VMAF_integer_feature_vif_scale2_score",
                                           "VMAF_integer_feature_vif_scale3_score",
                                           "integer_vif",
                                           "integer_vif_num",
                                           "integer_vif_den",
                                           "integer_vif_num_scale0",
                                           "integer_vif_den_scale0",
                                           "integer_vif_num_scale1",
                                           "integer_vif_den_scale1",
                                           "integer_vif_num_scale2",
                                           "integer_vif_den_scale2",
                                           "integer_vif_num_scale3",
                                           "integer_vif_den_scale3"};

// In bits; single precision, as the reference reports them.
struct Information {
  float num = 0;
  float den = 0;
};

Information information(const ScaleSums& sums) {
  const double num_log = static_cast<double>(sums.num_log) / 2048.0;
  const double den_log = static_cast<double>(sums.den_log) / 2048.0;
  const double samples = static_cast<double>(sums.den_non_log);
  // The variance in 1/65536, over a quarter of the square of the peak of 255.
  const double variance = static_cast<double>(sums.num_non_log) / 16384.0 / 65025.0;
  return {static_cast<float>(num_log + (samples - variance)),
          static_cast<float>(den_log + samples)};
}

class VifFold final : public Fold {
 public:
  VifFold(const Options& options, std::size_t variant)
      : suffix_(options.key_suffix()),
        skip_scale0_(options.flag(kSkipScale0)),
        debug_(options.flag(kDebug)),
        variant_(variant) {}

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (int s = 0; s < kScales; ++s)
      keys.push_back({fmt::format("integer_vif_scale{}{}", s, suffix_),
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
    std::array<Information, kScales> scale;
    for (std::size_t s = 0; s < kScales; ++s) scale[s] = information(sums.scale[s]);

    std::size_t key = 0;
    for (std::size_t s = 0; s < kScales; ++s) {
      const bool skipped = s == 0 && skip_scale0_;
      sink.feature(frame, key++, skipped ? 0.0 : double{scale[s].num / scale[s].den});
    }
    if (debug_) vif::report_parts<Information>(frame, key, scale, skip_scale0_, sink);
  }

 private:
  std::string suffix_;
  bool skip_scale0_;
  bool debug_;
  std::size_t variant_;
};

class VifMeasurement final : public Measurement {
 public:
  explicit VifMeasurement(std::span<const Options> variants) {
    for (const Options& options : variants) {
      gain_limits_.push_back(options.number(kGainLimit));
      scale0_ = scale0_ || !options.flag(kSkipScale0);
    }
  }

  std::size_t record_size() const override { return gain_limits_.size() * sizeof(Sums); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    measure_encodes({input.frame, input.reference, std::span(&input.distorted, 1), {}, input.crew},
                    scratch, std::span(&record, 1));
  }

  void measure_encodes(const EncodesInput& input, Scratch& scratch,
                       std::span<const std::span<std::byte>> records) const override {
    const Scratch::Frame frame(scratch);
    const std::size_t encodes = records.size();
    const auto distorted = scratch.take<const Picture*>(encodes);
    const auto sums = scratch.take<std::span<Sums>>(encodes);
    for (std::size_t e = 0; e < encodes; ++e) {
      distorted[e] = &input.distorted[e][0];
      sums[e] = {scratch.take<Sums>(gain_limits_.size()), gain_limits_.size()};
    }
    vif::measure_cpu(input.reference[0], {distorted, encodes}, {gain_limits_, scale0_}, scratch,
                     input.crew, {sums, encodes});
    for (std::size_t e = 0; e < encodes; ++e)
      std::memcpy(records[e].data(), sums[e].data(), sums[e].size_bytes());
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return vif::measure_on_device({gain_limits_, scale0_}, format);
  }

 private:
  std::vector<double> gain_limits_;
  bool scale0_ = false;
};

class VifMetric final : public Metric {
 public:
  std::string_view name() const override { return "vif"; }
  std::string_view summary() const override {
    return "visual information fidelity in four scales, integer arithmetic";
  }

  std::span<const OptionSpec> options() const override {
    static const std::array<OptionSpec, 3> kOptions = {
        vif::debug_option(), vif::gain_limit_option(), vif::skip_scale0_option()};
    return kOptions;
  }

  std::span<const std::string_view> outputs() const override { return kLongNames; }

  Status check(const Options&, const PictureFormat& format) const override {
    if (format.width < vif::kMinSize || format.height < vif::kMinSize)
      return Error{ErrorCode::kNotApplicable,
                   fmt::format("vif: pictures of {}x{} are too small, it needs {}x{} or more",
                               format.width, format.height, vif::kMinSize, vif::kMinSize),
                   {}};
    return {};
  }

  std::string group(const Options& options) const override {
    return options.canonical_without(std::array{kGainLimit, kSkipScale0, kDebug});
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat&) const override {
    return std::unique_ptr<Measurement>(std::make_unique<VifMeasurement>(variants));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat&,
                             std::size_t variant) const override {
    return std::make_unique<VifFold>(options, variant);
  }
};

}  // namespace

const Metric& vif_metric() {
  static const VifMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
