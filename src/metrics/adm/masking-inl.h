// Contrast masking and the sums of cubes, for one row.
#if defined(VMAFX_METRICS_ADM_MASKING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_ADM_MASKING_INL_H_
#undef VMAFX_METRICS_ADM_MASKING_INL_H_
#else
#define VMAFX_METRICS_ADM_MASKING_INL_H_
#endif

#include "metrics/adm/adm.h"
#include "metrics/adm/decouple-inl.h"
#include "metrics/adm/wavelet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::adm {
namespace HWY_NAMESPACE {

HWY_INLINE std::uint64_t sum_lanes(VU64 v) { return hn::GetLane(hn::SumOfLanes(du64, v)); }

HWY_INLINE VU32 odd_lanes(VU32 v) {
  return hn::BitCast(du32, hn::ShiftRight<32>(hn::BitCast(du64, v)));
}

// Three neighbours in a row, for the inner columns of a band `width` wide.
HWY_INLINE void sum_neighbours(std::int32_t* line, int width, Range columns, std::int32_t* out) {
  if (columns.begin == 0) line[-1] = line[reflect(-1, width)];
  if (columns.end == width) line[width] = line[reflect(width, width)];
  for (int x = columns.begin; x < columns.end; x += lanes32()) {
    const V32 sum = hn::Add(hn::Add(hn::LoadU(d32, line + x - 1), hn::LoadU(d32, line + x)),
                            hn::LoadU(d32, line + x + 1));
    hn::StoreU(sum, d32, out + x);
  }
}

// What a masker's threshold at one row is made of.
struct ThresholdLines {
  const std::int32_t* rows[3];  // of sum_neighbours(): above, here, below
  const std::int32_t* centre;
};

HWY_INLINE V32 threshold_at(const ThresholdLines& lines, int x) {
  return hn::Add(hn::Add(hn::LoadU(d32, lines.rows[0] + x), hn::LoadU(d32, lines.rows[1] + x)),
                 hn::Add(hn::LoadU(d32, lines.rows[2] + x), hn::LoadU(d32, lines.centre + x)));
}

HWY_INLINE VU32 excitation_at(const std::uint16_t* line, int x, VU32 weight) {
  const hn::Rebind<std::uint16_t, DU32> narrow;
  return hn::Mul(hn::PromoteTo(du32, hn::LoadU(narrow, line + x)), weight);
}
HWY_INLINE VU32 excitation_at(const std::uint32_t* line, int x, VU32 /*weighted already*/) {
  return hn::LoadU(du32, line + x);
}

// Sums of masked_term() of one band, of lanes.
template <int kSquareShift>
HWY_INLINE VU64 masked_terms(VU32 above, int term_shift, VU64 half_term) {
  const VU64 half_square = hn::Set(du64, std::uint64_t{1} << (kSquareShift - 1));
  const auto term = [&](VU32 v) HWY_ATTR {
    const VU64 square = hn::ShiftRight<kSquareShift>(hn::Add(hn::MulEven(v, v), half_square));
    const VU64 cube = hn::MulEven(hn::BitCast(du32, square), v);
    return hn::ShiftRightSame(hn::Add(cube, half_term), term_shift);
  };
  return hn::Add(term(above), term(odd_lanes(above)));
}

struct MaskedShifts {
  int term[kBands];
  int row;
};

// Adds a row of the signal to the bands' sums; with a 16-bit Magnitude of scale 0.
template <class Magnitude>
HWY_INLINE void add_masked_row(const BandLines<Magnitude>& signal, const ThresholdLines& masker,
                               const Weights& weights, Range columns, const MaskedShifts& shifts,
                               std::uint64_t* const (&sums)[kBands]) {
  constexpr bool kScale0 = sizeof(Magnitude) == 2;
  constexpr int kAxisSquare = kScale0 ? Scale0::square_shift(0) : Scale123::square_shift(0);
  constexpr int kDiagonalSquare = kScale0 ? Scale0::square_shift(2) : Scale123::square_shift(2);
  const VU32 weight_axis = hn::Set(du32, weights.fixed[0]);
  const VU32 weight_diagonal = hn::Set(du32, weights.fixed[2]);
  const auto half_of_shift = [](int shift) HWY_ATTR {
    return hn::Set(du64, static_cast<std::uint64_t>(half_of(shift)));
  };
  const VU64 half_axis = half_of_shift(shifts.term[0]);
  const VU64 half_diagonal = half_of_shift(shifts.term[2]);
  // Below, the square rounds to zero in every band.
  const V32 least = hn::Set(d32, 1 << 14);
  VU64 sum_h = hn::Zero(du64);
  VU64 sum_v = hn::Zero(du64);
  VU64 sum_d = hn::Zero(du64);
  for (int x = columns.begin; x < columns.end; x += lanes32()) {
    V32 axis = threshold_at(masker, x);
    V32 diagonal = axis;
    if (kScale0) {
      axis = hn::ShiftLeft<Scale0::threshold_shift(0)>(axis);
      diagonal = hn::ShiftLeft<Scale0::threshold_shift(2) - Scale0::threshold_shift(0)>(axis);
    }
    const auto above = [&](std::size_t band, VU32 weight, V32 threshold) HWY_ATTR {
      return hn::Sub(hn::BitCast(d32, excitation_at(signal[band], x, weight)), threshold);
    };
    V32 h = above(0, weight_axis, axis);
    V32 v = above(1, weight_axis, axis);
    V32 d = above(2, weight_diagonal, diagonal);
    const V32 zero = hn::Zero(d32);
    if (HWY_UNLIKELY(columns.end - x < lanes32())) {
      const auto inside = hn::FirstN(d32, static_cast<std::size_t>(columns.end - x));
      h = hn::IfThenElseZero(inside, h);
      v = hn::IfThenElseZero(inside, v);
      d = hn::IfThenElseZero(inside, d);
    }
    if (hn::AllTrue(d32, hn::Lt(hn::Max(hn::Max(h, v), d), least))) continue;
    h = hn::Max(h, zero);
    v = hn::Max(v, zero);
    d = hn::Max(d, zero);
    sum_h =
        hn::Add(sum_h, masked_terms<kAxisSquare>(hn::BitCast(du32, h), shifts.term[0], half_axis));
    sum_v =
        hn::Add(sum_v, masked_terms<kAxisSquare>(hn::BitCast(du32, v), shifts.term[1], half_axis));
    sum_d = hn::Add(
        sum_d, masked_terms<kDiagonalSquare>(hn::BitCast(du32, d), shifts.term[2], half_diagonal));
  }
  const std::uint64_t half_row = static_cast<std::uint64_t>(half_of(shifts.row));
  *sums[0] += (sum_lanes(sum_h) + half_row) >> shifts.row;
  *sums[1] += (sum_lanes(sum_v) + half_row) >> shifts.row;
  *sums[2] += (sum_lanes(sum_d) + half_row) >> shifts.row;
}

// Even and odd 32-bit lanes together.
HWY_INLINE VU64 widen(V32 v) {
  const VU64 wide = hn::BitCast(du64, v);
  return hn::Add(hn::ShiftRight<32>(wide), hn::And(wide, hn::Set(du64, 0xFFFFFFFF)));
}

// The cube's parts: m^3 = 2^14 high m + low m with m^2 = 2^14 high + low, in sums of pairs.
struct CubePairs {
  V32 high;
  V32 low;
};

HWY_INLINE CubePairs cube_pairs(V16 value) {
  const V16 m = hn::Abs(value);
  const auto twice = hn::BitCast(du16, hn::Add(m, m));
  const V16 high = hn::BitCast(d16, hn::MulHigh(twice, twice));
  const V16 low = hn::And(hn::Mul(m, m), hn::Set(d16, 0x3FFF));
  const V32 none = hn::Zero(d32);
  return {add_pair_products(d32, high, m, none), add_pair_products(d32, low, m, none)};
}

// The sum of |v|^3 over columns. Magnitudes are below 22932 (twice the largest sum of taps), so
// that two high sums and four low ones fit 32 bits.
HWY_INLINE std::uint64_t sum_cubes(const std::int16_t* line, Range columns) {
  VU64 high = hn::Zero(du64);
  VU64 low = hn::Zero(du64);
  const int n = lanes16();
  int x = columns.begin;
  for (; x + 4 * n <= columns.end; x += 4 * n) {
    const CubePairs a = cube_pairs(hn::LoadU(d16, line + x));
    const CubePairs b = cube_pairs(hn::LoadU(d16, line + x + n));
    const CubePairs c = cube_pairs(hn::LoadU(d16, line + x + 2 * n));
    const CubePairs d = cube_pairs(hn::LoadU(d16, line + x + 3 * n));
    high = hn::Add(high, hn::Add(widen(hn::Add(a.high, b.high)), widen(hn::Add(c.high, d.high))));
    low = hn::Add(low, widen(hn::Add(hn::Add(a.low, b.low), hn::Add(c.low, d.low))));
  }
  for (; x < columns.end; x += n) {
    const auto inside = hn::FirstN(d16, static_cast<std::size_t>(columns.end - x));
    const CubePairs a = cube_pairs(hn::IfThenElseZero(inside, hn::LoadU(d16, line + x)));
    high = hn::Add(high, widen(a.high));
    low = hn::Add(low, widen(a.low));
  }
  return (sum_lanes(high) << 14) + sum_lanes(low);
}

// The sum of Scale123::original_term().
template <int kSquareShift>
HWY_INLINE std::uint64_t sum_original_terms(const std::int32_t* line, Range columns,
                                            int term_shift) {
  const VU64 unit = hn::Set(du64, std::uint64_t{1} << kSquareShift);
  const VU64 half = hn::Set(du64, static_cast<std::uint64_t>(half_of(term_shift)));
  const auto term = [&](VU32 v) HWY_ATTR {
    const VU64 square = hn::ShiftRight<kSquareShift>(hn::Add(hn::MulEven(v, v), unit));
    return hn::ShiftRightSame(hn::Add(hn::MulEven(hn::BitCast(du32, square), v), half), term_shift);
  };
  VU64 sum = hn::Zero(du64);
  for (int x = columns.begin; x < columns.end; x += lanes32()) {
    V32 value = hn::LoadU(d32, line + x);
    if (HWY_UNLIKELY(columns.end - x < lanes32())) {
      value = hn::IfThenElseZero(hn::FirstN(d32, static_cast<std::size_t>(columns.end - x)), value);
    }
    const VU32 magnitude = hn::BitCast(du32, hn::Abs(value));
    sum = hn::Add(sum, hn::Add(term(magnitude), term(odd_lanes(magnitude))));
  }
  return sum_lanes(sum);
}

HWY_INLINE std::uint64_t original_row(const std::int16_t* line, Range columns, int /*scale*/,
                                      int /*term_shift*/) {
  return sum_cubes(line, columns);
}
HWY_INLINE std::uint64_t original_row(const std::int32_t* line, Range columns, int scale,
                                      int term_shift) {
  return scale == 2 ? sum_original_terms<30>(line, columns, term_shift)
                    : sum_original_terms<31>(line, columns, term_shift);
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::adm
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_ADM_MASKING_INL_H_
