// Which samples of a plane, with which weights, lie behind each tap of the anti-alias filter.
#ifndef VMAFX_METRICS_SPEED_AXIS_H_
#define VMAFX_METRICS_SPEED_AXIS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/scaling.h"

namespace vmafx::speed {

// One direction, x or y. Only every 16th filtered sample is wanted; tap k of output j looks at the
// scaled sample 16 j + k - taps / 2, mirrored at the borders, and that is a weighted sum of
// `points` samples of the plane.
struct Axis {
  int outputs = 0;
  int taps = 0;
  int points = 0;
  // Entries from a point to the next: outputs * taps, rounded up to whole vectors, and a spare one
  // of zeros.
  std::size_t pitch = 0;
  std::vector<std::int32_t> position;  // [point][tap][output], in the plane
  std::vector<float> weight;

  std::size_t index(int point, int tap, int output) const {
    return static_cast<std::size_t>(point) * pitch +
           static_cast<std::size_t>(tap * outputs + output);
  }
};

Axis make_axis(Scaling scaling, int size, int scaled_size, int taps);

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_AXIS_H_
