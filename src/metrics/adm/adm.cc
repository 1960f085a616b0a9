#include "metrics/adm/adm.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/exact/power.h"
#include "metrics/adm/geometry.h"

namespace vmafx {
namespace adm {
namespace {

const std::array<OptionSpec, 12>& schema() {
  static const std::array<OptionSpec, 12> kSchema = {{
      debug_option(),
      csf_scale_option(),
      csf_diagonal_scale_option(),
      dlm_weight_option(),
      gain_limit_option(),
      view_distance_option(),
      display_height_option("rdh"),
      {.name = "adm_csf_mode",
       .alias = "csf",
       .help = "contrast sensitivity: 0 Watson, 1 Barten, 2 and 3 blends of both",
       .default_value = 0,
       .min = 0,
       .max = 3,
       .in_key = true},
      noise_weight_option(),
      {.name = "adm_skip_aim",
       .alias = "",
       .help = "do not measure aim, report 0",
       .default_value = false},
      skip_scale0_option(),
      min_value_option(),
  }};
  return kSchema;
}

struct Output {
  std::string_view key;
  std::string_view name;
};

constexpr Output kOutputs[] = {
    {"integer_adm2", "VMAF_integer_feature_adm2_score"},
    {"integer_aim", "VMAF_integer_feature_aim_score"},
    {"integer_adm3", "VMAF_integer_feature_adm3_score"},
    {"integer_adm_scale0", "integer_adm_scale0"},
    {"integer_adm_scale1", "integer_adm_scale1"},
    {"integer_adm_scale2", "integer_adm_scale2"},
    {"integer_adm_scale3", "integer_adm_scale3"},
    {"integer_adm", "integer_adm"},
    {"integer_adm_num", "integer_adm_num"},
    {"integer_adm_den", "integer_adm_den"},
    {"integer_adm_num_scale0", "integer_adm_num_scale0"},
    {"integer_adm_den_scale0", "integer_adm_den_scale0"},
    {"integer_adm_num_scale1", "integer_adm_num_scale1"},
    {"integer_adm_den_scale1", "integer_adm_den_scale1"},
    {"integer_adm_num_scale2", "integer_adm_num_scale2"},
    {"integer_adm_den_scale2", "integer_adm_den_scale2"},
    {"integer_adm_num_scale3", "integer_adm_num_scale3"},
    {"integer_adm_den_scale3", "integer_adm_den_scale3"},
};

Csf csf_of(const Options& options) {
  return csf_of(options, static_cast<CsfMode>(options.integer("adm_csf_mode")));
}

Variant variant_of(const Options& options) {
  return {.gain_limit = options.number("adm_enhn_gain_limit"),
          .weights = csf_weights(csf_of(options)),
          .scale0 = !options.flag("adm_skip_scale0"),
          .additive = !options.flag("adm_skip_aim")};
}

class AdmMeasurement : public Measurement {
 public:
  explicit AdmMeasurement(std::span<const Options> variants) {
    for (const Options& options : variants) variants_.add(variant_of(options));
  }

  std::size_t record_size() const override { return variants_.count() * sizeof(Sums); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    const Scratch::Frame frame(scratch);
    const std::span<const Variant> distinct = variants_.distinct();
    const std::span<Sums> sums(scratch.take<Sums>(distinct.size()), distinct.size());
    measure_cpu(input.reference[0], input.distorted[0], distinct, scratch, sums, input.crew);
    variants_.store<Sums>(sums, record);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return measure_on_device(format, variants_);
  }

 private:
  DistinctVariants<Variant> variants_;
};

class AdmFold : public Fold {
 public:
  AdmFold(const Options& options, const PictureFormat& format, std::size_t variant)
      : offset_(variant * sizeof(Sums)),
        suffix_(options.key_suffix()),
        debug_(options.flag("debug")),
        skip_scale0_(options.flag("adm_skip_scale0")),
        skip_additive_(options.flag("adm_skip_aim")),
        noise_weight_(options.number("adm_noise_weight")),
        dlm_weight_(options.number("adm_dlm_weight")),
        min_value_(options.number("adm_min_val")),
        weights_(csf_weights(csf_of(options))),
        geometry_(scale_geometry(format.width, format.height)),
        least_sum_(least_sum(format)) {}

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (const Output& output :
         std::span(kOutputs).first(debug_ ? std::size(kOutputs) : kOrdinaryOutputs))
      keys.push_back({std::string(output.key) + suffix_, std::string(output.name)});
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Sums sums;
    std::memcpy(&sums, record.data() + offset_, sizeof(Sums));
    PictureScore score;
    double additive = 0;
    for (int scale = 0; scale < kScales; ++scale) {
      const ScaleScore s = finish_scale(sums, scale);
      score.scale[scale] = s;
      score.restored += s.restored;
      score.original += s.original;
      additive += s.additive;
    }
    if (score.restored < least_sum_) score.restored = 0;
    if (score.original < least_sum_) score.original = 0;
    // Without detail in the reference nothing can be lost or masked.
    score.aim = score.original == 0 ? 0 : additive / score.original;
    score.adm3 =
        std::max(score.adm2() * dlm_weight_ + (1 - score.aim) * (1 - dlm_weight_), min_value_);
    report(frame, score, debug_, sink);
  }

 private:
  // 2^exponent, exact.
  static double power_of_two(int exponent) {
    double result = 1;
    for (; exponent > 0; --exponent) result *= 2;
    for (; exponent < 0; ++exponent) result /= 2;
    return result;
  }

  // Sums of the bands' cube roots, with the noise floor.
  ScaleScore finish_scale(const Sums& sums, int scale) const {
    if (scale == 0 && skip_scale0_) return kSkippedScale;
    const ScaleGeometry& g = geometry_[static_cast<std::size_t>(scale)];
    const float floor = exact::pow_float_third(
        static_cast<float>(g.columns.size() * g.rows.size() * noise_weight_));
    float restored[kBands];
    float original[kBands];
    float additive[kBands];
    for (int band = 0; band < kBands; ++band) {
      const auto b = static_cast<std::size_t>(band);
      const BandSums& s = sums.scale[static_cast<std::size_t>(scale)][b];
      original[band] = exact::pow_float_third(original_cubes(s.original, scale, b)) + floor;
      restored[band] = exact::pow_float_third(masked_cubes(s.restored, scale, band)) + floor;
      additive[band] = exact::pow_float_third(masked_cubes(s.additive, scale, band));
    }
    return {restored[0] + restored[1] + restored[2], original[0] + original[1] + original[2],
            skip_additive_ ? 0 : additive[0] + additive[1] + additive[2]};
  }

  // Sum of cubes of weighted coefficients in luma steps of 8-bit video.
  float original_cubes(std::uint64_t sum, int scale, std::size_t band) const {
    const ScaleGeometry& g = geometry_[static_cast<std::size_t>(scale)];
    constexpr int kFraction[kScales] = {18, 32, 27, 23};
    const int shift = kFraction[scale] - g.original_term_shift(scale) - g.original_row_shift(scale);
    const double weight = weights_[static_cast<std::size_t>(scale)].real[band];
    return static_cast<float>(static_cast<double>(sum) / power_of_two(shift) *
                              (weight * weight * weight));
  }

  float masked_cubes(std::uint64_t sum, int scale, int band) const {
    const ScaleGeometry& g = geometry_[static_cast<std::size_t>(scale)];
    constexpr int kFraction[kScales] = {52, 45, 39, 36};
    const int fraction = scale == 0 && band == 2 ? 57 : kFraction[scale];
    const int shift = fraction - g.masked_term_shift(scale, band) - g.masked_row_shift() -
                      3 * weights_[static_cast<std::size_t>(scale)].exponent;
    // Scale 0 divides in double and rounds to float twice, the others round once.
    if (scale == 0) return static_cast<float>(static_cast<double>(sum) / power_of_two(shift));
    return static_cast<float>(sum) / static_cast<float>(power_of_two(shift));
  }

  std::size_t offset_;
  std::string suffix_;
  bool debug_;
  bool skip_scale0_;
  bool skip_additive_;
  double noise_weight_;
  double dlm_weight_;
  double min_value_;
  std::array<Weights, kScales> weights_;
  std::array<ScaleGeometry, kScales> geometry_;
  double least_sum_;
};

class AdmMetric : public Metric {
 public:
  std::string_view name() const override { return "adm"; }
  std::string_view summary() const override {
    return "detail loss (adm2), additive impairment (aim) and their mean (adm3), in integers";
  }
  std::span<const OptionSpec> options() const override { return schema(); }
  std::span<const std::string_view> outputs() const override {
    static const std::vector<std::string_view> kNames = [] {
      std::vector<std::string_view> names;
      for (const Output& output : kOutputs) names.push_back(output.name);
      return names;
    }();
    return kNames;
  }

  Status check(const Options& options, const PictureFormat& format) const override {
    if (format.width < kMinSize || format.height < kMinSize) {
      return Error{ErrorCode::kNotApplicable,
                   fmt::format("adm: a picture of {}x{} is too small, it needs {}x{}", format.width,
                               format.height, kMinSize, kMinSize),
                   {}};
    }
    return adm::check(csf_of(options));
  }

  // All options differ only after the wavelet transform, which all variants share.
  std::string group(const Options& /*options*/) const override { return {}; }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(std::make_unique<AdmMeasurement>(variants));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t variant) const override {
    return std::make_unique<AdmFold>(options, format, variant);
  }
};

}  // namespace
}  // namespace adm

const Metric& adm_metric() {
  static const adm::AdmMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
