// VIF in vectors. The pictures are taken in strips of columns and bands of four rows, whose samples
// and lines stay in the second-level cache: vertical sums go to the lines, from there along the
// rows to statistics and sums, and the band's part of the next scale's planes comes from the same
// loaded rows. Only these planes are ever stored whole.
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
  kMeanD,
  kProductLow,
  kProductHigh,
  kSquareRLow,
  kSquareRHigh,
  kSquareDLow,
  kSquareDHigh,
  kNextR,
  kNextD,
  kLines
};

// Samples of the two planes, two rows in each slot, even and odd columns in alternate vectors.
struct Ring {
  std::int16_t* r[Window<0>::kRowPairs];
  std::int16_t* d[Window<0>::kRowPairs];
};

struct Buffers {
  Ring ring;
  std::int16_t* row[4];
  std::int16_t* line[kBandRows][kLines];
  std::int32_t* sums[4];  // of one vector of columns
  std::int32_t* num_log;  // a vector for each gain limit
  std::int64_t* num_excess;
  std::uint32_t* index;  // three vectors
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
  const BandSums s = sum_rows<kScale>(NarrowProduct{first, second}, b.sums[2]);
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
  const BandSums low = sum_rows<kScale>(LowProduct<kForm>{first, second}, b.sums[2]);
  const BandSums high = sum_rows<kScale>(HighProduct<kForm>{first, second}, b.sums[3]);
  for (int i = 0; i < kBandRows; ++i) {
    store_halves(join_halves(low.load_even(i), high.load_even(i), centre, shift),
                 join_halves(low.load_odd(i), high.load_odd(i), centre, shift), b.line[i][line] + x,
                 b.line[i][line + 1] + x);
  }
}

// Columns x.. of the lines of a band.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_band(const Buffers& b, const Shifts& shifts, int x) {
  const Direct r{b.ring.r, 2 * x};
  const Direct d{b.ring.d, 2 * x};
  const BandSums mean_r = sum_rows<kScale>(r, b.sums[0]);
  const BandSums mean_d = sum_rows<kScale>(d, b.sums[1]);
  for (int i = 0; i < kBandRows; ++i) {
    store_mean<kForm>(mean_r.load_even(i), mean_r.load_odd(i), shifts, b.line[i][kMeanR] + x);
    store_mean<kForm>(mean_d.load_even(i), mean_d.load_odd(i), shifts, b.line[i][kMeanD] + x);
  }
  if constexpr (kForm == Form::kNarrow) {
    narrow_squares<kScale>(b, r, r, mean_r, mean_r, kSquareRLow, x);
    narrow_squares<kScale>(b, d, d, mean_d, mean_d, kSquareDLow, x);
    narrow_squares<kScale>(b, r, d, mean_r, mean_d, kProductLow, x);
  } else {
    wide_squares<kScale, kForm>(b, r, r, shifts.square, kSquareRLow, x);
    wide_squares<kScale, kForm>(b, d, d, shifts.square, kSquareDLow, x);
    wide_squares<kScale, kForm>(b, r, d, shifts.square, kProductLow, x);
  }
}

// Columns x.. of the band's rows for the next scale, which takes every second row.
template <int kScale, Form kForm>
HWY_NOINLINE void sum_next(const Buffers& b, const Shifts& shifts, int x) {
  for (const int which : {0, 1}) {
    const Direct source{which == 0 ? b.ring.r : b.ring.d, 2 * x};
    const int line = which == 0 ? kNextR : kNextD;
    V32 e0 = hn::Zero(d32), e2 = e0, o0 = e0, o2 = e0;
    filter_even_rows<kScale>(source, e0, e2, o0, o2);
    store_mean<kForm>(e0, o0, shifts, b.line[0][line] + x);
    store_mean<kForm>(e2, o2, shifts, b.line[2][line] + x);
  }
}

// `columns` samples of the next scale, from the lines at the strip's first column.
template <int kScale>
HWY_NOINLINE void decimate_row(const std::int16_t* line_r, const std::int16_t* line_d, int columns,
                               std::int16_t* next_r, std::int16_t* next_d) {
  const hn::Half<decltype(d16)> half16;
  const int n = static_cast<int>(hn::Lanes(d32));
  const V32 rounder = hn::Set(d32, 32768);
  for (int x = 0; x < columns; x += n) {
    V32 r = hn::Zero(d32), d = r;
    filter_even_columns<kScale + 1>(line_r + 2 * x, line_d + 2 * x, r, d);
    hn::StoreU(hn::DemoteTo(half16, hn::ShiftRight<16>(hn::Add(r, rounder))), half16, next_r + x);
    hn::StoreU(hn::DemoteTo(half16, hn::ShiftRight<16>(hn::Add(d, rounder))), half16, next_d + x);
  }
}

// The mean square from sums over its halves minus 2^15.
HWY_INLINE Vu filtered_square(V32 low, V32 high) {
  return hn::BitCast(du32, join_halves(low, high, 32768, 16));
}

// Adds the samples of one vector that are set in `valid`.
HWY_INLINE void accumulate_vector(V32 mean_r, V32 mean_d, Vu square_r, Vu square_d, Vu product,
                                  Mask valid, std::span<const double> gain_limits,
                                  hn::Vec<decltype(dsu64)>& num_non_log, Vi& den_non_log,
                                  Vu& den_log, int& log_vectors, std::int64_t& den_excess,
                                  const Buffers& b) {
  const auto centre = hn::Set(du32, 0x80000000u);
  Vi variance_r, variance_d, covariance;
  statistics(hn::Add(hn::BitCast(du32, mean_r), centre), hn::Add(hn::BitCast(du32, mean_d), centre),
             square_r, square_d, product, variance_r, variance_d, covariance);
  const Mask log = hn::And(valid, hn::Gt(variance_r, hn::Set(d32, kNoise - 1)));
  accumulate_non_log(variance_d, hn::AndNot(log, valid), num_non_log, den_non_log);
  if (hn::AllFalse(d32, log)) return;
  ++log_vectors;
  accumulate_log(variance_r, variance_d, covariance, log, gain_limits, den_log, den_excess,
                 b.num_log, b.num_excess, b.index);
}

// Statistics of one row of a strip, from the lines at its first column on.
template <int kScale>
HWY_NOINLINE void measure_row(const std::int16_t* const* line, int columns,
                              std::span<const double> gain_limits, const Buffers& b,
                              std::span<Sums> sums) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const V32 even_index = hn::ShiftLeft<1>(hn::Iota(d32, 0));
  auto num_non_log = hn::Zero(dsu64);
  Vi den_non_log = hn::Zero(d32);
  Vu den_log = hn::Zero(du32);
  int log_vectors = 0;
  std::int64_t den_excess = 0;
  for (std::size_t i = 0; i < gain_limits.size(); ++i)
    hn::Store(hn::Zero(d32), d32, b.num_log + i * hn::Lanes(d32));
  std::fill_n(b.num_excess, gain_limits.size(), 0);

  for (int x = 0; x < columns; x += n) {
    const V32 z = hn::Zero(d32);
    V32 mre = z, mro = z, mde = z, mdo = z, ple = z, plo = z, phe = z, pho = z;
    filter_columns<kScale>(line + kMeanR, x, mre, mde, ple, phe, mro, mdo, plo, pho);
    V32 rle = z, rlo = z, rhe = z, rho = z, dle = z, dlo = z, dhe = z, dho = z;
    filter_columns<kScale>(line + kSquareRLow, x, rle, rhe, dle, dhe, rlo, rho, dlo, dho);
    const Mask even_valid = hn::Lt(even_index, hn::Set(d32, columns - x));
    const Mask odd_valid = hn::Lt(even_index, hn::Set(d32, columns - x - 1));
    accumulate_vector(mre, mde, filtered_square(rle, rhe), filtered_square(dle, dhe),
                      filtered_square(ple, phe), even_valid, gain_limits, num_non_log, den_non_log,
                      den_log, log_vectors, den_excess, b);
    accumulate_vector(mro, mdo, filtered_square(rlo, rho), filtered_square(dlo, dho),
                      filtered_square(plo, pho), odd_valid, gain_limits, num_non_log, den_non_log,
                      den_log, log_vectors, den_excess, b);
  }
  const std::int64_t variance = lane_sum(dsu64, num_non_log);
  const std::int64_t count = lane_sum(d32, den_non_log);
  const std::int64_t of_noise =
      std::int64_t{kLog2OfNoise} * log_vectors * static_cast<int>(hn::Lanes(d32));
  const std::int64_t den = lane_sum(du32, den_log) - of_noise + den_excess;
  for (std::size_t i = 0; i < gain_limits.size(); ++i) {
    ScaleSums& s = sums[i].scale[kScale];
    s.num_log += lane_sum(d32, hn::Load(d32, b.num_log + i * hn::Lanes(d32))) + b.num_excess[i];
    s.den_log += den;
    s.num_non_log += variance;
    s.den_non_log += count;
  }
}

// One scale of a picture.
template <class Sample>
struct Job {
  PlaneView<const Sample> r, d;
  Luma next_r, next_d;  // empty at the last scale
  Shifts shifts;
  bool statistics = true;
  std::span<const double> gain_limits;
};

template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void measure_strip(const Job<Sample>& job, const Buffers& buffers, int first, int last,
                                std::span<Sums> sums) {
  using W = Window<kScale>;
  const int width = job.r.width;
  const int height = job.r.height;
  const int n = static_cast<int>(hn::Lanes(d16));
  const int columns = last - first + 2 * W::kStart;
  Buffers b = buffers;

  const auto fill = [&](int slot, int y) HWY_ATTR {
    for (int k = 0; k < 2; ++k) {
      // What is further out has a tap of zero, or belongs to rows of the band below the picture.
      const int source = mirror(std::clamp(y + k, -W::kReach, height - 1 + W::kReach), height);
      constexpr int kSkip = W::kStart - W::kReach;
      expand_row<kForm>(job.r.row(source), width, first - W::kReach, last - 1 + W::kReach,
                        b.row[k] + kSkip);
      expand_row<kForm>(job.d.row(source), width, first - W::kReach, last - 1 + W::kReach,
                        b.row[2 + k] + kSkip);
    }
    pair_rows(b.row[0], b.row[1], columns, b.ring.r[slot]);
    pair_rows(b.row[2], b.row[3], columns, b.ring.d[slot]);
  };

  for (int p = 0; p < W::kRowPairs - 2; ++p) fill(p, 2 * p - W::kStart);
  for (int y = 0; y < height; y += kBandRows) {
    for (int p = W::kRowPairs - 2; p < W::kRowPairs; ++p) fill(p, y + 2 * p - W::kStart);
    for (int x = 0; x < columns; x += n) {
      if (job.statistics) sum_band<kScale, kForm>(b, job.shifts, x);
      if constexpr (kScale + 1 < kScales) sum_next<kScale, kForm>(b, job.shifts, x);
    }
    const int rows = std::min(kBandRows, height - y);
    for (int i = 0; i < rows; ++i) {
      const std::int16_t* line[kLines];
      for (int k = 0; k < kLines; ++k) line[k] = b.line[i][k] + W::kStart;
      if (job.statistics) measure_row<kScale>(line, last - first, job.gain_limits, b, sums);
      if constexpr (kScale + 1 < kScales) {
        const int next_y = (y + i) / 2;
        const int next_last = std::min(last / 2, job.next_r.width);
        if (i % 2 == 0 && next_y < job.next_r.height)
          decimate_row<kScale>(line[kNextR], line[kNextD], next_last - first / 2,
                               job.next_r.row(next_y) + first / 2,
                               job.next_d.row(next_y) + first / 2);
      }
    }
    std::rotate(b.ring.r, b.ring.r + 2, b.ring.r + W::kRowPairs);
    std::rotate(b.ring.d, b.ring.d + 2, b.ring.d + W::kRowPairs);
  }
}

Buffers take_buffers(Scratch& scratch, std::size_t limits) {
  Buffers b;
  const std::size_t n = hn::Lanes(d16);
  // Vector loops begin inside a line and end up to two vectors behind it.
  const std::size_t columns = kMaxStrip + 2 * Window<0>::kStart + 3 * n;
  for (std::size_t p = 0; p < std::size(b.ring.r); ++p) {
    b.ring.r[p] = scratch.take<std::int16_t>(2 * columns);
    b.ring.d[p] = scratch.take<std::int16_t>(2 * columns);
  }
  for (auto& row : b.row) row = scratch.take<std::int16_t>(columns);
  for (auto& row : b.line) {
    for (auto& line : row) line = scratch.take<std::int16_t>(columns);
  }
  for (auto& sum : b.sums) sum = scratch.take<std::int32_t>(2 * kBandRows * hn::Lanes(d32));
  b.num_log = scratch.take<std::int32_t>(limits * hn::Lanes(d32));
  b.num_excess = scratch.take<std::int64_t>(limits);
  b.index = scratch.take<std::uint32_t>(3 * hn::Lanes(d32));
  return b;
}

template <int kScale, Form kForm, class Sample>
void measure_scale(const Job<Sample>& job, Scratch& scratch, std::span<Sums> sums) {
  if (kScale + 1 == kScales && !job.statistics) return;
  const Scratch::Frame frame(scratch);
  const Buffers buffers = take_buffers(scratch, job.gain_limits.size());
  const int width = job.r.width;
  const int strips = (width + kMaxStrip - 1) / kMaxStrip;
  const int n = 2 * static_cast<int>(hn::Lanes(d16));
  const int strip = std::min(kMaxStrip, ((width + strips - 1) / strips + n - 1) / n * n);
  for (int first = 0; first < width; first += strip)
    measure_strip<kScale, kForm>(job, buffers, first, std::min(first + strip, width), sums);
}

Luma take_plane(Scratch& scratch, int width, int height) {
  const auto n = static_cast<int>(hn::Lanes(d16));
  const int stride = (width + n - 1) / n * n + n;
  return {scratch.take<std::int16_t>(static_cast<std::size_t>(stride) *
                                     static_cast<std::size_t>(height)),
          stride, width, height};
}

PlaneView<const std::int16_t> as_const(const Luma& p) {
  return {p.data, p.stride, p.width, p.height};
}

template <Form kForm, class Sample>
void measure(const Picture& reference, const Picture& distorted, const Task& task, Scratch& scratch,
             std::span<Sums> sums) {
  const Scratch::Frame frame(scratch);
  const int depth = reference.format().bit_depth;
  Luma r[kScales], d[kScales];
  for (int s = 1; s < kScales; ++s) {
    r[s] = take_plane(scratch, reference.width(0) >> s, reference.height(0) >> s);
    d[s] = take_plane(scratch, reference.width(0) >> s, reference.height(0) >> s);
  }
  const auto shifts = [&](int s) { return Shifts{mean_shift(s, depth), square_shift(s, depth)}; };
  measure_scale<0, kForm>(
      Job<Sample>{plane_view<Sample>(reference, 0), plane_view<Sample>(distorted, 0), r[1], d[1],
                  shifts(0), task.scale0, task.gain_limits},
      scratch, sums);
  using Decimated = Job<std::int16_t>;
  measure_scale<1, Form::kCentred>(
      Decimated{as_const(r[1]), as_const(d[1]), r[2], d[2], shifts(1), true, task.gain_limits},
      scratch, sums);
  measure_scale<2, Form::kCentred>(
      Decimated{as_const(r[2]), as_const(d[2]), r[3], d[3], shifts(2), true, task.gain_limits},
      scratch, sums);
  measure_scale<3, Form::kCentred>(
      Decimated{as_const(r[3]), as_const(d[3]), {}, {}, shifts(3), true, task.gain_limits}, scratch,
      sums);
}

void measure_picture(const Picture& reference, const Picture& distorted, const Task& task,
                     Scratch& scratch, std::span<Sums> sums) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  // Emulated vectors are slower than the definition, and take minutes to compile.
  static_cast<void>(scratch);
  measure_reference(reference, distorted, task, sums);
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

HWY_EXPORT(measure_picture);

void measure_cpu(const Picture& reference, const Picture& distorted, const Task& task,
                 Scratch& scratch, std::span<Sums> sums) {
  std::fill(sums.begin(), sums.end(), Sums{});
  HWY_DYNAMIC_DISPATCH(measure_picture)(reference, distorted, task, scratch, sums);
}

}  // namespace vmafx::vif
#endif
