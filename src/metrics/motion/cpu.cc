// Motion for every instruction set. A row of the picture at a time: the difference of a row enters
// a ring of five, the vertical filter reads the ring, the horizontal filter reads one line; all of
// it stays in L1.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <type_traits>

#include "base/dot_products.h"
#include "base/part_sums.h"
#include "base/row_parts.h"
#include "metrics/motion/motion.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/motion/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "base/simd.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::motion::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vmafx::HWY_NAMESPACE::add_pair_products;
using vmafx::HWY_NAMESPACE::pair_products;

using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::Repartition<std::int32_t, D16>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

// The pair (low, high) in every 32-bit lane.
HWY_INLINE V16 tap_pair(std::int16_t low, std::int16_t high) {
  const D32 d32;
  const auto bits = static_cast<std::uint32_t>(static_cast<std::uint16_t>(low)) |
                    static_cast<std::uint32_t>(static_cast<std::uint16_t>(high)) << 16;
  return hn::BitCast(D16(), hn::Set(d32, static_cast<std::int32_t>(bits)));
}

// A filtered value v of up to 17 bits with sign is kept as two 16-bit numbers, v = 2 * half + odd,
// so that 16-bit multiplications do: floor((2H + O + r) / 2^n) = floor((H + floor((O + r) / 2)) /
// 2^(n-1)), where H and O are the filtered halves and odds. |H| stays below 2^31 because the taps
// sum to 2^16.
struct Line {
  std::int16_t* half;
  std::int16_t* odd;
};

// d[x] = previous[x] - current[x]; for depths above 14 bits split as in Line.
template <bool kWide>
void difference_row(const std::uint16_t* HWY_RESTRICT previous,
                    const std::uint16_t* HWY_RESTRICT current, int width, Line out) {
  const D16 d;
  const hn::RebindToUnsigned<D16> du;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto p = hn::LoadU(du, previous + x);
    const auto c = hn::LoadU(du, current + x);
    if constexpr (kWide) {
      // The difference has 17 bits: halve each sample first, and borrow where only c was odd.
      const auto odd = hn::And(hn::Xor(p, c), hn::Set(du, 1));
      const auto half = hn::Sub(hn::Sub(hn::ShiftRight<1>(p), hn::ShiftRight<1>(c)),
                                hn::And(hn::AndNot(p, c), hn::Set(du, 1)));
      hn::Store(hn::BitCast(d, half), d, out.half + x);
      hn::Store(hn::BitCast(d, odd), d, out.odd + x);
    } else {
      hn::Store(hn::BitCast(d, hn::Sub(p, c)), d, out.half + x);
    }
  }
  for (; x < width; ++x) {
    const int diff = previous[x] - current[x];
    out.half[x] = static_cast<std::int16_t>(kWide ? diff >> 1 : diff);
    if constexpr (kWide) out.odd[x] = static_cast<std::int16_t>(diff & 1);
  }
}

template <bool kWide>
void difference_row(const std::uint8_t* HWY_RESTRICT previous,
                    const std::uint8_t* HWY_RESTRICT current, int width, Line out) {
  const D16 d;
  const hn::Rebind<std::uint8_t, D16> d8;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto p = hn::PromoteTo(d, hn::LoadU(d8, previous + x));
    const auto c = hn::PromoteTo(d, hn::LoadU(d8, current + x));
    hn::Store(hn::Sub(p, c), d, out.half + x);
  }
  for (; x < width; ++x) out.half[x] = static_cast<std::int16_t>(previous[x] - current[x]);
}

// Vectors are filtered in two parts: the halves of each block of eight samples, or, where vectors
// are scalable and what packs them takes turns between its arguments, the even and the odd samples.
// pair_samples() puts those of one part beside each other, join_parts() makes 16-bit samples of the
// sums of both parts.
template <bool kSecond>
HWY_INLINE V16 pair_samples(V16 a, V16 b) {
  const D16 d;
#if HWY_HAVE_SCALABLE
  const hn::RebindToUnsigned<D32> du32;
  if constexpr (kSecond)
    return hn::OddEven(b, hn::BitCast(d, hn::ShiftRight<16>(hn::BitCast(du32, a))));
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<16>(hn::BitCast(du32, b))), a);
#else
  return kSecond ? hn::InterleaveUpper(d, a, b) : hn::InterleaveLower(d, a, b);
#endif
}

HWY_INLINE V16 join_parts(V32 first, V32 second) {
  const D16 d;
#if HWY_HAVE_SCALABLE
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<16>(second)), hn::BitCast(d, first));
#else
  return hn::ReorderDemote2To(d, first, second);
#endif
}

// One part of five rows, filtered.
template <bool kSecond>
HWY_INLINE V32 filter_rows(V16 row0, V16 row1, V16 row2, V16 row3, V16 row4, V16 taps01, V16 taps23,
                           V16 taps4) {
  const D32 d32;
  V32 sum = pair_products(d32, pair_samples<kSecond>(row0, row1), taps01);
  sum = add_pair_products(d32, pair_samples<kSecond>(row2, row3), taps23, sum);
  return add_pair_products(d32, pair_samples<kSecond>(row4, hn::Zero(D16())), taps4, sum);
}

// Returns true if any value of the filtered line is not zero. Lines may be written past `width`.
template <bool kWide>
bool vertical(const Line (&ring)[kTaps], int width, int bit_depth, Line out) {
  const D16 d;
  const D32 d32;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const V16 taps01 = tap_pair(kFilter[0], kFilter[1]);
  const V16 taps23 = tap_pair(kFilter[2], kFilter[3]);
  const V16 taps4 = tap_pair(kFilter[4], 0);
  const V32 round = hn::Set(d32, 1 << (bit_depth - 1));
  const V32 one = hn::Set(d32, 1);
  V16 seen = hn::Zero(d);
  for (int x = 0; x < width; x += lanes) {
    // No array of vectors, since those of SVE have no size.
    const auto filter = [&](auto second, std::int16_t* Line::* part) HWY_ATTR {
      const auto row = [&](int k) HWY_ATTR { return hn::Load(d, ring[k].*part + x); };
      return filter_rows<decltype(second)::value>(row(0), row(1), row(2), row(3), row(4), taps01,
                                                  taps23, taps4);
    };
    const auto finish = [&](V32 half_sum, V32 odd_sum) {
      if constexpr (kWide) {
        const V32 carry = hn::ShiftRight<1>(hn::Add(odd_sum, round));
        return hn::ShiftRightSame(hn::Add(half_sum, carry), bit_depth - 1);
      } else {
        return hn::ShiftRightSame(hn::Add(half_sum, round), bit_depth);
      }
    };
    V32 odd_first = hn::Zero(d32);
    V32 odd_second = hn::Zero(d32);
    if constexpr (kWide) {
      odd_first = filter(std::false_type(), &Line::odd);
      odd_second = filter(std::true_type(), &Line::odd);
    }
    const V32 first = finish(filter(std::false_type(), &Line::half), odd_first);
    const V32 second = finish(filter(std::true_type(), &Line::half), odd_second);
    const V16 half = join_parts(hn::ShiftRight<1>(first), hn::ShiftRight<1>(second));
    const V16 odd = join_parts(hn::And(first, one), hn::And(second, one));
    hn::Store(half, d, out.half + x);
    hn::Store(odd, d, out.odd + x);
    seen = hn::Or(seen, hn::Or(half, odd));
  }
  return !hn::AllTrue(d, hn::Eq(seen, hn::Zero(d)));
}

// x = -2..-1 and width..width + 1.
void reflect(std::int16_t* line, int width) {
  for (int k = 1; k <= kRadius; ++k) {
    line[-k] = line[k];
    line[width - 1 + k] = line[width - 1 - k];
  }
}

std::uint64_t horizontal(Line line, int width) {
  const D16 d;
  const D32 d32;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const V16 taps01 = tap_pair(kFilter[0], kFilter[1]);
  const V16 taps23 = tap_pair(kFilter[2], kFilter[3]);
  const V16 taps4 = tap_pair(kFilter[4], 0);
  const V32 round = hn::Set(d32, 1 << 15);
  const auto filter = [&](const std::int16_t* from) {
    V32 sum = pair_products(d32, hn::LoadU(d, from), taps01);
    sum = add_pair_products(d32, hn::LoadU(d, from + 2), taps23, sum);
    return add_pair_products(d32, hn::LoadU(d, from + 4), taps4, sum);
  };
  // Even and odd pixels at a time; their absolute values only meet in the sum.
  V32 sums = hn::Zero(d32);
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    for (int phase = 0; phase < 2; ++phase) {
      const std::ptrdiff_t from = x + phase - kRadius;
      const V32 carry = hn::ShiftRight<1>(hn::Add(filter(line.odd + from), round));
      sums = hn::Add(sums, hn::Abs(hn::ShiftRight<15>(hn::Add(filter(line.half + from), carry))));
    }
  }
  std::int64_t rest = 0;
  for (; x < width; ++x) {
    std::int64_t sum = 0;
    for (int k = 0; k < kTaps; ++k) {
      const std::ptrdiff_t i = x + k - kRadius;
      sum += std::int64_t{kFilter[k]} * (2 * line.half[i] + line.odd[i]);
    }
    rest += std::llabs((sum + (1 << 15)) >> 16);
  }
  // A lane holds at most 2 * 32768 / lanes values below 2^16: the sum of all lanes fits 32 bits
  // unsigned.
  const auto total = hn::GetLane(hn::SumOfLanes(d32, sums));
  return static_cast<std::uint32_t>(total) + static_cast<std::uint64_t>(rest);
}

template <bool kWide, class Sample>
std::uint64_t sad_impl(PlaneView<const Sample> previous, PlaneView<const Sample> current,
                       int bit_depth, RowParts::Rows part, Scratch& scratch) {
  const int width = current.width;
  const int height = current.height;
  // Of a vector, and of what a line is aligned to.
  constexpr int kMargin = static_cast<int>(
      std::max<std::size_t>(Scratch::kAlignment, HWY_MAX_BYTES) / sizeof(std::int16_t));
  const auto take_line = [&] {
    // Vertical reads whole vectors: lines are cleared so that what lies past the width is defined.
    const auto count = static_cast<std::size_t>(width) + 2 * kMargin;
    auto* p = scratch.take<std::int16_t>(count + kMargin);
    std::fill_n(p, count + kMargin, std::int16_t{0});
    return p + kMargin;
  };
  Line rows[kTaps];
  for (Line& row : rows) row = {take_line(), kWide ? take_line() : nullptr};
  const Line filtered = {take_line(), take_line()};

  const auto load = [&](int y) {
    const int row = mirror(y, height);
    difference_row<kWide>(previous.row(row), current.row(row), width, rows[(y + kRadius) % kTaps]);
  };
  for (int y = part.begin - kRadius; y < part.begin + kRadius; ++y) load(y);
  std::uint64_t sum = 0;
  for (int y = part.begin; y < part.end; ++y) {
    load(y + kRadius);
    Line window[kTaps];
    for (int k = 0; k < kTaps; ++k) window[k] = rows[(y + k) % kTaps];
    if (!vertical<kWide>(window, width, bit_depth, filtered)) continue;
    reflect(filtered.half, width);
    reflect(filtered.odd, width);
    sum += horizontal(filtered, width);
  }
  return sum;
}

std::uint64_t sad8(PlaneView<const std::uint8_t> previous, PlaneView<const std::uint8_t> current,
                   RowParts::Rows part, Scratch& scratch) {
  return sad_impl<false>(previous, current, 8, part, scratch);
}

std::uint64_t sad16(PlaneView<const std::uint16_t> previous, PlaneView<const std::uint16_t> current,
                    int bit_depth, RowParts::Rows part, Scratch& scratch) {
  // Up to 15 bits a difference fits 16 bits with sign.
  return bit_depth <= 15 ? sad_impl<false>(previous, current, bit_depth, part, scratch)
                         : sad_impl<true>(previous, current, bit_depth, part, scratch);
}

}  // namespace vmafx::motion::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::motion {

HWY_EXPORT(sad8);
HWY_EXPORT(sad16);

namespace {

// sad_of_part(rows, scratch) of all parts.
template <class SadOfPart>
std::uint64_t sum_of_parts(int height, Scratch& scratch, Crew* crew, const SadOfPart& sad_of_part) {
  const RowParts parts(0, height);
  std::uint64_t sum = 0;
  sum_parts<std::uint64_t>(
      crew, scratch, parts.count(), 1,
      [&](int part, Scratch& own, std::span<std::uint64_t> of_part) {
        of_part[0] = sad_of_part(parts[part], own);
      },
      [&](std::size_t /*index*/, std::uint64_t of_part) { sum += of_part; });
  return sum;
}

}  // namespace

template <>
std::uint64_t sad(PlaneView<const std::uint8_t> previous, PlaneView<const std::uint8_t> current,
                  int /*bit_depth*/, Scratch& scratch, Crew* crew) {
  return sum_of_parts(current.height, scratch, crew, [&](RowParts::Rows rows, Scratch& own) {
    return HWY_DYNAMIC_DISPATCH(sad8)(previous, current, rows, own);
  });
}

template <>
std::uint64_t sad(PlaneView<const std::uint16_t> previous, PlaneView<const std::uint16_t> current,
                  int bit_depth, Scratch& scratch, Crew* crew) {
  return sum_of_parts(current.height, scratch, crew, [&](RowParts::Rows rows, Scratch& own) {
    return HWY_DYNAMIC_DISPATCH(sad16)(previous, current, bit_depth, rows, own);
  });
}

}  // namespace vmafx::motion
#endif
