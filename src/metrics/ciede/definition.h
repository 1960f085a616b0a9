// The numbers of the metric, which all its implementations share.
//
// Sources: YUV is BT.709 in limited range; light, white point (D65) and XYZ are those of sRGB (IEC
// 61966-2-1); L*a*b* is CIE 15; the difference is G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000
// Color-Difference Formula", Color Research and Application 30, 2005, with the parametric factors
// that libvmaf uses.
#ifndef VMAFX_METRICS_CIEDE_DEFINITION_H_
#define VMAFX_METRICS_CIEDE_DEFINITION_H_

#include <array>
#include <cstdint>

namespace vmafx::ciede {

// Samples of a picture's row are summed in this many interleaved partial sums.
inline constexpr int kPartialSums = 16;

// sRGB's curve is ((c + 0.055) / 1.055)^2.4, so the conversion gives
// x = sqrt(6) (c + 0.055) / 1.055 at once (why sqrt(6): see power_2_4): red = luma + v * red_v and
// so on, with luma = y * scale + offset and neutral u and v of 0.
inline constexpr double kCurveScale = 2.449489742783178 / 1.055;

template <class Number>
struct Conversion {
  Number luma_scale;
  Number luma_offset;
  Number red_v;
  Number green_u;
  Number green_v;
  Number blue_u;
  int neutral;  // the sample value of u and v without colour
};

template <class Number>
constexpr Conversion<Number> conversion(int bit_depth) {
  const double unit = 1 << (bit_depth - 8);
  const double chroma = kCurveScale / (224 * unit);
  return {.luma_scale = static_cast<Number>(kCurveScale / (219 * unit)),
          .luma_offset = static_cast<Number>((0.055 - 16.0 / 219) * kCurveScale),
          .red_v = static_cast<Number>(1.28033 * chroma),
          .green_u = static_cast<Number>(-0.21482 * chroma),
          .green_v = static_cast<Number>(-0.38059 * chroma),
          .blue_u = static_cast<Number>(2.12798 * chroma),
          .neutral = 128 << (bit_depth - 8)};
}

// What sample values mean at one depth.
struct Conversions {
  Conversion<double> wide;
  Conversion<float> narrow;
};

constexpr Conversions conversions_of(int bit_depth) {
  return {conversion<double>(bit_depth), conversion<float>(bit_depth)};
}

// Light, in units of 1/5: the power 2.4 above the x of c = 10 / 255, else c / 12.92.
inline constexpr double kLightUnit = 0.2;
inline constexpr double kCurveStart = (10. / 255 + 0.055) * kCurveScale;
inline constexpr double kLineSlope = 1 / (12.92 * kCurveScale * kLightUnit);
inline constexpr double kLineOffset = -0.055 / 12.92 / kLightUnit;

// Light to X, Y, Z over the white point.
inline constexpr double kX = kLightUnit / 0.95047;
inline constexpr double kY = kLightUnit;
inline constexpr double kZ = kLightUnit / 1.08883;
inline constexpr std::array<std::array<double, 3>, 3> kToXyz = {
    {{0.4124564390896921 * kX, 0.357576077643909 * kX, 0.18043748326639894 * kX},
     {0.21267285140562248 * kY, 0.715152155287818 * kY, 0.07217499330655958 * kY},
     {0.019333895582329317 * kZ, 0.119192025881303 * kZ, 0.9503040785363677 * kZ}}};

// CIE's f: the cube root above epsilon, else (kappa t + 16) / 116.
inline constexpr double kEpsilon = 216. / 24389;
inline constexpr double kLabSlope = 24389. / 27 / 116;
inline constexpr double kLabOffset = 16. / 116;

// L* = 116 f - 16 is rounded once: 116 times the upper bits of f, these, less 16 is a float, and so
// is 116 times the rest.
inline constexpr std::uint32_t kUpperBits = 0xfffff000;

// Fast roots. The upper half of a float's bits is about its logarithm; a fifth or a third of it,
// negated, is a guess g at x^(-1/5) or x^(-1/3) that makes q = x g^5 or x g^3 nearly 1. A
// polynomial in q, lowest power first (minimax over [0.8485, 1.191] or [0.9095, 1.14]), does the
// rest.
struct Root {
  std::uint16_t part;  // of 65536
  std::uint32_t guess;
};
// 6^(-1/5) q^(-3/5), within 4e-6 of it.
inline constexpr Root kFifthRoot = {13107, 0x4c2b3333};
inline constexpr std::array<float, 5> kFifthPolynomial = {1.9990243911743164f, -2.9728004932403564f,
                                                          2.710805654525757f, -1.2847596406936646f,
                                                          0.24655604362487793f};
// q^(-1/3), within 3e-6 of it.
inline constexpr Root kThirdRoot = {21845, 0x54a2aaaa};
inline constexpr std::array<float, 4> kThirdPolynomial = {
    1.7177640199661255f, -1.2629014253616333f, 0.7059164047241211f, -0.16078095138072968f};
inline constexpr float kThird = 0.3333333432674408f;

// Parametric factors.
inline constexpr float kFactorL = 0.65f;
inline constexpr float kFactorH = 4;

inline constexpr float k25To7 = 6103515625.0f;

// T = 1 - 0.17 cos(H - 30) + 0.24 cos(2H) + 0.32 cos(3H + 6) - 0.20 cos(4H - 63), angles in
// degrees, with the differences and sums of angles resolved.
inline constexpr float kCos1 = -0.1472243219614029f;
inline constexpr float kSin1 = -0.085f;
inline constexpr float kCos2 = 0.24f;
inline constexpr float kCos3 = 0.3182470202445984f;
inline constexpr float kSin3 = -0.03344910964369774f;
inline constexpr float kCos4 = -0.09079810231924057f;
inline constexpr float kSin4 = -0.17820130288600922f;

// The rotation of blue hues is sin(60 exp(-((H - 275) / 25)^2)) degrees. With w = 1 - cos(H - 275)
// the exponent of two is w times a polynomial in w (minimax over [0, 1.0875], lowest power first).
inline constexpr float kCos275 = 0.08715574443340302f;
inline constexpr float kSin275 = -0.9961947202682495f;
inline constexpr std::array<float, 7> kBlueExponent = {
    -15.15549087524414f,   -2.525209665298462f, -0.6836817860603333f, -0.16345934569835663f,
    -0.20484580099582672f, 0.1188831552863121f, -0.08353231102228165f};
// 2^f for |f| <= 1/2, within 8e-8.
inline constexpr std::array<float, 6> kExp2 = {1.0000001192092896f,   0.6931471824645996f,
                                               0.2402210682630539f,   0.055503569543361664f,
                                               0.009676031768321991f, 0.0013390863314270973f};
// sin(60 degrees * x) / x in x^2, within 4e-8 for x in [0, 1].
inline constexpr std::array<float, 4> kSin60 = {1.0471974611282349f, -0.19139574468135834f,
                                                0.010489378124475479f, -0.0002657787117641419f};

// Smaller divisors belong to colours without hue, whose numerators are 0 as well.
inline constexpr float kTiny = 1e-30f;

// libvmaf reads the chroma of 4:2:2 as if its planes were halved in height, not in width, with rows
// of a multiple of this many samples (docs/metrics/ciede.md).
inline constexpr int kRowUnit422 = 32;

}  // namespace vmafx::ciede

#endif  // VMAFX_METRICS_CIEDE_DEFINITION_H_
