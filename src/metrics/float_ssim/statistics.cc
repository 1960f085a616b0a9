// Windowed statistics for every instruction set.
//
// A vector holds samples that are far apart in a row, one of each segment of it, and the next
// vector their right neighbours. So filtering along a row is just what filtering along a column is:
// vectors come one after another, and each is multiplied with every tap that differs, made double,
// and added to the sums of all windows that it lies in, which stay in registers.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/fixed_vectors.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/float_ssim/window.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_ssim/statistics.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "metrics/float_ssim/wide_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_ssim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// As many floats as there are doubles in a vector.
using DH = DFHalf;
using VH = hn::Vec<DH>;

constexpr DD dd;
constexpr DF df;
constexpr DH dh;

constexpr int kLanes = static_cast<int>(hn::MaxLanes(DD()));
// Windows that a vector lies in and that others follow in.
constexpr int kOpen = kTaps - 1;
// r, d, r^2, d^2, r d.
constexpr int kQuantities = 5;
// Windows of a segment, and rows of a band: what is kept of them stays in the L2 cache.
constexpr int kSegment = 128;
constexpr int kBand = 16;
// Means of one quantity and vector in a band, and one more, because two are compared at a time.
constexpr int kMeans = (kBand + 1) * kLanes;

// The sums of the open windows, by the number of taps that they have; a vector of each. No array,
// which g++ would not keep in registers.
struct OpenSums {
  VD s1, s2, s3, s4, s5, s6, s7, s8, s9, s10;

  static HWY_INLINE OpenSums zero() {
    const VD z = hn::Zero(dd);
    return {z, z, z, z, z, z, z, z, z, z};
  }
  static HWY_INLINE OpenSums load(const double* from) {
    const auto at = [&](int k) HWY_ATTR { return hn::Load(dd, from + k * kLanes); };
    return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9)};
  }
  HWY_INLINE void store(double* to) const {
    const auto put = [&](VD sum, int k) HWY_ATTR { hn::Store(sum, dd, to + k * kLanes); };
    put(s1, 0);
    put(s2, 1);
    put(s3, 2);
    put(s4, 3);
    put(s5, 4);
    put(s6, 5);
    put(s7, 6);
    put(s8, 7);
    put(s9, 8);
    put(s10, 9);
  }

  // Gives the mean of the window that ends with this vector to `store`. A sum begins with its first
  // product and not with 0 and that: so a zero may be negative, which no term sees.
  template <class Store>
  HWY_INLINE void add(VH v, const Store& store) {
    const auto weigh = [&](int k) HWY_ATTR {
      return hn::PromoteTo(dd, hn::Mul(v, hn::Set(dh, kWindow[k])));
    };
    const VD p0 = weigh(0);
    store(hn::DemoteTo(dh, hn::Add(s10, p0)));
    const VD p1 = weigh(1);
    s10 = hn::Add(s9, p1);
    const VD p2 = weigh(2);
    s9 = hn::Add(s8, p2);
    const VD p3 = weigh(3);
    s8 = hn::Add(s7, p3);
    const VD p4 = weigh(4);
    s7 = hn::Add(s6, p4);
    s6 = hn::Add(s5, weigh(5));
    s5 = hn::Add(s4, p4);
    s4 = hn::Add(s3, p3);
    s3 = hn::Add(s2, p2);
    s2 = hn::Add(s1, p1);
    s1 = p0;
  }
};
constexpr int kOpenSize = kOpen * kLanes;

// Each of `count` vectors ends a window: load(i) gives the vector, store(i, v) takes the mean.
template <class Load, class Store>
HWY_INLINE void filter(int count, const Load& load, const Store& store, OpenSums& sums) {
  for (int i = 0; i < count; ++i) sums.add(load(i), [&](VH mean) HWY_ATTR { store(i, mean); });
}

// As many vectors of kLanes samples as there are lanes in D, one sample of each segment in each.
template <class D, class Sample>
HWY_INLINE void store_segments(D d, const Sample* row, float step, int length, float* out) {
  const auto load = [&](int segment)
                        HWY_ATTR { return load_samples(d, row + segment * length, step); };
  if constexpr (kLanes == 2) {
    hn::StoreInterleaved2(load(0), load(1), d, out);
  } else if constexpr (kLanes == 4) {
    hn::StoreInterleaved4(load(0), load(1), load(2), load(3), d, out);
  } else {
    const hn::Repartition<double, D> pairs;
    const auto lower = [&](int segment) HWY_ATTR {
      return hn::BitCast(pairs, hn::InterleaveLower(d, load(segment), load(segment + 1)));
    };
    const auto upper = [&](int segment) HWY_ATTR {
      return hn::BitCast(pairs, hn::InterleaveUpper(d, load(segment), load(segment + 1)));
    };
    auto* const to = reinterpret_cast<double*>(out);
    hn::StoreInterleaved4(lower(0), lower(2), lower(4), lower(6), pairs, to);
    hn::StoreInterleaved4(upper(0), upper(2), upper(4), upper(6), pairs, to + 8);
  }
}

// Lane j of vector i becomes sample j * length + i of a row of `width`; of samples beyond it the
// last one.
template <class Sample>
void load_segments(const Sample* row, float step, int width, int length, float* out) {
  const hn::CappedTag<float, kLanes == 8 ? 4 : 8> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int count = length + kOpen;
  const int inside = std::min(count, width - (kLanes - 1) * length);
  int i = 0;
  for (; i + lanes <= inside; i += lanes)
    store_segments(d, row + i, step, length, out + i * kLanes);
  for (; i < count; ++i) {
    for (int j = 0; j < kLanes; ++j)
      out[i * kLanes + j] = static_cast<float>(row[std::min(j * length + i, width - 1)]) * step;
  }
}

// Column sums of kLanes columns.
struct ColumnSums {
  alignas(64) double ssim[kLanes];
  alignas(64) double luminance[kLanes];
  alignas(64) double contrast[kLanes];
  alignas(64) double structure[kLanes];
};

// Windows side by side, as many segments of them as a vector has lanes.
class Strip {
 public:
  Strip(int length, Scratch& scratch)
      : length_(length),
        line_((length + kOpen) * kLanes),
        r_(take(scratch, line_)),
        d_(take(scratch, line_)),
        band_(take(scratch, kBand * kQuantities * line_)),
        means_(take(scratch, kQuantities * kMeans)),
        open_(scratch.take<double>(static_cast<std::size_t>(length) * kQuantities * kOpenSize)),
        sums_(scratch.take<ColumnSums>(static_cast<std::size_t>(length))) {
    std::fill_n(sums_, length, ColumnSums{});
  }

  // A row that is inside the band.
  template <class Sample>
  void add_row(const Sample* r, const Sample* d, float step, int width, int row) const {
    float* const r_line = r_;
    float* const d_line = d_;
    load_segments(r, step, width, length_, r_line);
    load_segments(d, step, width, length_, d_line);
    const auto load_r = [=](int i) HWY_ATTR { return hn::Load(dh, r_line + i * kLanes); };
    const auto load_d = [=](int i) HWY_ATTR { return hn::Load(dh, d_line + i * kLanes); };
    filter_across(0, row, load_r);
    filter_across(1, row, load_d);
    filter_across(2, row, [=](int i) HWY_ATTR { return hn::Mul(load_r(i), load_r(i)); });
    filter_across(3, row, [=](int i) HWY_ATTR { return hn::Mul(load_d(i), load_d(i)); });
    filter_across(4, row, [=](int i) HWY_ATTR { return hn::Mul(load_r(i), load_d(i)); });
  }

  // Adds the windows that end in the first `rows` rows of the band.
  void add_windows(bool first_band, int rows) const {
    for (int i = 0; i < length_; ++i) {
      for (int q = 0; q < kQuantities; ++q) {
        const float* const column = line(q, 0) + (kOpen + i) * kLanes;
        const int step = kQuantities * line_;
        float* const out = means_ + q * kMeans;
        double* const open = open_ + (i * kQuantities + q) * kOpenSize;
        OpenSums sums = first_band ? OpenSums::zero() : OpenSums::load(open);
        filter(
            rows, [&](int y) HWY_ATTR { return hn::Load(dh, column + y * step); },
            [&](int y, VH v) HWY_ATTR { hn::Store(v, dh, out + y * kLanes); }, sums);
        sums.store(open);
      }
      compare(means_, first_band ? kOpen : 0, rows, sums_[i]);
    }
  }

  void add_to(int windows, Sums& total) const {
    for (int x = 0; x < windows; ++x) {
      const ColumnSums& sums = sums_[x % length_];
      const int lane = x / length_;
      total.ssim += sums.ssim[lane];
      total.luminance += sums.luminance[lane];
      total.contrast += sums.contrast[lane];
      total.structure += sums.structure[lane];
    }
  }

 private:
  static float* take(Scratch& scratch, int count) {
    return scratch.take<float>(static_cast<std::size_t>(count));
  }

  // The means of a row of the band; that of window i is at vector kOpen + i.
  float* line(int quantity, int row) const {
    return band_ + (row * kQuantities + quantity) * line_;
  }

  template <class Load>
  HWY_INLINE void filter_across(int quantity, int row, const Load& load) const {
    OpenSums sums = OpenSums::zero();
    float* const out = line(quantity, row);
    filter(
        length_ + kOpen, load, [&](int i, VH v) HWY_ATTR { hn::Store(v, dh, out + i * kLanes); },
        sums);
  }

  static HWY_INLINE void compare(const float* means, int skipped, int rows, ColumnSums& sums);

  int length_;
  int line_;
  float* r_;
  float* d_;
  float* band_;
  float* means_;
  double* open_;
  ColumnSums* sums_;
};

// What a window's terms are made of; half a vector of floats at a time becomes doubles.
struct Terms {
  VD twice_mu_r, mu_d, l_denominator;
  VD sigma, c_denominator;
  VD s;
};

struct TermSums {
  VD ssim, luminance, contrast, structure;

  HWY_INLINE void add(const Terms& t) {
    const VD c1 = hn::Set(dd, double{kC1});
    const VD c2 = hn::Set(dd, double{kC2});
    const VD l = hn::Div(hn::Add(hn::Mul(t.twice_mu_r, t.mu_d), c1), t.l_denominator);
    const VD c = hn::Div(hn::Add(hn::Add(t.sigma, t.sigma), c2), t.c_denominator);
    ssim = hn::Add(ssim, hn::Mul(hn::Mul(l, c), t.s));
    luminance = hn::Add(luminance, l);
    contrast = hn::Add(contrast, c);
    structure = hn::Add(structure, t.s);
  }
};

HWY_INLINE void Strip::compare(const float* means, int skipped, int rows, ColumnSums& sums) {
  const VF zero = hn::Zero(df);
  const VF c1 = hn::Set(df, kC1);
  const VF c2 = hn::Set(df, kC2);
  const VF c3 = hn::Set(df, kC3);
  TermSums total{hn::Load(dd, sums.ssim), hn::Load(dd, sums.luminance), hn::Load(dd, sums.contrast),
                 hn::Load(dd, sums.structure)};
  for (int y = skipped; y < rows; y += 2) {
    const auto mean = [&](int q)
                          HWY_ATTR { return hn::LoadU(df, means + q * kMeans + y * kLanes); };
    const VF mu_r = mean(0);
    const VF mu_d = mean(1);
    const VF rr = hn::Mul(mu_r, mu_r);
    const VF rd = hn::Mul(mu_r, mu_d);
    const VF dd2 = hn::Mul(mu_d, mu_d);
    const VF sigma_rr = hn::Max(zero, hn::Sub(mean(2), rr));
    const VF sigma_dd = hn::Max(zero, hn::Sub(mean(3), dd2));
    VF sigma_rd = hn::Sub(mean(4), rd);
    const VF sigma = hn::Sqrt(hn::Mul(sigma_rr, sigma_dd));
    sigma_rd = hn::IfThenElse(hn::And(hn::Lt(sigma_rd, zero), hn::Le(sigma, zero)), zero, sigma_rd);
    const VF twice_mu_r = hn::Add(mu_r, mu_r);
    const VF l_denominator = hn::Add(hn::Add(rr, dd2), c1);
    const VF c_denominator = hn::Add(hn::Add(sigma_rr, sigma_dd), c2);
    const VF s = hn::Div(hn::Add(sigma_rd, c3), hn::Add(sigma, c3));
    total.add({lower_doubles(twice_mu_r), lower_doubles(mu_d), lower_doubles(l_denominator),
               lower_doubles(sigma), lower_doubles(c_denominator), lower_doubles(s)});
    if (y + 1 == rows) break;
    total.add({upper_doubles(twice_mu_r), upper_doubles(mu_d), upper_doubles(l_denominator),
               upper_doubles(sigma), upper_doubles(c_denominator), upper_doubles(s)});
  }
  hn::Store(total.ssim, dd, sums.ssim);
  hn::Store(total.luminance, dd, sums.luminance);
  hn::Store(total.contrast, dd, sums.contrast);
  hn::Store(total.structure, dd, sums.structure);
}

template <class Sample>
Sums sum_windows(PlaneView<const Sample> reference, PlaneView<const Sample> distorted, float step,
                 Scratch& scratch) {
  Sums total;
  const int all_windows = reference.width - kTaps + 1;
  const int strips = (all_windows + kSegment * kLanes - 1) / (kSegment * kLanes);
  const int per_strip = (all_windows + strips - 1) / strips;
  for (int first = 0; first < all_windows; first += per_strip) {
    const Scratch::Frame frame(scratch);
    const int windows = std::min(per_strip, all_windows - first);
    const Strip strip((windows + kLanes - 1) / kLanes, scratch);
    for (int top = 0; top < reference.height; top += kBand) {
      const int rows = std::min(kBand, reference.height - top);
      for (int y = 0; y < rows; ++y)
        strip.add_row(reference.row(top + y) + first, distorted.row(top + y) + first, step,
                      reference.width - first, y);
      strip.add_windows(top == 0, rows);
    }
    strip.add_to(windows, total);
  }
  return total;
}

Sums sum_windows8(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
                  float step, Scratch& scratch) {
  return sum_windows(reference, distorted, step, scratch);
}

Sums sum_windows16(PlaneView<const std::uint16_t> reference,
                   PlaneView<const std::uint16_t> distorted, float step, Scratch& scratch) {
  return sum_windows(reference, distorted, step, scratch);
}

Sums sum_windows_of_floats(PlaneView<const float> reference, PlaneView<const float> distorted,
                           float step, Scratch& scratch) {
  return sum_windows(reference, distorted, step, scratch);
}

}  // namespace vmafx::float_ssim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::float_ssim {

HWY_EXPORT(sum_windows8);
HWY_EXPORT(sum_windows16);
HWY_EXPORT(sum_windows_of_floats);

Sums statistics(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
                int bit_depth, Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(sum_windows8)(reference, distorted, step_of(bit_depth), scratch);
}

Sums statistics(PlaneView<const std::uint16_t> reference, PlaneView<const std::uint16_t> distorted,
                int bit_depth, Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(sum_windows16)(reference, distorted, step_of(bit_depth), scratch);
}

Sums statistics(PlaneView<const float> reference, PlaneView<const float> distorted,
                Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(sum_windows_of_floats)(reference, distorted, 1, scratch);
}

}  // namespace vmafx::float_ssim
#endif
