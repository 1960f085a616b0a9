// The colour difference of two pixels: what the definition and the kernels share. Light, XYZ and
// the cube roots are doubles, because differences of cube roots are what a* and b* are; L*a*b* and
// what follows are floats. Trigonometry of hues is algebra on (a', b'), so that nothing but + - * /
// sqrt is used.
#ifndef VMAFX_METRICS_CIEDE_DIFFERENCE_H_
#define VMAFX_METRICS_CIEDE_DIFFERENCE_H_

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/plane.h"
#include "base/portable.h"
#include "metrics/ciede/definition.h"
#include "vmafx/picture.h"

namespace vmafx::ciede {

// A first guess at an inverse root.
template <Root kRoot>
VMAFX_PORTABLE float guess(float x) {
  constexpr std::uint32_t kPart = kRoot.part;
  constexpr std::uint32_t kGuess = kRoot.guess;
  const std::uint32_t upper = std::bit_cast<std::uint32_t>(x) >> 16;
  return std::bit_cast<float>(kGuess - ((upper * kPart >> 16) << 16));
}

// 5 (x / sqrt(6))^2.4; `near` is x within 1e-6 of it. Let c = x / sqrt(6). One Newton step from z,
// which is about c^(2/5), towards the root of z^5 = c^2 gives c^2 times the root as z (6 c^2 - z^5)
// / 5 = z (x^2 - z^5) / 5. Within 5e-11.
VMAFX_PORTABLE double power_2_4(double x, float near) {
  constexpr auto p = kFifthPolynomial;
  const float g = guess<kFifthRoot>(near);
  const float g2 = g * g;
  const float xg = near * g;
  const float q = xg * (g2 * g2);
  const float q2 = q * q;
  const float refinement = (p[0] + p[1] * q) + ((p[2] + p[3] * q) + p[4] * q2) * q2;
  const double z = static_cast<double>((xg * g2) * refinement);
  const double z2 = z * z;
  return z * (x * x - (z2 * z2) * z);
}

// The cube root as a float y and the float (t - y^3) / (3 y^2): rounded correctly unless it is
// within 1e-10 of the middle of two floats.
VMAFX_PORTABLE float cube_root(double t) {
  constexpr auto p = kThirdPolynomial;
  const float near = static_cast<float>(t);
  const float g = guess<kThirdRoot>(near);
  const float q = (near * g) * (g * g);
  const float z = g * ((p[0] + p[1] * q) + (p[2] + p[3] * q) * (q * q));
  const float z2 = z * z;
  const float y = near * z2;
  const double y_wide = static_cast<double>(y);
  const float rest = static_cast<float>(t - (y_wide * y_wide) * y_wide);
  return y + rest * (z2 * kThird);
}

VMAFX_PORTABLE double light(double x, float near) {
  return x > kCurveStart ? power_2_4(x, near) : x * kLineSlope + kLineOffset;
}

template <std::size_t kRow>
VMAFX_PORTABLE double xyz(double red, double green, double blue) {
  constexpr auto row = kToXyz[kRow];
  return (row[0] * red + row[1] * green) + row[2] * blue;
}

VMAFX_PORTABLE float response(double t) {
  return t > kEpsilon ? cube_root(t) : static_cast<float>(t * kLabSlope + kLabOffset);
}

VMAFX_PORTABLE float lightness_of(float f) {
  const float upper = std::bit_cast<float>(std::bit_cast<std::uint32_t>(f) & kUpperBits);
  return (116 * upper - 16) + 116 * (f - upper);
}

// For sample values; u and v less the neutral value.
template <class Number>
struct Rgb {
  VMAFX_PORTABLE Rgb(Number y, Number u, Number v, const Conversion<Number>& c) {
    const Number luma = y * c.luma_scale + c.luma_offset;
    red = luma + v * c.red_v;
    green = luma + (u * c.green_u + v * c.green_v);
    blue = luma + u * c.blue_u;
  }

  Number red;
  Number green;
  Number blue;
};

struct Lab {
  float l;
  float a;
  float b;
};

VMAFX_PORTABLE Lab lab(const Rgb<double>& rgb, const Rgb<float>& near) {
  const double red = light(rgb.red, near.red);
  const double green = light(rgb.green, near.green);
  const double blue = light(rgb.blue, near.blue);
  const float fx = response(xyz<0>(red, green, blue));
  const float fy = response(xyz<1>(red, green, blue));
  const float fz = response(xyz<2>(red, green, blue));
  return {lightness_of(fy), 500 * (fx - fy), 200 * (fy - fz)};
}

// sqrt(C^7 / (C^7 + 25^7))
VMAFX_PORTABLE float chroma_weight(float c) {
  const float c2 = c * c;
  const float c7 = (c2 * c2) * (c2 * c);
  return std::sqrt(c7 / (c7 + k25To7));
}

// T of the mean hue H, given as its cosine and sine.
VMAFX_PORTABLE float hue_weight(float cos1, float sin1) {
  const float cos2 = cos1 * cos1 - sin1 * sin1;
  const float sin2 = 2 * (sin1 * cos1);
  const float cos3 = cos2 * cos1 - sin2 * sin1;
  const float sin3 = sin2 * cos1 + cos2 * sin1;
  const float cos4 = cos2 * cos2 - sin2 * sin2;
  const float sin4 = 2 * (sin2 * cos2);
  return (((kCos1 * cos1 + kSin1 * sin1) + kCos2 * cos2) + (kCos3 * cos3 + kSin3 * sin3)) +
         ((kCos4 * cos4 + kSin4 * sin4) + 1);
}

VMAFX_PORTABLE float exp2_below_zero(float x) {
  constexpr float kToInteger = 0x1.8p23f;
  const float shifted = x + kToInteger;
  const float f = x - (shifted - kToInteger);
  const float f2 = f * f;
  constexpr auto c = kExp2;
  const float p = ((c[0] + c[1] * f) + (c[2] + c[3] * f) * f2) + (c[4] + c[5] * f) * (f2 * f2);
  return p * std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) + 127) << 23);
}

// sin(60 exp(-((H - 275) / 25)^2)). Below 4e-7, and taken as 0, for hues from 0 to 180 degrees.
VMAFX_PORTABLE float blue_rotation(float cosine, float sine) {
  if (!(sine < 0)) return 0;
  constexpr auto c = kBlueExponent;
  constexpr auto s = kSin60;
  const float w = 1 - (cosine * kCos275 + sine * kSin275);
  const float w2 = w * w;
  const float low = (c[0] + c[1] * w) + (c[2] + c[3] * w) * w2;
  const float high = (c[4] + c[5] * w) + c[6] * w2;
  const float x = exp2_below_zero((low + high * (w2 * w2)) * w);
  const float x2 = x * x;
  const float p = (s[0] + s[1] * x2) + (s[2] + s[3] * x2) * (x2 * x2);
  return p * x;
}

VMAFX_PORTABLE float difference(const Lab& one, const Lab& two) {
  const float b_square_1 = one.b * one.b;
  const float b_square_2 = two.b * two.b;
  const float c1 = std::sqrt(one.a * one.a + b_square_1);
  const float c2 = std::sqrt(two.a * two.a + b_square_2);
  const float stretch = 1.5f - 0.5f * chroma_weight(0.5f * (c1 + c2));
  const float a1 = one.a * stretch;
  const float a2 = two.a * stretch;
  const float chroma_1 = std::sqrt(a1 * a1 + b_square_1);
  const float chroma_2 = std::sqrt(a2 * a2 + b_square_2);
  const float mean_chroma = 0.5f * (chroma_1 + chroma_2);

  // The mean hue halves the angle between the two: the direction of the sum of unit vectors.
  const float mean_a = a1 * chroma_2 + a2 * chroma_1;
  const float mean_b = one.b * chroma_2 + two.b * chroma_1;
  const float length_square = mean_a * mean_a + mean_b * mean_b;
  const float over_length = 1 / std::sqrt(length_square > kTiny ? length_square : kTiny);
  const float cosine = mean_a * over_length;
  const float sine = mean_b * over_length;

  // dH' = 2 sqrt(C1' C2') sin(dh' / 2). The scalar and the cross product of the two colours are C1'
  // C2' times the cosine and the sine of dh', and the length is 2 C1' C2' cos(dh' / 2).
  const float product = chroma_1 * chroma_2;
  const float scalar = a1 * a2 + one.b * two.b;
  const float cross = a1 * (two.b - one.b) - (a2 - a1) * one.b;
  const float delta_h = scalar >= 0 ? 2 * std::sqrt(product) * (cross * over_length)
                                    : std::copysign(std::sqrt(2 * (product - scalar)), cross);

  // The differences over k S, brought to one denominator. S_L = 1 + 0.015 q / sqrt(20 + q).
  const float l_offset = 0.5f * (one.l + two.l) - 50;
  const float q = l_offset * l_offset;
  const float l_root = std::sqrt(q + 20);
  const float weight_l = kFactorL * (l_root + 0.015f * q);
  const float weight_c = 1 + 0.045f * mean_chroma;
  const float weight_h = kFactorH + kFactorH * 0.015f * (mean_chroma * hue_weight(cosine, sine));
  const float weight_cl = weight_c * weight_l;
  const float over_all = 1 / (weight_cl * weight_h);
  const float lightness = ((two.l - one.l) * l_root) * ((weight_c * weight_h) * over_all);
  const float chroma = (chroma_2 - chroma_1) * ((weight_l * weight_h) * over_all);
  const float hue = delta_h * (weight_cl * over_all);

  const float rotation = -2 * (chroma_weight(mean_chroma) * blue_rotation(cosine, sine));
  return std::sqrt(((lightness * lightness + chroma * chroma) + hue * hue) +
                   rotation * (chroma * hue));
}

// Of the luma position (x, y); 0 in planes that a picture does not have.
template <class Sample>
VMAFX_PORTABLE int chroma_sample(PlaneView<const Sample> plane, Chroma chroma, int x, int y) {
  switch (chroma) {
    case Chroma::k400:
      return 0;
    case Chroma::k411:
      return plane.row(y)[x / 4];
    case Chroma::k420:
      return plane.row(y / 2)[x / 2];
    case Chroma::k422: {
      const int row_length = (plane.width + kRowUnit422 - 1) / kRowUnit422 * kRowUnit422;
      const int row = y / 2 + x / row_length;
      const int column = x % row_length;
      if (column >= plane.width || row >= plane.height) return 0;
      return plane.row(row)[column];
    }
    case Chroma::k440:
      return plane.row(y / 2)[x];
    case Chroma::k444:
      return plane.row(y)[x];
  }
  return 0;
}

template <class Sample>
struct ColourPlanes {
  PlaneView<const Sample> y;
  PlaneView<const Sample> u;
  PlaneView<const Sample> v;
  Chroma chroma;
};

template <class Sample>
VMAFX_PORTABLE Lab lab_at(const ColourPlanes<Sample>& planes, const Conversions& c, int x, int y) {
  const int luma = planes.y.row(y)[x];
  const int u = chroma_sample(planes.u, planes.chroma, x, y) - c.wide.neutral;
  const int v = chroma_sample(planes.v, planes.chroma, x, y) - c.wide.neutral;
  return lab(
      Rgb<double>(luma, u, v, c.wide),
      Rgb<float>(static_cast<float>(luma), static_cast<float>(u), static_cast<float>(v), c.narrow));
}

}  // namespace vmafx::ciede

#endif  // VMAFX_METRICS_CIEDE_DIFFERENCE_H_
