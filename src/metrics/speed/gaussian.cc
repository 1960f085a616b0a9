#include "metrics/speed/gaussian.h"

#include "base/gaussian.h"

namespace vmafx::speed {

std::vector<float> antialias_window(double kernel_scale) {
  const int taps = tap_count(9, kernel_scale);
  return gaussian(taps, static_cast<float>(2.0 * taps / 5.0));
}

std::vector<float> local_mean_window(double kernel_scale) {
  const int taps = tap_count(2, kernel_scale);
  return gaussian(taps, static_cast<float>(taps) / 5.0f);
}

}  // namespace vmafx::speed
