// Rows of detail: their split into what is restored and what is added, masking and sums. Included
// once for each target, after foreach_target.h.
#if defined(VMAFX_METRICS_FLOAT_ADM_MASKING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_FLOAT_ADM_MASKING_INL_H_
#undef VMAFX_METRICS_FLOAT_ADM_MASKING_INL_H_
#else
#define VMAFX_METRICS_FLOAT_ADM_MASKING_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "metrics/float_adm/float_adm.h"
#include "metrics/float_adm/wavelet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_adm::HWY_NAMESPACE {

// Horizontal, vertical and diagonal detail of one row.
struct DetailLines {
  float* band[kBands];
};

// What a row of detail becomes.
struct SignalLines {
  DetailLines magnitude;  // weighted
  float* sum;             // of the bands
  float* three;           // of the sums of three columns
};

struct DecoupledLines {
  SignalLines restored;
  SignalLines additive;
};

struct Detail {
  VF h, v, d;
};

HWY_INLINE Detail load_detail(const DetailLines& lines, int x) {
  const DF d;
  return {hn::Load(d, lines.band[0] + x), hn::Load(d, lines.band[1] + x),
          hn::Load(d, lines.band[2] + x)};
}

// The detail times the gain limit where both point the same way.
template <bool kGain>
HWY_INLINE Detail limits(const Detail& o, const Detail& t, VF gain) {
  if constexpr (!kGain) return o;
  const DF d;
  const VF product = hn::Add(hn::Mul(o.h, t.h), hn::Mul(o.v, t.v));
  const VF original = hn::Add(hn::Mul(o.h, o.h), hn::Mul(o.v, o.v));
  const VF test = hn::Add(hn::Mul(t.h, t.h), hn::Mul(t.v, t.v));
  const VF bound = hn::Mul(hn::Mul(hn::Set(d, kCosineSquared), original), test);
  const auto same = hn::And(hn::Ge(product, hn::Zero(d)), hn::Ge(hn::Mul(product, product), bound));
  return {hn::IfThenElse(same, hn::Mul(o.h, gain), o.h),
          hn::IfThenElse(same, hn::Mul(o.v, gain), o.v),
          hn::IfThenElse(same, hn::Mul(o.d, gain), o.d)};
}

HWY_INLINE VF restored(VF limit, VF t) {
  const VF zero = hn::Zero(DF());
  return hn::Min(hn::Max(t, hn::Min(limit, zero)), hn::Max(limit, zero));
}

HWY_INLINE void store_signal(const Detail& signal, const Detail& weights, const SignalLines& out,
                             int x) {
  const DF d;
  const VF h = hn::Mul(hn::Abs(signal.h), weights.h);
  const VF v = hn::Mul(hn::Abs(signal.v), weights.v);
  const VF diagonal = hn::Mul(hn::Abs(signal.d), weights.d);
  hn::Store(h, d, out.magnitude.band[0] + x);
  hn::Store(v, d, out.magnitude.band[1] + x);
  hn::Store(diagonal, d, out.magnitude.band[2] + x);
  hn::Store(hn::Add(hn::Add(h, v), diagonal), d, out.sum + x);
}

// Columns from a multiple of kPartialSums on.
template <bool kGain>
void decouple_row(const DetailLines& original, const DetailLines& test, Range columns,
                  float gain_limit, const Weights& band_weights, const DecoupledLines& out) {
  const DF d;
  const VF gain = hn::Set(d, gain_limit);
  const Detail weights = {hn::Set(d, band_weights[0]), hn::Set(d, band_weights[1]),
                          hn::Set(d, band_weights[2])};
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = columns.begin; x < columns.end; x += lanes) {
    const Detail o = load_detail(original, x);
    const Detail t = load_detail(test, x);
    const Detail limit = limits<kGain>(o, t, gain);
    const Detail kept = {restored(limit.h, t.h), restored(limit.v, t.v), restored(limit.d, t.d)};
    const Detail rest = {hn::Sub(t.h, kept.h), hn::Sub(t.v, kept.v), hn::Sub(t.d, kept.d)};
    store_signal(kept, weights, out.restored, x);
    store_signal(rest, weights, out.additive, x);
  }
}

// Sums of three columns of a line of `width`.
inline void sum_neighbours(float* line, int width, Range columns, float* out) {
  line[-1] = line[1];
  line[width] = line[width - 1];
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = columns.begin; x < columns.end; x += lanes) {
    const VF sum = hn::Add(hn::LoadU(d, line + x - 1), hn::Load(d, line + x));
    hn::Store(hn::Add(sum, hn::LoadU(d, line + x + 1)), d, out + x);
  }
}

// ---- Sums ----

// Zero outside of the columns.
HWY_INLINE VF inside(VF value, int x, Range columns) {
  const DF d;
  const hn::Rebind<std::int32_t, DF> d32;
  const auto index = hn::Iota(d32, x);
  const auto mask = hn::And(hn::Gt(index, hn::Set(d32, columns.begin - 1)),
                            hn::Lt(index, hn::Set(d32, columns.end)));
  return hn::IfThenElseZero(hn::RebindMask(d, mask), value);
}

constexpr int kVectors = kPartialSums / static_cast<int>(hn::MaxLanes(DF()));

// The partial sums of a row of cubes.
struct CubeSum {
  VF part[kVectors];

  // Written out: a constructor that the compiler makes has not the target's instructions on Arm.
  HWY_INLINE CubeSum() {
    for (VF& sum : part) sum = hn::Zero(DF());
  }
  HWY_INLINE void add(int k, VF value) {
    part[k] = hn::Add(part[k], hn::Mul(hn::Mul(value, value), value));
  }
  HWY_INLINE double total() const {
    const DF d;
    float partial[kPartialSums];
    for (int k = 0; k < kVectors; ++k)
      hn::StoreU(part[k], d, partial + k * static_cast<int>(hn::Lanes(d)));
    return add_partial_sums(partial);
  }
};

using BandTotals = std::array<double, kBands>;

// Runs body(x, first or last block) for each block of partial sums.
template <class Body>
HWY_INLINE void for_blocks(Range columns, Body&& body) {
  for (int x = columns.begin / kPartialSums * kPartialSums; x < columns.end; x += kPartialSums)
    body(x, x < columns.begin || x + kPartialSums > columns.end);
}

// Of values(x): the three bands at column x, which are not negative.
template <class Values>
HWY_INLINE BandTotals cubes_of_row(Range columns, Values&& values) {
  CubeSum h;
  CubeSum v;
  CubeSum diagonal;
  const int lanes = static_cast<int>(hn::Lanes(DF()));
  for_blocks(columns, [&](int block, bool edge) HWY_ATTR {
    for (int k = 0; k < kVectors; ++k) {
      const int x = block + k * lanes;
      Detail value = values(x);
      if (HWY_UNLIKELY(edge)) {
        value = {inside(value.h, x, columns), inside(value.v, x, columns),
                 inside(value.d, x, columns)};
      }
      h.add(k, value.h);
      v.add(k, value.v);
      diagonal.add(k, value.d);
    }
  });
  return {h.total(), v.total(), diagonal.total()};
}

inline double powers_of_line(const float* line, Range columns, float power) {
  double partial[kPartialSums] = {};
  for (int block = columns.begin / kPartialSums * kPartialSums; block < columns.end;
       block += kPartialSums) {
    double terms[kPartialSums];
    for (int i = 0; i < kPartialSums; ++i) terms[i] = power_of(line[block + i], power);
    for (int i = 0; i < kPartialSums; ++i) partial[i] += terms[i];
  }
  return add_partial_sums(partial);
}

// `line` is room for the values.
template <class Values>
HWY_INLINE BandTotals powers_of_row(Range columns, float power, const DetailLines& line,
                                    Values&& values) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for_blocks(columns, [&](int block, bool /*edge*/) HWY_ATTR {
    for (int x = block; x < block + kPartialSums; x += lanes) {
      const Detail value = values(x);
      hn::Store(inside(value.h, x, columns), d, line.band[0] + x);
      hn::Store(inside(value.v, x, columns), d, line.band[1] + x);
      hn::Store(inside(value.d, x, columns), d, line.band[2] + x);
    }
  });
  BandTotals totals;
  for (std::size_t band = 0; band < kBands; ++band)
    totals[band] = powers_of_line(line.band[band], columns, power);
  return totals;
}

template <class Values>
HWY_INLINE BandTotals sum_row(Range columns, float power, const DetailLines& room,
                              Values&& values) {
  return power == kCube ? cubes_of_row(columns, values)
                        : powers_of_row(columns, power, room, values);
}

inline BandTotals sum_originals(const DetailLines& original, Range columns, float power,
                                const DetailLines& room) {
  return sum_row(columns, power, room, [&](int x) HWY_ATTR {
    const Detail o = load_detail(original, x);
    return Detail{hn::Abs(o.h), hn::Abs(o.v), hn::Abs(o.d)};
  });
}

// Rows above, at and below that which is masked.
struct MaskerLines {
  const float* three[3];
  const float* sum;
};

inline BandTotals sum_masked(const DetailLines& magnitude, const MaskerLines& masker, bool masking,
                             Range columns, float power, const DetailLines& room) {
  const VF share = hn::Set(DF(), masking ? kNeighbourShare : 0.0f);
  return sum_row(columns, power, room, [&](int x) HWY_ATTR {
    const DF d;
    const VF zero = hn::Zero(d);
    const VF two = hn::Add(hn::Load(d, masker.three[0] + x), hn::Load(d, masker.three[1] + x));
    const VF nine = hn::Add(two, hn::Load(d, masker.three[2] + x));
    const VF threshold = hn::Mul(hn::Add(nine, hn::Load(d, masker.sum + x)), share);
    const Detail m = load_detail(magnitude, x);
    return Detail{hn::Max(hn::Sub(m.h, threshold), zero), hn::Max(hn::Sub(m.v, threshold), zero),
                  hn::Max(hn::Sub(m.d, threshold), zero)};
  });
}

}  // namespace vmafx::float_adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_FLOAT_ADM_MASKING_INL_H_
