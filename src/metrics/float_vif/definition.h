// What the definition and the kernels of floating-point VIF share.
#ifndef VMAFX_METRICS_FLOAT_VIF_DEFINITION_H_
#define VMAFX_METRICS_FLOAT_VIF_DEFINITION_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace vmafx::float_vif {

// Variances below this count as none.
inline constexpr float kVarianceEpsilon = 1e-10f;

// log2(1 + x) for x in 0..1, from the highest power of x to the first, within 2e-5.
inline constexpr float kLog2Coefficients[] = {
    -0.012671635276421f, 0.064841182402670f, -0.157048836463065f, 0.257167726303123f,
    -0.353800560300520f, 0.480131410397451f, -0.721314327952201f, 1.442694803896991f};

// Which is what libvmaf takes for the logarithm of x >= 1. Infinity and NaN have an exponent too:
// 128 and 128.58.
inline float log2_approximate(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const float exponent = static_cast<float>(static_cast<int>(bits >> 23 & 0xff) - 127);
  const float fraction = std::bit_cast<float>((bits & 0x007fffff) | 0x3f800000) - 1;
  float sum = kLog2Coefficients[0];
  for (std::size_t i = 1; i < std::size(kLog2Coefficients); ++i)
    sum = sum * fraction + kLog2Coefficients[i];
  return exponent + sum * fraction;
}

// The distorted variance of a flat sample is taken relative to this: the square of a quarter of
// the square of the peak of 255 at the usual noise.
inline float flat_slope(double noise) {
  const float n = static_cast<float>(noise);
  return static_cast<float>(static_cast<double>(n * n) / (255.0 * 255.0));
}

}  // namespace vmafx::float_vif

#endif  // VMAFX_METRICS_FLOAT_VIF_DEFINITION_H_
