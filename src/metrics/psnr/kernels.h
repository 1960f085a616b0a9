// Sums of squared errors, for devices.
#ifndef VMAFX_METRICS_PSNR_KERNELS_H_
#define VMAFX_METRICS_PSNR_KERNELS_H_

#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/sample_chunks.h"

namespace vmafx::psnr {

template <class Sample>
struct SquaredErrors {
  using Chunks = SampleChunks<Sample>;
  static constexpr int kThreads = Chunks::kThreads;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  PlaneView<const Sample> reference;
  PlaneView<const Sample> distorted;
  std::uint64_t* sum;

  static device::Grid grid(PlaneView<const Sample> plane) { return Chunks::grid(plane, 1); }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto errors = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      Chunks::each(reference, team.block(), thread,
                   [&](int x, int y) { errors[thread] += chunk_errors(x, y); });
    });
    const std::uint64_t total = team.sum(errors);
    team.leader([&] { team.add(sum, total); });
  }

  VMAFX_PORTABLE std::uint64_t chunk_errors(int x, int y) const {
    const auto r = Chunks::load(reference, x, y);
    const auto d = Chunks::load(distorted, x, y);
    std::uint64_t errors = 0;
    VMAFX_UNROLL
    for (int i = 0; i < Chunks::kSize; ++i) {
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
