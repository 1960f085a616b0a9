// The planes of MS-SSIM's scales, for devices. What is compared on them is in float_ssim.
#ifndef VMAFX_METRICS_FLOAT_MS_SSIM_KERNELS_H_
#define VMAFX_METRICS_FLOAT_MS_SSIM_KERNELS_H_

#include <algorithm>
#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/float_ms_ssim/low_pass.h"
#include "metrics/float_ssim/kernels.h"

namespace vmafx::float_ms_ssim {

using float_ssim::mirror_repeating;
using float_ssim::narrow;
using float_ssim::widen;
using ms_ssim::kRadius;
using ms_ssim::kTaps;
using ms_ssim::low_pass;

// Of both pictures.
inline constexpr int kMaxPlanes = 6;

// A team makes a tile of kWidth x kHeight samples, a thread kRun of them, one below another. Planes
// are along z.
template <class Sample, bool kSigned>
struct Halve {
  static constexpr int kThreads = 128;
  static constexpr int kWidth = device::kGroup;
  static constexpr int kRun = 4;
  static constexpr int kHeight = kThreads / kWidth * kRun;
  // Of the plane that is halved.
  static constexpr int kRows = 2 * (kHeight - 1) + kTaps;
  static constexpr int kPairs = kWidth + kRadius;

  // Neighbours in a row, the first one in an even column: neighbouring threads read neighbours.
  struct alignas(8) Pair {
    float even;
    float odd;
  };
  template <template <class, int> class Array>
  struct Shared {
    Array<Pair, kPairs * kRows> samples;
  };

  PlaneView<const Sample> plane[kMaxPlanes];
  PlaneView<float> out[kMaxPlanes];
  float step;  // of samples, in steps of 8 bits

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const PlaneView<const Sample>& from = plane[team.block().z];
    const PlaneView<float>& to = out[team.block().z];
    const int left = team.block().x * kWidth;
    const int top = team.block().y * kHeight;
    if (left >= to.width || top >= to.height) return;
    team.each([&](int thread) {
      for (int i = thread; i < kPairs * kRows; i += kThreads) {
        const int x = 2 * (left + i % kPairs) - kRadius;
        const Sample* const row = from.row(inside(2 * top - kRadius + i / kPairs, from.height));
        shared.samples[i] = Pair{static_cast<float>(row[inside(x, from.width)]) * step,
                                 static_cast<float>(row[inside(x + 1, from.width)]) * step};
      }
    });
    team.each_last([&](int thread) {
      const int column = thread % kWidth;
      const int row = thread / kWidth * kRun;
      double sums[kRun] = {};
      filter(shared, 2 * row * kPairs + column, sums);
      VMAFX_UNROLL
      for (int i = 0; i < kRun; ++i) {
        if (left + column < to.width && top + row + i < to.height)
          to.row(top + row + i)[left + column] = narrow(sums[i]);
      }
    });
  }

 private:
  // Mirrored, and some sample for indices that are too large: nothing is made of them.
  static VMAFX_PORTABLE int inside(int index, int size) {
    return std::max(mirror_repeating(index, size), 0);
  }

  // Each sum takes its taps row by row.
  template <class Shared>
  static VMAFX_PORTABLE void filter(Shared& shared, int first, double (&sums)[kRun]) {
    VMAFX_UNROLL
    for (int y = 0; y < 2 * (kRun - 1) + kTaps; ++y) {
      float row[kTaps + 1];
      VMAFX_UNROLL
      for (int i = 0; i <= kRadius; ++i) {
        const Pair pair = shared.samples[first + y * kPairs + i];
        row[2 * i] = pair.even;
        row[2 * i + 1] = pair.odd;
      }
      VMAFX_UNROLL
      for (int i = 0; i < kRun; ++i) {
        const int down = y - 2 * i;
        if (down >= 0 && down < kTaps) add_row(row, down, sums[i]);
      }
    }
  }

  static VMAFX_PORTABLE void add_row(const float* row, int down, double& sum) {
    VMAFX_UNROLL
    for (int k = 0; k < kTaps; ++k) {
      const float tap = low_pass(down, k);
      if constexpr (kSigned) {
        sum += widen<true>(row[k] * tap);
      } else if (tap < 0) {
        sum -= widen<false>(row[k] * -tap);
      } else {
        sum += widen<false>(row[k] * tap);
      }
    }
  }
};

using Kernels = device::KernelList<Halve<std::uint8_t, false>, Halve<std::uint16_t, false>,
                                   Halve<float, true>, float_ssim::CompareWindows<float, true>>;

}  // namespace vmafx::float_ms_ssim

#endif  // VMAFX_METRICS_FLOAT_MS_SSIM_KERNELS_H_
