// Sums of samples and of their squares, for devices.
#ifndef VMAFX_METRICS_FLOAT_MOMENT_KERNELS_H_
#define VMAFX_METRICS_FLOAT_MOMENT_KERNELS_H_

#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/float_moment/float_moment.h"

namespace vmafx::float_moment {

// Of both pictures. A group of 32 threads goes along a row, a thread takes kChunk samples.
template <class Sample>
struct SumSamples {
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

  PlaneView<const Sample> planes[2];
  Sums* sums;  // 2

  static device::Grid grid(PlaneView<const Sample> plane) {
    return {device::teams_for(plane.width, kWidth), device::teams_for(plane.height, kHeight), 2};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const PlaneView<const Sample>& plane = planes[team.block().z];
    auto samples = team.template values<std::uint64_t>();
    auto squares = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      const int x = team.block().x * kWidth + thread % device::kGroup * kChunk;
      const int top = team.block().y * kHeight + thread / device::kGroup;
      if (x >= plane.width) return;
      for (int y = top; y < top + kHeight && y < plane.height; y += kRowsAtOnce)
        add_chunk(plane, x, y, samples[thread], squares[thread]);
    });
    const std::uint64_t all_samples = team.sum(samples);
    const std::uint64_t all_squares = team.sum(squares);
    team.leader([&] {
      team.add(&sums[team.block().z].samples, all_samples);
      team.add(&sums[team.block().z].squares, all_squares);
    });
  }

 private:
  // Rows are aligned and padded to whole chunks.
  static VMAFX_PORTABLE void add_chunk(PlaneView<const Sample> plane, int x, int y,
                                       std::uint64_t& samples, std::uint64_t& squares) {
    const Chunk chunk = *reinterpret_cast<const Chunk*>(plane.row(y) + x);
    VMAFX_UNROLL
    for (int i = 0; i < kChunk; ++i) {
      const std::uint32_t sample = x + i < plane.width ? chunk.sample[i] : 0u;
      samples += sample;
      squares += sample * sample;
    }
  }
};

using Kernels = device::KernelList<SumSamples<std::uint8_t>, SumSamples<std::uint16_t>>;

}  // namespace vmafx::float_moment

#endif  // VMAFX_METRICS_FLOAT_MOMENT_KERNELS_H_
