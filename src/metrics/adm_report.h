// What both forms of ADM take and report.
#ifndef VMAFX_METRICS_ADM_REPORT_H_
#define VMAFX_METRICS_ADM_REPORT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "metrics/adm_sensitivity.h"
#include "metrics/metric.h"

namespace vmafx::adm {

inline OptionSpec debug_option() {
  return {
      .name = "debug", .help = "also report numerators and denominators", .default_value = false};
}
inline OptionSpec csf_scale_option() {
  return {.name = "adm_csf_scale",
          .alias = "scf",
          .help = "factor of the weights of horizontal and vertical bands; adm_csf_mode 1 only",
          .default_value = 1.0,
          .min = 0,
          .max = 50,
          .in_key = true};
}
inline OptionSpec csf_diagonal_scale_option() {
  return {.name = "adm_csf_diag_scale",
          .alias = "scfd",
          .help = "factor of the weight of the diagonal band; adm_csf_mode 1 only",
          .default_value = 1.0,
          .min = 0,
          .max = 50,
          .in_key = true};
}
inline OptionSpec dlm_weight_option() {
  return {.name = "adm_dlm_weight",
          .alias = "dlmw",
          .help = "share of adm2 in adm3; the rest is 1 - aim",
          .default_value = 0.5,
          .min = 0,
          .max = 1,
          .in_key = true};
}
inline OptionSpec gain_limit_option() {
  return {
      .name = "adm_enhn_gain_limit",
      .alias = "egl",
      .help = "how many times stronger a detail may become and still count as restored; 1: none",
      .default_value = 100.0,
      .min = 1,
      .max = 100,
      .in_key = true};
}
inline OptionSpec view_distance_option() {
  return {.name = "adm_norm_view_dist",
          .alias = "nvd",
          .help = "viewing distance in display heights",
          .default_value = 3.0,
          .min = 0.75,
          .max = 24,
          .in_key = true};
}
// libvmaf's alias of it differs between the forms.
inline OptionSpec display_height_option(std::string_view alias) {
  return {.name = "adm_ref_display_height",
          .alias = alias,
          .help = "rows of the display",
          .default_value = 1080,
          .min = 1,
          .max = 4320,
          .in_key = true};
}
inline OptionSpec noise_weight_option() {
  return {.name = "adm_noise_weight",
          .alias = "nw",
          .help = "noise floor, per coefficient, of numerators and denominators",
          .default_value = 0.03125,
          .min = 0,
          .max = 1500,
          .in_key = true};
}
inline OptionSpec skip_scale0_option() {
  return {.name = "adm_skip_scale0",
          .alias = "ssz",
          .help = "leave the finest scale out",
          .default_value = false,
          .in_key = true};
}
inline OptionSpec min_value_option() {
  return {.name = "adm_min_val",
          .alias = "min",
          .help = "least value of adm3",
          .default_value = 0.0,
          .min = 0,
          .max = 1,
          .in_key = true};
}

// The viewing conditions that the options ask for.
inline Csf csf_of(const Options& options, CsfMode mode) {
  return {.mode = mode,
          .view_distance = options.number("adm_norm_view_dist"),
          .display_height = options.integer("adm_ref_display_height"),
          .axis_scale = options.number("adm_csf_scale"),
          .diagonal_scale = options.number("adm_csf_diag_scale")};
}

// What is measured for each variant of a group. Options that differ only in the fold share it.
template <class Variant>
class DistinctVariants {
 public:
  void add(const Variant& variant) {
    const auto it = std::find(distinct_.begin(), distinct_.end(), variant);
    index_.push_back(static_cast<std::size_t>(it - distinct_.begin()));
    if (it == distinct_.end()) distinct_.push_back(variant);
  }

  std::span<const Variant> distinct() const { return distinct_; }
  std::size_t count() const { return index_.size(); }

  // The sums of each variant, from those of the distinct ones.
  template <class Sums>
  void store(std::span<const Sums> sums, std::span<std::byte> record) const {
    for (std::size_t i = 0; i < index_.size(); ++i)
      std::memcpy(record.data() + i * sizeof(Sums), &sums[index_[i]], sizeof(Sums));
  }

 private:
  std::vector<Variant> distinct_;
  std::vector<std::size_t> index_;  // of each variant, in distinct_
};

// Sums below it count as zero.
inline double least_sum(const PictureFormat& format) {
  return 1e-10 * (format.width * format.height) / (1920.0 * 1080.0);
}

inline double ratio(double numerator, double denominator) {
  return denominator == 0 ? 1 : numerator / denominator;
}

// Of one scale: sums of the bands' roots.
struct ScaleScore {
  float restored = 0;
  float original = 0;
  float additive = 0;
};

// A scale that is left out.
inline constexpr ScaleScore kSkippedScale = {0, 1e-10f, 0};

struct PictureScore {
  ScaleScore scale[kScales];
  double restored = 0;  // of all scales
  double original = 0;
  double aim = 0;
  double adm3 = 0;

  double adm2() const { return ratio(restored, original); }
};

inline constexpr std::size_t kOrdinaryOutputs = 7;

// adm2, aim, adm3 and adm of each scale, then, if asked for, adm2, numerator and denominator and
// those of each scale.
inline void report(std::int64_t frame, const PictureScore& score, bool debug, FeatureSink& sink) {
  std::size_t key = 0;
  for (const double value : {score.adm2(), score.aim, score.adm3})
    sink.feature(frame, key++, value);
  for (const ScaleScore& scale : score.scale)
    sink.feature(frame, key++, ratio(double{scale.restored}, double{scale.original}));
  if (!debug) return;
  for (const double value : {score.adm2(), score.restored, score.original})
    sink.feature(frame, key++, value);
  for (const ScaleScore& scale : score.scale) {
    sink.feature(frame, key++, double{scale.restored});
    sink.feature(frame, key++, double{scale.original});
  }
}

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_REPORT_H_
