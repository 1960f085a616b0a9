// The definition of the SSIM measurement.
#include "metrics/ssim/ssim.h"

namespace vmafx::ssim {
namespace {

// Moments and weight of one window.
struct Window {
  std::int64_t r = 0;
  std::int64_t d = 0;
  std::int64_t rr = 0;
  std::int64_t dd = 0;
  std::int64_t rd = 0;
  std::int64_t weight = 0;
};

template <class Sample>
Window window_at(PlaneView<const Sample> reference, PlaneView<const Sample> distorted, int x,
                 int y) {
  Window m;
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

double weighted_ssim(const Window& m, double peak_squared) {
  const auto exact = [](std::int64_t sum) { return static_cast<double>(sum); };
  const double w = exact(m.weight);
  return weighted_ssim({exact(m.r), exact(m.d), exact(m.rr), exact(m.dd), exact(m.rd)}, w,
                       stabilizers(peak_squared, w));
}

}  // namespace

template <class Sample>
double reference_sum(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                     int bit_depth) {
  const double peak = (1 << bit_depth) - 1;
  double total = 0;
  for (int x = 0; x < reference.width; ++x) {
    double column = 0;
    for (int y = 0; y < reference.height; ++y)
      column += weighted_ssim(window_at(reference, distorted, x, y), peak * peak);
    total += column;
  }
  return total;
}

template double reference_sum(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>, int);
template double reference_sum(PlaneView<const std::uint16_t>, PlaneView<const std::uint16_t>, int);

}  // namespace vmafx::ssim
