// A rectangle of values, for definitions, where clarity goes before speed.
#ifndef VMAFX_BASE_GRID_H_
#define VMAFX_BASE_GRID_H_

#include <cstddef>
#include <vector>

#include "base/plane.h"

namespace vmafx {

template <class T>
class Grid {
 public:
  Grid() = default;
  Grid(int width, int height)
      : width_(width),
        height_(height),
        values_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  int width() const { return width_; }
  int height() const { return height_; }
  T& at(int x, int y) { return values_[index(x, y)]; }
  const T& at(int x, int y) const { return values_[index(x, y)]; }
  // Row by row from the top left.
  const std::vector<T>& values() const { return values_; }
  PlaneView<T> view() { return {values_.data(), width_, width_, height_}; }
  PlaneView<const T> view() const { return {values_.data(), width_, width_, height_}; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_ = 0;
  int height_ = 0;
  std::vector<T> values_;
};

}  // namespace vmafx

#endif  // VMAFX_BASE_GRID_H_
