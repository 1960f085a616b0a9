// Hands out parts of a piece of device memory.
#ifndef VMAFX_DEVICE_WORKSPACE_H_
#define VMAFX_DEVICE_WORKSPACE_H_

#include <cstddef>

#include "base/plane.h"

namespace vmafx::device {

// Parts are aligned to 256 bytes. Without memory it only counts, so that one function says both how
// much is needed and what lies where; its pointers must then not be used.
class Workspace {
 public:
  Workspace() = default;
  explicit Workspace(std::byte* memory) : memory_(memory) {}

  template <class T>
  T* take(std::size_t count) {
    constexpr std::size_t kAlignment = 256;
    std::byte* const part = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return reinterpret_cast<T*>(part);
  }
  // Rows begin at multiples of 64 bytes.
  template <class T>
  PlaneView<T> take_plane(int width, int height) {
    constexpr int kSamples = 64 / static_cast<int>(sizeof(T));
    const int stride = (width + kSamples - 1) / kSamples * kSamples;
    return {take<T>(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height)), stride,
            width, height};
  }
  std::size_t used() const { return used_; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t used_ = 0;
};

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_WORKSPACE_H_
