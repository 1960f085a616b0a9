#include "base/gaussian.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/exact/exp.h"

namespace vmafx {

int tap_count(int taps_at_unit_scale, double kernel_scale) {
  const float wanted = static_cast<float>(taps_at_unit_scale) * static_cast<float>(kernel_scale);
  return std::max(static_cast<int>(std::ceil(wanted)) | 1, 3);
}

std::vector<float> gaussian(int taps, float deviation) {
  const auto sigma = static_cast<double>(deviation);
  const float peak_inverse = static_cast<float>(1 / (sigma * std::sqrt(2 * std::numbers::pi)));
  std::vector<float> window(static_cast<std::size_t>(taps));
  float sum = 0;
  for (int k = 0; k < taps; ++k) {
    const double x = k - taps / 2;
    const double exponent = -0.5 * x / sigma * x / sigma;
    float& tap = window[static_cast<std::size_t>(k)];
    tap = static_cast<float>(exact::exp(exponent)) / peak_inverse;
    sum += tap;
  }
  for (float& tap : window) tap /= sum;
  return window;
}

}  // namespace vmafx
