// The window of SSIM and what is made of the sums over it: what its definition and its kernels
// share.
#ifndef VMAFX_METRICS_SSIM_WINDOW_H_
#define VMAFX_METRICS_SSIM_WINDOW_H_

namespace vmafx::ssim {

inline constexpr int kTaps = 9;
inline constexpr int kRadius = kTaps / 2;
// Gaussian of standard deviation 1.5 in units of 1/256.
inline constexpr int kWindow[kTaps] = {2, 9, 28, 55, 68, 55, 28, 9, 2};

inline constexpr double kK1Squared = 0.01 * 0.01;
inline constexpr double kK2Squared = 0.03 * 0.03;

// kWindow[kRadius + distance], for devices, which have no address of it.
constexpr int tap(int distance) {
  constexpr int kHalf[kRadius + 1] = {kWindow[4], kWindow[5], kWindow[6], kWindow[7], kWindow[8]};
  return kHalf[distance < 0 ? -distance : distance];
}

// Sum of the taps that fall on samples, for a window centred at `index` of `size` samples.
constexpr int window_weight(int index, int size) {
  int weight = 0;
  for (int distance = -kRadius; distance <= kRadius; ++distance) {
    const int at = index + distance;
    if (at >= 0 && at < size) weight += tap(distance);
  }
  return weight;
}

// Weighted sums over one window: whole numbers.
struct Moments {
  double r;
  double d;
  double rr;
  double dd;
  double rd;
};

struct Stabilizers {
  double c1;
  double c2;
};

// For a window of weight w.
constexpr Stabilizers stabilizers(double peak_squared, double w) {
  return {peak_squared * kK1Squared * w * w, peak_squared * kK2Squared * w * w};
}

// Weight times SSIM. Means are w times as large as samples, variances its square times.
constexpr double weighted_ssim(const Moments& m, double w, Stabilizers s) {
  const double mu_rr = m.r * m.r;
  const double mu_dd = m.d * m.d;
  const double mu_rd = m.r * m.d;
  const double covariance = m.rd * w - mu_rd;
  const double variances = m.rr * w - mu_rr + m.dd * w - mu_dd;
  return w * (2 * mu_rd + s.c1) * (s.c2 + 2 * covariance) /
         ((mu_rr + mu_dd + s.c1) * (variances + s.c2));
}

}  // namespace vmafx::ssim

#endif  // VMAFX_METRICS_SSIM_WINDOW_H_
