// Sums of squared errors for every instruction set.
#include <algorithm>
#include <cstddef>

#include "base/dot_products.h"
#include "metrics/psnr/psnr.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/psnr/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "base/simd.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::psnr::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vmafx::HWY_NAMESPACE::add_pair_products;

using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::Repartition<std::int32_t, D16>;
using D64 = hn::Repartition<std::uint64_t, D16>;
using V64 = hn::Vec<D64>;

// Adds the two 32-bit halves of each 64-bit lane.
template <class V32>
HWY_INLINE V64 add_widened(V64 sums, V32 v) {
  const D64 d64;
  const V64 pairs = hn::BitCast(d64, v);
  const V64 low = hn::And(pairs, hn::Set(d64, 0xffffffffu));
  return hn::Add(sums, hn::Add(low, hn::ShiftRight<32>(pairs)));
}

HWY_INLINE auto difference(const std::uint8_t* a, const std::uint8_t* b) {
  const D16 d;
  const hn::Rebind<std::uint8_t, D16> d8;
  return hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, a)), hn::PromoteTo(d, hn::LoadU(d8, b)));
}

HWY_INLINE auto difference(const std::uint16_t* a, const std::uint16_t* b) {
  const D16 d;
  const hn::RebindToUnsigned<D16> du;
  return hn::BitCast(d, hn::Sub(hn::LoadU(du, a), hn::LoadU(du, b)));
}

// For depths of up to 12 bits: kRun pairs of squares fit 31 bits.
template <class Sample>
std::uint64_t narrow_row(const Sample* a, const Sample* b, int width, V64& sums) {
  constexpr int kRun = 32;
  const D32 d32;
  const int lanes = static_cast<int>(hn::Lanes(D16()));
  int x = 0;
  while (x + lanes <= width) {
    auto run = hn::Zero(d32);
    for (int i = 0; i < kRun && x + lanes <= width; ++i, x += lanes) {
      const auto d = difference(a + x, b + x);
      run = add_pair_products(d32, d, d, run);
    }
    sums = add_widened(sums, run);
  }
  std::uint64_t rest = 0;
  for (; x < width; ++x) {
    const int error = a[x] - b[x];
    rest += static_cast<std::uint64_t>(error * error);
  }
  return rest;
}

// For any depth.
std::uint64_t wide_row(const std::uint16_t* a, const std::uint16_t* b, int width, V64& sums) {
  const hn::RebindToUnsigned<D32> d32;
  const hn::Rebind<std::uint16_t, decltype(d32)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d32));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto va = hn::PromoteTo(d32, hn::LoadU(d16, a + x));
    const auto vb = hn::PromoteTo(d32, hn::LoadU(d16, b + x));
    const auto d = hn::Sub(hn::Max(va, vb), hn::Min(va, vb));
    sums = add_widened(sums, hn::Mul(d, d));
  }
  std::uint64_t rest = 0;
  for (; x < width; ++x) {
    const std::int64_t error = std::int64_t{a[x]} - b[x];
    rest += static_cast<std::uint64_t>(error * error);
  }
  return rest;
}

template <class Sample, class Row>
std::uint64_t sum_rows(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                       Row row) {
  V64 sums = hn::Zero(D64());
  std::uint64_t rest = 0;
  for (int y = 0; y < reference.height; ++y)
    rest += row(reference.row(y), distorted.row(y), reference.width, sums);
  return hn::GetLane(hn::SumOfLanes(D64(), sums)) + rest;
}

std::uint64_t sse8(PlaneView<const std::uint8_t> reference,
                   PlaneView<const std::uint8_t> distorted) {
  return sum_rows(reference, distorted, narrow_row<std::uint8_t>);
}

std::uint64_t sse16(PlaneView<const std::uint16_t> reference,
                    PlaneView<const std::uint16_t> distorted, int bit_depth) {
  return sum_rows(reference, distorted, bit_depth <= 12 ? narrow_row<std::uint16_t> : wide_row);
}

}  // namespace vmafx::psnr::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::psnr {

HWY_EXPORT(sse8);
HWY_EXPORT(sse16);

template <>
std::uint64_t sse(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
                  int /*bit_depth*/) {
  return HWY_DYNAMIC_DISPATCH(sse8)(reference, distorted);
}

template <>
std::uint64_t sse(PlaneView<const std::uint16_t> reference,
                  PlaneView<const std::uint16_t> distorted, int bit_depth) {
  return HWY_DYNAMIC_DISPATCH(sse16)(reference, distorted, bit_depth);
}

}  // namespace vmafx::psnr
#endif
