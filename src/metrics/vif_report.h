// What both forms of VIF take and report.
#ifndef VMAFX_METRICS_VIF_REPORT_H_
#define VMAFX_METRICS_VIF_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "metrics/metric.h"

namespace vmafx::vif {

inline constexpr std::string_view kGainLimit = "vif_enhn_gain_limit";
inline constexpr std::string_view kSkipScale0 = "vif_skip_scale0";
inline constexpr std::string_view kDebug = "debug";

inline OptionSpec debug_option() {
  return {.name = kDebug,
          .help = "report the whole, numerators and denominators too",
          .default_value = false};
}
inline OptionSpec gain_limit_option() {
  return {.name = kGainLimit,
          .alias = "egl",
          .help = "upper limit of the gain on the reference; 1 gives no credit for enhancement",
          .default_value = 100.0,
          .min = 1,
          .max = 100,
          .in_key = true};
}
inline OptionSpec skip_scale0_option() {
  return {.name = kSkipScale0,
          .alias = "ssclz",
          .help = "leave out scale 0, which is then reported as 0",
          .default_value = false,
          .in_key = true};
}

// The debug features from `key` on: the whole, its numerator and denominator, and those of each
// scale. A skipped scale 0 is in none of the sums and reported as 0 and -1. Scale has float members
// num and den.
template <class Scale>
void report_parts(std::int64_t frame, std::size_t key, std::span<const Scale> scales,
                  bool skip_scale0, FeatureSink& sink) {
  double num = 0;
  double den = 0;
  for (const Scale& scale : scales.subspan(skip_scale0 ? 1 : 0)) {
    num += double{scale.num};
    den += double{scale.den};
  }
  sink.feature(frame, key++, num / den);
  sink.feature(frame, key++, num);
  sink.feature(frame, key++, den);
  for (std::size_t s = 0; s < scales.size(); ++s) {
    const bool skipped = s == 0 && skip_scale0;
    sink.feature(frame, key++, skipped ? 0.0 : double{scales[s].num});
    sink.feature(frame, key++, skipped ? -1.0 : double{scales[s].den});
  }
}

}  // namespace vmafx::vif

#endif  // VMAFX_METRICS_VIF_REPORT_H_
