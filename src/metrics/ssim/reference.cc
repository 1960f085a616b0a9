// The definition of the SSIM measurement.
#include "metrics/ssim/ssim.h"

namespace vmafx::ssim {
namespace {

// Weighted sums over one window: exact integers.
struct Moments {
  std::int64_t r = 0;
  std::int64_t d = 0;
  std::int64_t rr = 0;
  std::int64_t dd = 0;
  std::int64_t rd = 0;
  std::int64_t weight = 0;
};

template <class Sample>
Moments window_moments(PlaneView<const Sample> reference, PlaneView<const Sample> distorted, int x,
                       int y) {
  Moments m;
  for (int i = 0; i < kTaps; ++i) {
    const int row = y - kRadius + i;
    if (row < 0 || row >= reference.height) continue;
    for (int j = 0; j < kTaps; ++j) {
      const int column = x - kRadius + j;
      if (column < 0 || column >= reference.width) continue;
      const std::int64_t weight = kWindow[i] * kWindow[j];
      const std::int64_t r = reference.row(row)[column];
      const std::int64_t d = distorted.row(row)[column];
      m.r += weight * r;
      m.d += weight * d;
      m.rr += weight * r * r;
      m.dd += weight * d * d;
      m.rd += weight * r * d;
      m.weight += weight;
    }
  }
  return m;
}

// Weight times SSIM. Means are `weight` times as large as samples, variances its square times.
double weighted_ssim(const Moments& m, int peak) {
  const auto w = static_cast<double>(m.weight);
  const double peak_squared = static_cast<double>(peak) * peak;
  const double c1 = peak_squared * kK1Squared * w * w;
  const double c2 = peak_squared * kK2Squared * w * w;
  const auto mu_r = static_cast<double>(m.r);
  const auto mu_d = static_cast<double>(m.d);
  const double mu_rr = mu_r * mu_r;
  const double mu_dd = mu_d * mu_d;
  const double mu_rd = mu_r * mu_d;
  const double covariance = static_cast<double>(m.rd) * w - mu_rd;
  const double variances =
      static_cast<double>(m.rr) * w - mu_rr + static_cast<double>(m.dd) * w - mu_dd;
  return w * (2 * mu_rd + c1) * (c2 + 2 * covariance) / ((mu_rr + mu_dd + c1) * (variances + c2));
}

}  // namespace

template <class Sample>
double reference_sum(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                     int bit_depth) {
  const int peak = (1 << bit_depth) - 1;
  double total = 0;
  for (int x = 0; x < reference.width; ++x) {
    double column = 0;
    for (int y = 0; y < reference.height; ++y)
      column += weighted_ssim(window_moments(reference, distorted, x, y), peak);
    total += column;
  }
  return total;
}

template double reference_sum(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>, int);
template double reference_sum(PlaneView<const std::uint16_t>, PlaneView<const std::uint16_t>, int);

}  // namespace vmafx::ssim
