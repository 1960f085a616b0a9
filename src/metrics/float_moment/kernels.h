// Sums of samples and of their squares, for devices.
#ifndef VMAFX_METRICS_FLOAT_MOMENT_KERNELS_H_
#define VMAFX_METRICS_FLOAT_MOMENT_KERNELS_H_

#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/sample_chunks.h"

namespace vmafx::float_moment {

// Of both pictures.
template <class Sample>
struct SumSamples {
  using Chunks = SampleChunks<Sample>;
  static constexpr int kThreads = Chunks::kThreads;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  PlaneView<const Sample> planes[2];
  Sums* sums;  // 2

  static device::Grid grid(PlaneView<const Sample> plane) { return Chunks::grid(plane, 2); }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const PlaneView<const Sample>& plane = planes[team.block().z];
    auto samples = team.template values<std::uint64_t>();
    auto squares = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      Chunks::each(plane, team.block(), thread,
                   [&](int x, int y) { add_chunk(plane, x, y, samples[thread], squares[thread]); });
    });
    const std::uint64_t all_samples = team.sum(samples);
    const std::uint64_t all_squares = team.sum(squares);
    team.leader([&] {
      team.add(&sums[team.block().z].samples, all_samples);
      team.add(&sums[team.block().z].squares, all_squares);
    });
  }

 private:
  static VMAFX_PORTABLE void add_chunk(PlaneView<const Sample> plane, int x, int y,
                                       std::uint64_t& samples, std::uint64_t& squares) {
    const auto chunk = Chunks::load(plane, x, y);
    VMAFX_UNROLL
    for (int i = 0; i < Chunks::kSize; ++i) {
      const std::uint32_t sample = x + i < plane.width ? chunk.sample[i] : 0u;
      samples += sample;
      squares += sample * sample;
    }
  }
};

using Kernels = device::KernelList<SumSamples<std::uint8_t>, SumSamples<std::uint16_t>>;

}  // namespace vmafx::float_moment

#endif  // VMAFX_METRICS_FLOAT_MOMENT_KERNELS_H_
