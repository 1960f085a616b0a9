// Sums of samples and squares for every instruction set.
#include "metrics/float_moment/float_moment.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_moment/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_moment::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::Repartition<std::uint64_t, D32>;

// Adds the two 32-bit halves of each 64-bit lane.
HWY_INLINE hn::Vec<D64> add_widened(hn::Vec<D64> sums, hn::Vec<D32> v) {
  const D64 d64;
  const auto pairs = hn::BitCast(d64, v);
  const auto low = hn::And(pairs, hn::Set(d64, 0xffffffffu));
  return hn::Add(sums, hn::Add(low, hn::ShiftRight<32>(pairs)));
}

template <class Sample>
Sums sum_plane(PlaneView<const Sample> plane) {
  const D32 d32;
  const D64 d64;
  const hn::Rebind<Sample, D32> d_sample;
  const int lanes = static_cast<int>(hn::Lanes(d32));
  auto samples = hn::Zero(d64);
  auto squares = hn::Zero(d64);
  Sums rest;
  for (int y = 0; y < plane.height; ++y) {
    const Sample* row = plane.row(y);
    // Samples of 16 bits: 2^16 of them fit 32 bits, and no row has that many in one lane.
    auto row_samples = hn::Zero(d32);
    int x = 0;
    for (; x + lanes <= plane.width; x += lanes) {
      const auto v = hn::PromoteTo(d32, hn::LoadU(d_sample, row + x));
      row_samples = hn::Add(row_samples, v);
      squares = add_widened(squares, hn::Mul(v, v));
    }
    samples = add_widened(samples, row_samples);
    for (; x < plane.width; ++x) {
      const std::uint64_t sample = row[x];
      rest.samples += sample;
      rest.squares += sample * sample;
    }
  }
  rest.samples += hn::GetLane(hn::SumOfLanes(d64, samples));
  rest.squares += hn::GetLane(hn::SumOfLanes(d64, squares));
  return rest;
}

Sums sums8(PlaneView<const std::uint8_t> plane) { return sum_plane(plane); }
Sums sums16(PlaneView<const std::uint16_t> plane) { return sum_plane(plane); }

}  // namespace vmafx::float_moment::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::float_moment {

HWY_EXPORT(sums8);
HWY_EXPORT(sums16);

template <>
Sums sums(PlaneView<const std::uint8_t> plane) {
  return HWY_DYNAMIC_DISPATCH(sums8)(plane);
}

template <>
Sums sums(PlaneView<const std::uint16_t> plane) {
  return HWY_DYNAMIC_DISPATCH(sums16)(plane);
}

}  // namespace vmafx::float_moment
#endif
