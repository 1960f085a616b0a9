// The sum of absolute differences of blurred luma, for devices.
#ifndef VMAFX_METRICS_MOTION_KERNELS_H_
#define VMAFX_METRICS_MOTION_KERNELS_H_

#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/motion/filter.h"

namespace vmafx::motion {

// A team takes a tile of kWidth x kHeight pixels: it filters down the columns of the tile and its
// halo, then along the rows.
template <class Sample>
struct BlurredDifferences {
  static constexpr int kThreads = 256;
  static constexpr int kWidth = 64;
  static constexpr int kHeight = 16;
  static constexpr int kWithHalo = kWidth + 2 * kRadius;
  template <template <class, int> class Array>
  struct Shared {
    Array<std::int32_t, kWithHalo * kHeight> vertical;
  };

  PlaneView<const Sample> previous;
  PlaneView<const Sample> current;
  int bit_depth;
  std::uint64_t* sum;

  static device::Grid grid(PlaneView<const Sample> plane) {
    return {device::teams_for(plane.width, kWidth), device::teams_for(plane.height, kHeight), 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int left = team.block().x * kWidth;
    const int top = team.block().y * kHeight;
    team.each([&](int thread) {
      for (int i = thread; i < kWithHalo * kHeight; i += kThreads) {
        const int x = left + i % kWithHalo - kRadius;
        const int y = top + i / kWithHalo;
        if (x < current.width + kRadius && y < current.height)
          shared.vertical[i] = vertical(mirror(x, current.width), y);
      }
    });
    auto differences = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      for (int i = thread; i < kWidth * kHeight; i += kThreads) {
        const int x = i % kWidth;
        const int y = i / kWidth;
        if (left + x >= current.width || top + y >= current.height) continue;
        std::int64_t blurred = 0;
        for (int k = 0; k < kTaps; ++k) {
          const std::int32_t value = shared.vertical[y * kWithHalo + x + k];
          blurred += std::int64_t{tap(k)} * value;
        }
        blurred = rounded_shift(blurred, 16);
        differences[thread] += static_cast<std::uint64_t>(blurred < 0 ? -blurred : blurred);
      }
    });
    const std::uint64_t total = team.sum(differences);
    team.leader([&] { team.add(sum, total); });
  }

  VMAFX_PORTABLE std::int32_t vertical(int x, int y) const {
    std::int64_t blurred = 0;
    for (int k = 0; k < kTaps; ++k) {
      const int row = mirror(y + k - kRadius, current.height);
      const std::int32_t difference =
          static_cast<std::int32_t>(previous.row(row)[x]) - current.row(row)[x];
      blurred += std::int64_t{tap(k)} * difference;
    }
    return static_cast<std::int32_t>(rounded_shift(blurred, bit_depth));
  }
};

using Kernels =
    device::KernelList<BlurredDifferences<std::uint8_t>, BlurredDifferences<std::uint16_t>>;

}  // namespace vmafx::motion

#endif  // VMAFX_METRICS_MOTION_KERNELS_H_
