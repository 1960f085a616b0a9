#include "metrics/speed/score.h"

#include "metrics/speed/entropy.h"

namespace vmafx::speed {

float invisible_entropy(float noise, float floor) {
  const auto visible_noise = static_cast<double>((1 + floor) * noise);
  return static_cast<float>(kElements * (exact::log2(visible_noise) + kUnitEntropy));
}

float compare(BlockStatistics reference, BlockStatistics distorted, float noise, float floor,
              int weight_mode) {
  const float invisible = invisible_entropy(noise, floor);
  const Mode mode = mode_numbered(weight_mode);
  float sum = 0;
  for (std::size_t i = 0; i < reference.entropy.size(); ++i) {
    sum += difference({reference.entropy[i], reference.variance[i]},
                      {distorted.entropy[i], distorted.variance[i]}, invisible, mode);
  }
  return sum / static_cast<float>(reference.entropy.size());
}

}  // namespace vmafx::speed
