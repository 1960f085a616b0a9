#include "metrics/float_adm/float_adm.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/exact/power.h"
#include "metrics/adm_borders.h"
#include "metrics/adm_report.h"

namespace vmafx {
namespace float_adm {
namespace {

OptionSpec weight_option(std::string_view name, std::string_view alias, std::string_view help) {
  return {.name = name,
          .alias = alias,
          .help = help,
          .default_value = -1.0,
          .min = -1,
          .max = 10,
          .in_key = true};
}

const std::array<OptionSpec, 23>& schema() {
  static const std::array<OptionSpec, 23> kSchema = {{
      adm::debug_option(),
      adm::gain_limit_option(),
      adm::view_distance_option(),
      adm::noise_weight_option(),
      adm::csf_scale_option(),
      adm::csf_diagonal_scale_option(),
      adm::display_height_option("rdf"),
      {.name = "adm_csf_mode",
       .alias = "csf",
       .help = "contrast sensitivity: 0 Watson, 1 Barten, 2 that of the paper, 3 to 9 as 0",
       .default_value = 0,
       .min = 0,
       .max = 9,
       .in_key = true},
      {.name = "adm_bypass_cm",
       .alias = "bcm",
       .help = "1: no contrast masking",
       .default_value = 0,
       .min = 0,
       .max = 1,
       .in_key = true},
      {.name = "adm_adm3_apply_hm",
       .alias = "aah",
       .help = "adm3 is the harmonic mean of adm2 and aim",
       .default_value = false,
       .in_key = true},
      {.name = "adm_p_norm",
       .alias = "apn",
       .help = "power whose sums are taken, and its root",
       .default_value = 3.0,
       .min = 1,
       .max = 20,
       .in_key = true},
      adm::dlm_weight_option(),
      adm::min_value_option(),
      weight_option(
          "adm_f1s0", "f1s0",
          "weight of the horizontal and vertical bands of scale 0; below 0: that of adm_csf_mode"),
      weight_option(
          "adm_f1s1", "f1s1",
          "weight of the horizontal and vertical bands of scale 1; below 0: that of adm_csf_mode"),
      weight_option(
          "adm_f1s2", "f1s2",
          "weight of the horizontal and vertical bands of scale 2; below 0: that of adm_csf_mode"),
      weight_option(
          "adm_f1s3", "f1s3",
          "weight of the horizontal and vertical bands of scale 3; below 0: that of adm_csf_mode"),
      weight_option("adm_f2s0", "f2s0",
                    "weight of the diagonal band of scale 0; below 0: that of adm_csf_mode"),
      weight_option("adm_f2s1", "f2s1",
                    "weight of the diagonal band of scale 1; below 0: that of adm_csf_mode"),
      weight_option("adm_f2s2", "f2s2",
                    "weight of the diagonal band of scale 2; below 0: that of adm_csf_mode"),
      weight_option("adm_f2s3", "f2s3",
                    "weight of the diagonal band of scale 3; below 0: that of adm_csf_mode"),
      {.name = "adm_skip_aim_scale",
       .alias = "sasc",
       .help = "scale that aim leaves out",
       .default_value = -1,
       .min = 0,
       .max = 3,
       .in_key = true},
      adm::skip_scale0_option(),
  }};
  return kSchema;
}

struct Output {
  std::string_view key;
  std::string_view name;
  bool plain = false;  // without option suffix, as in libvmaf
};

constexpr Output kOutputs[] = {
    {"adm2", "VMAF_feature_adm2_score"},
    {"aim", "VMAF_feature_aim_score"},
    {"adm3", "VMAF_feature_adm3_score"},
    {"adm_scale0", "VMAF_feature_adm_scale0_score"},
    {"adm_scale1", "VMAF_feature_adm_scale1_score"},
    {"adm_scale2", "VMAF_feature_adm_scale2_score"},
    {"adm_scale3", "VMAF_feature_adm_scale3_score"},
    {.key = "adm", .name = "adm", .plain = true},
    {"adm_num", "adm_num"},
    {"adm_den", "adm_den"},
    {"adm_num_scale0", "adm_num_scale0"},
    {"adm_den_scale0", "adm_den_scale0"},
    {"adm_num_scale1", "adm_num_scale1"},
    {"adm_den_scale1", "adm_den_scale1"},
    {"adm_num_scale2", "adm_num_scale2"},
    {"adm_den_scale2", "adm_den_scale2"},
    {"adm_num_scale3", "adm_num_scale3"},
    {"adm_den_scale3", "adm_den_scale3"},
};

// Modes from 3 on are the first one again.
adm::CsfMode mode_of(int mode) {
  if (mode == 1) return adm::CsfMode::kBarten;
  if (mode == 2) return adm::CsfMode::kPaper;
  return adm::CsfMode::kWatson;
}

std::array<Weights, kScales> weights_of(const Options& options) {
  const adm::Csf csf = adm::csf_of(options, mode_of(options.integer("adm_csf_mode")));
  std::array<Weights, kScales> weights;
  for (int scale = 0; scale < kScales; ++scale) {
    const auto weight = [&](int direction, bool diagonal) {
      const double given = options.number(fmt::format("adm_f{}s{}", direction, scale));
      return given >= 0 ? static_cast<float>(given) : adm::csf_weight(csf, scale, diagonal);
    };
    const float axis = weight(1, false);
    weights[static_cast<std::size_t>(scale)] = {axis, axis, weight(2, true)};
  }
  return weights;
}

float power_of(const Options& options) { return static_cast<float>(options.number("adm_p_norm")); }

Variant variant_of(const Options& options) {
  return {.gain_limit = static_cast<float>(options.number("adm_enhn_gain_limit")),
          .weights = weights_of(options),
          .masking = options.integer("adm_bypass_cm") == 0,
          .scale0 = !options.flag("adm_skip_scale0")};
}

class FloatAdmMeasurement : public Measurement {
 public:
  explicit FloatAdmMeasurement(std::span<const Options> variants) : power_(power_of(variants[0])) {
    for (const Options& options : variants) variants_.add(variant_of(options));
  }

  std::size_t record_size() const override { return variants_.count() * sizeof(Sums); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    const Scratch::Frame frame(scratch);
    const std::span<const Variant> distinct = variants_.distinct();
    const std::span<Sums> sums(scratch.take<Sums>(distinct.size()), distinct.size());
    measure_cpu(input.reference[0], input.distorted[0], power_, distinct, scratch, sums);
    variants_.store<Sums>(sums, record);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return measure_on_device(format, power_, variants_);
  }

 private:
  float power_;
  adm::DistinctVariants<Variant> variants_;
};

class FloatAdmFold : public Fold {
 public:
  FloatAdmFold(const Options& options, const PictureFormat& format, std::size_t variant)
      : offset_(variant * sizeof(Sums)),
        suffix_(options.key_suffix()),
        debug_(options.flag("debug")),
        skip_scale0_(options.flag("adm_skip_scale0")),
        skipped_aim_scale_(options.integer("adm_skip_aim_scale")),
        harmonic_(options.flag("adm_adm3_apply_hm")),
        dlm_weight_(options.number("adm_dlm_weight")),
        min_value_(options.number("adm_min_val")),
        exponent_(static_cast<float>(1 / static_cast<double>(power_of(options)))),
        factors_(factors_of(options)),
        floors_(floors_of(options.number("adm_noise_weight"), format, exponent_)),
        least_sum_(adm::least_sum(format)) {}

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (const Output& output :
         std::span(kOutputs).first(debug_ ? std::size(kOutputs) : adm::kOrdinaryOutputs)) {
      keys.push_back({output.plain ? std::string(output.key) : std::string(output.key) + suffix_,
                      std::string(output.name)});
    }
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Sums sums;
    std::memcpy(&sums, record.data() + offset_, sizeof(Sums));
    adm::PictureScore score;
    double additive = 0;
    double additive_base = 0;  // what it is compared with
    for (int scale = 0; scale < kScales; ++scale) {
      const adm::ScaleScore s = finish_scale(sums, scale);
      score.scale[scale] = s;
      score.restored += s.restored;
      score.original += s.original;
      if (scale == skipped_aim_scale_) continue;
      additive += s.additive;
      additive_base += s.original;
    }
    if (score.restored < least_sum_) score.restored = 0;
    if (score.original < least_sum_) score.original = 0;
    // Without detail in the reference nothing can be lost or masked.
    if (score.original != 0 && additive_base != 0)
      score.aim = std::min(additive / additive_base, 1.0);
    score.adm3 = adm3_of(score.adm2(), score.aim);
    adm::report(frame, score, debug_, sink);
  }

 private:
  double adm3_of(double adm2, double aim) const {
    if (!harmonic_) return std::max(adm2 * dlm_weight_ + (1 - aim) * (1 - dlm_weight_), min_value_);
    const double sum = adm2 + aim;
    return std::max(sum == 0 ? 0 : 2 * adm2 * aim / sum, min_value_);
  }

  float root(double sum) const {
    return static_cast<float>(exact::pow(sum, static_cast<double>(exponent_)));
  }

  // The powers of the weights, for sums of what is not weighted.
  static std::array<std::array<double, kBands>, kScales> factors_of(const Options& options) {
    const auto weights = weights_of(options);
    std::array<std::array<double, kBands>, kScales> factors;
    for (std::size_t scale = 0; scale < kScales; ++scale) {
      for (std::size_t band = 0; band < kBands; ++band)
        factors[scale][band] = exact::pow(static_cast<double>(weights[scale][band]),
                                          static_cast<double>(power_of(options)));
    }
    return factors;
  }

  // The root of the noise of all coefficients.
  static std::array<float, kScales> floors_of(double noise_weight, const PictureFormat& format,
                                              float exponent) {
    std::array<float, kScales> floors;
    int width = format.width;
    int height = format.height;
    for (float& floor : floors) {
      width = (width + 1) / 2;
      height = (height + 1) / 2;
      const int count = adm::inner_range(width).size() * adm::inner_range(height).size();
      floor = static_cast<float>(exact::pow(count * noise_weight, static_cast<double>(exponent)));
    }
    return floors;
  }

  adm::ScaleScore finish_scale(const Sums& sums, int scale) const {
    if (scale == 0 && skip_scale0_) return adm::kSkippedScale;
    const auto s = static_cast<std::size_t>(scale);
    const float floor = floors_[s];
    float restored[kBands];
    float original[kBands];
    float additive[kBands];
    for (std::size_t band = 0; band < kBands; ++band) {
      const BandSums& b = sums.scale[s][band];
      original[band] = root(b.original * factors_[s][band]) + floor;
      restored[band] = root(b.restored) + floor;
      additive[band] = root(b.additive);
    }
    return {restored[0] + restored[1] + restored[2], original[0] + original[1] + original[2],
            additive[0] + additive[1] + additive[2]};
  }

  std::size_t offset_;
  std::string suffix_;
  bool debug_;
  bool skip_scale0_;
  int skipped_aim_scale_;  // -1: none
  bool harmonic_;
  double dlm_weight_;
  double min_value_;
  float exponent_;
  std::array<std::array<double, kBands>, kScales> factors_;
  std::array<float, kScales> floors_;
  double least_sum_;
};

class FloatAdmMetric : public Metric {
 public:
  std::string_view name() const override { return "float_adm"; }
  std::string_view summary() const override {
    return "detail loss (adm2), additive impairment (aim) and their mean (adm3), in floating point";
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

  Status check(const Options& /*options*/, const PictureFormat& format) const override {
    if (format.width < kMinSize || format.height < kMinSize) {
      return Error{ErrorCode::kNotApplicable,
                   fmt::format("float_adm: a picture of {}x{} is too small, it needs {}x{}",
                               format.width, format.height, kMinSize, kMinSize),
                   {}};
    }
    return {};
  }

  // All variants of one power share the wavelet transform and the sums of the reference.
  std::string group(const Options& options) const override {
    return fmt::format("{}", power_of(options));
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(std::make_unique<FloatAdmMeasurement>(variants));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t variant) const override {
    return std::make_unique<FloatAdmFold>(options, format, variant);
  }
};

}  // namespace
}  // namespace float_adm

const Metric& float_adm_metric() {
  static const float_adm::FloatAdmMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
