// The blur of motion: what its definition and its kernels share.
#ifndef VMAFX_METRICS_MOTION_FILTER_H_
#define VMAFX_METRICS_MOTION_FILTER_H_

#include <cstdint>

namespace vmafx::motion {

inline constexpr int kTaps = 5;
inline constexpr int kRadius = kTaps / 2;
// Gaussian of standard deviation 1.08, sums to 2^16.
inline constexpr std::int16_t kFilter[kTaps] = {3571, 16004, 26386, 16004, 3571};

// kFilter[k], for devices, which have no address of it.
constexpr std::int32_t tap(int k) {
  constexpr std::int32_t kHalf[kRadius + 1] = {kFilter[0], kFilter[1], kFilter[2]};
  return kHalf[k <= kRadius ? k : kTaps - 1 - k];
}

// Rounds half up, also below zero: the shift is arithmetic. So the sign of the difference (previous
// - current) matters.
constexpr std::int64_t rounded_shift(std::int64_t value, int bits) {
  return (value + (std::int64_t{1} << (bits - 1))) >> bits;
}

}  // namespace vmafx::motion

#endif  // VMAFX_METRICS_MOTION_FILTER_H_
