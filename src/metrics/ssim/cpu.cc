// SSIM for every instruction set, in strips of columns whose lines stay in the L1 cache. Moments
// are integers below 2^53, exact in double in any order.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "metrics/ssim/ssim.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/ssim/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::ssim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::CappedTag<double, 8>;
using VD = hn::Vec<DD>;

constexpr int kStrip = 64;
// Doubles of a line: a vector loop may run past the end.
constexpr std::size_t kLine = kStrip + kTaps + 15;
// r, d, r^2, d^2, r d.
constexpr std::size_t kMoments = 5;

struct Lines {
  alignas(64) double at[kMoments][kLine];
};

struct Strip {
  Lines samples;                     // of the row that is being filtered, kRadius more at both ends
  Lines across[kTaps];               // the last rows, filtered along x; row y is at y % kTaps
  alignas(64) double weight[kLine];  // of the taps along x
  alignas(64) double sums[kLine];    // of the columns, top to bottom
};

// Zero beyond the border, so that the taps there count nothing.
template <class Sample>
void load_samples(const Sample* r, const Sample* d, int first, int count, int width, Lines& out) {
  const int begin = std::clamp(-first, 0, count);
  const int end = std::clamp(width - first, begin, count);
  for (auto& line : out.at) {
    std::fill(line, line + begin, 0.0);
    std::fill(line + end, line + kLine, 0.0);
  }
  for (int i = begin; i < end; ++i) {
    const double vr = r[first + i];
    const double vd = d[first + i];
    out.at[0][i] = vr;
    out.at[1][i] = vd;
    out.at[2][i] = vr * vr;
    out.at[3][i] = vd * vd;
    out.at[4][i] = vr * vd;
  }
}

HWY_INLINE VD weigh(VD v, int k) { return hn::Mul(v, hn::Set(DD(), kWindow[k])); }

void filter_across(const Lines& samples, int windows, Lines& out) {
  const DD d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (std::size_t m = 0; m < kMoments; ++m) {
    for (int x = 0; x < windows; x += lanes) {
      const double* in = samples.at[m] + x;
      VD sum = weigh(hn::LoadU(d, in + kRadius), kRadius);
      for (int k = 0; k < kRadius; ++k) {
        const VD pair = hn::Add(hn::LoadU(d, in + k), hn::LoadU(d, in + kTaps - 1 - k));
        sum = hn::Add(sum, weigh(pair, k));
      }
      hn::StoreU(sum, d, out.at[m] + x);
    }
  }
}

HWY_INLINE VD filter_down(const Lines* const* rows, std::size_t m, int x) {
  const DD d;
  VD sum = weigh(hn::LoadU(d, rows[kRadius]->at[m] + x), kRadius);
  for (int k = 0; k < kRadius; ++k) {
    const VD pair =
        hn::Add(hn::LoadU(d, rows[k]->at[m] + x), hn::LoadU(d, rows[kTaps - 1 - k]->at[m] + x));
    sum = hn::Add(sum, weigh(pair, k));
  }
  return sum;
}

// The windows centred on row y; `down` is the weight of their taps along y.
void compare_row(const Lines* const* rows, int windows, double down, double peak_squared,
                 Strip& strip) {
  const DD d;
  const VD k1 = hn::Set(d, peak_squared * kK1Squared);
  const VD k2 = hn::Set(d, peak_squared * kK2Squared);
  const VD two = hn::Set(d, 2);
  for (int x = 0; x < windows; x += static_cast<int>(hn::Lanes(d))) {
    const VD w = hn::Mul(hn::LoadU(d, strip.weight + x), hn::Set(d, down));
    const VD c1 = hn::Mul(hn::Mul(k1, w), w);
    const VD c2 = hn::Mul(hn::Mul(k2, w), w);
    const VD mu_r = filter_down(rows, 0, x);
    const VD mu_d = filter_down(rows, 1, x);
    const VD mu_rr = hn::Mul(mu_r, mu_r);
    const VD mu_dd = hn::Mul(mu_d, mu_d);
    const VD mu_rd = hn::Mul(mu_r, mu_d);
    const VD rr = hn::Sub(hn::Mul(filter_down(rows, 2, x), w), mu_rr);
    const VD variances = hn::Sub(hn::Add(rr, hn::Mul(filter_down(rows, 3, x), w)), mu_dd);
    const VD covariance = hn::Sub(hn::Mul(filter_down(rows, 4, x), w), mu_rd);
    const VD numerator = hn::Mul(hn::Mul(w, hn::Add(hn::Mul(two, mu_rd), c1)),
                                 hn::Add(c2, hn::Mul(two, covariance)));
    const VD denominator = hn::Mul(hn::Add(hn::Add(mu_rr, mu_dd), c1), hn::Add(variances, c2));
    const VD ssim = hn::Div(numerator, denominator);
    hn::StoreU(hn::Add(hn::LoadU(d, strip.sums + x), ssim), d, strip.sums + x);
  }
}

// Adds the columns of the strip that starts at column `first` to total.
template <class Sample>
double sum_strip(PlaneView<const Sample> reference, PlaneView<const Sample> distorted, int first,
                 double peak_squared, double total, Strip& strip) {
  static const Lines kOutside = {};
  const int windows = std::min(kStrip, reference.width - first);
  for (int x = 0; x < windows; ++x) strip.weight[x] = window_weight(first + x, reference.width);
  std::fill(strip.weight + windows, strip.weight + kLine, 1.0);
  std::fill(std::begin(strip.sums), std::end(strip.sums), 0.0);
  for (int y = 0; y < reference.height + kRadius; ++y) {
    if (y < reference.height) {
      load_samples(reference.row(y), distorted.row(y), first - kRadius, windows + 2 * kRadius,
                   reference.width, strip.samples);
      filter_across(strip.samples, windows, strip.across[y % kTaps]);
    }
    const int centre = y - kRadius;
    if (centre < 0) continue;
    const Lines* rows[kTaps];
    for (int k = 0; k < kTaps; ++k) {
      const int row = centre - kRadius + k;
      const bool inside = row >= 0 && row < reference.height;
      rows[k] = inside ? &strip.across[row % kTaps] : &kOutside;
    }
    compare_row(rows, windows, window_weight(centre, reference.height), peak_squared, strip);
  }
  for (int x = 0; x < windows; ++x) total += strip.sums[x];
  return total;
}

template <class Sample>
double sum_plane(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                 int bit_depth, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  Strip& strip = *scratch.take<Strip>(1);
  const double peak = (1 << bit_depth) - 1;
  double total = 0;
  for (int first = 0; first < reference.width; first += kStrip)
    total = sum_strip(reference, distorted, first, peak * peak, total, strip);
  return total;
}

double sum8(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
            int bit_depth, Scratch& scratch) {
  return sum_plane(reference, distorted, bit_depth, scratch);
}

double sum16(PlaneView<const std::uint16_t> reference, PlaneView<const std::uint16_t> distorted,
             int bit_depth, Scratch& scratch) {
  return sum_plane(reference, distorted, bit_depth, scratch);
}

}  // namespace vmafx::ssim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::ssim {

HWY_EXPORT(sum8);
HWY_EXPORT(sum16);

template <>
double sum(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
           int bit_depth, Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(sum8)(reference, distorted, bit_depth, scratch);
}

template <>
double sum(PlaneView<const std::uint16_t> reference, PlaneView<const std::uint16_t> distorted,
           int bit_depth, Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(sum16)(reference, distorted, bit_depth, scratch);
}

}  // namespace vmafx::ssim
#endif
