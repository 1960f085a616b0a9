// The windows of VIF over rows and columns, in 16-bit pairwise multiply-adds.
//
// Samples lie in pairs, one pair in a 32-bit lane, and a window of 2 n - 1 taps takes n
// multiply-adds. Down the columns a pair is two neighbouring rows; along a row it is two
// neighbouring columns. Even and odd columns are kept apart, so that no result is ever shuffled
// back into order.
#if defined(VMAFX_METRICS_VIF_FILTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_VIF_FILTER_INL_H_
#undef VMAFX_METRICS_VIF_FILTER_INL_H_
#else
#define VMAFX_METRICS_VIF_FILTER_INL_H_
#endif

#include <cstdlib>

#include <hwy/highway.h>

#include "base/simd.h"
#include "metrics/vif/constants.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vmafx::HWY_NAMESPACE::add_pair_products;
using vmafx::HWY_NAMESPACE::keep_in_register;

constexpr hn::ScalableTag<std::int16_t> d16;
constexpr hn::ScalableTag<std::uint16_t> du16;
constexpr hn::ScalableTag<std::int32_t> d32;
constexpr hn::ScalableTag<std::uint32_t> du32;
using V16 = hn::Vec<decltype(d16)>;
using V32 = hn::Vec<decltype(d32)>;

// Rows that are filtered together, so that a loaded pair serves four of them.
constexpr int kBandRows = 4;

template <int kScale>
struct Window {
  static constexpr int kReach = kRadius[kScale];
  // Pairs start at even positions.
  static constexpr int kStart = kReach + kReach % 2;
  static constexpr int kRowPairs = (kStart + kBandRows + kReach + 1) / 2;
  static constexpr int kColumnPairs = (kStart + 2 + kReach + 1) / 2;

  static constexpr int tap(int offset) {
    const int k = offset < 0 ? -offset : offset;
    return k > kReach ? 0 : kTaps[kScale][static_cast<std::size_t>(k)];
  }
};

constexpr std::int32_t tap_pair(int first, int second) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(first) |
                                   static_cast<std::uint32_t>(second) << 16);
}

// The taps of pairs whose first sample is kOffset after the centre of the window.
template <int kScale, int kOffset>
HWY_INLINE V16 taps() {
  constexpr int kFirst = Window<kScale>::tap(kOffset);
  constexpr int kSecond = Window<kScale>::tap(kOffset + 1);
  // A tap that needs 16 bits is applied in two halves.
  constexpr int kDivide = kFirst < 32768 && kSecond < 32768 ? 1 : 2;
  static_assert(kFirst % kDivide == 0 && kSecond % kDivide == 0);
  return keep_in_register(
      hn::BitCast(d16, hn::Set(d32, tap_pair(kFirst / kDivide, kSecond / kDivide))));
}

template <int kScale, int kOffset>
HWY_INLINE V32 add_pairs(V16 pairs, V16 taps, V32 sum) {
  constexpr int kFirst = Window<kScale>::tap(kOffset);
  constexpr int kSecond = Window<kScale>::tap(kOffset + 1);
  if constexpr (kFirst == 0 && kSecond == 0) return sum;
  sum = add_pair_products(d32, pairs, taps, sum);
  if constexpr (kFirst >= 32768 || kSecond >= 32768) sum = add_pair_products(d32, pairs, taps, sum);
  return sum;
}

// Filters down the columns for the four rows of a band. source.even(p) and source.odd(p) give the
// pairs of rows 2 p - kStart and the next, relative to the band's first row.
template <int kScale, int kPair = 0, class Source>
HWY_INLINE void filter_rows(const Source& source, V32& even0, V32& even1, V32& even2, V32& even3,
                            V32& odd0, V32& odd1, V32& odd2, V32& odd3) {
  if constexpr (kPair < Window<kScale>::kRowPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    const V16 even = source.even(kPair);
    const V16 odd = source.odd(kPair);
    const V16 taps0 = taps<kScale, kFirst>();
    even0 = add_pairs<kScale, kFirst>(even, taps0, even0);
    odd0 = add_pairs<kScale, kFirst>(odd, taps0, odd0);
    const V16 taps1 = taps<kScale, kFirst - 1>();
    even1 = add_pairs<kScale, kFirst - 1>(even, taps1, even1);
    odd1 = add_pairs<kScale, kFirst - 1>(odd, taps1, odd1);
    const V16 taps2 = taps<kScale, kFirst - 2>();
    even2 = add_pairs<kScale, kFirst - 2>(even, taps2, even2);
    odd2 = add_pairs<kScale, kFirst - 2>(odd, taps2, odd2);
    const V16 taps3 = taps<kScale, kFirst - 3>();
    even3 = add_pairs<kScale, kFirst - 3>(even, taps3, even3);
    odd3 = add_pairs<kScale, kFirst - 3>(odd, taps3, odd3);
    filter_rows<kScale, kPair + 1>(source, even0, even1, even2, even3, odd0, odd1, odd2, odd3);
  }
}

// The same for every second row, with the window of the next scale over the pairs of this one.
template <int kScale, int kPair = 0, class Source>
HWY_INLINE void filter_even_rows(const Source& source, V32& even0, V32& even2, V32& odd0,
                                 V32& odd2) {
  if constexpr (kPair < Window<kScale>::kRowPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    const V16 even = source.even(kPair);
    const V16 odd = source.odd(kPair);
    const V16 taps0 = taps<kScale + 1, kFirst>();
    even0 = add_pairs<kScale + 1, kFirst>(even, taps0, even0);
    odd0 = add_pairs<kScale + 1, kFirst>(odd, taps0, odd0);
    const V16 taps2 = taps<kScale + 1, kFirst - 2>();
    even2 = add_pairs<kScale + 1, kFirst - 2>(even, taps2, even2);
    odd2 = add_pairs<kScale + 1, kFirst - 2>(odd, taps2, odd2);
    filter_even_rows<kScale, kPair + 1>(source, even0, even2, odd0, odd2);
  }
}

// A line of samples and its sums at even and odd columns.
struct LineSums {
  const std::int16_t* line;
  V32& even;
  V32& odd;
};

template <int kScale, int kFirst>
HWY_INLINE void add_columns(const LineSums& sums, std::ptrdiff_t x, V16 even_taps, V16 odd_taps) {
  const V16 pairs = hn::LoadU(d16, sums.line + x + kFirst);
  sums.even = add_pairs<kScale, kFirst>(pairs, even_taps, sums.even);
  sums.odd = add_pairs<kScale, kFirst - 1>(pairs, odd_taps, sums.odd);
}

// Filters lines along the row, at the columns from `x` on: as many at once as registers allow,
// because they share the loaded taps.
template <int kScale, int kPair = 0, class... Lines>
HWY_INLINE void filter_columns(std::ptrdiff_t x, const Lines&... lines) {
  if constexpr (kPair < Window<kScale>::kColumnPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    const V16 even_taps = taps<kScale, kFirst>();
    const V16 odd_taps = taps<kScale, kFirst - 1>();
    (add_columns<kScale, kFirst>(lines, x, even_taps, odd_taps), ...);
    filter_columns<kScale, kPair + 1>(x, lines...);
  }
}

// The same at even columns only, of one line.
template <int kScale, int kPair = 0>
HWY_INLINE void filter_even_columns(const std::int16_t* line, V32& even) {
  if constexpr (kPair < Window<kScale>::kColumnPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    even = add_pairs<kScale, kFirst>(hn::LoadU(d16, line + kFirst), taps<kScale, kFirst>(), even);
    filter_even_columns<kScale, kPair + 1>(line, even);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_FILTER_INL_H_
