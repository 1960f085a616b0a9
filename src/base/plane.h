// Typed views of sample rows.
#ifndef VMAFX_BASE_PLANE_H_
#define VMAFX_BASE_PLANE_H_

#include <cstddef>

#include "vmafx/picture.h"

namespace vmafx {

// A rectangle of samples somewhere in memory; T may be const. The stride counts samples.
template <class T>
struct PlaneView {
  T* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;

  T* row(int y) const { return data + static_cast<std::ptrdiff_t>(y) * stride; }
};

// Sample is uint8_t for 8-bit pictures, else uint16_t. The stride of the picture is a multiple of
// the sample size (Picture's makers guarantee it).
template <class Sample>
PlaneView<const Sample> plane_view(const Picture& picture, int plane) {
  return {picture.row<Sample>(plane, 0),
          picture.plane(plane).stride / static_cast<std::ptrdiff_t>(sizeof(Sample)),
          picture.width(plane), picture.height(plane)};
}

// Index reflected at the borders without repeating the border sample (reflect-101): -1 -> 1,
// size -> size - 2. Valid for -size < index < 2 * size - 1.
constexpr int mirror(int index, int size) {
  if (index < 0) return -index;
  if (index >= size) return 2 * size - 2 - index;
  return index;
}

}  // namespace vmafx

#endif  // VMAFX_BASE_PLANE_H_
