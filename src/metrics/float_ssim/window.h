// The window of SSIM and what is made of the means over it: what its definition and its kernels
// share.
#ifndef VMAFX_METRICS_FLOAT_SSIM_WINDOW_H_
#define VMAFX_METRICS_FLOAT_SSIM_WINDOW_H_

#include <algorithm>
#include <cmath>

#include "base/portable.h"

namespace vmafx::float_ssim {

inline constexpr int kTaps = 11;
inline constexpr int kRadius = kTaps / 2;
// Gaussian of standard deviation 1.5, one half and the centre.
inline constexpr float kWindow[kTaps] = {0.001028f, 0.007599f, 0.036001f, 0.109361f,
                                         0.213006f, 0.266012f, 0.213006f, 0.109361f,
                                         0.036001f, 0.007599f, 0.001028f};

// (0.01 * 255)^2, (0.03 * 255)^2 and half of it, in float.
inline constexpr float kC1 = (0.01f * 255) * (0.01f * 255);
inline constexpr float kC2 = (0.03f * 255) * (0.03f * 255);
inline constexpr float kC3 = kC2 / 2;

// kWindow[k], for devices, which have no address of it.
constexpr float tap(int k) {
  constexpr float kHalf[kRadius + 1] = {kWindow[0], kWindow[1], kWindow[2],
                                        kWindow[3], kWindow[4], kWindow[5]};
  return kHalf[k <= kRadius ? k : kTaps - 1 - k];
}

// Border samples repeated: -1 -> 0, size -> size - 1.
constexpr int mirror_repeating(int index, int size) {
  if (index < 0) return -1 - index;
  if (index >= size) return 2 * size - 1 - index;
  return index;
}

struct Terms {
  double luminance;
  double contrast;
  float structure;
};

// Of one window: means mu, variances and covariance sigma. Numerators of luminance and contrast are
// double.
VMAFX_PORTABLE Terms compare(float mu_r, float mu_d, float sigma_rr, float sigma_dd,
                             float sigma_rd) {
  sigma_rr = std::max(0.f, sigma_rr);
  sigma_dd = std::max(0.f, sigma_dd);
  const float sigma_r_sigma_d = std::sqrt(sigma_rr * sigma_dd);
  // Rounding may leave a negative covariance where one picture is flat.
  if (sigma_rd < 0 && sigma_r_sigma_d <= 0) sigma_rd = 0;
  const double l = (2.0 * mu_r * mu_d + kC1) / (mu_r * mu_r + mu_d * mu_d + kC1);
  const double c = (2.0 * sigma_r_sigma_d + kC2) / (sigma_rr + sigma_dd + kC2);
  const float s = (sigma_rd + kC3) / (sigma_r_sigma_d + kC3);
  return {l, c, s};
}

}  // namespace vmafx::float_ssim

#endif  // VMAFX_METRICS_FLOAT_SSIM_WINDOW_H_
