// A symmetric window along rows and columns, and the floats that it goes over.
#ifndef VMAFX_BASE_SEPARABLE_H_
#define VMAFX_BASE_SEPARABLE_H_

#include <algorithm>
#include <span>
#include <vector>

#include "vmafx/picture.h"

namespace vmafx::separable {

// Samples are taken around the middle grey of 8 bits, in 8-bit steps.
inline constexpr float kOffset = 128;

// One step of this depth in 8-bit steps: a power of two.
inline float step_of(const PictureFormat& format) {
  return 1 / static_cast<float>(1 << (format.bit_depth - 8));
}

class Window {
 public:
  // Zeros that can be read on both sides of the taps.
  static constexpr int kPadding = 6;

  // An odd number of taps.
  explicit Window(std::span<const float> taps = {})
      : radius_(static_cast<int>(taps.size()) / 2), padded_(taps.size() + 2 * kPadding) {
    std::copy(taps.begin(), taps.end(), padded_.begin() + kPadding);
  }

  int radius() const { return radius_; }
  int size() const { return 2 * radius_ + 1; }
  // From the first to the last.
  const float* taps() const { return padded_.data() + kPadding; }

 private:
  int radius_;
  std::vector<float> padded_;
};

}  // namespace vmafx::separable

#endif  // VMAFX_BASE_SEPARABLE_H_
