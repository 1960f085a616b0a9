// What a band of rows becomes: vertical sums in lines, and from these along the rows the sums of
// the metric and the samples of the next scale.
#if defined(VMAFX_METRICS_VIF_BAND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_VIF_BAND_INL_H_
#undef VMAFX_METRICS_VIF_BAND_INL_H_
#else
#define VMAFX_METRICS_VIF_BAND_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <span>

#include <hwy/highway.h>

#include "base/scratch.h"
#include "metrics/vif/filter-inl.h"
#include "metrics/vif/pairs-inl.h"
#include "metrics/vif/statistics-inl.h"
#include "metrics/vif/vif.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

constexpr int kMaxStrip = 512;

// A sum of a strip's logarithms fits 32 bits.
static_assert(std::uint64_t{kMaxStrip} * (1023 + 32) * 2048 < std::uint64_t{1} << 32);

// Lines of one row of a band: means, and the halves of the mean squares, all minus 2^15.
enum Line {
  kMeanR,
  kSquareRLow,
  kSquareRHigh,
  kNextR,
  kMeanD,
  kProductLow,
  kProductHigh,
  kSquareDLow,
  kSquareDHigh,
  kNextD,
  kLines
};

struct Buffers {
  Ring reference;
  Ring* distorted;  // of each encode
  std::int16_t* row[2];
  std::int16_t* line[kBandRows][kLines];
  std::int32_t* sums[2];  // of one vector of columns
  // Mean of the reference and variance, 0 where it is below the noise: two for a column.
  std::uint32_t* moments[kBandRows];
  // Variance and covariance of one row, 0 where they are negative or the variance is 0.
  std::int32_t* distorted_moments;
  // Of one row: the denominator, the numerator's noise, and its signal and noise for each gain
  // limit.
  std::span<const LogSum> logs;
  std::int16_t* taps;
  std::int16_t* next_taps;
  std::uint64_t* constants;
};

HWY_INLINE Ring take_ring(Scratch& scratch, std::size_t columns) {
  return {scratch.take<std::int16_t>(columns * 2 * Ring::kPairs)};
}

template <int kScale>
Buffers take_buffers(Scratch& scratch, std::size_t encodes, std::size_t limits) {
  Buffers b;
  const std::size_t n = hn::Lanes(d16);
  // Vector loops begin inside a line and end up to two vectors behind it.
  const std::size_t columns = kMaxStrip + 2 * Window<0>::kStart + 3 * n;
  b.reference = take_ring(scratch, columns);
  b.distorted = scratch.take<Ring>(encodes);
  for (std::size_t e = 0; e < encodes; ++e) b.distorted[e] = take_ring(scratch, columns);
  for (auto& row : b.row) row = scratch.take<std::int16_t>(columns);
  for (auto& row : b.line) {
    for (auto& line : row) line = scratch.take<std::int16_t>(columns);
  }
  for (auto& sum : b.sums) sum = scratch.take<std::int32_t>(2 * kBandRows * hn::Lanes(d32));
  for (auto& row : b.moments) row = scratch.take<std::uint32_t>(2 * columns);
  b.distorted_moments = scratch.take<std::int32_t>(2 * columns);
  const std::span<LogSum> logs(scratch.take<LogSum>(2 + limits), 2 + limits);
  for (LogSum& log : logs) log = LogSum(scratch.take<std::uint32_t>(LogSum::words(columns)));
  b.logs = logs;
  b.taps = scratch.take<std::int16_t>(Taps<kScale>::kVectors * n);
  b.next_taps = scratch.take<std::int16_t>(Taps<next_scale(kScale)>::kVectors * n);
  b.constants = scratch.take<std::uint64_t>(Constants::kVectors * hn::Lanes(dsu64));
  Taps<kScale>::fill(b.taps);
  Taps<next_scale(kScale)>::fill(b.next_taps);
  Constants(b.constants).fill();
  return b;
}

// Joins the lower halves of even and odd lanes' results.
HWY_INLINE V16 join_low(V32 even, V32 odd) {
  return hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(odd)), hn::BitCast(d16, even));
}
HWY_INLINE V16 join_high(V32 even, V32 odd) {
  return hn::OddEven(hn::BitCast(d16, odd),
                     hn::BitCast(d16, hn::ShiftRight<16>(hn::BitCast(du32, even))));
}

// Sums of a window for the rows of a band: a vector of even columns for each row, then of odd ones.
struct BandSums {
  std::int32_t* sums;
  HWY_INLINE std::int32_t* at(int parity, int row) const {
    return sums + static_cast<std::size_t>(parity * kBandRows + row) * hn::Lanes(d32);
  }
  HWY_INLINE V32 even(int row) const { return hn::Load(d32, at(0, row)); }
  HWY_INLINE V32 odd(int row) const { return hn::Load(d32, at(1, row)); }
};

// source(parity) gives the pairs of even or odd columns.
template <int kScale, class Source>
HWY_INLINE BandSums sum_rows(const Taps<kScale>& taps, const Source& source, V32 start,
                             std::int32_t* buffer) {
  const BandSums sums{buffer};
  for (int parity = 0; parity < 2; ++parity) {
    V32 row0 = start, row1 = start, row2 = start, row3 = start;
    V32 row4 = start, row5 = start, row6 = start, row7 = start;
    filter_rows<kScale>(taps, source(parity), row0, row1, row2, row3, row4, row5, row6, row7);
    hn::Store(row0, d32, sums.at(parity, 0));
    hn::Store(row1, d32, sums.at(parity, 1));
    hn::Store(row2, d32, sums.at(parity, 2));
    hn::Store(row3, d32, sums.at(parity, 3));
    hn::Store(row4, d32, sums.at(parity, 4));
    hn::Store(row5, d32, sums.at(parity, 5));
    hn::Store(row6, d32, sums.at(parity, 6));
    hn::Store(row7, d32, sums.at(parity, 7));
  }
  return sums;
}

// Right shifts of the vertical step.
struct Shifts {
  int mean = 0;
  int square = 0;
};

// Sums start from what they need beside the products: from their rounding, and what centres or
// brings back the centre of samples.

// The mean minus 2^15 comes out of an arithmetic shift.
template <Form kForm>
HWY_INLINE V32 mean_start(const Shifts& shifts) {
  const std::int64_t centre = std::int64_t{centre_of(kForm)} << 16;
  const std::int64_t less = std::int64_t{32768} << shifts.mean;
  return hn::Set(d32, static_cast<std::int32_t>(centre - less + rounding(shifts.mean)));
}

HWY_INLINE void store_mean(V32 even, V32 odd, const Shifts& shifts, std::int16_t* line) {
  hn::Store(join_low(hn::ShiftRightSame(even, shifts.mean), hn::ShiftRightSame(odd, shifts.mean)),
            d16, line);
}

// A word that has lost 2^31 already: its halves minus 2^15.
HWY_INLINE void store_halves(V32 even, V32 odd, std::int16_t* low, std::int16_t* high) {
  hn::Store(hn::Xor(join_low(even, odd), hn::Set(d16, -32768)), d16, low);
  hn::Store(join_high(even, odd), d16, high);
}

// The mean square minus 2^31: (high * 2^16 + low) >> shift.
HWY_INLINE V32 join_halves(V32 low, V32 high, int shift) {
  const auto l = hn::ShiftRightSame(hn::BitCast(du32, low), shift);
  return hn::Add(hn::ShiftLeftSame(high, 16 - shift), hn::BitCast(d32, l));
}

template <int kScale, Form kForm>
HWY_INLINE void sum_squares(const Buffers& b, const Taps<kScale>& taps, const Ring& first,
                            const Ring& second, int shift, int line, int x) {
  const auto low_products = [&](int parity) HWY_ATTR {
    return LowProduct<kForm>{first.columns(x, parity), second.columns(x, parity)};
  };
  if constexpr (kForm == Form::kNarrow) {
    const BandSums s = sum_rows<kScale>(taps, low_products, hn::Zero(d32), b.sums[0]);
    for (int i = 0; i < kBandRows; ++i)
      store_halves(s.even(i), s.odd(i), b.line[i][line] + x, b.line[i][line + 1] + x);
  } else {
    const std::uint32_t low_start = 0x80000000u + rounding(shift);
    const std::uint32_t high_start =
        (static_cast<std::uint32_t>(centre_of(kForm)) << 16) - (std::uint32_t{1} << (15 + shift));
    const auto high_products = [&](int parity) HWY_ATTR {
      return HighProduct<kForm>{first.columns(x, parity), second.columns(x, parity)};
    };
    const BandSums low = sum_rows<kScale>(
        taps, low_products, hn::Set(d32, static_cast<std::int32_t>(low_start)), b.sums[0]);
    const BandSums high = sum_rows<kScale>(
        taps, high_products, hn::Set(d32, static_cast<std::int32_t>(high_start)), b.sums[1]);
    for (int i = 0; i < kBandRows; ++i) {
      store_halves(join_halves(low.even(i), high.even(i), shift),
                   join_halves(low.odd(i), high.odd(i), shift), b.line[i][line] + x,
                   b.line[i][line + 1] + x);
    }
  }
}

template <int kScale, Form kForm>
HWY_INLINE void sum_means(const Buffers& b, const Taps<kScale>& taps, const Ring& ring,
                          const Shifts& shifts, Line line, int x) {
  const auto samples = [&](int parity) HWY_ATTR { return ring.columns(x, parity); };
  const BandSums s = sum_rows<kScale>(taps, samples, mean_start<kForm>(shifts), b.sums[0]);
  for (int i = 0; i < kBandRows; ++i) store_mean(s.even(i), s.odd(i), shifts, b.line[i][line] + x);
}

// The reference's lines of a band.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_reference(const Buffers& b, const Shifts& shifts, int columns) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const Taps<kScale> taps(b.taps);
  for (int x = 0; x < columns; x += n) {
    sum_means<kScale, kForm>(b, taps, b.reference, shifts, kMeanR, x);
    sum_squares<kScale, kForm>(b, taps, b.reference, b.reference, shifts.square, kSquareRLow, x);
  }
}

// The same of an encode's lines.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_distorted(const Buffers& b, const Ring& ring, const Shifts& shifts,
                                int columns) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const Taps<kScale> taps(b.taps);
  for (int x = 0; x < columns; x += n) {
    sum_means<kScale, kForm>(b, taps, ring, shifts, kMeanD, x);
    sum_squares<kScale, kForm>(b, taps, ring, ring, shifts.square, kSquareDLow, x);
    sum_squares<kScale, kForm>(b, taps, b.reference, ring, shifts.square, kProductLow, x);
  }
}

// The band's rows for the next scale, which takes every second row.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_next(const Buffers& b, const Ring& ring, const Shifts& shifts, Line line,
                           int columns) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const V32 start = mean_start<kForm>(shifts);
  const Taps<kScale + 1> taps(b.next_taps);
  for (int x = 0; x < columns; x += n) {
    V32 e0 = start, e2 = start, e4 = start, e6 = start;
    V32 o0 = start, o2 = start, o4 = start, o6 = start;
    filter_even_rows<kScale>(taps, ring.columns(x, 0), e0, e2, e4, e6);
    filter_even_rows<kScale>(taps, ring.columns(x, 1), o0, o2, o4, o6);
    store_mean(e0, o0, shifts, b.line[0][line] + x);
    store_mean(e2, o2, shifts, b.line[2][line] + x);
    store_mean(e4, o4, shifts, b.line[4][line] + x);
    store_mean(e6, o6, shifts, b.line[6][line] + x);
  }
}

// `columns` samples of the next scale, from the line at the strip's first column.
template <int kScale>
HWY_NOINLINE void decimate_row(const Buffers& b, const std::int16_t* line, int columns,
                               std::int16_t* next) {
  const hn::Half<decltype(d16)> half16;
  const int n = static_cast<int>(hn::Lanes(d32));
  const Taps<kScale + 1> taps(b.next_taps);
  for (int x = 0; x < columns; x += n) {
    V32 sum = hn::Set(d32, 32768);
    filter_even_columns<kScale + 1>(taps, line + 2 * x, sum);
    hn::StoreU(hn::DemoteTo(half16, hn::ShiftRight<16>(sum)), half16, next + x);
  }
}

// The mean square, of sums over its halves that started from two_to_31_and_15() and two_to_31().
HWY_INLINE Vu filtered_square(V32 low, V32 high) {
  return hn::Add(hn::BitCast(du32, high), hn::ShiftRight<16>(hn::BitCast(du32, low)));
}

// Denominators of one row of a strip, from the lines at its first column on; keeps the moments.
template <int kScale>
HWY_NOINLINE void measure_reference_row(const std::int16_t* const* line, int columns,
                                        const Buffers& b, std::uint32_t* moments, ScaleSums& sums) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const std::size_t lanes = hn::Lanes(d32);
  const Taps<kScale> taps(b.taps);
  const Constants k(b.constants);
  const LogSum log = b.logs[0];
  log.clear();
  std::size_t count = 0;
  Vi non_log = hn::Zero(d32);
  const auto add = [&](V32 mean_sum, V32 low, V32 high, Mask valid, std::uint32_t* kept) HWY_ATTR {
    const Vu mean = hn::BitCast(du32, mean_sum);
    const Vi variance = central_moment(k, filtered_square(low, high), mean, mean);
    const Mask above = hn::And(valid, hn::Gt(variance, k.below_noise()));
    const Vi variance_above = hn::IfThenElseZero(above, variance);
    hn::Store(mean, du32, kept);
    hn::Store(hn::BitCast(du32, variance_above), du32, kept + lanes);
    non_log = hn::Sub(non_log, hn::VecFromMask(d32, hn::AndNot(above, valid)));
    if (hn::AllFalse(d32, above)) return;
    log.add(count, hn::Add(variance_above, k.noise_word()));
    count += lanes;
  };
  for (int x = 0; x < columns; x += n) {
    const V32 word = hn::BitCast(d32, k.two_to_31());
    const V32 low = hn::BitCast(d32, k.two_to_31_and_15());
    V32 me = word, mo = word, le = low, lo = low, he = word, ho = word;
    filter_columns<kScale>(taps, x, LineSums{line[kMeanR], me, mo},
                           LineSums{line[kSquareRLow], le, lo},
                           LineSums{line[kSquareRHigh], he, ho});
    add(me, le, he, valid_lanes(columns, x, 0), moments + 2 * x);
    add(mo, lo, ho, valid_lanes(columns, x, 1), moments + 2 * x + 2 * lanes);
  }
  // Each number less the noise, whose logarithm the lanes below it have added.
  constexpr std::int64_t kLogOfNoise = kLogBias + 17 * 2048;
  static_assert(kNoise == 1 << 17);
  sums.den_log += log.total(count) - kLogOfNoise * static_cast<std::int64_t>(count);
  sums.den_non_log += lane_sum(d32, non_log);
}

// Variance and covariance of one row of a strip of an encode, with the moments of the reference;
// the sum of variances where the reference's are below the noise.
template <int kScale>
HWY_NOINLINE std::int64_t measure_moments(const std::int16_t* const* line, int columns,
                                          const Buffers& b, const std::uint32_t* moments) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const std::size_t lanes = hn::Lanes(d32);
  const Taps<kScale> taps(b.taps);
  const Constants k(b.constants);
  V64 non_log = hn::Zero(dsu64);
  const auto store = [&](V32 mean_sum, Vu square, Vu product, Mask valid,
                         const std::uint32_t* of_reference, std::int32_t* out) HWY_ATTR {
    const Vi zero = hn::Zero(d32);
    const Vu mean = hn::BitCast(du32, mean_sum);
    const Vi variance = hn::Max(central_moment(k, square, mean, mean), zero);
    const Vi covariance = central_moment(k, product, hn::Load(du32, of_reference), mean);
    hn::Store(variance, d32, out);
    // Without covariance the gain is zero, and there is no signal.
    hn::Store(hn::IfThenElseZero(hn::Gt(variance, zero), hn::Max(covariance, zero)), d32,
              out + lanes);
    const Vi variance_r = hn::BitCast(d32, hn::Load(du32, of_reference + lanes));
    const Mask below_noise = hn::And(valid, hn::Eq(variance_r, zero));
    add_in_pairs(k, hn::IfThenElseZero(below_noise, variance), non_log);
  };
  for (int x = 0; x < columns; x += n) {
    const V32 word = hn::BitCast(d32, k.two_to_31());
    const V32 low = hn::BitCast(d32, k.two_to_31_and_15());
    V32 me = word, mo = word;
    V32 ple = low, plo = low, phe = word, pho = word, sle = low, slo = low, she = word, sho = word;
    filter_columns<kScale>(
        taps, x, LineSums{line[kMeanD], me, mo}, LineSums{line[kProductLow], ple, plo},
        LineSums{line[kProductHigh], phe, pho}, LineSums{line[kSquareDLow], sle, slo},
        LineSums{line[kSquareDHigh], she, sho});
    store(me, filtered_square(sle, she), filtered_square(ple, phe), valid_lanes(columns, x, 0),
          moments + 2 * x, b.distorted_moments + 2 * x);
    store(mo, filtered_square(slo, sho), filtered_square(plo, pho), valid_lanes(columns, x, 1),
          moments + 2 * x + 2 * lanes, b.distorted_moments + 2 * x + 2 * lanes);
  }
  return lane_sum(dsu64, non_log);
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_BAND_INL_H_
