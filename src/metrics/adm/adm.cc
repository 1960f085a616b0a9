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
      {.name = "debug",
       .alias = "",
       .help = "also report numerators and denominators",
       .default_value = false},
      {.name = "adm_csf_scale",
       .alias = "scf",
       .help = "factor of the weights of horizontal and vertical bands; adm_csf_mode 1 only",
       .default_value = 1.0,
       .min = 0,
       .max = 50,
       .in_key = true},
      {.name = "adm_csf_diag_scale",
       .alias = "scfd",
       .help = "factor of the weight of the diagonal band; adm_csf_mode 1 only",
       .default_value = 1.0,
       .min = 0,
       .max = 50,
       .in_key = true},
      {.name = "adm_dlm_weight",
       .alias = "dlmw",
       .help = "share of adm2 in adm3; the rest is 1 - aim",
       .default_value = 0.5,
       .min = 0,
       .max = 1,
       .in_key = true},
      {.name = "adm_enhn_gain_limit",
       .alias = "egl",
       .help = "how many times stronger a detail may become and still count as restored; 1: none",
       .default_value = 100.0,
       .min = 1,
       .max = 100,
       .in_key = true},
      {.name = "adm_norm_view_dist",
       .alias = "nvd",
       .help = "viewing distance in display heights",
       .default_value = 3.0,
       .min = 0.75,
       .max = 24,
       .in_key = true},
      {.name = "adm_ref_display_height",
       .alias = "rdh",
       .help = "rows of the display",
       .default_value = 1080,
       .min = 1,
       .max = 4320,
       .in_key = true},
      {.name = "adm_csf_mode",
       .alias = "csf",
       .help = "contrast sensitivity: 0 Watson, 1 Barten, 2 and 3 blends of both",
       .default_value = 0,
       .min = 0,
       .max = 3,
       .in_key = true},
      {.name = "adm_noise_weight",
       .alias = "nw",
       .help = "noise floor, per coefficient, of numerators and denominators",
       .default_value = 0.03125,
       .min = 0,
       .max = 1500,
       .in_key = true},
      {.name = "adm_skip_aim",
       .alias = "",
       .help = "do not measure aim, report 0",
       .default_value = false},
      {.name = "adm_skip_scale0",
       .alias = "ssz",
       .help = "leave the finest scale out",
       .default_value = false,
       .in_key = true},
      {.name = "adm_min_val",
       .alias = "min",
       .help = "least value of adm3",
       .default_value = 0.0,
       .min = 0,
       .max = 1,
       .in_key = true},
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
constexpr std::size_t kOrdinaryOutputs = 7;

Csf csf_of(const Options& options) {
  return {.mode = static_cast<CsfMode>(options.integer("adm_csf_mode")),
          .view_distance = options.number("adm_norm_view_dist"),
          .display_height = options.integer("adm_ref_display_height"),
          .axis_scale = options.number("adm_csf_scale"),
          .diagonal_scale = options.number("adm_csf_diag_scale")};
}

Variant variant_of(const Options& options) {
  return {.gain_limit = options.number("adm_enhn_gain_limit"),
          .weights = csf_weights(csf_of(options)),
          .scale0 = !options.flag("adm_skip_scale0"),
          .additive = !options.flag("adm_skip_aim")};
}

class AdmMeasurement : public Measurement {
 public:
  // Options that differ only in the fold share a variant.
  explicit AdmMeasurement(std::span<const Options> variants) {
    for (const Options& options : variants) {
      const Variant variant = variant_of(options);
      const auto it = std::find(distinct_.begin(), distinct_.end(), variant);
      index_.push_back(static_cast<std::size_t>(it - distinct_.begin()));
      if (it == distinct_.end()) distinct_.push_back(variant);
    }
  }

  std::size_t record_size() const override { return index_.size() * sizeof(Sums); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    const Scratch::Frame frame(scratch);
    const std::span<Sums> sums(scratch.take<Sums>(distinct_.size()), distinct_.size());
    measure_cpu(input.reference[0], input.distorted[0], distinct_, scratch, sums);
    for (std::size_t i = 0; i < index_.size(); ++i)
      std::memcpy(record.data() + i * sizeof(Sums), &sums[index_[i]], sizeof(Sums));
  }

 private:
  std::vector<Variant> distinct_;
  std::vector<std::size_t> index_;  // of each variant, in distinct_
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
        least_sum_(1e-10 * (format.width * format.height) / (1920.0 * 1080.0)) {}

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
    double restored[kScales];
    double original[kScales];
    double additive_sum = 0;
    double restored_sum = 0;
    double original_sum = 0;
    for (int scale = 0; scale < kScales; ++scale) {
      const Finished f = finish_scale(sums, scale);
      restored[scale] = f.restored;
      original[scale] = f.original;
      restored_sum += restored[scale];
      original_sum += original[scale];
      additive_sum += f.additive;
    }
    if (restored_sum < least_sum_) restored_sum = 0;
    if (original_sum < least_sum_) original_sum = 0;

    const double adm2 = ratio(restored_sum, original_sum);
    // Without detail in the reference nothing can be lost or masked.
    const double aim = original_sum == 0 ? 0 : additive_sum / original_sum;
    const double adm3 = std::max(adm2 * dlm_weight_ + (1 - aim) * (1 - dlm_weight_), min_value_);

    std::size_t key = 0;
    for (const double value : {adm2, aim, adm3}) sink.feature(frame, key++, value);
    for (int scale = 0; scale < kScales; ++scale)
      sink.feature(frame, key++, ratio(restored[scale], original[scale]));
    if (!debug_) return;
    for (const double value : {adm2, restored_sum, original_sum}) sink.feature(frame, key++, value);
    for (int scale = 0; scale < kScales; ++scale) {
      sink.feature(frame, key++, restored[scale]);
      sink.feature(frame, key++, original[scale]);
    }
  }

 private:
  struct Finished {
    float restored;
    float original;
    float additive;
  };

  static double ratio(double numerator, double denominator) {
    return denominator == 0 ? 1 : numerator / denominator;
  }

  // 2^exponent, exact.
  static double power_of_two(int exponent) {
    double result = 1;
    for (; exponent > 0; --exponent) result *= 2;
    for (; exponent < 0; ++exponent) result /= 2;
    return result;
  }

  // Sums of the bands' cube roots, with the noise floor.
  Finished finish_scale(const Sums& sums, int scale) const {
    if (scale == 0 && skip_scale0_) return {0, 1e-10f, 0};
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
  double least_sum_;  // sums below count as zero
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
