// How two streams differ in a block.
#ifndef VMAFX_METRICS_SPEED_DIFFERENCE_H_
#define VMAFX_METRICS_SPEED_DIFFERENCE_H_

#include <cmath>
#include <cstdint>

#include "base/exact/log.h"
#include "base/portable.h"

namespace vmafx::speed {

inline constexpr int kWeightModes = 7;

// The statistics of one block.
struct Block {
  float entropy;
  float variance;
};

// The variance by which an entropy is weighted.
enum class Weight : std::uint8_t {
  kReference,
  kDistorted,
  kMean,
  kMostlyReference,  // 3 : 1
  kMostlyDistorted,  // 1 : 3
};

struct Mode {
  Weight reference;
  Weight distorted;
};

constexpr Mode mode_numbered(int weight_mode) {
  constexpr Mode kModes[kWeightModes] = {
      {Weight::kReference, Weight::kDistorted},
      {Weight::kReference, Weight::kReference},
      {Weight::kDistorted, Weight::kDistorted},
      {Weight::kMean, Weight::kMean},
      {Weight::kReference, Weight::kMean},
      {Weight::kReference, Weight::kMostlyReference},
      {Weight::kReference, Weight::kMostlyDistorted},
  };
  return kModes[weight_mode];
}

// Variances are float and so is the sum with 1; mixtures are double.
constexpr double one_plus(Weight weight, float reference, float distorted) {
  switch (weight) {
    case Weight::kReference:
      return static_cast<double>(1 + reference);
    case Weight::kDistorted:
      return static_cast<double>(1 + distorted);
    case Weight::kMean:
      return 1 + static_cast<double>(reference + distorted) / 2;
    case Weight::kMostlyReference:
      return 1 + (0.75 * static_cast<double>(reference) + 0.25 * static_cast<double>(distorted));
    case Weight::kMostlyDistorted:
      return 1 + (0.25 * static_cast<double>(reference) + 0.75 * static_cast<double>(distorted));
  }
  return 1;
}

constexpr float weighted(float entropy, double one_plus_variance) {
  return static_cast<float>(static_cast<double>(entropy) * exact::log2(one_plus_variance));
}

// What a block adds to the sum of differences.
VMAFX_PORTABLE float difference(Block reference, Block distorted, float invisible, Mode mode) {
  if (reference.entropy < invisible && distorted.entropy < invisible) return 0;
  const float r = reference.variance;
  const float d = distorted.variance;
  return std::abs(weighted(reference.entropy, one_plus(mode.reference, r, d)) -
                  weighted(distorted.entropy, one_plus(mode.distorted, r, d)));
}

// Of a pair of planes.
struct PlaneScore {
  float score = 0;
  // Both covariance matrices could be inverted; else the score is 0.
  std::uint32_t regular = 0;
};

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_DIFFERENCE_H_
