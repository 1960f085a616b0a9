#include "metrics/speed/score.h"

#include <cmath>

#include "metrics/speed/entropy.h"

namespace vmafx::speed {
namespace {

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

constexpr Mode kModes[kWeightModes] = {
    {Weight::kReference, Weight::kDistorted},
    {Weight::kReference, Weight::kReference},
    {Weight::kDistorted, Weight::kDistorted},
    {Weight::kMean, Weight::kMean},
    {Weight::kReference, Weight::kMean},
    {Weight::kReference, Weight::kMostlyReference},
    {Weight::kReference, Weight::kMostlyDistorted},
};

// Variances are float and so is the sum with 1; mixtures are double.
double one_plus(Weight weight, float reference, float distorted) {
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

float weighted(float entropy, double one_plus_variance) {
  return static_cast<float>(static_cast<double>(entropy) * exact::log2(one_plus_variance));
}

}  // namespace

float compare(BlockStatistics reference, BlockStatistics distorted, float noise, float floor,
              int weight_mode) {
  const auto visible_noise = static_cast<double>((1 + floor) * noise);
  const auto invisible =
      static_cast<float>(kElements * (exact::log2(visible_noise) + kUnitEntropy));
  const Mode mode = kModes[weight_mode];
  float sum = 0;
  for (std::size_t i = 0; i < reference.entropy.size(); ++i) {
    if (reference.entropy[i] < invisible && distorted.entropy[i] < invisible) continue;
    const float r = reference.variance[i];
    const float d = distorted.variance[i];
    sum += std::fabs(weighted(reference.entropy[i], one_plus(mode.reference, r, d)) -
                     weighted(distorted.entropy[i], one_plus(mode.distorted, r, d)));
  }
  return sum / static_cast<float>(reference.entropy.size());
}

}  // namespace vmafx::speed
