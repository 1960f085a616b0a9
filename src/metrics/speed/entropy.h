// Entropies of blocks from the spectrum of their covariance.
#ifndef VMAFX_METRICS_SPEED_ENTROPY_H_
#define VMAFX_METRICS_SPEED_ENTROPY_H_

#include <numbers>

#include "base/exact/log.h"

namespace vmafx::speed {

// Of a Gaussian of unit variance, without the factor 1/2: log2(2 pi e).
inline constexpr double kUnitEntropy = exact::log2(2 * std::numbers::pi * std::numbers::e);

// Adds the entropy of one principal component, of variance eigenvalue * variance behind neural
// noise, to the sum of those before it. The sum is rounded to float each time.
constexpr float add_component(float sum, float eigenvalue, float variance, float noise) {
  const float power = eigenvalue * variance + noise;
  return static_cast<float>(static_cast<double>(sum) +
                            (exact::log2(static_cast<double>(power)) + kUnitEntropy));
}

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_ENTROPY_H_
