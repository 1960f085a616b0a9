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

#include <cstddef>
#include <cstdint>
#include <utility>

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

// With 32 registers the taps of the longest window fit beside what a loop sums.
#undef VMAFX_VIF_HOLDS_TAPS
#define VMAFX_VIF_HOLDS_TAPS (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)

// Rows that are filtered together, so that a loaded pair serves eight of them.
constexpr int kBandRows = 8;

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

constexpr int next_scale(int scale) { return scale + 1 < kScales ? scale + 1 : scale; }

constexpr std::int32_t tap_pair(int first, int second) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(first) |
                                   static_cast<std::uint32_t>(second) << 16);
}

// A vector for each pair of taps, in memory: a window has more of them than most processors have
// registers, and compilers would make each anew wherever it is used.
template <int kScale>
class Taps {
 public:
  static constexpr int kFirst = -Window<kScale>::kReach - 1;
  static constexpr int kVectors = Window<kScale>::kReach - kFirst + 1;

  static void fill(std::int16_t* memory) {
    for (int offset = kFirst; has(offset); ++offset) {
      const int first = Window<kScale>::tap(offset) / divisor(offset);
      const int second = Window<kScale>::tap(offset + 1) / divisor(offset);
      hn::Store(hn::BitCast(d16, hn::Set(d32, tap_pair(first, second))), d16, memory + at(offset));
    }
  }
  // From what fill() wrote; before a loop, so that registers can hold them.
#if VMAFX_VIF_HOLDS_TAPS
  explicit HWY_INLINE Taps(const std::int16_t* memory)
      : Taps(memory, std::make_integer_sequence<int, kVectors>()) {}
#else
  explicit Taps(const std::int16_t* memory) : memory_(memory) {}
#endif

  // Of a pair whose first sample is kOffset after the centre of the window, zero outside it.
  template <int kOffset>
  HWY_INLINE V16 load() const {
    if constexpr (!has(kOffset)) {
      return hn::Zero(d16);
    } else {
#if VMAFX_VIF_HOLDS_TAPS
      return vectors_[kOffset - kFirst];
#else
      return hn::Load(d16, memory_ + at(kOffset));
#endif
    }
  }
  // The same for several uses.
  template <int kOffset>
  HWY_INLINE V16 load_once() const {
#if VMAFX_VIF_HOLDS_TAPS
    return load<kOffset>();
#else
    return keep_in_register(load<kOffset>());
#endif
  }
  // sum + the products with pairs.
  template <int kOffset>
  HWY_INLINE V32 add(V16 pairs, V32 sum) const {
    return add<kOffset>(pairs, load<kOffset>(), sum);
  }
  template <int kOffset>
  static HWY_INLINE V32 add(V16 pairs, V16 taps, V32 sum) {
    if constexpr (!has(kOffset)) return sum;
    sum = add_pair_products(d32, pairs, taps, sum);
    if constexpr (divisor(kOffset) == 2) sum = add_pair_products(d32, pairs, taps, sum);
    return sum;
  }

 private:
  // Whether such a pair touches the window.
  static constexpr bool has(int offset) {
    return offset >= kFirst && offset <= Window<kScale>::kReach;
  }
  // A tap that needs 16 bits is applied in two halves.
  static constexpr int divisor(int offset) {
    return Window<kScale>::tap(offset) < 32768 && Window<kScale>::tap(offset + 1) < 32768 ? 1 : 2;
  }
  static HWY_INLINE std::size_t at(int offset) {
    return static_cast<std::size_t>(offset - kFirst) * hn::Lanes(d16);
  }

#if VMAFX_VIF_HOLDS_TAPS
  template <int... kIndex>
  HWY_INLINE Taps(const std::int16_t* memory, std::integer_sequence<int, kIndex...> /*all*/)
      : vectors_{hn::Load(d16, memory + at(kFirst + kIndex))...} {}

  V16 vectors_[kVectors];
#else
  const std::int16_t* memory_;
#endif
};

// Filters down one vector of columns for the rows of a band. source(p) gives the pairs of rows
// 2 p - kStart and the next, relative to the band's first row.
template <int kScale, int kPair = 0, class Source>
HWY_INLINE void filter_rows(const Taps<kScale>& taps, const Source& source, V32& row0, V32& row1,
                            V32& row2, V32& row3, V32& row4, V32& row5, V32& row6, V32& row7) {
  if constexpr (kPair < Window<kScale>::kRowPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    const V16 pairs = source(kPair);
    row0 = taps.template add<kFirst>(pairs, row0);
    row1 = taps.template add<kFirst - 1>(pairs, row1);
    row2 = taps.template add<kFirst - 2>(pairs, row2);
    row3 = taps.template add<kFirst - 3>(pairs, row3);
    row4 = taps.template add<kFirst - 4>(pairs, row4);
    row5 = taps.template add<kFirst - 5>(pairs, row5);
    row6 = taps.template add<kFirst - 6>(pairs, row6);
    row7 = taps.template add<kFirst - 7>(pairs, row7);
    filter_rows<kScale, kPair + 1>(taps, source, row0, row1, row2, row3, row4, row5, row6, row7);
  }
}

// The same for every second row, with the window of the next scale over the pairs of this one.
template <int kScale, int kPair = 0, class Source>
HWY_INLINE void filter_even_rows(const Taps<kScale + 1>& taps, const Source& source, V32& row0,
                                 V32& row2, V32& row4, V32& row6) {
  if constexpr (kPair < Window<kScale>::kRowPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    const V16 pairs = source(kPair);
    row0 = taps.template add<kFirst>(pairs, row0);
    row2 = taps.template add<kFirst - 2>(pairs, row2);
    row4 = taps.template add<kFirst - 4>(pairs, row4);
    row6 = taps.template add<kFirst - 6>(pairs, row6);
    filter_even_rows<kScale, kPair + 1>(taps, source, row0, row2, row4, row6);
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
  sums.even = Taps<kScale>::template add<kFirst>(pairs, even_taps, sums.even);
  sums.odd = Taps<kScale>::template add<kFirst - 1>(pairs, odd_taps, sums.odd);
}

// Filters lines along the row, at the columns from `x` on: as many at once as registers allow,
// because they share the loaded taps.
template <int kScale, int kPair = 0, class... Lines>
HWY_INLINE void filter_columns(const Taps<kScale>& taps, std::ptrdiff_t x, const Lines&... lines) {
  if constexpr (kPair < Window<kScale>::kColumnPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    const V16 even_taps = taps.template load_once<kFirst>();
    const V16 odd_taps = taps.template load_once<kFirst - 1>();
    (add_columns<kScale, kFirst>(lines, x, even_taps, odd_taps), ...);
    filter_columns<kScale, kPair + 1>(taps, x, lines...);
  }
}

// The same at even columns only, of one line.
template <int kScale, int kPair = 0>
HWY_INLINE void filter_even_columns(const Taps<kScale>& taps, const std::int16_t* line, V32& even) {
  if constexpr (kPair < Window<kScale>::kColumnPairs) {
    constexpr int kFirst = 2 * kPair - Window<kScale>::kStart;
    even = taps.template add<kFirst>(hn::LoadU(d16, line + kFirst), even);
    filter_even_columns<kScale, kPair + 1>(taps, line, even);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_FILTER_INL_H_
