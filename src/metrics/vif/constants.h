// What the definition and the kernels of VIF share: filters, fixed-point positions, noise.
#ifndef VMAFX_METRICS_VIF_CONSTANTS_H_
#define VMAFX_METRICS_VIF_CONSTANTS_H_

#include <array>
#include <cstdint>

namespace vmafx::vif {

inline constexpr int kScales = 4;

// Gaussian windows of 17, 9, 5 and 3 taps with a standard deviation of a fifth of the width, from
// the centre outwards, in 1/65536. Each window sums to exactly 1, which the kernels rely on.
inline constexpr std::array<int, kScales> kRadius = {8, 4, 2, 1};
inline constexpr std::array<std::array<std::uint16_t, 9>, kScales> kTaps = {{
    {7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489},
    {14692, 12590, 7925, 3663, 1244},
    {26386, 16004, 3571},
    {43728, 10904},
}};

constexpr int tap_sum(int scale) {
  const auto& taps = kTaps[static_cast<std::size_t>(scale)];
  int sum = taps[0];
  for (int k = 1; k <= kRadius[static_cast<std::size_t>(scale)]; ++k)
    sum += 2 * taps[static_cast<std::size_t>(k)];
  return sum;
}
static_assert(tap_sum(0) == 65536 && tap_sum(1) == 65536 && tap_sum(2) == 65536 &&
              tap_sum(3) == 65536);

// After the vertical filter local means have 16 bits with the peak near 2^16, and local mean
// squares 32. Scale 0 gets there from the picture's depth; the planes of the other scales have 16
// bits already.
constexpr int mean_shift(int scale, int depth) { return scale == 0 ? depth : 16; }
constexpr int square_shift(int scale, int depth) { return scale == 0 ? 2 * (depth - 8) : 16; }
// Half a unit of what a right shift drops.
constexpr std::uint32_t rounding(int shift) { return shift == 0 ? 0u : 1u << (shift - 1); }

// Variances are in 1/65536 of the square of an 8-bit step. The visual noise of the paper is 2
// steps^2.
inline constexpr std::int32_t kNoise = 2 << 16;
// Keeps the gain finite: 1e-10 steps^2.
inline constexpr double kVarianceEpsilon = 65536 * 1.0e-10;

}  // namespace vmafx::vif

#endif  // VMAFX_METRICS_VIF_CONSTANTS_H_
