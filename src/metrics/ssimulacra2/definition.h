// The numbers of the metric, which reference.cc and cpu.cc share.
//
// Sources: the metric is cloudinary/ssimulacra2 81feacf (version 2.1); XYB and the transfer curve
// are those of libjxl; the blur is D. Charalampidis, "Recursive Implementation of the Gaussian
// Filter Using Truncated Cosine Functions", IEEE Transactions on Signal Processing 64(14), 2016.
#ifndef VMAFX_METRICS_SSIMULACRA2_DEFINITION_H_
#define VMAFX_METRICS_SSIMULACRA2_DEFINITION_H_

#include <array>
#include <bit>
#include <cstdint>

#include "metrics/ssimulacra2/ssimulacra2.h"

namespace vmafx::ssimulacra2 {

// Errors of a row are summed in this many interleaved partial sums.
inline constexpr int kPartialSums = 16;

// sRGB (IEC 61966-2-1) to light: a line, above kCurveStart a quotient of polynomials, lowest power
// first, within 5e-7 of the curve.
inline constexpr float kCurveStart = 0.04045f;
inline constexpr float kLineSlope = 1.0f / 12.92f;
inline constexpr float kCurveNumerator[] = {2.200248328e-04f, 1.043637593e-02f, 1.624820318e-01f,
                                            7.961564959e-01f, 8.210152774e-01f};
inline constexpr float kCurveDenominator[] = {2.631846970e-01f, 1.076976492e+00f, 4.987528350e-01f,
                                              -5.512498495e-02f, 6.521209011e-03f};

// A product and a sum that are rounded once.
constexpr float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
}

// The curve with the roundings of the public implementation, which matter for pictures that both
// can read. Light of YUV has no such counterpart, and plain sums and products.
constexpr float light_of_rgb(float srgb) {
  if (!(srgb > kCurveStart)) return srgb * kLineSlope;
  float numerator = kCurveNumerator[4];
  float denominator = kCurveDenominator[4];
  for (int i = 3; i >= 0; --i) {
    numerator = fused(numerator, srgb, kCurveNumerator[i]);
    denominator = fused(denominator, srgb, kCurveDenominator[i]);
  }
  return numerator / denominator;
}

// Light to the absorption of long, medium and short cones, plus a bias; then the cube root, less
// that of the bias.
inline constexpr float kAbsorption[3][3] = {
    {0.30f, 1.0f - 0.078f - 0.30f, 0.078f},
    {0.23f, 1.0f - 0.078f - 0.23f, 0.078f},
    {0.24342268924547819f, 0.20476744424496821f,
     1.0f - 0.24342268924547819f - 0.20476744424496821f},
};
inline constexpr float kBias = 0.0037930732552754493f;
inline constexpr float kBiasRoot = 0.155954197f;

// The inverse cube root: a guess from the exponent, then Newton's steps.
inline constexpr int kRootGuess = 0x54800000;
inline constexpr int kRootExponent = 0x002AAAAA;
inline constexpr int kRootSteps = 3;
inline constexpr float kThird = 1.0f / 3;
inline constexpr float kFourThirds = 4.0f / 3;

// XYB to about 0..1.
inline constexpr float kXScale = 14.0f;
inline constexpr float kXOffset = 0.42f;
inline constexpr float kYOffset = 0.01f;
inline constexpr float kBOffset = 0.55f;

// SSIM's second constant.
inline constexpr float kC2 = 0.0009f;
// Below this the denominator is nothing but rounding, and says nothing: no error. (Variances are
// not negative, so it is at least kC2 but for the rounding of the blur.)
inline constexpr float kLeastDenominator = 1e-6f;

// The Gaussian of standard deviation 1.5 is the sum of three cosines, cut off at +-5 samples:
//   g(k) = sum of b_i cos(w_i k), w = pi/10, 3 pi/10, 5 pi/10 (N = 5, equation 57; table I).
// A cosine follows from its two predecessors, so that each output takes three recursions
//   y_i(n) = n_i (x(n - 6) + x(n + 4)) - d_i y_i(n - 1) - y_i(n - 2)
// with n_i = -b_i cos(6 w_i), d_i = -2 cos(w_i) (equations 33 and 35; b_i from equation 53).
// Samples beyond the picture are 0.
inline constexpr int kBehind = 6;
inline constexpr int kAhead = 4;
inline constexpr double kInput[] = {0.055295235726086633, -0.058836687026949989,
                                    0.012955819110517063};
inline constexpr double kFeedback[] = {-1.9021130325903071, -1.1755705045849463, 0.0};

// Along rows the recursion is unrolled, four outputs at a time from the two before them:
//   y(n + k) = sum over j of input[k - j] (x(n + j - 6) + x(n + j + 4))
//            + last[k] y(n - 1) + before[k] y(n - 2).
// The third cosine has d = 0, so that half of its coefficients are 0 and the rest +-n or +-1; what
// is multiplied by 0 is left out.
struct Unrolled {
  float input[4];
  float last[4];
  float before[4];
};

constexpr Unrolled unrolled(int cosine) {
  const double n = kInput[cosine];
  const double d = kFeedback[cosine];
  const double d2 = d * d;
  return {{static_cast<float>(n), static_cast<float>(-d * n), static_cast<float>(d2 * n - n),
           static_cast<float>(-d2 * d * n + 2.0 * d * n)},
          {static_cast<float>(-d), static_cast<float>(d2 - 1.0),
           static_cast<float>(-d2 * d + 2.0 * d), static_cast<float>(d2 * d2 - 3.0 * d2 + 1.0)},
          {-1.0f, static_cast<float>(d), static_cast<float>(-d2 + 1.0),
           static_cast<float>(d2 * d - 2.0 * d)}};
}

// In the recursions a product and a sum are rounded once to the precision of a float; halves go
// away from zero, which integers do faster than anything does it to even. (One case in 10^7.)
inline constexpr std::uint64_t kHalfFloatUlp = std::uint64_t{1} << 28;
inline constexpr std::uint64_t kFloatPrecisionMask = ~((std::uint64_t{1} << 29) - 1);
constexpr double round_to_float_precision(double v) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(v) + kHalfFloatUlp) &
                               kFloatPrecisionMask);
}

// The unrolled part is the columns from kUnrolledStart, as many groups of four as fit before
// width - kUnrolledEnd.
inline constexpr int kUnrolledStart = 8;
inline constexpr int kUnrolledEnd = 7;

// Chroma is brought to full resolution by Catmull-Rom interpolation, in integers: `unit` times the
// value is the sum of the weighted samples first..first + 3, of which those outside the plane are
// those at its border. Chroma lies on the first of its luma columns (H.273 chroma sample location
// type 0, what video means unless it says otherwise) and midway between its luma rows.
struct Taps {
  int first;
  std::array<int, 4> weights;
};
constexpr int unit_across(int spacing) { return spacing == 1 ? 1 : spacing == 2 ? 16 : 128; }
constexpr int unit_down(int spacing) { return spacing == 1 ? 1 : 128; }

inline constexpr std::array<int, 4> kOnSample = {0, 1, 0, 0};
inline constexpr std::array<int, 4> kQuarter = {-9, 111, 29, -3};
inline constexpr std::array<int, 4> kHalf = {-1, 9, 9, -1};  // in sixteenths
inline constexpr std::array<int, 4> kThreeQuarters = {-3, 29, 111, -9};

constexpr std::array<int, 4> times(int factor, const std::array<int, 4>& weights) {
  return {factor * weights[0], factor * weights[1], factor * weights[2], factor * weights[3]};
}
constexpr int first_across(int x, int spacing) { return x / spacing - 1; }
constexpr int first_down(int y, int spacing) {
  return spacing == 1 ? y - 1 : y % 2 == 0 ? y / 2 - 2 : y / 2 - 1;
}
constexpr Taps taps_across(int x, int spacing) {
  const int first = first_across(x, spacing);
  const int unit = unit_across(spacing);
  switch (x % spacing * 4 / spacing) {
    case 1:
      return {first, kQuarter};
    case 2:
      return {first, times(unit / 16, kHalf)};
    case 3:
      return {first, kThreeQuarters};
    default:
      return {first, times(unit, kOnSample)};
  }
}
constexpr Taps taps_down(int y, int spacing) {
  const int first = first_down(y, spacing);
  if (spacing == 1) return {first, kOnSample};
  return {first, y % 2 == 0 ? kThreeQuarters : kQuarter};
}

// R'G'B' of samples: luma = (y - black) * luma_scale, red = luma + v * red_v and so on, with u and
// v in units of the interpolation and less the neutral value.
struct Conversion {
  int black;
  int neutral;
  float luma_scale;
  float red_v;
  float green_u;
  float green_v;
  float blue_u;
};
constexpr Conversion conversion(const PictureFormat& format, Colour colour) {
  const bool full =
      colour == Colour::kBt709Full || colour == Colour::kBt601Full || colour == Colour::kRgb;
  const bool bt601 = colour == Colour::kBt601Limited || colour == Colour::kBt601Full;
  const double red = bt601 ? 0.299 : 0.2126;
  const double blue = bt601 ? 0.114 : 0.0722;
  const double green = 1 - red - blue;
  const int step = 1 << (format.bit_depth - 8);
  const double peak = (1 << format.bit_depth) - 1;
  const ChromaSpacing spacing = chroma_spacing(format.chroma);
  const int unit = unit_across(spacing.x) * unit_down(spacing.y);
  const double chroma_scale = 1 / ((full ? peak : 224 * step) * unit);
  return {.black = full ? 0 : 16 * step,
          .neutral = 128 * step * unit,
          .luma_scale = static_cast<float>(1 / (full ? peak : 219.0 * step)),
          .red_v = static_cast<float>(2 * (1 - red) * chroma_scale),
          .green_u = static_cast<float>(-2 * (1 - blue) * blue / green * chroma_scale),
          .green_v = static_cast<float>(-2 * (1 - red) * red / green * chroma_scale),
          .blue_u = static_cast<float>(2 * (1 - blue) * chroma_scale)};
}

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_DEFINITION_H_
