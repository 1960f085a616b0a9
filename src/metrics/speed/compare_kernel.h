// From the statistics of two streams to scores, for devices.
#ifndef VMAFX_METRICS_SPEED_COMPARE_KERNEL_H_
#define VMAFX_METRICS_SPEED_COMPARE_KERNEL_H_

#include <cstdint>

#include "device/kernel.h"
#include "metrics/speed/difference.h"

namespace vmafx::speed {

// Of a variant.
struct Comparison {
  float invisible;
  Mode mode;
};

// A team for each variant and plane. The sum over the blocks is one thread's.
struct Compare {
  static constexpr int kThreads = 256;
  template <template <class, int> class Array>
  struct Shared {
    Array<float, kThreads> difference;
  };

  int blocks;
  // [plane][stream][block]
  const float* entropy;
  const float* variance;
  const std::uint32_t* regular;  // [plane][stream]
  const Comparison* comparisons;
  PlaneScore* scores;  // [variant][plane], zero before

  static device::Grid grid(int variants, int planes) { return {variants, planes, 1}; }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const int plane = team.block().y;
    if (regular[2 * plane] == 0 || regular[2 * plane + 1] == 0) return;
    auto& shared = team.shared();
    const Comparison comparison = comparisons[team.block().x];
    auto sum = team.template values<float>();
    for (int first = 0; first < blocks; first += kThreads) {
      const int count = blocks - first < kThreads ? blocks - first : kThreads;
      team.each([&](int thread) {
        if (thread >= count) return;
        const int at = 2 * plane * blocks + first + thread;
        shared.difference[thread] =
            difference({entropy[at], variance[at]}, {entropy[at + blocks], variance[at + blocks]},
                       comparison.invisible, comparison.mode);
      });
      team.each([&](int thread) {
        if (thread != 0) return;
        for (int i = 0; i < count; ++i) sum[thread] += shared.difference[i];
      });
    }
    team.each_last([&](int thread) {
      if (thread == 0)
        scores[team.block().x * team.blocks().y + plane] = {
            sum[thread] / static_cast<float>(blocks), 1};
    });
  }
};

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_COMPARE_KERNEL_H_
