// Typed views of sample rows.
#ifndef VMAFX_BASE_PLANE_H_
#define VMAFX_BASE_PLANE_H_

#include <cstddef>
#include <type_traits>

#include "base/scratch.h"
#include "vmafx/picture.h"

namespace vmafx {

// A rectangle of samples somewhere in memory; T may be const. The stride counts samples.
template <class T>
struct PlaneView {
  T* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;

  constexpr T* row(int y) const { return data + static_cast<std::ptrdiff_t>(y) * stride; }
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator PlaneView<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, stride, width, height};
  }
};

// Sample is uint8_t for 8-bit pictures, else uint16_t. The stride of the picture is a multiple of
// the sample size (Picture's makers guarantee it).
template <class Sample>
PlaneView<const Sample> plane_view(const Picture& picture, int plane) {
  return {picture.row<Sample>(plane, 0),
          picture.plane(plane).stride / static_cast<std::ptrdiff_t>(sizeof(Sample)),
          picture.width(plane), picture.height(plane)};
}

// Working memory for a plane whose rows begin at multiples of `margin` samples, and past whose rows
// vector loops may run by as many.
template <class T>
PlaneView<T> take_plane(Scratch& scratch, int width, int height, int margin) {
  const int stride = (width + margin - 1) / margin * margin + margin;
  return {scratch.take<T>(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height)),
          stride, width, height};
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
