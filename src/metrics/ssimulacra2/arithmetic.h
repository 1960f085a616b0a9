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

// As a double, of a value that is neither negative nor below the normal ones: in integers, for
// devices convert slowly. 0 becomes 2^-127.
constexpr double widened(float positive) {
  constexpr std::uint64_t kRebias = std::uint64_t{1023 - 127} << 52;
  return std::bit_cast<double>((std::uint64_t{std::bit_cast<std::uint32_t>(positive)} << 29) +
                               kRebias);
}

// fused() of such values.
constexpr float fused_positive(double a, float b, float c) {
  return static_cast<float>(a * widened(b) + widened(c));
}

// What is added to the bias is not seen there if it is 2^-127 instead of 0.
template <int kCone>
constexpr float absorbed(const Pixel& light) {
  constexpr double kRed = kAbsorption[kCone][0];
  constexpr double kGreen = kAbsorption[kCone][1];
  constexpr double kBlue = kAbsorption[kCone][2];
  return fused_positive(
      kRed, light.at[0],
      fused_positive(kGreen, light.at[1], fused_positive(kBlue, light.at[2], kBias)));
}

// The cube root of x, which is positive, less that of the bias.
constexpr float response(float x) {
  const double third = widened(kThird * x);
  float r =
      std::bit_cast<float>(kRootGuess - (std::bit_cast<std::int32_t>(x) >> 23) * kRootExponent);
  VMAFX_UNROLL
  for (int i = 0; i < kRootSteps; ++i) {
    const float square = r * r;
    r = fused_positive(-third, square * square, kFourThirds * r);
  }
  const float square = r * r;
  r = fused(kThird, fused_positive(-widened(x), square * square, r), r);
  return static_cast<float>(widened(r * r) * widened(x) - static_cast<double>(kBiasRoot));
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

VMAFX_PORTABLE float edge(float pixel, float mean) { return std::abs(pixel - mean); }

// How much more edge the distorted picture has: above 0 artifacts, below 0 lost detail.
constexpr double edge_difference(float reference, float distorted) {
  return (1.0 + static_cast<double>(distorted)) / (1.0 + static_cast<double>(reference)) - 1.0;
}

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_ARITHMETIC_H_
