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

// Adds the products of pairs whose first sample is kOffset after the centre of the window.
template <int kScale, int kOffset>
HWY_INLINE V32 add_pairs(V16 pairs, V32 sum) {
  constexpr int kFirst = Window<kScale>::tap(kOffset);
  constexpr int kSecond = Window<kScale>::tap(kOffset + 1);
  if constexpr (kFirst == 0 && kSecond == 0) {
    return sum;
  } else if constexpr (kFirst < 32768 && kSecond < 32768) {
    const V16 taps = hn::BitCast(d16, hn::Set(d32, tap_pair(kFirst, kSecond)));
    return add_pair_products(d32, pairs, taps, sum);
  } else {  // a tap that needs 16 bits is applied in two halves
    constexpr int kFirstHalf = kFirst / 2;
    constexpr int kSecondHalf = kSecond / 2;
    const V16 half = hn::BitCast(d16, hn::Set(d32, tap_pair(kFirstHalf, kSecondHalf)));
    const V16 rest =
        hn::BitCast(d16, hn::Set(d32, tap_pair(kFirst - kFirstHalf, kSecond - kSecondHalf)));
    return add_pair_products(d32, pairs, rest, add_pair_products(d32, pairs, half, sum));
  }
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
    even0 = add_pairs<kScale, kFirst>(even, even0);
    odd0 = add_pairs<kScale, kFirst>(odd, odd0);
    even1 = add_pairs<kScale, kFirst - 1>(even, even1);
    odd1 = add_pairs<kScale, kFirst - 1>(odd, odd1);
    even2 = add_pairs<kScale, kFirst - 2>(even, even2);
    odd2 = add_pairs<kScale, kFirst - 2>(odd, odd2);
    even3 = add_pairs<kScale, kFirst - 3>(even, even3);
    odd3 = add_pairs<kScale, kFirst - 3>(odd, odd3);
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
    even0 = add_pairs<kScale + 1, kFirst>(even, even0);
    odd0 = add_pairs<kScale + 1, kFirst>(odd, odd0);
    even2 = add_pairs<kScale + 1, kFirst - 2>(even, even2);
    odd2 = add_pairs<kScale + 1, kFirst - 2>(odd, odd2);
    filter_even_rows<kScale, kPair + 1>(source, even0, even2, odd0, odd2);
  }
}

// Filters two lines along the row, at the columns from `a` and `b` on.
template <int kScale, int kPair = 0>
HWY_INLINE void filter_columns(const std::int16_t* a, const std::int16_t* b, V32& a_even,
                               V32& a_odd, V32& b_even, V32& b_odd) {
  if constexpr (kPair < Window<kScale>::kColumnPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    const V16 a_pairs = hn::LoadU(d16, a + kFirst);
    const V16 b_pairs = hn::LoadU(d16, b + kFirst);
    a_even = add_pairs<kScale, kFirst>(a_pairs, a_even);
    b_even = add_pairs<kScale, kFirst>(b_pairs, b_even);
    a_odd = add_pairs<kScale, kFirst - 1>(a_pairs, a_odd);
    b_odd = add_pairs<kScale, kFirst - 1>(b_pairs, b_odd);
    filter_columns<kScale, kPair + 1>(a, b, a_even, a_odd, b_even, b_odd);
  }
}

// The same at even columns only.
template <int kScale, int kPair = 0>
HWY_INLINE void filter_even_columns(const std::int16_t* a, const std::int16_t* b, V32& a_even,
                                    V32& b_even) {
  if constexpr (kPair < Window<kScale>::kColumnPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    a_even = add_pairs<kScale, kFirst>(hn::LoadU(d16, a + kFirst), a_even);
    b_even = add_pairs<kScale, kFirst>(hn::LoadU(d16, b + kFirst), b_even);
    filter_even_columns<kScale, kPair + 1>(a, b, a_even, b_even);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_FILTER_INL_H_
