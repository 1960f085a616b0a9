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

namespace vmafx {
namespace float_adm {
namespace {

const std::array<OptionSpec, 23>& schema() {
  static const std::array<OptionSpec, 23> kSchema = {{
      {.name = "debug",
       .alias = "",
       .help = "also report numerators and denominators",
       .default_value = false},
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
      {.name = "adm_noise_weight",
       .alias = "nw",
       .help = "noise floor, per coefficient, of numerators and denominators",
       .default_value = 0.03125,
       .min = 0,
       .max = 1500,
       .in_key = true},
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
      {.name = "adm_ref_display_height",
       .alias = "rdf",
       .help = "rows of the display",
       .default_value = 1080,
       .min = 1,
       .max = 4320,
       .in_key = true},
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
      {.name = "adm_dlm_weight",
       .alias = "dlmw",
       .help = "share of adm2 in adm3; the rest is 1 - aim",
       .default_value = 0.5,
       .min = 0,
       .max = 1,
       .in_key = true},
      {.name = "adm_min_val",
       .alias = "min",
       .help = "least value of adm3",
       .default_value = 0.0,
       .min = 0,
       .max = 1,
       .in_key = true},
      {.name = "adm_f1s0",
       .alias = "f1s0",
       .help =
           "weight of the horizontal and vertical bands of scale 0; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_f1s1",
       .alias = "f1s1",
       .help =
           "weight of the horizontal and vertical bands of scale 1; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_f1s2",
       .alias = "f1s2",
       .help =
           "weight of the horizontal and vertical bands of scale 2; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_f1s3",
       .alias = "f1s3",
       .help =
           "weight of the horizontal and vertical bands of scale 3; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_f2s0",
       .alias = "f2s0",
       .help = "weight of the diagonal band of scale 0; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_f2s1",
       .alias = "f2s1",
       .help = "weight of the diagonal band of scale 1; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_f2s2",
       .alias = "f2s2",
       .help = "weight of the diagonal band of scale 2; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_f2s3",
       .alias = "f2s3",
       .help = "weight of the diagonal band of scale 3; below 0: that of adm_csf_mode",
       .default_value = -1.0,
       .min = -1,
       .max = 10,
       .in_key = true},
      {.name = "adm_skip_aim_scale",
       .alias = "sasc",
       .help = "scale that aim leaves out",
       .default_value = -1,
       .min = 0,
       .max = 3,
       .in_key = true},
      {.name = "adm_skip_scale0",
       .alias = "ssz",
       .help = "leave the finest scale out",
       .default_value = false,
       .in_key = true},
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
constexpr std::size_t kOrdinaryOutputs = 7;

// Modes from 3 on are the first one again.
adm::CsfMode mode_of(int mode) {
  if (mode == 1) return adm::CsfMode::kBarten;
  if (mode == 2) return adm::CsfMode::kPaper;
  return adm::CsfMode::kWatson;
}

std::array<Weights, kScales> weights_of(const Options& options) {
  const adm::Csf csf = {.mode = mode_of(options.integer("adm_csf_mode")),
                        .view_distance = options.number("adm_norm_view_dist"),
                        .display_height = options.integer("adm_ref_display_height"),
                        .axis_scale = options.number("adm_csf_scale"),
                        .diagonal_scale = options.number("adm_csf_diag_scale")};
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
  // Options that differ only in the fold share a variant.
  explicit FloatAdmMeasurement(std::span<const Options> variants) : power_(power_of(variants[0])) {
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
    measure_cpu(input.reference[0], input.distorted[0], power_, distinct_, scratch, sums);
    for (std::size_t i = 0; i < index_.size(); ++i)
      std::memcpy(record.data() + i * sizeof(Sums), &sums[index_[i]], sizeof(Sums));
  }

 private:
  float power_;
  std::vector<Variant> distinct_;
  std::vector<std::size_t> index_;  // of each variant, in distinct_
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
        least_sum_(1e-10 * (format.width * format.height) / (1920.0 * 1080.0)) {}

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (const Output& output :
         std::span(kOutputs).first(debug_ ? std::size(kOutputs) : kOrdinaryOutputs)) {
      keys.push_back({output.plain ? std::string(output.key) : std::string(output.key) + suffix_,
                      std::string(output.name)});
    }
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Sums sums;
    std::memcpy(&sums, record.data() + offset_, sizeof(Sums));
    double restored[kScales];
    double original[kScales];
    Total total;
    for (int scale = 0; scale < kScales; ++scale) {
      const Finished f = finish_scale(sums, scale);
      restored[scale] = f.restored;
      original[scale] = f.original;
      total.add(f, scale != skipped_aim_scale_);
    }
    if (total.restored < least_sum_) total.restored = 0;
    if (total.original < least_sum_) total.original = 0;
    const double adm2 = ratio(total.restored, total.original);
    const double aim = aim_of(total);

    std::size_t key = 0;
    for (const double value : {adm2, aim, adm3_of(adm2, aim)}) sink.feature(frame, key++, value);
    for (int scale = 0; scale < kScales; ++scale)
      sink.feature(frame, key++, ratio(restored[scale], original[scale]));
    if (!debug_) return;
    for (const double value : {adm2, total.restored, total.original})
      sink.feature(frame, key++, value);
    for (int scale = 0; scale < kScales; ++scale) {
      sink.feature(frame, key++, restored[scale]);
      sink.feature(frame, key++, original[scale]);
    }
  }

 private:
  // Of one scale.
  struct Finished {
    float restored;
    float original;
    float additive;
  };

  struct Total {
    double restored = 0;
    double original = 0;
    double additive = 0;
    double additive_base = 0;  // what additive is compared with

    void add(const Finished& f, bool in_aim) {
      restored += f.restored;
      original += f.original;
      if (!in_aim) return;
      additive += f.additive;
      additive_base += f.original;
    }
  };

  static double ratio(double numerator, double denominator) {
    return denominator == 0 ? 1 : numerator / denominator;
  }

  // Without detail in the reference nothing can be lost or masked.
  static double aim_of(const Total& total) {
    if (total.original == 0 || total.additive_base == 0) return 0;
    return std::min(total.additive / total.additive_base, 1.0);
  }

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

  Finished finish_scale(const Sums& sums, int scale) const {
    if (scale == 0 && skip_scale0_) return {0, 1e-10f, 0};
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
  double least_sum_;  // sums below count as zero
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
