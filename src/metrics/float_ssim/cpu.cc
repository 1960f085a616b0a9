// SSIM for every instruction set, in strips of columns whose lines stay in the L1 and L2 caches.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/fixed_vectors.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/float_ssim/window.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_ssim/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "metrics/float_ssim/wide_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_ssim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sums of rows, as wide as a row of samples plus what mirroring adds at the right. Sums of at most
// 10 x 10 rounded products of samples are exact in double, so that their order is free.
template <class Sample>
void add_row(const Sample* row, int width, VF scale, VF weight, double* sums) {
  const DF d;
  const DD dd;
  const hn::Rebind<Sample, DF> d_sample;
  const hn::Rebind<std::int32_t, DF> d_int;
  const auto weigh = [&](auto samples) HWY_ATTR {
    const VF value = hn::ConvertTo(d, hn::PromoteTo(d_int, samples));
    return hn::Mul(hn::Mul(value, scale), weight);
  };
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int half = lanes / 2;
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const VF product = weigh(hn::LoadU(d_sample, row + x));
    hn::StoreU(hn::Add(hn::LoadU(dd, sums + x), lower_doubles(product)), dd, sums + x);
    hn::StoreU(hn::Add(hn::LoadU(dd, sums + x + half), upper_doubles(product)), dd,
               sums + x + half);
  }
  for (; x < width; ++x) {
    const float value = static_cast<float>(row[x]) * hn::GetLane(scale);
    sums[x] += value * hn::GetLane(weight);
  }
}

template <class Sample>
void decimate_plane(PlaneView<const Sample> plane, int bit_depth, int factor, PlaneView<float> out,
                    Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  const DF d;
  const int before = factor / 2;
  const auto padded = static_cast<std::size_t>(plane.width) + 2 * static_cast<std::size_t>(factor);
  double* const line = scratch.take<double>(padded);
  double* const sums = line + before;
  // A power of two, so that multiplying is dividing by its inverse.
  const VF scale = hn::Set(d, 1.f / static_cast<float>(1 << (bit_depth - 8)));
  const VF weight = hn::Set(d, 1.f / static_cast<float>(factor * factor));
  for (int y = 0; y < out.height; ++y) {
    std::fill(line, line + padded, 0.0);
    for (int i = 0; i < factor; ++i)
      add_row(plane.row(mirror_repeating(y * factor - before + i, plane.height)), plane.width,
              scale, weight, sums);
    for (int i = 1; i <= before; ++i) sums[-i] = sums[i - 1];
    for (int i = 0; i < factor; ++i) sums[plane.width + i] = sums[std::max(0, plane.width - 1 - i)];
    for (int x = 0; x < out.width; ++x) {
      const double* box = line + static_cast<std::ptrdiff_t>(x) * factor;
      double sum = 0;
      for (int j = 0; j < factor; ++j) sum += box[j];
      out.row(y)[x] = static_cast<float>(sum);
    }
  }
}

void decimate8(PlaneView<const std::uint8_t> plane, int bit_depth, int factor, PlaneView<float> out,
               Scratch& scratch) {
  decimate_plane(plane, bit_depth, factor, out, scratch);
}

void decimate16(PlaneView<const std::uint16_t> plane, int bit_depth, int factor,
                PlaneView<float> out, Scratch& scratch) {
  decimate_plane(plane, bit_depth, factor, out, scratch);
}

// Windows that a strip has side by side.
constexpr int kStrip = 128;
// Floats of a line: a vector loop may write past the end.
constexpr std::size_t kLine = kStrip + kTaps + 64;
// r, d, r^2, d^2, r d.
constexpr std::size_t kQuantities = 5;

// One line of each quantity.
struct Lines {
  alignas(64) float at[kQuantities][kLine];
};

struct Strip {
  Lines samples;        // of the row that is being filtered
  Lines across[kTaps];  // the last rows, filtered along x; row y is at y % kTaps
  // Sums of the columns, top to bottom.
  alignas(64) double ssim[kLine];
  alignas(64) double luminance[kLine];
  alignas(64) double contrast[kLine];
  alignas(64) double structure[kLine];
};

// All quantities of `count` samples; reads no further.
void load_samples(const float* r, const float* d_row, int count, Lines& out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto put = [&](int x, VF vr, VF vd) HWY_ATTR {
    hn::StoreU(vr, d, out.at[0] + x);
    hn::StoreU(vd, d, out.at[1] + x);
    hn::StoreU(hn::Mul(vr, vr), d, out.at[2] + x);
    hn::StoreU(hn::Mul(vd, vd), d, out.at[3] + x);
    hn::StoreU(hn::Mul(vr, vd), d, out.at[4] + x);
  };
  int x = 0;
  for (; x + lanes <= count; x += lanes) put(x, hn::LoadU(d, r + x), hn::LoadU(d, d_row + x));
  for (; x < count; ++x) {
    out.at[0][x] = r[x];
    out.at[1][x] = d_row[x];
    out.at[2][x] = r[x] * r[x];
    out.at[3][x] = d_row[x] * d_row[x];
    out.at[4][x] = r[x] * d_row[x];
  }
}

void filter_across(const Lines& samples, int windows, Lines& out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (std::size_t q = 0; q < kQuantities; ++q) {
    const float* in = samples.at[q];
    for (int x = 0; x < windows; x += lanes) {
      WideSum sum = WideSum::zero();
      for (int k = 0; k < kTaps; ++k)
        sum.add(hn::Mul(hn::LoadU(d, in + x + k), hn::Set(d, kWindow[k])));
      hn::StoreU(sum.rounded(), d, out.at[q] + x);
    }
  }
}

// The rows that a row of windows covers, from top to bottom.
using Rows = const Lines* [kTaps];

// Quantity q at column x.
HWY_INLINE VF filter_down(const Rows& rows, std::size_t q, int x) {
  const DF d;
  WideSum sum = WideSum::zero();
  for (int k = 0; k < kTaps; ++k)
    sum.add(hn::Mul(hn::LoadU(d, rows[k]->at[q] + x), hn::Set(d, kWindow[k])));
  return sum.rounded();
}

HWY_INLINE void accumulate(VD value, double* sums) {
  const DD dd;
  hn::StoreU(hn::Add(hn::LoadU(dd, sums), value), dd, sums);
}

// What a window's terms are made of; half a vector of floats at a time becomes doubles.
struct Terms {
  VD twice_mu_r, mu_d, l_denominator;
  VD sigma, c_denominator;
  VD s;
};

HWY_INLINE void add_terms(const Terms& t, int x, Strip& strip) {
  const DD dd;
  const VD c1 = hn::Set(dd, double{kC1});
  const VD c2 = hn::Set(dd, double{kC2});
  const VD l = hn::Div(hn::Add(hn::Mul(t.twice_mu_r, t.mu_d), c1), t.l_denominator);
  const VD c = hn::Div(hn::Add(hn::Add(t.sigma, t.sigma), c2), t.c_denominator);
  accumulate(hn::Mul(hn::Mul(l, c), t.s), strip.ssim + x);
  accumulate(l, strip.luminance + x);
  accumulate(c, strip.contrast + x);
  accumulate(t.s, strip.structure + x);
}

// One row of windows; y is the first row of samples that it covers.
void compare_row(int windows, int y, Strip& strip) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Rows rows;
  for (int k = 0; k < kTaps; ++k) rows[k] = &strip.across[(y + k) % kTaps];
  const VF zero = hn::Zero(d);
  const VF c1 = hn::Set(d, kC1);
  const VF c2 = hn::Set(d, kC2);
  const VF c3 = hn::Set(d, kC3);
  for (int x = 0; x < windows; x += lanes) {
    const VF mu_r = filter_down(rows, 0, x);
    const VF mu_d = filter_down(rows, 1, x);
    const VF rr = hn::Mul(mu_r, mu_r);
    const VF dd = hn::Mul(mu_d, mu_d);
    const VF sigma_rr = hn::Max(zero, hn::Sub(filter_down(rows, 2, x), rr));
    const VF sigma_dd = hn::Max(zero, hn::Sub(filter_down(rows, 3, x), dd));
    VF sigma_rd = hn::Sub(filter_down(rows, 4, x), hn::Mul(mu_r, mu_d));
    const VF sigma = hn::Sqrt(hn::Mul(sigma_rr, sigma_dd));
    sigma_rd = hn::IfThenElse(hn::And(hn::Lt(sigma_rd, zero), hn::Le(sigma, zero)), zero, sigma_rd);
    const VF twice_mu_r = hn::Add(mu_r, mu_r);
    const VF l_denominator = hn::Add(hn::Add(rr, dd), c1);
    const VF c_denominator = hn::Add(hn::Add(sigma_rr, sigma_dd), c2);
    const VF s = hn::Div(hn::Add(sigma_rd, c3), hn::Add(sigma, c3));
    add_terms({lower_doubles(twice_mu_r), lower_doubles(mu_d), lower_doubles(l_denominator),
               lower_doubles(sigma), lower_doubles(c_denominator), lower_doubles(s)},
              x, strip);
    add_terms({upper_doubles(twice_mu_r), upper_doubles(mu_d), upper_doubles(l_denominator),
               upper_doubles(sigma), upper_doubles(c_denominator), upper_doubles(s)},
              x + lanes / 2, strip);
  }
}

Sums strip_statistics(PlaneView<const float> reference, PlaneView<const float> distorted,
                      Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  Strip& strip = *scratch.take<Strip>(1);
  Sums total;
  const int all_windows = reference.width - kTaps + 1;
  // Vectors run past the windows; what they read there must be numbers.
  strip.samples = {};
  for (int first = 0; first < all_windows; first += kStrip) {
    const int windows = std::min(kStrip, all_windows - first);
    std::fill(std::begin(strip.ssim), std::end(strip.ssim), 0.0);
    std::fill(std::begin(strip.luminance), std::end(strip.luminance), 0.0);
    std::fill(std::begin(strip.contrast), std::end(strip.contrast), 0.0);
    std::fill(std::begin(strip.structure), std::end(strip.structure), 0.0);
    for (int y = 0; y < reference.height; ++y) {
      load_samples(reference.row(y) + first, distorted.row(y) + first, windows + kTaps - 1,
                   strip.samples);
      filter_across(strip.samples, windows, strip.across[y % kTaps]);
      if (y >= kTaps - 1) compare_row(windows, y - kTaps + 1, strip);
    }
    for (int x = 0; x < windows; ++x) {
      total.ssim += strip.ssim[x];
      total.luminance += strip.luminance[x];
      total.contrast += strip.contrast[x];
      total.structure += strip.structure[x];
    }
  }
  return total;
}

}  // namespace vmafx::float_ssim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::float_ssim {

HWY_EXPORT(decimate8);
HWY_EXPORT(decimate16);
HWY_EXPORT(strip_statistics);

template <>
void decimate(PlaneView<const std::uint8_t> plane, int bit_depth, int factor, PlaneView<float> out,
              Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(decimate8)(plane, bit_depth, factor, out, scratch);
}

template <>
void decimate(PlaneView<const std::uint16_t> plane, int bit_depth, int factor, PlaneView<float> out,
              Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(decimate16)(plane, bit_depth, factor, out, scratch);
}

Sums statistics(PlaneView<const float> reference, PlaneView<const float> distorted,
                Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(strip_statistics)(reference, distorted, scratch);
}

}  // namespace vmafx::float_ssim
#endif
