// A symmetric window along rows and columns.
#ifndef VMAFX_METRICS_FLOAT_VIF_WINDOW_H_
#define VMAFX_METRICS_FLOAT_VIF_WINDOW_H_

#include <algorithm>
#include <span>
#include <vector>

namespace vmafx::float_vif {

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

}  // namespace vmafx::float_vif

#endif  // VMAFX_METRICS_FLOAT_VIF_WINDOW_H_
