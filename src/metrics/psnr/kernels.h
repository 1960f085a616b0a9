// Sums of squared errors, for devices.
#ifndef VMAFX_METRICS_PSNR_KERNELS_H_
#define VMAFX_METRICS_PSNR_KERNELS_H_

#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"

namespace vmafx::psnr {

// A group of 32 threads goes along a row, a thread takes kChunk samples.
template <class Sample>
struct SquaredErrors {
  static constexpr int kThreads = 256;
  static constexpr int kChunk = 16 / static_cast<int>(sizeof(Sample));
  static constexpr int kWidth = device::kGroup * kChunk;
  static constexpr int kRowsAtOnce = kThreads / device::kGroup;
  static constexpr int kHeight = 4 * kRowsAtOnce;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  struct alignas(16) Chunk {
    Sample sample[kChunk];
  };

  PlaneView<const Sample> reference;
  PlaneView<const Sample> distorted;
  std::uint64_t* sum;

  static device::Grid grid(PlaneView<const Sample> plane) {
    return {device::teams_for(plane.width, kWidth), device::teams_for(plane.height, kHeight), 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto errors = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      const int x = team.block().x * kWidth + thread % device::kGroup * kChunk;
      const int top = team.block().y * kHeight + thread / device::kGroup;
      if (x >= reference.width) return;
      for (int y = top; y < top + kHeight && y < reference.height; y += kRowsAtOnce)
        errors[thread] += row_errors(x, y);
    });
    const std::uint64_t total = team.sum(errors);
    team.leader([&] { team.add(sum, total); });
  }

  // Rows are aligned and padded to whole chunks.
  VMAFX_PORTABLE std::uint64_t row_errors(int x, int y) const {
    const Chunk r = *reinterpret_cast<const Chunk*>(reference.row(y) + x);
    const Chunk d = *reinterpret_cast<const Chunk*>(distorted.row(y) + x);
    std::uint64_t errors = 0;
    VMAFX_UNROLL
    for (int i = 0; i < kChunk; ++i) {
      const std::int32_t error = static_cast<std::int32_t>(r.sample[i]) - d.sample[i];
      const auto magnitude = static_cast<std::uint32_t>(error < 0 ? -error : error);
      if (x + i < reference.width) errors += magnitude * magnitude;
    }
    return errors;
  }
};

using Kernels = device::KernelList<SquaredErrors<std::uint8_t>, SquaredErrors<std::uint16_t>>;

}  // namespace vmafx::psnr

#endif  // VMAFX_METRICS_PSNR_KERNELS_H_
