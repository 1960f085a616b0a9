// What reference.cc and the kernels of devices compute for a pixel or a step of the blur.
#ifndef VMAFX_METRICS_SSIMULACRA2_ARITHMETIC_H_
#define VMAFX_METRICS_SSIMULACRA2_ARITHMETIC_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/portable.h"
#include "metrics/ssimulacra2/definition.h"

namespace vmafx::ssimulacra2 {

// Red, green, blue or X, Y, B - Y.
struct Pixel {
  float at[kChannels];
};

// Of luma from 0 to 1, and chroma in units of the interpolation.
constexpr Pixel rgb_of_yuv(const Conversion& c, float luma, float u, float v) {
  const auto clamped = [](float value) { return std::min(std::max(value, 0.0f), 1.0f); };
  return {{clamped(luma + v * c.red_v), clamped(luma + (u * c.green_u + v * c.green_v)),
           clamped(luma + u * c.blue_u)}};
}

// sRGB of YUV to light.
constexpr float light_of_yuv(float srgb) {
  constexpr float kAbove[] = {kCurveNumerator[0], kCurveNumerator[1], kCurveNumerator[2],
                              kCurveNumerator[3], kCurveNumerator[4]};
  constexpr float kBelow[] = {kCurveDenominator[0], kCurveDenominator[1], kCurveDenominator[2],
                              kCurveDenominator[3], kCurveDenominator[4]};
  if (!(srgb > kCurveStart)) return srgb * kLineSlope;
  float numerator = kAbove[4];
  float denominator = kBelow[4];
  VMAFX_UNROLL
  for (int i = 3; i >= 0; --i) {
    numerator = numerator * srgb + kAbove[i];
    denominator = denominator * srgb + kBelow[i];
  }
  return numerator / denominator;
}

// The mean of two by two pixels.
constexpr float mean_of_four(float upper_left, float upper_right, float lower_left,
                             float lower_right) {
  return (((upper_left + upper_right) + lower_left) + lower_right) * 0.25f;
}

template <int kCone>
constexpr float absorbed(const Pixel& light) {
  constexpr float kRed = kAbsorption[kCone][0];
  constexpr float kGreen = kAbsorption[kCone][1];
  constexpr float kBlue = kAbsorption[kCone][2];
  return std::max(
      fused(kRed, light.at[0], fused(kGreen, light.at[1], fused(kBlue, light.at[2], kBias))), 0.0f);
}

// The cube root of x, which is not negative, less that of the bias.
constexpr float response(float x) {
  const float third = kThird * x;
  const auto bits = std::bit_cast<std::int32_t>(x);
  float r = std::bit_cast<float>(bits == 0 ? 0 : kRootGuess - (bits >> 23) * kRootExponent);
  VMAFX_UNROLL
  for (int i = 0; i < kRootSteps; ++i) {
    const float square = r * r;
    r = fused(-third, square * square, kFourThirds * r);
  }
  const float square = r * r;
  r = fused(kThird, fused(-x, square * square, r), r);
  return fused(r * r, x, -kBiasRoot);
}

constexpr Pixel xyb_of_light(const Pixel& light) {
  const float long_cone = response(absorbed<0>(light));
  const float medium_cone = response(absorbed<1>(light));
  const float short_cone = response(absorbed<2>(light));
  const float x = 0.5f * (long_cone - medium_cone);
  const float y = 0.5f * (long_cone + medium_cone);
  return {{x * kXScale + kXOffset, y + kYOffset, (short_cone - y) + kBOffset}};
}

// The step of a recursion, of floats. The result is a float, but for values that are too small for
// one, which pictures do not lead to.
constexpr double recursion(double a, double b, double c) {
  return round_to_float_precision(a * b + c);
}

// SSIM without its luminance denominator.
constexpr float structure(float mean1, float mean2, float square1, float square2, float both) {
  const float difference = mean1 - mean2;
  const float luminance = 1.0f - difference * difference;
  const float numerator = luminance * (2.0f * (both - mean1 * mean2) + kC2);
  const float denominator = ((square1 - mean1 * mean1) + (square2 - mean2 * mean2)) + kC2;
  return denominator > kLeastDenominator ? numerator / denominator : 1.0f;
}

constexpr double structure_error(float structure) {
  return std::max(1.0 - static_cast<double>(structure), 0.0);
}

// How much more edge the distorted picture has: above 0 artifacts, below 0 lost detail.
VMAFX_PORTABLE double edge_difference(float pixel1, float mean1, float pixel2, float mean2) {
  return (1.0 + static_cast<double>(std::abs(pixel2 - mean2))) /
             (1.0 + static_cast<double>(std::abs(pixel1 - mean1))) -
         1.0;
}

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_ARITHMETIC_H_
