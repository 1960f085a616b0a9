// CIEDE2000 for devices.
#ifndef VMAFX_METRICS_CIEDE_KERNELS_H_
#define VMAFX_METRICS_CIEDE_KERNELS_H_

#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/ciede/definition.h"
#include "metrics/ciede/difference.h"

namespace vmafx::ciede {

// The sum of each row. A team takes a row, one segment after the other: all threads measure pixels,
// and as many as there are partial sums add the differences of the segment before.
template <class Sample>
struct SumRows {
  static constexpr int kThreads = 128;
  static constexpr int kPixels = 2;  // of a thread in a segment
  static constexpr int kSegment = kPixels * kThreads;
  template <template <class, int> class Array>
  struct Shared {
    Array<float, 2 * kSegment> differences;  // of this segment and the one before
  };

  ColourPlanes<Sample> reference;
  ColourPlanes<Sample> distorted;
  Conversions conversions;
  double* sums;

  static device::Grid grid(int height) { return {height, 1, 1}; }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int y = team.block().x;
    const int width = reference.y.width;
    auto partial = team.template values<double>();
    int side = 0;
    for (int first = 0; first < width; first += kSegment) {
      team.each([&](int thread) {
        for (int i = 0; i < kPixels; ++i) measure(shared, side, first, i * kThreads + thread, y);
        if (first > 0) add_segment(shared, kSegment - side, kSegment, thread, partial[thread]);
      });
      side = kSegment - side;
    }
    const int rest = (width - 1) % kSegment + 1;
    team.each(
        [&](int thread) { add_segment(shared, kSegment - side, rest, thread, partial[thread]); });
    // Pairwise like the definition, after 16 sums of zero.
    static_assert(kPartialSums == device::kGroup / 2);
    team.sum32(partial);
    team.leader([&] { sums[y] = partial[0]; });
  }

 private:
  template <class Shared>
  VMAFX_PORTABLE void measure(Shared& shared, int side, int first, int i, int y) const {
    const int x = first + i;
    if (x >= reference.y.width) return;
    shared.differences[side + i] =
        difference(lab_at(reference, conversions, x, y), lab_at(distorted, conversions, x, y));
  }

  template <class Shared>
  static VMAFX_PORTABLE void add_segment(Shared& shared, int side, int count, int thread,
                                         double& sum) {
    if (thread >= kPartialSums) return;
    for (int i = thread; i < count; i += kPartialSums) {
      const float difference = shared.differences[side + i];
      sum += static_cast<double>(difference);
    }
  }
};

using Kernels = device::KernelList<SumRows<std::uint8_t>, SumRows<std::uint16_t>>;

}  // namespace vmafx::ciede

#endif  // VMAFX_METRICS_CIEDE_KERNELS_H_
