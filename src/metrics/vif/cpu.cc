// VIF in vectors. The pictures are taken in strips of columns and bands of four rows, whose samples
// and lines stay in the second-level cache: vertical sums go to the lines, from there along the
// rows to statistics and sums, and the band's part of the next scale's planes comes from the same
// loaded rows. Only these planes are ever stored whole. What a band needs of the reference is
// computed before its encodes take their turns.
#include <algorithm>
#include <type_traits>

#include "base/plane.h"
#include "metrics/vif/constants.h"
#include "metrics/vif/vif.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/vif/cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "metrics/vif/filter-inl.h"
#include "metrics/vif/statistics-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

constexpr int kMaxStrip = 1024;

// A sum of a strip's logarithms fits 32 bits.
static_assert(std::uint64_t{kMaxStrip} * (1023 + 32) * 2048 < std::uint64_t{1} << 32);

using Luma = PlaneView<std::int16_t>;  // samples minus 2^15

// How samples, which lie within their depth, are kept in 16 signed bits.
enum class Form {
  kNarrow,   // 8 bits, minus 128
  kPlain,    // 9 to 15 bits, as they are
  kCentred,  // 16 bits, minus 2^15
};
constexpr int centre_of(Form form) {
  return form == Form::kNarrow ? 128 : form == Form::kPlain ? 0 : 32768;
}

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

// Samples of a plane, two rows in each slot, even and odd columns in alternate vectors.
struct Ring {
  std::int16_t* slot[Window<0>::kRowPairs];
};

struct Buffers {
  Ring reference;
  Ring* distorted;  // of each encode
  std::int16_t* row[2];
  std::int16_t* line[kBandRows][kLines];
  std::int32_t* mean_r;               // vertical sums of the reference, kBandRows for a column
  std::int32_t* sums[3];              // of one vector of columns
  std::uint32_t* moments[kBandRows];  // mean and variance of the reference, two for a column
  std::int32_t* num_log;              // a vector for each gain limit
  std::int64_t* num_excess;
  std::uint32_t* index;  // two vectors
};

template <Form kForm>
HWY_INLINE V16 load_samples(const std::uint8_t* p) {
  const hn::Rebind<std::uint8_t, decltype(d16)> d8;
  return hn::Sub(hn::BitCast(d16, hn::PromoteTo(du16, hn::LoadU(d8, p))), hn::Set(d16, 128));
}
template <Form kForm>
HWY_INLINE V16 load_samples(const std::uint16_t* p) {
  const V16 v = hn::BitCast(d16, hn::LoadU(du16, p));
  return kForm == Form::kPlain ? v : hn::Xor(v, hn::Set(d16, -32768));
}
template <Form kForm>
HWY_INLINE V16 load_samples(const std::int16_t* p) {
  return hn::LoadU(d16, p);
}

template <Form kForm, class Sample>
HWY_INLINE std::int16_t one_sample(Sample v) {
  constexpr bool kIsCentred = std::is_signed_v<Sample>;
  return static_cast<std::int16_t>(kIsCentred ? v : v - centre_of(kForm));
}

// Columns first..last of a row of `width` samples, mirrored where they are outside, to `out`.
template <Form kForm, class Sample>
HWY_INLINE void expand_row(const Sample* row, int width, int first, int last, std::int16_t* out) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const int begin = std::max(first, 0);
  const int end = std::min(last + 1, width);
  for (int x = first; x < begin; ++x) out[x - first] = one_sample<kForm>(row[mirror(x, width)]);
  int x = begin;
  for (; x + n <= end; x += n) hn::StoreU(load_samples<kForm>(row + x), d16, out + (x - first));
  if (x < end && end - n >= begin) {  // the last vector overlaps the one before it
    hn::StoreU(load_samples<kForm>(row + end - n), d16, out + (end - n - first));
    x = end;
  }
  for (; x < end; ++x) out[x - first] = one_sample<kForm>(row[x]);
  for (x = end; x <= last; ++x) out[x - first] = one_sample<kForm>(row[mirror(x, width)]);
}

// Two rows of `columns` samples to a slot of the ring.
HWY_INLINE void pair_rows(const std::int16_t* first, const std::int16_t* second, int columns,
                          std::int16_t* slot) {
  const int n = static_cast<int>(hn::Lanes(d16));
  for (int x = 0; x < columns; x += n) {
    const V16 a = hn::Load(d16, first + x);
    const V16 b = hn::Load(d16, second + x);
    const V16 even = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(hn::BitCast(du32, b))), a);
    const V16 odd = hn::OddEven(b, hn::BitCast(d16, hn::ShiftRight<16>(hn::BitCast(du32, a))));
    hn::Store(even, d16, slot + 2 * x);
    hn::Store(odd, d16, slot + 2 * x + n);
  }
}

struct Direct {
  std::int16_t* const* slots;
  int at;
  HWY_INLINE V16 even(int pair) const { return hn::Load(d16, slots[pair] + at); }
  HWY_INLINE V16 odd(int pair) const {
    return hn::Load(d16, slots[pair] + at + static_cast<int>(hn::Lanes(d16)));
  }
};

// Products of 8-bit samples minus 128.
struct NarrowProduct {
  Direct a, b;
  HWY_INLINE V16 even(int pair) const { return hn::Mul(a.even(pair), b.even(pair)); }
  HWY_INLINE V16 odd(int pair) const { return hn::Mul(a.odd(pair), b.odd(pair)); }
};

// The halves of products of longer samples, minus 2^15 if they need 16 bits.
template <Form kForm>
HWY_INLINE hn::Vec<decltype(du16)> plain(V16 v) {
  if constexpr (kForm == Form::kCentred) v = hn::Xor(v, hn::Set(d16, -32768));
  return hn::BitCast(du16, v);
}
template <Form kForm>
struct LowProduct {
  Direct a, b;
  static HWY_INLINE V16 product(V16 x, V16 y) {
    const V16 low = hn::BitCast(d16, hn::Mul(plain<kForm>(x), plain<kForm>(y)));
    return hn::Xor(low, hn::Set(d16, -32768));
  }
  HWY_INLINE V16 even(int pair) const { return product(a.even(pair), b.even(pair)); }
  HWY_INLINE V16 odd(int pair) const { return product(a.odd(pair), b.odd(pair)); }
};
template <Form kForm>
struct HighProduct {
  Direct a, b;
  static HWY_INLINE V16 product(V16 x, V16 y) {
    const V16 high = hn::BitCast(d16, hn::MulHigh(plain<kForm>(x), plain<kForm>(y)));
    return kForm == Form::kCentred ? hn::Xor(high, hn::Set(d16, -32768)) : high;
  }
  HWY_INLINE V16 even(int pair) const { return product(a.even(pair), b.even(pair)); }
  HWY_INLINE V16 odd(int pair) const { return product(a.odd(pair), b.odd(pair)); }
};

// Joins the lower halves of even and odd lanes' results.
HWY_INLINE V16 join_low(V32 even, V32 odd) {
  return hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(odd)), hn::BitCast(d16, even));
}
HWY_INLINE V16 join_high(V32 even, V32 odd) {
  return hn::OddEven(hn::BitCast(d16, odd),
                     hn::BitCast(d16, hn::ShiftRight<16>(hn::BitCast(du32, even))));
}

// Sums of a window for the four rows of a band and one vector of columns: even and odd columns of
// row 0, then of row 1, ...
struct BandSums {
  std::int32_t* sums;
  HWY_INLINE std::int32_t* even(int row) const {
    return sums + static_cast<std::size_t>(2 * row) * hn::Lanes(d32);
  }
  HWY_INLINE std::int32_t* odd(int row) const { return even(row) + hn::Lanes(d32); }
  HWY_INLINE V32 load_even(int row) const { return hn::Load(d32, even(row)); }
  HWY_INLINE V32 load_odd(int row) const { return hn::Load(d32, odd(row)); }
};

template <int kScale, class Source>
HWY_INLINE BandSums sum_rows(const Source& source, std::int32_t* buffer) {
  V32 e0 = hn::Zero(d32), e1 = e0, e2 = e0, e3 = e0;
  V32 o0 = e0, o1 = e0, o2 = e0, o3 = e0;
  filter_rows<kScale>(source, e0, e1, e2, e3, o0, o1, o2, o3);
  const BandSums s{buffer};
  hn::Store(e0, d32, s.even(0));
  hn::Store(o0, d32, s.odd(0));
  hn::Store(e1, d32, s.even(1));
  hn::Store(o1, d32, s.odd(1));
  hn::Store(e2, d32, s.even(2));
  hn::Store(o2, d32, s.odd(2));
  hn::Store(e3, d32, s.even(3));
  hn::Store(o3, d32, s.odd(3));
  return s;
}

// Right shifts of the vertical step.
struct Shifts {
  int mean = 0;
  int square = 0;
};

// The mean minus 2^15, of the sum over samples minus their centre.
template <Form kForm>
HWY_INLINE V32 mean_of(V32 sum, const Shifts& shifts) {
  if constexpr (kForm == Form::kNarrow) return hn::ShiftRight<8>(hn::Add(sum, hn::Set(d32, 128)));
  const auto offset =
      hn::Set(du32, static_cast<std::uint32_t>(centre_of(kForm)) * 65536 + rounding(shifts.mean));
  const auto mean = hn::ShiftRightSame(hn::Add(hn::BitCast(du32, sum), offset), shifts.mean);
  return hn::Sub(hn::BitCast(d32, mean), hn::Set(d32, 32768));
}

template <Form kForm>
HWY_INLINE void store_mean(V32 even, V32 odd, const Shifts& shifts, std::int16_t* line) {
  hn::Store(join_low(mean_of<kForm>(even, shifts), mean_of<kForm>(odd, shifts)), d16, line);
}

HWY_INLINE void store_halves(V32 even, V32 odd, std::int16_t* low, std::int16_t* high) {
  const V32 centre = hn::Set(d32, static_cast<std::int32_t>(0x80008000u));
  even = hn::Xor(even, centre);
  odd = hn::Xor(odd, centre);
  hn::Store(join_low(even, odd), d16, low);
  hn::Store(join_high(even, odd), d16, high);
}

// The mean square of 8-bit samples from that of samples minus 128, whose sums are `a` and `b`:
// r d = (r - 128) (d - 128) + 128 (r - 128) + 128 (d - 128) + 128^2.
HWY_INLINE V32 uncentre_square(V32 square, V32 a, V32 b) {
  return hn::Add(hn::Add(square, hn::ShiftLeft<7>(hn::Add(a, b))), hn::Set(d32, 128 * 128 * 65536));
}

// (high * 2^16 + low) >> shift, rounded, of sums over low halves minus 2^15 and over high halves
// minus `centre`.
HWY_INLINE V32 join_halves(V32 low, V32 high, std::uint32_t centre, int shift) {
  const auto h = hn::Add(hn::BitCast(du32, high), hn::Set(du32, centre * 65536));
  const auto l = hn::Add(hn::BitCast(du32, low), hn::Set(du32, 0x80000000u + rounding(shift)));
  return hn::BitCast(d32, hn::Add(hn::ShiftLeftSame(h, 16 - shift), hn::ShiftRightSame(l, shift)));
}

template <int kScale>
HWY_INLINE void narrow_squares(const Buffers& b, const Direct& first, const Direct& second,
                               const BandSums& first_sum, const BandSums& second_sum, int line,
                               int x) {
  const BandSums s = sum_rows<kScale>(NarrowProduct{first, second}, b.sums[1]);
  for (int i = 0; i < kBandRows; ++i) {
    store_halves(uncentre_square(s.load_even(i), first_sum.load_even(i), second_sum.load_even(i)),
                 uncentre_square(s.load_odd(i), first_sum.load_odd(i), second_sum.load_odd(i)),
                 b.line[i][line] + x, b.line[i][line + 1] + x);
  }
}

template <int kScale, Form kForm>
HWY_INLINE void wide_squares(const Buffers& b, const Direct& first, const Direct& second, int shift,
                             int line, int x) {
  constexpr std::uint32_t centre = centre_of(kForm);
  const BandSums low = sum_rows<kScale>(LowProduct<kForm>{first, second}, b.sums[1]);
  const BandSums high = sum_rows<kScale>(HighProduct<kForm>{first, second}, b.sums[2]);
  for (int i = 0; i < kBandRows; ++i) {
    store_halves(join_halves(low.load_even(i), high.load_even(i), centre, shift),
                 join_halves(low.load_odd(i), high.load_odd(i), centre, shift), b.line[i][line] + x,
                 b.line[i][line + 1] + x);
  }
}

// Columns x.. of the reference's lines of a band.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_reference(const Buffers& b, const Shifts& shifts, int x) {
  const Direct r{b.reference.slot, 2 * x};
  const BandSums mean = sum_rows<kScale>(r, b.mean_r + x * kBandRows);
  for (int i = 0; i < kBandRows; ++i)
    store_mean<kForm>(mean.load_even(i), mean.load_odd(i), shifts, b.line[i][kMeanR] + x);
  if constexpr (kForm == Form::kNarrow)
    narrow_squares<kScale>(b, r, r, mean, mean, kSquareRLow, x);
  else
    wide_squares<kScale, kForm>(b, r, r, shifts.square, kSquareRLow, x);
}

// The same of an encode's lines, after the reference's.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_distorted(const Buffers& b, const Ring& ring, const Shifts& shifts, int x) {
  const Direct r{b.reference.slot, 2 * x};
  const Direct d{ring.slot, 2 * x};
  const BandSums mean = sum_rows<kScale>(d, b.sums[0]);
  for (int i = 0; i < kBandRows; ++i)
    store_mean<kForm>(mean.load_even(i), mean.load_odd(i), shifts, b.line[i][kMeanD] + x);
  if constexpr (kForm == Form::kNarrow) {
    narrow_squares<kScale>(b, d, d, mean, mean, kSquareDLow, x);
    narrow_squares<kScale>(b, r, d, BandSums{b.mean_r + x * kBandRows}, mean, kProductLow, x);
  } else {
    wide_squares<kScale, kForm>(b, d, d, shifts.square, kSquareDLow, x);
    wide_squares<kScale, kForm>(b, r, d, shifts.square, kProductLow, x);
  }
}

// Columns x.. of the band's rows for the next scale, which takes every second row.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_next(const Buffers& b, const Ring& ring, const Shifts& shifts, Line line,
                           int x) {
  V32 e0 = hn::Zero(d32), e2 = e0, o0 = e0, o2 = e0;
  filter_even_rows<kScale>(Direct{ring.slot, 2 * x}, e0, e2, o0, o2);
  store_mean<kForm>(e0, o0, shifts, b.line[0][line] + x);
  store_mean<kForm>(e2, o2, shifts, b.line[2][line] + x);
}

// `columns` samples of the next scale, from the line at the strip's first column.
template <int kScale>
HWY_NOINLINE void decimate_row(const std::int16_t* line, int columns, std::int16_t* next) {
  const hn::Half<decltype(d16)> half16;
  const int n = static_cast<int>(hn::Lanes(d32));
  const V32 rounder = hn::Set(d32, 32768);
  for (int x = 0; x < columns; x += n) {
    V32 sum = hn::Zero(d32);
    filter_even_columns<kScale + 1>(line + 2 * x, sum);
    hn::StoreU(hn::DemoteTo(half16, hn::ShiftRight<16>(hn::Add(sum, rounder))), half16, next + x);
  }
}

// The mean square from sums over its halves minus 2^15.
HWY_INLINE Vu filtered_square(V32 low, V32 high) {
  return hn::BitCast(du32, join_halves(low, high, 32768, 16));
}

HWY_INLINE Vu filtered_mean(V32 sum) {
  return hn::Add(hn::BitCast(du32, sum), hn::Set(du32, 0x80000000u));
}

// Lanes of the vector at column x that are in the strip, for even (0) or odd (1) columns.
HWY_INLINE Mask valid_lanes(int columns, int x, int parity) {
  const V32 index = hn::ShiftLeft<1>(hn::Iota(d32, 0));
  return hn::Lt(index, hn::Set(d32, columns - x - parity));
}

// Denominators of one row of a strip, from the lines at its first column on; keeps the moments.
template <int kScale>
HWY_NOINLINE void measure_reference_row(const std::int16_t* const* line, int columns,
                                        const Buffers& b, std::uint32_t* moments, ScaleSums& sums) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const std::size_t lanes = hn::Lanes(d32);
  Vi non_log = hn::Zero(d32);
  Vu log = hn::Zero(du32);
  int log_vectors = 0;
  std::int64_t excess = 0;
  const auto add = [&](V32 mean_sum, V32 low, V32 high, Mask valid, std::uint32_t* kept) HWY_ATTR {
    const Vu mean = filtered_mean(mean_sum);
    const Vi variance = central_moment(filtered_square(low, high), mean, mean);
    hn::Store(mean, du32, kept);
    hn::Store(hn::BitCast(du32, variance), du32, kept + lanes);
    const Mask above = hn::And(valid, is_above_noise(variance));
    non_log = hn::Sub(non_log, hn::VecFromMask(d32, hn::AndNot(above, valid)));
    if (hn::AllFalse(d32, above)) return;
    ++log_vectors;
    accumulate_den(variance, above, log, excess, b.index);
  };
  for (int x = 0; x < columns; x += n) {
    const V32 z = hn::Zero(d32);
    V32 me = z, mo = z, le = z, lo = z, he = z, ho = z;
    filter_columns<kScale>(x, LineSums{line[kMeanR], me, mo}, LineSums{line[kSquareRLow], le, lo},
                           LineSums{line[kSquareRHigh], he, ho});
    add(me, le, he, valid_lanes(columns, x, 0), moments + 2 * x);
    add(mo, lo, ho, valid_lanes(columns, x, 1), moments + 2 * x + 2 * lanes);
  }
  const std::int64_t of_noise = std::int64_t{kLog2OfNoise} * log_vectors * static_cast<int>(lanes);
  sums.den_log += lane_sum(du32, log) - of_noise + excess;
  sums.den_non_log += lane_sum(d32, non_log);
}

// Numerators of one row of a strip of an encode, with the moments of the reference.
template <int kScale>
HWY_NOINLINE void measure_distorted_row(const std::int16_t* const* line, int columns,
                                        std::span<const double> gain_limits, const Buffers& b,
                                        const std::uint32_t* moments, std::span<Sums> sums) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const std::size_t lanes = hn::Lanes(d32);
  auto non_log = hn::Zero(dsu64);
  for (std::size_t i = 0; i < gain_limits.size(); ++i)
    hn::Store(hn::Zero(d32), d32, b.num_log + i * lanes);
  std::fill_n(b.num_excess, gain_limits.size(), 0);
  const auto add = [&](V32 mean_sum, Vu square, Vu product, Mask valid,
                       const std::uint32_t* kept) HWY_ATTR {
    const Vu mean = filtered_mean(mean_sum);
    const Vu mean_r = hn::Load(du32, kept);
    const Vi variance_r = hn::BitCast(d32, hn::Load(du32, kept + lanes));
    const Vi variance = hn::Max(central_moment(square, mean, mean), hn::Zero(d32));
    const Mask above = hn::And(valid, is_above_noise(variance_r));
    accumulate_non_log(variance, hn::AndNot(above, valid), non_log);
    if (hn::AllFalse(d32, above)) return;
    accumulate_num(variance_r, variance, central_moment(product, mean_r, mean), above, gain_limits,
                   b.num_log, b.num_excess, b.index);
  };
  for (int x = 0; x < columns; x += n) {
    const V32 z = hn::Zero(d32);
    V32 me = z, mo = z, ple = z, plo = z, phe = z, pho = z, sle = z, slo = z, she = z, sho = z;
    filter_columns<kScale>(x, LineSums{line[kMeanD], me, mo}, LineSums{line[kProductLow], ple, plo},
                           LineSums{line[kProductHigh], phe, pho},
                           LineSums{line[kSquareDLow], sle, slo},
                           LineSums{line[kSquareDHigh], she, sho});
    add(me, filtered_square(sle, she), filtered_square(ple, phe), valid_lanes(columns, x, 0),
        moments + 2 * x);
    add(mo, filtered_square(slo, sho), filtered_square(plo, pho), valid_lanes(columns, x, 1),
        moments + 2 * x + 2 * lanes);
  }
  const std::int64_t variance = lane_sum(dsu64, non_log);
  for (std::size_t i = 0; i < gain_limits.size(); ++i) {
    ScaleSums& s = sums[i].scale[kScale];
    s.num_log += lane_sum(d32, hn::Load(d32, b.num_log + i * lanes)) + b.num_excess[i];
    s.num_non_log += variance;
  }
}

// One scale of a picture and of its encodes.
template <class Sample>
struct Job {
  PlaneView<const Sample> r;
  std::span<const PlaneView<const Sample>> d;
  Luma next_r;  // empty at the last scale
  std::span<const Luma> next_d;
  Shifts shifts;
  bool statistics = true;
  std::span<const double> gain_limits;
};

// The band of a strip whose first row is y.
struct Band {
  int y;
  int rows;
  int first;  // column of the strip
  int last;
};

// Rows y and y + 1 of a plane to a slot of its ring.
template <int kScale, Form kForm, class Sample>
HWY_INLINE void fill_slot(const PlaneView<const Sample>& plane, const Buffers& b, int first,
                          int last, int y, std::int16_t* slot) {
  using W = Window<kScale>;
  for (int k = 0; k < 2; ++k) {
    // What is further out has a tap of zero, or belongs to rows of the band below the picture.
    const int source =
        mirror(std::clamp(y + k, -W::kReach, plane.height - 1 + W::kReach), plane.height);
    expand_row<kForm>(plane.row(source), plane.width, first - W::kReach, last - 1 + W::kReach,
                      b.row[k] + (W::kStart - W::kReach));
  }
  pair_rows(b.row[0], b.row[1], last - first + 2 * W::kStart, slot);
}

// What the band needs beyond the bands above it.
template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void fill_ring(const PlaneView<const Sample>& plane, const Buffers& b,
                            const Band& band, Ring& ring) {
  using W = Window<kScale>;
  if (band.y > 0) std::rotate(ring.slot, ring.slot + 2, ring.slot + W::kRowPairs);
  for (int p = band.y == 0 ? 0 : W::kRowPairs - 2; p < W::kRowPairs; ++p)
    fill_slot<kScale, kForm>(plane, b, band.first, band.last, band.y + 2 * p - W::kStart,
                             ring.slot[p]);
}

template <int kScale>
HWY_INLINE void decimate_band(const Buffers& b, const Band& band, Line line, const Luma& next) {
  const int columns = std::min(band.last / 2, next.width) - band.first / 2;
  for (int i = 0; i < band.rows; i += 2) {
    const int y = (band.y + i) / 2;
    if (y < next.height)
      decimate_row<kScale>(b.line[i][line] + Window<kScale>::kStart, columns,
                           next.row(y) + band.first / 2);
  }
}

template <int kScale>
HWY_INLINE void lines_of_row(const Buffers& b, int row, const std::int16_t* (&line)[kLines]) {
  for (int k = 0; k < kLines; ++k) line[k] = b.line[row][k] + Window<kScale>::kStart;
}

template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void measure_reference_band(const Job<Sample>& job, Buffers& b, const Band& band,
                                         ScaleSums& sums) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  fill_ring<kScale, kForm>(job.r, b, band, b.reference);
  for (int x = 0; x < columns; x += n) {
    if (job.statistics) sum_reference<kScale, kForm>(b, job.shifts, x);
    if constexpr (kScale + 1 < kScales)
      sum_next<kScale, kForm>(b, b.reference, job.shifts, kNextR, x);
  }
  for (int i = 0; job.statistics && i < band.rows; ++i) {
    const std::int16_t* line[kLines];
    lines_of_row<kScale>(b, i, line);
    measure_reference_row<kScale>(line, band.last - band.first, b, b.moments[i], sums);
  }
  if constexpr (kScale + 1 < kScales) decimate_band<kScale>(b, band, kNextR, job.next_r);
}

template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void measure_distorted_band(const Job<Sample>& job, const Buffers& b, const Band& band,
                                         std::size_t encode, std::span<Sums> sums) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  Ring& ring = b.distorted[encode];
  fill_ring<kScale, kForm>(job.d[encode], b, band, ring);
  for (int x = 0; x < columns; x += n) {
    if (job.statistics) sum_distorted<kScale, kForm>(b, ring, job.shifts, x);
    if constexpr (kScale + 1 < kScales) sum_next<kScale, kForm>(b, ring, job.shifts, kNextD, x);
  }
  for (int i = 0; job.statistics && i < band.rows; ++i) {
    const std::int16_t* line[kLines];
    lines_of_row<kScale>(b, i, line);
    measure_distorted_row<kScale>(line, band.last - band.first, job.gain_limits, b, b.moments[i],
                                  sums);
  }
  if constexpr (kScale + 1 < kScales) decimate_band<kScale>(b, band, kNextD, job.next_d[encode]);
}

template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void measure_strip(const Job<Sample>& job, Buffers& b, int first, int last,
                                std::span<const std::span<Sums>> sums) {
  ScaleSums reference;
  for (int y = 0; y < job.r.height; y += kBandRows) {
    const Band band{y, std::min(kBandRows, job.r.height - y), first, last};
    measure_reference_band<kScale, kForm>(job, b, band, reference);
    for (std::size_t e = 0; e < job.d.size(); ++e)
      measure_distorted_band<kScale, kForm>(job, b, band, e, sums[e]);
  }
  for (const std::span<Sums> of_encode : sums) {
    for (Sums& s : of_encode) {
      s.scale[kScale].den_log += reference.den_log;
      s.scale[kScale].den_non_log += reference.den_non_log;
    }
  }
}

Ring take_ring(Scratch& scratch, std::size_t columns) {
  Ring ring;
  for (std::int16_t*& slot : ring.slot) slot = scratch.take<std::int16_t>(2 * columns);
  return ring;
}

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
  b.mean_r = scratch.take<std::int32_t>(kBandRows * columns);
  for (auto& sum : b.sums) sum = scratch.take<std::int32_t>(2 * kBandRows * hn::Lanes(d32));
  for (auto& row : b.moments) row = scratch.take<std::uint32_t>(2 * columns);
  b.num_log = scratch.take<std::int32_t>(limits * hn::Lanes(d32));
  b.num_excess = scratch.take<std::int64_t>(limits);
  b.index = scratch.take<std::uint32_t>(2 * hn::Lanes(d32));
  return b;
}

template <int kScale, Form kForm, class Sample>
void measure_scale(const Job<Sample>& job, Scratch& scratch,
                   std::span<const std::span<Sums>> sums) {
  if (kScale + 1 == kScales && !job.statistics) return;
  const Scratch::Frame frame(scratch);
  Buffers buffers = take_buffers(scratch, job.d.size(), job.gain_limits.size());
  const int width = job.r.width;
  const int strips = (width + kMaxStrip - 1) / kMaxStrip;
  const int n = 2 * static_cast<int>(hn::Lanes(d16));
  const int strip = std::min(kMaxStrip, ((width + strips - 1) / strips + n - 1) / n * n);
  for (int first = 0; first < width; first += strip)
    measure_strip<kScale, kForm>(job, buffers, first, std::min(first + strip, width), sums);
}

Luma take_plane(Scratch& scratch, int width, int height) {
  return vmafx::take_plane<std::int16_t>(scratch, width, height, static_cast<int>(hn::Lanes(d16)));
}

// A plane of the reference and one of each encode.
struct DecimatedPlanes {
  Luma r;
  std::span<Luma> d;
};

DecimatedPlanes take_planes(Scratch& scratch, std::size_t encodes, int width, int height) {
  DecimatedPlanes planes{take_plane(scratch, width, height),
                         {scratch.take<Luma>(encodes), encodes}};
  for (Luma& plane : planes.d) plane = take_plane(scratch, width, height);
  return planes;
}

template <int kScale>
void measure_decimated(const DecimatedPlanes& planes, const DecimatedPlanes& next, int depth,
                       const Task& task, Scratch& scratch, std::span<const std::span<Sums>> sums) {
  const Scratch::Frame frame(scratch);
  using View = PlaneView<const std::int16_t>;
  const std::span<View> d(scratch.take<View>(planes.d.size()), planes.d.size());
  std::copy(planes.d.begin(), planes.d.end(), d.begin());
  measure_scale<kScale, Form::kCentred>(
      Job<std::int16_t>{planes.r,
                        d,
                        next.r,
                        next.d,
                        {mean_shift(kScale, depth), square_shift(kScale, depth)},
                        true,
                        task.gain_limits},
      scratch, sums);
}

template <Form kForm, class Sample>
void measure(const Picture& reference, std::span<const Picture* const> distorted, const Task& task,
             Scratch& scratch, std::span<const std::span<Sums>> sums) {
  const Scratch::Frame frame(scratch);
  const int depth = reference.format().bit_depth;
  DecimatedPlanes planes[kScales];
  for (int s = 1; s < kScales; ++s)
    planes[s] =
        take_planes(scratch, distorted.size(), reference.width(0) >> s, reference.height(0) >> s);
  using View = PlaneView<const Sample>;
  const std::span<View> d(scratch.take<View>(distorted.size()), distorted.size());
  std::transform(distorted.begin(), distorted.end(), d.begin(),
                 [](const Picture* picture) { return plane_view<Sample>(*picture, 0); });
  measure_scale<0, kForm>(Job<Sample>{plane_view<Sample>(reference, 0),
                                      d,
                                      planes[1].r,
                                      planes[1].d,
                                      {mean_shift(0, depth), square_shift(0, depth)},
                                      task.scale0,
                                      task.gain_limits},
                          scratch, sums);
  measure_decimated<1>(planes[1], planes[2], depth, task, scratch, sums);
  measure_decimated<2>(planes[2], planes[3], depth, task, scratch, sums);
  measure_decimated<3>(planes[3], {}, depth, task, scratch, sums);
}

void measure_pictures(const Picture& reference, std::span<const Picture* const> distorted,
                      const Task& task, Scratch& scratch, std::span<const std::span<Sums>> sums) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  // Emulated vectors are slower than the definition, and take minutes to compile.
  static_cast<void>(scratch);
  for (std::size_t e = 0; e < distorted.size(); ++e)
    measure_reference(reference, *distorted[e], task, sums[e]);
#else
  const int depth = reference.format().bit_depth;
  if (depth == 8)
    measure<Form::kNarrow, std::uint8_t>(reference, distorted, task, scratch, sums);
  else if (depth < 16)
    measure<Form::kPlain, std::uint16_t>(reference, distorted, task, scratch, sums);
  else
    measure<Form::kCentred, std::uint16_t>(reference, distorted, task, scratch, sums);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::vif {

HWY_EXPORT(measure_pictures);

void measure_cpu(const Picture& reference, std::span<const Picture* const> distorted,
                 const Task& task, Scratch& scratch, std::span<const std::span<Sums>> sums) {
  for (const std::span<Sums> of_encode : sums)
    std::fill(of_encode.begin(), of_encode.end(), Sums{});
  HWY_DYNAMIC_DISPATCH(measure_pictures)(reference, distorted, task, scratch, sums);
}

}  // namespace vmafx::vif
#endif
