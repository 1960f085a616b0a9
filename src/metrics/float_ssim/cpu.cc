// The decimation of SSIM for every instruction set.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/fixed_vectors.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/float_ssim/window.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_ssim/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "metrics/float_ssim/wide_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_ssim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sums of rows, as wide as a row of samples plus what mirroring adds at the right. Sums of at most
// 10 x 10 rounded products of samples are exact in double, so that their order is free.
template <class Sample>
void add_row(const Sample* row, int width, VF scale, VF weight, double* sums) {
  const DF d;
  const DD dd;
  const hn::Rebind<Sample, DF> d_sample;
  const hn::Rebind<std::int32_t, DF> d_int;
  const auto weigh = [&](auto samples) HWY_ATTR {
    const VF value = hn::ConvertTo(d, hn::PromoteTo(d_int, samples));
    return hn::Mul(hn::Mul(value, scale), weight);
  };
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int half = lanes / 2;
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const VF product = weigh(hn::LoadU(d_sample, row + x));
    hn::StoreU(hn::Add(hn::LoadU(dd, sums + x), lower_doubles(product)), dd, sums + x);
    hn::StoreU(hn::Add(hn::LoadU(dd, sums + x + half), upper_doubles(product)), dd,
               sums + x + half);
  }
  for (; x < width; ++x) {
    const float value = static_cast<float>(row[x]) * hn::GetLane(scale);
    sums[x] += value * hn::GetLane(weight);
  }
}

template <class Sample>
void decimate_plane(PlaneView<const Sample> plane, int bit_depth, int factor, PlaneView<float> out,
                    Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  const DF d;
  const int before = factor / 2;
  const auto padded = static_cast<std::size_t>(plane.width) + 2 * static_cast<std::size_t>(factor);
  double* const line = scratch.take<double>(padded);
  double* const sums = line + before;
  const VF scale = hn::Set(d, step_of(bit_depth));
  const VF weight = hn::Set(d, 1.f / static_cast<float>(factor * factor));
  for (int y = 0; y < out.height; ++y) {
    std::fill(line, line + padded, 0.0);
    for (int i = 0; i < factor; ++i)
      add_row(plane.row(mirror_repeating(y * factor - before + i, plane.height)), plane.width,
              scale, weight, sums);
    for (int i = 1; i <= before; ++i) sums[-i] = sums[i - 1];
    for (int i = 0; i < factor; ++i) sums[plane.width + i] = sums[std::max(0, plane.width - 1 - i)];
    for (int x = 0; x < out.width; ++x) {
      const double* box = line + static_cast<std::ptrdiff_t>(x) * factor;
      double sum = 0;
      for (int j = 0; j < factor; ++j) sum += box[j];
      out.row(y)[x] = static_cast<float>(sum);
    }
  }
}

void decimate8(PlaneView<const std::uint8_t> plane, int bit_depth, int factor, PlaneView<float> out,
               Scratch& scratch) {
  decimate_plane(plane, bit_depth, factor, out, scratch);
}

void decimate16(PlaneView<const std::uint16_t> plane, int bit_depth, int factor,
                PlaneView<float> out, Scratch& scratch) {
  decimate_plane(plane, bit_depth, factor, out, scratch);
}

}  // namespace vmafx::float_ssim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::float_ssim {

HWY_EXPORT(decimate8);
HWY_EXPORT(decimate16);

template <>
void decimate(PlaneView<const std::uint8_t> plane, int bit_depth, int factor, PlaneView<float> out,
              Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(decimate8)(plane, bit_depth, factor, out, scratch);
}

template <>
void decimate(PlaneView<const std::uint16_t> plane, int bit_depth, int factor, PlaneView<float> out,
              Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(decimate16)(plane, bit_depth, factor, out, scratch);
}

}  // namespace vmafx::float_ssim
#endif
