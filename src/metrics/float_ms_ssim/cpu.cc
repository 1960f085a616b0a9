// The low-pass filter of MS-SSIM for every instruction set.
#include <algorithm>
#include <array>
#include <cstddef>

#include "base/fixed_vectors.h"
#include "metrics/float_ms_ssim/float_ms_ssim.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_ms_ssim/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "metrics/float_ssim/wide_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::ms_ssim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using float_ssim::HWY_NAMESPACE::DF;
using float_ssim::HWY_NAMESPACE::VF;
using float_ssim::HWY_NAMESPACE::WideSum;

// A mirrored row, split so that equal taps of neighbouring outputs are neighbours: sample
// 2 * (x - 2) + p is at column x of half p.
struct SplitRow {
  float* half[2];
};

float mirrored(const float* row, int index, int size) {
  if (index < 0) return row[-1 - index];
  if (index >= size) return row[2 * size - 1 - index];
  return row[index];
}

void split(const float* row, int width, int columns, const SplitRow& out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x < 2; ++x) {
    for (int p = 0; p < 2; ++p) out.half[p][x] = mirrored(row, 2 * x - kRadius + p, width);
  }
  for (; 2 * x - kRadius + 2 * lanes <= width; x += lanes) {
    VF even;
    VF odd;
    hn::LoadInterleaved2(d, row + 2 * x - kRadius, even, odd);
    hn::StoreU(even, d, out.half[0] + x);
    hn::StoreU(odd, d, out.half[1] + x);
  }
  for (; x < columns; ++x) {
    for (int p = 0; p < 2; ++p) out.half[p][x] = mirrored(row, 2 * x - kRadius + p, width);
  }
}

constexpr auto kLowPassTable = [] {
  std::array<std::array<float, kTaps>, kTaps> table{};
  for (int i = 0; i < kTaps; ++i) {
    for (int j = 0; j < kTaps; ++j)
      table[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = low_pass(i, j);
  }
  return table;
}();

void filter_row(const SplitRow* rows, int width, float* out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    WideSum sum = WideSum::zero();
    for (std::size_t i = 0; i < kTaps; ++i) {
      const float* const even = rows[i].half[0] + x;
      const float* const odd = rows[i].half[1] + x;
      for (std::size_t j = 0; j < kTaps; ++j) {
        const float* const samples = (j % 2 == 0 ? even : odd) + j / 2;
        sum.add(hn::Mul(hn::LoadU(d, samples), hn::Set(d, kLowPassTable[i][j])));
      }
    }
    hn::StoreU(sum.rounded(), d, out + x);
  }
}

void halve_plane(PlaneView<const float> plane, PlaneView<float> out, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  // Columns that the taps of all outputs reach.
  const int columns = out.width + kRadius;
  const auto line = static_cast<std::size_t>(columns) + hn::Lanes(DF());
  SplitRow ring[kTaps];
  for (SplitRow& row : ring) row = {{scratch.take<float>(line), scratch.take<float>(line)}};
  float* const result = scratch.take<float>(line);
  for (SplitRow& row : ring) {
    for (float* half : row.half) std::fill(half, half + line, 0.f);
  }

  int filled = -kRadius;  // the next row, before mirroring
  for (int y = 0; y < out.height; ++y) {
    for (; filled <= 2 * y + kRadius; ++filled) {
      const int row = filled < 0 ? -1 - filled
                                 : (filled < plane.height ? filled : 2 * plane.height - 1 - filled);
      split(plane.row(row), plane.width, columns, ring[(filled + kRadius) % kTaps]);
    }
    SplitRow rows[kTaps];
    for (int i = 0; i < kTaps; ++i) rows[i] = ring[(2 * y + i) % kTaps];
    filter_row(rows, out.width, result);
    std::copy(result, result + out.width, out.row(y));
  }
}

}  // namespace vmafx::ms_ssim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::ms_ssim {

HWY_EXPORT(halve_plane);

void halve(PlaneView<const float> plane, PlaneView<float> out, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(halve_plane)(plane, out, scratch);
}

}  // namespace vmafx::ms_ssim
#endif
