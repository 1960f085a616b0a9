// The wavelet transform of single rows, in products of 16-bit pairs. Coefficients of 32 bits are
// kept as two signed digits, v = 65536 high + low, so that the same products serve them.
#if defined(VMAFX_METRICS_ADM_WAVELET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_ADM_WAVELET_INL_H_
#undef VMAFX_METRICS_ADM_WAVELET_INL_H_
#else
#define VMAFX_METRICS_ADM_WAVELET_INL_H_
#endif

#include <cstring>

#include "base/simd.h"
#include "metrics/adm/coefficient.h"
#include "metrics/adm/geometry.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::adm {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vmafx::HWY_NAMESPACE::add_pair_products;

using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::Repartition<std::int32_t, D16>;
using D64 = hn::Repartition<std::int64_t, D16>;
using DU16 = hn::RebindToUnsigned<D16>;
using DU32 = hn::RebindToUnsigned<D32>;
using DU64 = hn::RebindToUnsigned<D64>;
using DF = hn::RebindToFloat<D32>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
using VU32 = hn::Vec<DU32>;
using VU64 = hn::Vec<DU64>;
using VF = hn::Vec<DF>;
constexpr D16 d16;
constexpr D32 d32;
constexpr D64 d64;
constexpr DU16 du16;
constexpr DU32 du32;
constexpr DU64 du64;
constexpr DF df;

inline int lanes16() { return static_cast<int>(hn::Lanes(d16)); }
inline int lanes32() { return static_cast<int>(hn::Lanes(d32)); }

// Two taps side by side.
HWY_INLINE V16 tap_pair(std::int32_t first, std::int32_t second) {
  return hn::BitCast(
      d16, hn::Set(d32, static_cast<std::int32_t>(static_cast<std::uint32_t>(second) << 16 |
                                                  (static_cast<std::uint32_t>(first) & 0xFFFF))));
}

// The filter, split for samples in pairs.
struct Taps {
  V16 low01, low23, high01, high23;
};

HWY_INLINE Taps make_taps() {
  return {tap_pair(kLowPass[0], kLowPass[1]), tap_pair(kLowPass[2], kLowPass[3]),
          tap_pair(kHighPass[0], kHighPass[1]), tap_pair(kHighPass[2], kHighPass[3])};
}

// Sums over the columns of InterleaveLower and InterleaveUpper.
struct Sums2 {
  V32 lower;
  V32 upper;
};

struct Interleaved {
  V16 lower01, upper01, lower23, upper23;
};

HWY_INLINE Interleaved interleave_rows(V16 r0, V16 r1, V16 r2, V16 r3) {
  return {hn::InterleaveLower(d16, r0, r1), hn::InterleaveUpper(d16, r0, r1),
          hn::InterleaveLower(d16, r2, r3), hn::InterleaveUpper(d16, r2, r3)};
}

HWY_INLINE Sums2 filter_columns(const Interleaved& rows, V16 taps01, V16 taps23, V32 bias) {
  return {add_pair_products(d32, rows.lower01, taps01,
                            add_pair_products(d32, rows.lower23, taps23, bias)),
          add_pair_products(d32, rows.upper01, taps01,
                            add_pair_products(d32, rows.upper23, taps23, bias))};
}

// The filter over samples 2x - 1 .. 2x + 2 of a line, for lanes32() outputs from x.
HWY_INLINE V32 filter_row(const std::int16_t* line, int x, V16 taps01, V16 taps23, V32 bias) {
  return add_pair_products(d32, hn::LoadU(d16, line + 2 * x - 1), taps01,
                           add_pair_products(d32, hn::LoadU(d16, line + 2 * x + 1), taps23, bias));
}

// Undoes the interleaving of sums that fit 16 bits.
HWY_INLINE V16 pack(Sums2 v) { return hn::ReorderDemote2To(d16, v.lower, v.upper); }

struct Digits {
  V16 high;
  V16 low;
};

// low is negative half of the time, which high makes up for.
HWY_INLINE Digits digits(V16 high_half, V16 low_half) {
  return {hn::Sub(high_half, hn::ShiftRight<15>(low_half)), low_half};
}

HWY_INLINE Digits pack_digits(Sums2 v) {
  const V16 high = pack({hn::ShiftRight<16>(v.lower), hn::ShiftRight<16>(v.upper)});
  const V16 low = pack({hn::ShiftRight<16>(hn::ShiftLeft<16>(v.lower)),
                        hn::ShiftRight<16>(hn::ShiftLeft<16>(v.upper))});
  return digits(high, low);
}

// Digits of 2 lanes32() consecutive values.
HWY_INLINE Digits split(V32 first, V32 second) {
  const V16 a = hn::BitCast(d16, first);
  const V16 b = hn::BitCast(d16, second);
  return digits(hn::ConcatOdd(d16, b, a), hn::ConcatEven(d16, b, a));
}

// A line of 32-bit values in digits; index 0 is the first column.
struct DigitLine {
  std::int16_t* high;
  std::int16_t* low;
};

// Samples beyond the ends of a line of `size`, as far as the filter looks.
HWY_INLINE void extend_line(std::int16_t* line, int size) {
  line[-1] = line[reflect(-1, size)];
  line[size] = line[reflect(size, size)];
  line[size + 1] = line[reflect(size + 1, size)];
}

// Samples of up to 14 bits as they are: their middle, times the sum of the taps, is taken off the
// filter's result. Larger ones have to be centred first to be signed.
HWY_INLINE V16 load_samples(const std::uint8_t* p) {
  const hn::Rebind<std::uint8_t, D16> d8;
  return hn::BitCast(d16, hn::PromoteTo(du16, hn::LoadU(d8, p)));
}
HWY_INLINE V16 load_samples(const std::uint16_t* p) { return hn::BitCast(d16, hn::LoadU(du16, p)); }

// Results of the vertical pass. high may be null.
struct SampleLines {
  std::int16_t* low;
  std::int16_t* high;
};

// Columns x..x + lanes16() of the vertical pass for kRows rows from 2 + 2 kRows rows of samples.
template <bool kCentre, int kRows, class Sample>
HWY_INLINE void filter_sample_columns(const Sample* const* rows, int depth, const Taps& taps, int x,
                                      const SampleLines* lines) {
  const V16 middle = hn::Set(d16, static_cast<std::int16_t>(1 << (depth - 1)));
  const std::int32_t half = 1 << (depth - 1);
  constexpr std::int32_t kTapSum = kLowPass[0] + kLowPass[1] + kLowPass[2] + kLowPass[3];
  const V32 high_bias = hn::Set(d32, half);
  const V32 low_bias = hn::Set(d32, kCentre ? half : half - kTapSum * half);
  const auto load = [&](int k) HWY_ATTR {
    const V16 samples = load_samples(rows[k]);
    return kCentre ? hn::Sub(samples, middle) : samples;
  };
  const auto shifted = [&](Sums2 v) HWY_ATTR {
    return pack({hn::ShiftRightSame(v.lower, depth), hn::ShiftRightSame(v.upper, depth)});
  };
  V16 r0 = load(0);
  V16 r1 = load(1);
  V16 lower01 = hn::InterleaveLower(d16, r0, r1);
  V16 upper01 = hn::InterleaveUpper(d16, r0, r1);
  for (int k = 0; k < kRows; ++k) {
    r0 = load(2 * k + 2);
    r1 = load(2 * k + 3);
    const V16 lower23 = hn::InterleaveLower(d16, r0, r1);
    const V16 upper23 = hn::InterleaveUpper(d16, r0, r1);
    const Interleaved in = {lower01, upper01, lower23, upper23};
    hn::StoreU(shifted(filter_columns(in, taps.low01, taps.low23, low_bias)), d16,
               lines[k].low + x);
    if (lines[k].high != nullptr) {
      hn::StoreU(shifted(filter_columns(in, taps.high01, taps.high23, high_bias)), d16,
                 lines[k].high + x);
    }
    lower01 = lower23;
    upper01 = upper23;
  }
}

template <bool kCentre, int kRows, class Sample>
HWY_INLINE void filter_sample_rows(const Sample* const (&rows)[6], int width, Range columns,
                                   int depth, const SampleLines (&lines)[2]) {
  constexpr int kInputs = 2 + 2 * kRows;
  const Taps taps = make_taps();
  const int n = lanes16();
  const Sample* here[kInputs];
  int x = columns.begin;
  for (; x < columns.end && x + n <= width; x += n) {
    for (int k = 0; k < kInputs; ++k) here[k] = rows[k] + x;
    filter_sample_columns<kCentre, kRows>(here, depth, taps, x, lines);
  }
  if (x < columns.end) {
    // Nothing beyond the end of a picture's row may be read.
    HWY_ALIGN Sample end[kInputs][HWY_MAX_BYTES / 2] = {};
    const auto bytes = static_cast<std::size_t>(width - x) * sizeof(Sample);
    for (int k = 0; k < kInputs; ++k) {
      std::memcpy(end[k], rows[k] + x, bytes);
      here[k] = end[k];
    }
    filter_sample_columns<kCentre, kRows>(here, depth, taps, x, lines);
  }
  for (int k = 0; k < kRows; ++k) {
    extend_line(lines[k].low, width);
    if (lines[k].high != nullptr) extend_line(lines[k].high, width);
  }
}

// Vertical pass for one or two rows, in columns of a picture `width` wide.
template <class Sample>
HWY_INLINE void filter_samples(const Sample* const (&rows)[6], int width, Range columns, int depth,
                               const SampleLines (&lines)[2], bool two) {
  if (sizeof(Sample) == 2 && depth > 14) {
    two ? filter_sample_rows<true, 2>(rows, width, columns, depth, lines)
        : filter_sample_rows<true, 1>(rows, width, columns, depth, lines);
  } else {
    two ? filter_sample_rows<false, 2>(rows, width, columns, depth, lines)
        : filter_sample_rows<false, 1>(rows, width, columns, depth, lines);
  }
}

// Vertical pass of scale 1, whose input has 16 bits and whose sums keep all theirs.
HWY_INLINE void filter_low16(const std::int16_t* const (&rows)[4], int width, Range columns,
                             DigitLine low, DigitLine high) {
  const Taps taps = make_taps();
  const V32 none = hn::Zero(d32);
  for (int x = columns.begin; x < columns.end; x += lanes16()) {
    const Interleaved in =
        interleave_rows(hn::LoadU(d16, rows[0] + x), hn::LoadU(d16, rows[1] + x),
                        hn::LoadU(d16, rows[2] + x), hn::LoadU(d16, rows[3] + x));
    const Digits l = pack_digits(filter_columns(in, taps.low01, taps.low23, none));
    hn::StoreU(l.high, d16, low.high + x);
    hn::StoreU(l.low, d16, low.low + x);
    if (high.high == nullptr) continue;
    const Digits h = pack_digits(filter_columns(in, taps.high01, taps.high23, none));
    hn::StoreU(h.high, d16, high.high + x);
    hn::StoreU(h.low, d16, high.low + x);
  }
  for (const DigitLine& line : {low, high}) {
    if (line.high == nullptr) continue;
    extend_line(line.high, width);
    extend_line(line.low, width);
  }
}

// The sum of digits that weigh 65536 and 1, rounded to kShift (15 or 16) bits less.
template <int kShift>
HWY_INLINE V32 join(V32 high, V32 low_with_half) {
  static_assert(kShift == 15 || kShift == 16);
  const V32 low = hn::ShiftRight<kShift>(low_with_half);
  return hn::Add(kShift == 15 ? hn::Add(high, high) : high, low);
}

// Vertical pass of scales 2 and 3.
HWY_INLINE void filter_low32(const DigitLine (&rows)[4], int width, Range columns, DigitLine low,
                             DigitLine high) {
  const Taps taps = make_taps();
  const V32 none = hn::Zero(d32);
  const V32 half = hn::Set(d32, 1 << 15);
  for (int x = columns.begin; x < columns.end; x += lanes16()) {
    const Interleaved big =
        interleave_rows(hn::LoadU(d16, rows[0].high + x), hn::LoadU(d16, rows[1].high + x),
                        hn::LoadU(d16, rows[2].high + x), hn::LoadU(d16, rows[3].high + x));
    const Interleaved small =
        interleave_rows(hn::LoadU(d16, rows[0].low + x), hn::LoadU(d16, rows[1].low + x),
                        hn::LoadU(d16, rows[2].low + x), hn::LoadU(d16, rows[3].low + x));
    const auto filtered = [&](V16 taps01, V16 taps23) HWY_ATTR {
      const Sums2 b = filter_columns(big, taps01, taps23, none);
      const Sums2 s = filter_columns(small, taps01, taps23, half);
      return pack_digits({join<16>(b.lower, s.lower), join<16>(b.upper, s.upper)});
    };
    const Digits l = filtered(taps.low01, taps.low23);
    hn::StoreU(l.high, d16, low.high + x);
    hn::StoreU(l.low, d16, low.low + x);
    if (high.high == nullptr) continue;
    const Digits h = filtered(taps.high01, taps.high23);
    hn::StoreU(h.high, d16, high.high + x);
    hn::StoreU(h.low, d16, high.low + x);
  }
  for (const DigitLine& line : {low, high}) {
    if (line.high == nullptr) continue;
    extend_line(line.high, width);
    extend_line(line.low, width);
  }
}

// Horizontal pass of scale 0: both filters over one line. Either output may be null.
HWY_INLINE void filter_row16(const std::int16_t* line, const Taps& taps, Range columns,
                             std::int16_t* low, std::int16_t* high) {
  const V32 half = hn::Set(d32, 1 << 15);
  for (int x = columns.begin; x < columns.end; x += lanes16()) {
    const std::int16_t* first = line + 2 * x - 1;
    const std::int16_t* second = first + 2 * lanes32();
    const V16 a01 = hn::LoadU(d16, first);
    const V16 a23 = hn::LoadU(d16, first + 2);
    const V16 b01 = hn::LoadU(d16, second);
    const V16 b23 = hn::LoadU(d16, second + 2);
    const auto filtered = [&](V16 taps01, V16 taps23) HWY_ATTR {
      const V32 a = add_pair_products(d32, a01, taps01, add_pair_products(d32, a23, taps23, half));
      const V32 b = add_pair_products(d32, b01, taps01, add_pair_products(d32, b23, taps23, half));
      return hn::ConcatOdd(d16, hn::BitCast(d16, b), hn::BitCast(d16, a));
    };
    if (low != nullptr) hn::StoreU(filtered(taps.low01, taps.low23), d16, low + x);
    if (high != nullptr) hn::StoreU(filtered(taps.high01, taps.high23), d16, high + x);
  }
}

template <int kShift>
HWY_INLINE V32 filter_row32(DigitLine line, int x, V16 taps01, V16 taps23) {
  return join<kShift>(filter_row(line.high, x, taps01, taps23, hn::Zero(d32)),
                      filter_row(line.low, x, taps01, taps23, hn::Set(d32, 1 << (kShift - 1))));
}

// Horizontal pass of the other scales, to values and to digits.
template <int kShift>
HWY_INLINE void filter_row_values(DigitLine line, V16 taps01, V16 taps23, Range columns,
                                  std::int32_t* out) {
  for (int x = columns.begin; x < columns.end; x += lanes32())
    hn::StoreU(filter_row32<kShift>(line, x, taps01, taps23), d32, out + x);
}

template <int kShift>
HWY_INLINE void filter_row_values(DigitLine line, const Taps& taps, Range columns,
                                  std::int32_t* low, std::int32_t* high) {
  for (int x = columns.begin; x < columns.end; x += lanes32()) {
    hn::StoreU(filter_row32<kShift>(line, x, taps.low01, taps.low23), d32, low + x);
    hn::StoreU(filter_row32<kShift>(line, x, taps.high01, taps.high23), d32, high + x);
  }
}

template <int kShift>
HWY_INLINE void filter_row_digits(DigitLine line, V16 taps01, V16 taps23, Range columns,
                                  DigitLine out) {
  for (int x = columns.begin; x < columns.end; x += lanes16()) {
    const Digits d = split(filter_row32<kShift>(line, x, taps01, taps23),
                           filter_row32<kShift>(line, x + lanes32(), taps01, taps23));
    hn::StoreU(d.high, d16, out.high + x);
    hn::StoreU(d.low, d16, out.low + x);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::adm
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_ADM_WAVELET_INL_H_
