// What the definition and the kernels of floating-point VIF share.
#ifndef VMAFX_METRICS_FLOAT_VIF_DEFINITION_H_
#define VMAFX_METRICS_FLOAT_VIF_DEFINITION_H_

#include <bit>
#include <cmath>
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
// 128 and 128.58, the latter whichever NaN it is.
constexpr float log2_approximate(float x) {
  // Devices have no address of the table above.
  constexpr float kCoefficients[] = {
      kLog2Coefficients[0], kLog2Coefficients[1], kLog2Coefficients[2], kLog2Coefficients[3],
      kLog2Coefficients[4], kLog2Coefficients[5], kLog2Coefficients[6], kLog2Coefficients[7]};
  constexpr std::uint32_t kNan = 0x7fc00000;
  const std::uint32_t bits = x == x ? std::bit_cast<std::uint32_t>(x) : kNan;
  const float exponent = static_cast<float>(static_cast<int>(bits >> 23 & 0xff) - 127);
  const float fraction = std::bit_cast<float>((bits & 0x007fffff) | 0x3f800000) - 1;
  float sum = kCoefficients[0];
  for (int i = 1; i < 8; ++i) sum = sum * fraction + kCoefficients[i];
  return exponent + sum * fraction;
}

// The distorted variance of a flat sample is taken relative to this: the square of a quarter of
// the square of the peak of 255 at the usual noise.
inline float flat_slope(double noise) {
  const float n = static_cast<float>(noise);
  return static_cast<float>(static_cast<double>(n * n) / (255.0 * 255.0));
}

// The variance of the visual noise, and what follows from it.
struct Noise {
  double variance;
  float threshold;  // the smallest float that is not below the variance
  float slope;
  float inverse;
  bool power_of_two;
};

inline Noise make_noise(double variance) {
  float threshold = static_cast<float>(variance);
  if (static_cast<double>(threshold) < variance)
    threshold = std::nextafter(threshold, 2 * threshold + 1);
  int exponent = 0;
  return {variance, threshold, flat_slope(variance), static_cast<float>(1 / variance),
          std::frexp(variance, &exponent) == 0.5};
}

}  // namespace vmafx::float_vif

#endif  // VMAFX_METRICS_FLOAT_VIF_DEFINITION_H_
