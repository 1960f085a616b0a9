// How a team of a device goes over the samples of a plane where every one counts alike.
#ifndef VMAFX_METRICS_SAMPLE_CHUNKS_H_
#define VMAFX_METRICS_SAMPLE_CHUNKS_H_

#include "base/plane.h"
#include "device/kernel.h"

namespace vmafx {

// A group of 32 threads goes along a row, a thread takes kSize samples at a time.
template <class Sample>
struct SampleChunks {
  static constexpr int kThreads = 256;
  static constexpr int kSize = 16 / static_cast<int>(sizeof(Sample));
  static constexpr int kWidth = device::kGroup * kSize;
  static constexpr int kRowsAtOnce = kThreads / device::kGroup;
  static constexpr int kHeight = 4 * kRowsAtOnce;

  struct alignas(16) Chunk {
    Sample sample[kSize];
  };

  static device::Grid grid(PlaneView<const Sample> plane, int planes) {
    return {device::teams_for(plane.width, kWidth), device::teams_for(plane.height, kHeight),
            planes};
  }

  // visit(x, y) with the first sample of each chunk of the thread.
  template <class Visit>
  static VMAFX_PORTABLE void each(PlaneView<const Sample> plane, device::Grid block, int thread,
                                  const Visit& visit) {
    const int x = block.x * kWidth + thread % device::kGroup * kSize;
    const int top = block.y * kHeight + thread / device::kGroup;
    if (x >= plane.width) return;
    for (int y = top; y < top + kHeight && y < plane.height; y += kRowsAtOnce) visit(x, y);
  }

  // Rows are aligned and padded to whole chunks.
  static VMAFX_PORTABLE Chunk load(PlaneView<const Sample> plane, int x, int y) {
    return *reinterpret_cast<const Chunk*>(plane.row(y) + x);
  }
};

}  // namespace vmafx

#endif  // VMAFX_METRICS_SAMPLE_CHUNKS_H_
