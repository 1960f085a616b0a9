// The arithmetic behind the moments, which the definition and the kernels share.
#ifndef VMAFX_METRICS_VIF_GAIN_H_
#define VMAFX_METRICS_VIF_GAIN_H_

#include <cstdint>

#include "metrics/vif/constants.h"

namespace vmafx::vif {

// (a * b) / 2^32, rounded.
constexpr std::uint32_t multiply_means(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(a) * b + (1u << 31)) >> 32);
}

// d = g r + v, see kept_information() in reference.cc. Arguments are integers.
constexpr double gain(double variance_r, double covariance) {
  return covariance / (variance_r + kVarianceEpsilon);
}
// The variance of v.
constexpr double unexplained(double variance_d, double covariance, double g) {
  return variance_d - g * covariance;
}
// The variance of g r.
constexpr double explained(double variance_r, double g) { return g * g * variance_r; }

}  // namespace vmafx::vif

#endif  // VMAFX_METRICS_VIF_GAIN_H_
