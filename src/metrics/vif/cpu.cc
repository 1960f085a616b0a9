// VIF in vectors. The pictures are taken in strips of columns and bands of eight rows, whose
// samples and lines stay in the second-level cache: vertical sums go to the lines, from there along
// the rows to statistics and sums, and the band's part of the next scale's planes comes from the
// same loaded rows. Only these planes are ever stored whole. What a band needs of the reference is
// computed before its encodes take their turns.
#include <algorithm>
#include <type_traits>

#include "base/crew.h"
#include "base/dot_products.h"
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

constexpr int kMaxStrip = 512;

// A sum of a strip's logarithms fits 32 bits.
static_assert(std::uint64_t{kMaxStrip} * (1023 + 32) * 2048 < std::uint64_t{1} << 32);

// A plane is measured in blocks that several threads may take.
constexpr int kBlockRows = 128;
static_assert(kBlockRows % kBandRows == 0);

using Luma = PlaneView<std::int16_t>;  // samples minus 2^15

// How samples, which lie within their depth, are kept in 16 signed bits.
enum class Form {
  kNarrow,   // 8 bits, as they are: products have 16 bits
  kPlain,    // 9 to 15 bits, as they are
  kCentred,  // 16 bits, minus 2^15
};
constexpr std::int32_t centre_of(Form form) { return form == Form::kCentred ? 32768 : 0; }

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

// The pairs of rows of one vector of columns.
struct Pairs {
  const std::int16_t* first;
  HWY_INLINE V16 operator()(int pair) const {
    return hn::Load(d16, first + static_cast<std::size_t>(2 * pair) * hn::Lanes(d16));
  }
};

// The rows of a plane that a band looks at, in pairs, for each vector of columns one after the
// other: even columns, then odd ones.
struct Ring {
  static constexpr int kBandPairs = kBandRows / 2;
  // After so many bands the pairs move back to the front.
  static constexpr int kBands = 4;
  static constexpr int kPairs = Window<0>::kRowPairs + (kBands - 1) * kBandPairs;

  std::int16_t* memory;
  int band = 0;

  // For the vectors at column x, counted from the front.
  HWY_INLINE std::int16_t* at(int x, int pair) const {
    const auto n = static_cast<std::ptrdiff_t>(hn::Lanes(d16));
    return memory + static_cast<std::ptrdiff_t>(2 * kPairs) * x + 2 * pair * n;
  }
  HWY_INLINE std::int16_t* of_band(int x, int pair) const {
    return at(x, band * kBandPairs + pair);
  }
  HWY_INLINE Pairs columns(int x, int parity) const {
    return {of_band(x, 0) + static_cast<std::size_t>(parity) * hn::Lanes(d16)};
  }
};

struct Buffers {
  Ring reference;
  Ring* distorted;  // of each encode
  std::int16_t* row[2];
  std::int16_t* line[kBandRows][kLines];
  std::int32_t* sums[2];              // of one vector of columns
  std::uint32_t* moments[kBandRows];  // mean and variance of the reference, two for a column
  std::uint32_t* signal_log;          // a vector for each gain limit
  std::uint32_t* signal_excess;
  std::uint32_t* index;  // two vectors
  std::int16_t* taps;
  std::int16_t* next_taps;
  std::uint64_t* constants;
};

template <Form kForm>
HWY_INLINE V16 load_samples(const std::uint8_t* p) {
  const hn::Rebind<std::uint8_t, decltype(d16)> d8;
  return hn::PromoteTo(d16, hn::LoadU(d8, p));
}
template <Form kForm>
HWY_INLINE V16 load_samples(const std::uint16_t* p) {
  const V16 v = hn::BitCast(d16, hn::LoadU(du16, p));
  return kForm == Form::kCentred ? hn::Xor(v, hn::Set(d16, -32768)) : v;
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

// Two rows of `columns` samples to the ring.
HWY_INLINE void pair_rows(const std::int16_t* first, const std::int16_t* second, int columns,
                          const Ring& ring, int pair) {
  const int n = static_cast<int>(hn::Lanes(d16));
  for (int x = 0; x < columns; x += n) {
    const V16 a = hn::Load(d16, first + x);
    const V16 b = hn::Load(d16, second + x);
    const V16 even = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(hn::BitCast(du32, b))), a);
    const V16 odd = hn::OddEven(b, hn::BitCast(d16, hn::ShiftRight<16>(hn::BitCast(du32, a))));
    std::int16_t* const out = ring.of_band(x, pair);
    hn::Store(even, d16, out);
    hn::Store(odd, d16, out + n);
  }
}

// The halves of products, minus 2^15 if they need 16 bits.
template <Form kForm>
HWY_INLINE hn::Vec<decltype(du16)> plain(V16 v) {
  if constexpr (kForm == Form::kCentred) v = hn::Xor(v, hn::Set(d16, -32768));
  return hn::BitCast(du16, v);
}
template <Form kForm>
struct LowProduct {
  Pairs a, b;
  HWY_INLINE V16 operator()(int pair) const {
    const V16 low = hn::BitCast(d16, hn::Mul(plain<kForm>(a(pair)), plain<kForm>(b(pair))));
    return hn::Xor(low, hn::Set(d16, -32768));
  }
};
template <Form kForm>
struct HighProduct {
  Pairs a, b;
  HWY_INLINE V16 operator()(int pair) const {
    const V16 high = hn::BitCast(d16, hn::MulHigh(plain<kForm>(a(pair)), plain<kForm>(b(pair))));
    return kForm == Form::kCentred ? hn::Xor(high, hn::Set(d16, -32768)) : high;
  }
};

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
HWY_INLINE BandSums sum_rows(const Buffers& b, const Source& source, V32 start,
                             std::int32_t* buffer) {
  const BandSums sums{buffer};
  for (int parity = 0; parity < 2; ++parity) {
    V32 row0 = start, row1 = start, row2 = start, row3 = start;
    V32 row4 = start, row5 = start, row6 = start, row7 = start;
    filter_rows<kScale>(Taps<kScale>(b.taps), source(parity), row0, row1, row2, row3, row4, row5,
                        row6, row7);
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
  const V32 centre = hn::Set(d32, 0x8000);
  even = hn::Xor(even, centre);
  odd = hn::Xor(odd, centre);
  hn::Store(join_low(even, odd), d16, low);
  hn::Store(join_high(even, odd), d16, high);
}

// The mean square minus 2^31: (high * 2^16 + low) >> shift.
HWY_INLINE V32 join_halves(V32 low, V32 high, int shift) {
  const auto l = hn::ShiftRightSame(hn::BitCast(du32, low), shift);
  return hn::Add(hn::ShiftLeftSame(high, 16 - shift), hn::BitCast(d32, l));
}

template <int kScale, Form kForm>
HWY_INLINE void sum_squares(const Buffers& b, const Ring& first, const Ring& second, int shift,
                            int line, int x) {
  const auto low_products = [&](int parity) HWY_ATTR {
    return LowProduct<kForm>{first.columns(x, parity), second.columns(x, parity)};
  };
  if constexpr (kForm == Form::kNarrow) {
    const BandSums s = sum_rows<kScale>(b, low_products, hn::Zero(d32), b.sums[0]);
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
        b, low_products, hn::Set(d32, static_cast<std::int32_t>(low_start)), b.sums[0]);
    const BandSums high = sum_rows<kScale>(
        b, high_products, hn::Set(d32, static_cast<std::int32_t>(high_start)), b.sums[1]);
    for (int i = 0; i < kBandRows; ++i) {
      store_halves(join_halves(low.even(i), high.even(i), shift),
                   join_halves(low.odd(i), high.odd(i), shift), b.line[i][line] + x,
                   b.line[i][line + 1] + x);
    }
  }
}

template <int kScale, Form kForm>
HWY_INLINE void sum_means(const Buffers& b, const Ring& ring, const Shifts& shifts, Line line,
                          int x) {
  const auto samples = [&](int parity) HWY_ATTR { return ring.columns(x, parity); };
  const BandSums s = sum_rows<kScale>(b, samples, mean_start<kForm>(shifts), b.sums[0]);
  for (int i = 0; i < kBandRows; ++i) store_mean(s.even(i), s.odd(i), shifts, b.line[i][line] + x);
}

// The reference's lines of a band.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_reference(const Buffers& b, const Shifts& shifts, int columns) {
  const int n = static_cast<int>(hn::Lanes(d16));
  for (int x = 0; x < columns; x += n) {
    sum_means<kScale, kForm>(b, b.reference, shifts, kMeanR, x);
    sum_squares<kScale, kForm>(b, b.reference, b.reference, shifts.square, kSquareRLow, x);
  }
}

// The same of an encode's lines.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_distorted(const Buffers& b, const Ring& ring, const Shifts& shifts,
                                int columns) {
  const int n = static_cast<int>(hn::Lanes(d16));
  for (int x = 0; x < columns; x += n) {
    sum_means<kScale, kForm>(b, ring, shifts, kMeanD, x);
    sum_squares<kScale, kForm>(b, ring, ring, shifts.square, kSquareDLow, x);
    sum_squares<kScale, kForm>(b, b.reference, ring, shifts.square, kProductLow, x);
  }
}

// The band's rows for the next scale, which takes every second row.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_next(const Buffers& b, const Ring& ring, const Shifts& shifts, Line line,
                           int columns) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const V32 start = mean_start<kForm>(shifts);
  for (int x = 0; x < columns; x += n) {
    const Taps<kScale + 1> taps(b.next_taps);
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
  for (int x = 0; x < columns; x += n) {
    V32 sum = hn::Set(d32, 32768);
    filter_even_columns<kScale + 1>(Taps<kScale + 1>(b.next_taps), line + 2 * x, sum);
    hn::StoreU(hn::DemoteTo(half16, hn::ShiftRight<16>(sum)), half16, next + x);
  }
}

// The mean square, of sums over its halves that started from two_to_31_and_15() and two_to_31().
HWY_INLINE Vu filtered_square(V32 low, V32 high) {
  return hn::Add(hn::BitCast(du32, high), hn::ShiftRight<16>(hn::BitCast(du32, low)));
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
  const Taps<kScale> taps(b.taps);
  const Constants k(b.constants);
  Vi non_log = hn::Zero(d32);
  Vu log = hn::Zero(du32);
  std::uint32_t excess = 0;
  int log_vectors = 0;
  const auto add = [&](V32 mean_sum, V32 low, V32 high, Mask valid, std::uint32_t* kept) HWY_ATTR {
    const Vu mean = hn::BitCast(du32, mean_sum);
    const Vi variance = central_moment(k, filtered_square(low, high), mean, mean);
    hn::Store(mean, du32, kept);
    hn::Store(hn::BitCast(du32, variance), du32, kept + lanes);
    const Mask above = hn::And(valid, is_above_noise(k, variance));
    non_log = hn::Sub(non_log, hn::VecFromMask(d32, hn::AndNot(above, valid)));
    if (hn::AllFalse(d32, above)) return;
    ++log_vectors;
    accumulate_den(k, variance, above, LogSum{log, excess}, b.index);
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
  const std::int64_t of_noise = std::int64_t{kLog2OfNoise} * log_vectors * static_cast<int>(lanes);
  sums.den_log += lane_sum(du32, log) - of_noise + excess;
  sums.den_non_log += lane_sum(d32, non_log);
}

// Numerators of one row of a strip of an encode, with the moments of the reference.
template <int kScale>
HWY_NOINLINE void measure_distorted_row(const std::int16_t* const* line, int columns,
                                        std::span<const double> gain_limits, const Buffers& b,
                                        const std::uint32_t* moments, std::span<ScaleSums> sums) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const std::size_t lanes = hn::Lanes(d32);
  const Taps<kScale> taps(b.taps);
  const Constants k(b.constants);
  auto non_log = hn::Zero(dsu64);
  Vu noise_log = hn::Zero(du32), signal_log = noise_log;
  std::uint32_t noise_excess = 0, signal_excess = 0;
  for (std::size_t i = 0; i < gain_limits.size(); ++i)
    hn::Store(noise_log, du32, b.signal_log + i * lanes);
  std::fill_n(b.signal_excess, gain_limits.size(), 0u);
  const auto add = [&](V32 mean_sum, Vu square, Vu product, Mask valid,
                       const std::uint32_t* kept) HWY_ATTR {
    const Vu mean = hn::BitCast(du32, mean_sum);
    const Vu mean_r = hn::Load(du32, kept);
    const Vi variance_r = hn::BitCast(d32, hn::Load(du32, kept + lanes));
    const Vi variance = hn::Max(central_moment(k, square, mean, mean), hn::Zero(d32));
    const Mask above = hn::And(valid, is_above_noise(k, variance_r));
    accumulate_non_log(k, variance, hn::AndNot(above, valid), non_log);
    if (hn::AllFalse(d32, above)) return;
    accumulate_num(k, variance_r, variance, central_moment(k, product, mean_r, mean), above,
                   gain_limits, LogSum{noise_log, noise_excess},
                   SignalSums{{signal_log, signal_excess}, b.signal_log, b.signal_excess}, b.index);
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
    add(me, filtered_square(sle, she), filtered_square(ple, phe), valid_lanes(columns, x, 0),
        moments + 2 * x);
    add(mo, filtered_square(slo, sho), filtered_square(plo, pho), valid_lanes(columns, x, 1),
        moments + 2 * x + 2 * lanes);
  }
  hn::Store(signal_log, du32, b.signal_log);
  b.signal_excess[0] = signal_excess;
  const std::int64_t variance = lane_sum(dsu64, non_log);
  const std::int64_t noise = lane_sum(du32, noise_log) + noise_excess;
  for (std::size_t i = 0; i < gain_limits.size(); ++i) {
    const std::int64_t signal = lane_sum(du32, hn::Load(du32, b.signal_log + i * lanes));
    sums[i].num_log += signal + b.signal_excess[i] - noise;
    sums[i].num_non_log += variance;
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
  bool starts;  // the rings have nothing yet
  int first;    // column of the strip
  int last;
};

// Rows y and y + 1 of a plane to its ring.
template <int kScale, Form kForm, class Sample>
HWY_INLINE void fill_pair(const PlaneView<const Sample>& plane, const Buffers& b, const Band& band,
                          const Ring& ring, int pair) {
  using W = Window<kScale>;
  const int y = band.y + 2 * pair - W::kStart;
  for (int k = 0; k < 2; ++k) {
    // What is further out has a tap of zero, or belongs to rows of the band below the picture.
    const int source =
        mirror(std::clamp(y + k, -W::kReach, plane.height - 1 + W::kReach), plane.height);
    expand_row<kForm>(plane.row(source), plane.width, band.first - W::kReach,
                      band.last - 1 + W::kReach, b.row[k] + (W::kStart - W::kReach));
  }
  pair_rows(b.row[0], b.row[1], band.last - band.first + 2 * W::kStart, ring, pair);
}

// The band's first pairs are the last ones of the band above.
template <int kScale>
HWY_INLINE void advance(const Band& band, Ring& ring) {
  constexpr int kKept = Window<kScale>::kRowPairs - Ring::kBandPairs;
  const int n = static_cast<int>(hn::Lanes(d16));
  if (++ring.band < Ring::kBands) return;
  ring.band = 0;
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  for (int x = 0; x < columns; x += n) {
    const std::int16_t* const from = ring.at(x, Ring::kBands * Ring::kBandPairs);
    std::int16_t* const to = ring.at(x, 0);
    for (int i = 0; i < 2 * kKept * n; i += n) hn::Store(hn::Load(d16, from + i), d16, to + i);
  }
}

// What the band needs beyond the band above it.
template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void fill_ring(const PlaneView<const Sample>& plane, const Buffers& b,
                            const Band& band, Ring& ring) {
  constexpr int kPairs = Window<kScale>::kRowPairs;
  if (band.starts) {
    ring.band = 0;
  } else {
    advance<kScale>(band, ring);
  }
  for (int p = band.starts ? 0 : kPairs - Ring::kBandPairs; p < kPairs; ++p)
    fill_pair<kScale, kForm>(plane, b, band, ring, p);
}

template <int kScale>
HWY_INLINE void decimate_band(const Buffers& b, const Band& band, Line line, const Luma& next) {
  const int columns = std::min(band.last / 2, next.width) - band.first / 2;
  for (int i = 0; i < band.rows; i += 2) {
    const int y = (band.y + i) / 2;
    if (y < next.height)
      decimate_row<kScale>(b, b.line[i][line] + Window<kScale>::kStart, columns,
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
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  fill_ring<kScale, kForm>(job.r, b, band, b.reference);
  if (job.statistics) sum_reference<kScale, kForm>(b, job.shifts, columns);
  if constexpr (kScale + 1 < kScales)
    sum_next<kScale, kForm>(b, b.reference, job.shifts, kNextR, columns);
  for (int i = 0; job.statistics && i < band.rows; ++i) {
    const std::int16_t* line[kLines];
    lines_of_row<kScale>(b, i, line);
    measure_reference_row<kScale>(line, band.last - band.first, b, b.moments[i], sums);
  }
  if constexpr (kScale + 1 < kScales) decimate_band<kScale>(b, band, kNextR, job.next_r);
}

template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void measure_distorted_band(const Job<Sample>& job, const Buffers& b, const Band& band,
                                         std::size_t encode, std::span<ScaleSums> sums) {
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  Ring& ring = b.distorted[encode];
  fill_ring<kScale, kForm>(job.d[encode], b, band, ring);
  if (job.statistics) sum_distorted<kScale, kForm>(b, ring, job.shifts, columns);
  if constexpr (kScale + 1 < kScales) sum_next<kScale, kForm>(b, ring, job.shifts, kNextD, columns);
  for (int i = 0; job.statistics && i < band.rows; ++i) {
    const std::int16_t* line[kLines];
    lines_of_row<kScale>(b, i, line);
    measure_distorted_row<kScale>(line, band.last - band.first, job.gain_limits, b, b.moments[i],
                                  sums);
  }
  if constexpr (kScale + 1 < kScales) decimate_band<kScale>(b, band, kNextD, job.next_d[encode]);
}

Ring take_ring(Scratch& scratch, std::size_t columns) {
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
  b.signal_log = scratch.take<std::uint32_t>(limits * hn::Lanes(d32));
  b.signal_excess = scratch.take<std::uint32_t>(limits);
  b.index = scratch.take<std::uint32_t>(2 * hn::Lanes(d32));
  b.taps = scratch.take<std::int16_t>(Taps<kScale>::kVectors * n);
  b.next_taps = scratch.take<std::int16_t>(Taps<next_scale(kScale)>::kVectors * n);
  b.constants = scratch.take<std::uint64_t>(Constants::kVectors * hn::Lanes(dsu64));
  Taps<kScale>(b.taps).fill();
  Taps<next_scale(kScale)>(b.next_taps).fill();
  Constants(b.constants).fill();
  return b;
}

// A part of a plane, whose sums are independent of the others'.
struct Block {
  int first_column, last_column;
  int first_row, last_row;
};

// `sums` are those of each encode's gain limits, one encode after the other.
template <int kScale, Form kForm, class Sample>
void measure_block(const Job<Sample>& job, const Block& block, Scratch& scratch,
                   std::span<ScaleSums> sums) {
  const std::size_t limits = job.gain_limits.size();
  Buffers buffers = take_buffers<kScale>(scratch, job.d.size(), limits);
  ScaleSums reference;
  for (int y = block.first_row; y < block.last_row; y += kBandRows) {
    const Band band{y, std::min(kBandRows, block.last_row - y), y == block.first_row,
                    block.first_column, block.last_column};
    measure_reference_band<kScale, kForm>(job, buffers, band, reference);
    for (std::size_t e = 0; e < job.d.size(); ++e)
      measure_distorted_band<kScale, kForm>(job, buffers, band, e,
                                            sums.subspan(e * limits, limits));
  }
  for (ScaleSums& s : sums) {
    s.den_log = reference.den_log;
    s.den_non_log = reference.den_non_log;
  }
}

void add(const ScaleSums& part, ScaleSums& sums) {
  sums.num_log += part.num_log;
  sums.num_non_log += part.num_non_log;
  sums.den_log += part.den_log;
  sums.den_non_log += part.den_non_log;
}

template <int kScale, Form kForm, class Sample>
void measure_scale(const Job<Sample>& job, Scratch& scratch, Crew* crew,
                   std::span<const std::span<Sums>> sums) {
  if (kScale + 1 == kScales && !job.statistics) return;
  const Scratch::Frame frame(scratch);
  const int width = job.r.width;
  const int height = job.r.height;
  const int strips = (width + kMaxStrip - 1) / kMaxStrip;
  const int n = 2 * static_cast<int>(hn::Lanes(d16));
  const int strip = std::min(kMaxStrip, ((width + strips - 1) / strips + n - 1) / n * n);
  const int blocks_of_strip = (height + kBlockRows - 1) / kBlockRows;
  const int blocks = (width + strip - 1) / strip * blocks_of_strip;

  const std::size_t limits = job.gain_limits.size();
  const std::size_t sums_of_block = job.d.size() * limits;
  const std::span<ScaleSums> of_blocks(
      scratch.take<ScaleSums>(static_cast<std::size_t>(blocks) * sums_of_block),
      static_cast<std::size_t>(blocks) * sums_of_block);
  std::fill(of_blocks.begin(), of_blocks.end(), ScaleSums{});
  share(crew, scratch, blocks, [&](int i, Scratch& own) {
    const int x = i / blocks_of_strip * strip;
    const int y = i % blocks_of_strip * kBlockRows;
    measure_block<kScale, kForm>(
        job, {x, std::min(x + strip, width), y, std::min(y + kBlockRows, height)}, own,
        of_blocks.subspan(static_cast<std::size_t>(i) * sums_of_block, sums_of_block));
  });
  for (std::size_t i = 0; i < of_blocks.size(); ++i) {
    const std::size_t of_block = i % sums_of_block;
    add(of_blocks[i], sums[of_block / limits][of_block % limits].scale[kScale]);
  }
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
                       const Task& task, Scratch& scratch, Crew* crew,
                       std::span<const std::span<Sums>> sums) {
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
      scratch, crew, sums);
}

template <Form kForm, class Sample>
void measure(const Picture& reference, std::span<const Picture* const> distorted, const Task& task,
             Scratch& scratch, Crew* crew, std::span<const std::span<Sums>> sums) {
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
                          scratch, crew, sums);
  measure_decimated<1>(planes[1], planes[2], depth, task, scratch, crew, sums);
  measure_decimated<2>(planes[2], planes[3], depth, task, scratch, crew, sums);
  measure_decimated<3>(planes[3], {}, depth, task, scratch, crew, sums);
}

void measure_pictures(const Picture& reference, std::span<const Picture* const> distorted,
                      const Task& task, Scratch& scratch, Crew* crew,
                      std::span<const std::span<Sums>> sums) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  // Emulated vectors are slower than the definition, and take minutes to compile.
  static_cast<void>(scratch);
  static_cast<void>(crew);
  for (std::size_t e = 0; e < distorted.size(); ++e)
    measure_reference(reference, *distorted[e], task, sums[e]);
#else
  const int depth = reference.format().bit_depth;
  if (depth == 8)
    measure<Form::kNarrow, std::uint8_t>(reference, distorted, task, scratch, crew, sums);
  else if (depth < 16)
    measure<Form::kPlain, std::uint16_t>(reference, distorted, task, scratch, crew, sums);
  else
    measure<Form::kCentred, std::uint16_t>(reference, distorted, task, scratch, crew, sums);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::vif {

HWY_EXPORT(measure_pictures);

void measure_cpu(const Picture& reference, std::span<const Picture* const> distorted,
                 const Task& task, Scratch& scratch, Crew* crew,
                 std::span<const std::span<Sums>> sums) {
  for (const std::span<Sums> of_encode : sums)
    std::fill(of_encode.begin(), of_encode.end(), Sums{});
  HWY_DYNAMIC_DISPATCH(measure_pictures)(reference, distorted, task, scratch, crew, sums);
}

}  // namespace vmafx::vif
#endif
