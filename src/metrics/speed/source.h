// What SpEED looks at.
#ifndef VMAFX_METRICS_SPEED_SOURCE_H_
#define VMAFX_METRICS_SPEED_SOURCE_H_

#include "base/plane.h"

namespace vmafx::speed {

// The plane with its grey level taken off, or its difference to another plane, in steps of 8 bits.
template <class Sample>
struct Source {
  PlaneView<const Sample> plane;
  PlaneView<const Sample> subtrahend = {};  // without data: 128
  float step = 1;                           // 2^(8 - bit depth)

  // Exact: samples have at most 16 bits.
  constexpr float at(int x, int y) const {
    if (subtrahend.data != nullptr)
      return static_cast<float>(plane.row(y)[x] - subtrahend.row(y)[x]) * step;
    return static_cast<float>(plane.row(y)[x]) * step - 128;
  }
};

// The step of a bit depth.
constexpr float step_of_depth(int bit_depth) {
  return 1 / static_cast<float>(1 << (bit_depth - 8));
}

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_SOURCE_H_
