// The wavelet transform of rows whose even and odd columns are in lines of their own, so that the
// filters need no shuffles. Included once for each target, after foreach_target.h.
#if defined(VMAFX_METRICS_FLOAT_ADM_WAVELET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_FLOAT_ADM_WAVELET_INL_H_
#undef VMAFX_METRICS_FLOAT_ADM_WAVELET_INL_H_
#else
#define VMAFX_METRICS_FLOAT_ADM_WAVELET_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "metrics/adm_borders.h"
#include "metrics/float_adm/arithmetic.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_adm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using adm::Range;

using DF = hn::CappedTag<float, kPartialSums>;
using VF = hn::Vec<DF>;

// Column 2i of a row is at even[i], column 2i + 1 at odd[i].
struct SplitLine {
  float* even;
  float* odd;
};

// ---- From samples to lines ----

// The two samples of each pair, as 32-bit integers.
struct SamplePairs {
  hn::Vec<hn::Rebind<std::int32_t, DF>> even;
  hn::Vec<hn::Rebind<std::int32_t, DF>> odd;
};

HWY_INLINE SamplePairs load_pairs(const std::uint8_t* samples) {
  const hn::Rebind<std::int32_t, DF> d32;
  const hn::Rebind<std::uint16_t, DF> d16;
  const hn::Repartition<std::uint8_t, decltype(d16)> d8;
  const auto pairs = hn::BitCast(d16, hn::LoadU(d8, samples));
  return {hn::PromoteTo(d32, hn::And(pairs, hn::Set(d16, 0xff))),
          hn::PromoteTo(d32, hn::ShiftRight<8>(pairs))};
}

HWY_INLINE SamplePairs load_pairs(const std::uint16_t* samples) {
  const hn::Rebind<std::int32_t, DF> d32;
  const hn::Rebind<std::uint32_t, DF> du32;
  const hn::Repartition<std::uint16_t, DF> d16;
  const auto pairs = hn::BitCast(du32, hn::LoadU(d16, samples));
  return {hn::BitCast(d32, hn::And(pairs, hn::Set(du32, 0xffff))),
          hn::BitCast(d32, hn::ShiftRight<16>(pairs))};
}

// Pairs of columns in a range, around zero and on the scale of 8 bits. Reads nothing beyond the
// row.
template <class Sample>
void split_samples(const Sample* row, int width, Range pairs, float scale, SplitLine out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const VF factor = hn::Set(d, scale);
  const VF middle = hn::Set(d, kMiddle);
  int i = pairs.begin;
  for (; i < pairs.end && 2 * (i + lanes) <= width; i += lanes) {
    const SamplePairs both = load_pairs(row + 2 * i);
    hn::StoreU(hn::Sub(hn::Mul(hn::ConvertTo(d, both.even), factor), middle), d, out.even + i);
    hn::StoreU(hn::Sub(hn::Mul(hn::ConvertTo(d, both.odd), factor), middle), d, out.odd + i);
  }
  for (; i < pairs.end; ++i) {
    out.even[i] = static_cast<float>(row[2 * i]) * scale - kMiddle;
    if (2 * i + 1 < width) out.odd[i] = static_cast<float>(row[2 * i + 1]) * scale - kMiddle;
  }
}

// ---- Filters ----

struct Taps {
  VF low0, low1, low2, low3;
};

HWY_INLINE Taps make_taps() {
  const DF d;
  return {hn::Set(d, kLow0), hn::Set(d, kLow1), hn::Set(d, kLow2), hn::Set(d, kLow3)};
}

// Four neighbours.
struct Samples {
  VF s0, s1, s2, s3;
};

HWY_INLINE VF low_pass(const Taps& t, const Samples& s) {
  const VF first = hn::Add(hn::Mul(t.low0, s.s0), hn::Mul(t.low1, s.s1));
  return hn::Add(hn::Add(first, hn::Mul(t.low2, s.s2)), hn::Mul(t.low3, s.s3));
}

HWY_INLINE VF high_pass(const Taps& t, const Samples& s) {
  const VF first = hn::Sub(hn::Mul(t.low3, s.s0), hn::Mul(t.low2, s.s1));
  return hn::Sub(hn::Add(first, hn::Mul(t.low1, s.s2)), hn::Mul(t.low0, s.s3));
}

// Across four rows, from begin to at least end.
struct FourRows {
  const float* row[4];
};

inline void filter_columns(const FourRows& in, int begin, int end, float* low, float* high) {
  const DF d;
  const Taps taps = make_taps();
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = begin; i < end; i += lanes) {
    const Samples s = {hn::LoadU(d, in.row[0] + i), hn::LoadU(d, in.row[1] + i),
                       hn::LoadU(d, in.row[2] + i), hn::LoadU(d, in.row[3] + i)};
    hn::StoreU(low_pass(taps, s), d, low + i);
    hn::StoreU(high_pass(taps, s), d, high + i);
  }
}

// The columns beyond the ends of a line of `width` columns.
inline void extend(SplitLine line, int width) {
  const int half = (width + 1) / 2;
  line.odd[-1] = line.odd[0];
  if (width % 2 == 0) {
    line.even[half] = line.odd[half - 1];
  } else {
    line.odd[half - 1] = line.even[half - 1];
    line.even[half] = line.odd[half - 2];
  }
}

HWY_INLINE Samples neighbours(SplitLine in, int i) {
  const DF d;
  return {hn::LoadU(d, in.odd + i - 1), hn::LoadU(d, in.even + i), hn::LoadU(d, in.odd + i),
          hn::LoadU(d, in.even + i + 1)};
}

// Along a row: what is low-passed goes to a line, what is high-passed to another.
inline void filter_row(SplitLine in, Range columns, float* low, float* high) {
  const DF d;
  const Taps taps = make_taps();
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = columns.begin; i < columns.end; i += lanes) {
    const Samples s = neighbours(in, i);
    hn::StoreU(low_pass(taps, s), d, low + i);
    hn::StoreU(high_pass(taps, s), d, high + i);
  }
}

// The same, but what is low-passed is the next scale's row.
template <bool kHigh>
void filter_row_to_next(SplitLine in, Range columns, SplitLine low, float* high) {
  const DF d;
  const Taps taps = make_taps();
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = columns.begin; i < columns.end; i += 2 * lanes) {
    const Samples first = neighbours(in, i);
    const Samples second = neighbours(in, i + lanes);
    const VF low_first = low_pass(taps, first);
    const VF low_second = low_pass(taps, second);
    hn::StoreU(hn::ConcatEven(d, low_second, low_first), d, low.even + i / 2);
    hn::StoreU(hn::ConcatOdd(d, low_second, low_first), d, low.odd + i / 2);
    if constexpr (kHigh) {
      hn::StoreU(high_pass(taps, first), d, high + i);
      hn::StoreU(high_pass(taps, second), d, high + i + lanes);
    }
  }
}

// What is high-passed only.
inline void filter_row_high(SplitLine in, Range columns, float* high) {
  const DF d;
  const Taps taps = make_taps();
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = columns.begin; i < columns.end; i += lanes)
    hn::StoreU(high_pass(taps, neighbours(in, i)), d, high + i);
}

}  // namespace vmafx::float_adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_FLOAT_ADM_WAVELET_INL_H_
