// CIEDE2000 for every instruction set: the steps of reference.cc on vectors, a segment of a row at
// a time. N pixels are a vector of N floats, or two vectors of N / 2 doubles.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/fixed_vectors.h"
#include "base/plane.h"
#include "metrics/ciede/ciede.h"
#include "metrics/ciede/definition.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/ciede/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::ciede::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<DF>;
using DI = hn::RebindToSigned<DF>;
using DD = hn::Repartition<double, DF>;
using DH = hn::Rebind<float, DD>;
using VF = hn::Vec<DF>;
using VU = hn::Vec<DU>;
using VI = hn::Vec<DI>;
using VD = hn::Vec<DD>;

struct Wide {
  // Written out: constructors that the compiler makes have not the target's instructions on Arm.
  HWY_INLINE Wide() {}  // NOLINT(modernize-use-equals-default)
  HWY_INLINE Wide(VD l, VD u) : lower(l), upper(u) {}

  VD lower;
  VD upper;
};

HWY_INLINE VF set(float value) { return hn::Set(DF(), value); }
HWY_INLINE VD wide(double value) { return hn::Set(DD(), value); }

HWY_INLINE VF narrow(const Wide& v) {
  return hn::Combine(DF(), hn::DemoteTo(DH(), v.upper), hn::DemoteTo(DH(), v.lower));
}

HWY_INLINE Wide widen(VF v) {
  return {hn::PromoteTo(DD(), hn::LowerHalf(DH(), v)), hn::PromoteTo(DD(), hn::UpperHalf(DH(), v))};
}

template <class Step>
HWY_INLINE Wide both(const Wide& a, Step step) {
  return {step(a.lower), step(a.upper)};
}

template <class Step>
HWY_INLINE Wide both(const Wide& a, const Wide& b, Step step) {
  return {step(a.lower, b.lower), step(a.upper, b.upper)};
}

// Two neighbouring terms of a polynomial.
template <std::size_t kCount>
HWY_INLINE VF terms(const std::array<float, kCount>& coefficients, std::size_t first, VF x) {
  return set(coefficients[first]) + set(coefficients[first + 1]) * x;
}

// Three values (red, green, blue or X, Y, Z) of each picture. Roots go step by step for all of
// them: each step waits for the one before, so they take turns.
constexpr int kValues = 6;
using Values = Wide[kValues];
using NarrowValues = VF[kValues];

HWY_INLINE void guess(const NarrowValues& x, const Root& root, NarrowValues& g) {
  const DU du;
  const hn::Repartition<std::uint16_t, DU> d16;
  // Only the upper half of each 32-bit lane has a factor that is not 0.
  const auto factor = hn::BitCast(d16, hn::Set(du, std::uint32_t{root.part} << 16));
  for (int i = 0; i < kValues; ++i) {
    const auto part = hn::BitCast(du, hn::MulHigh(hn::BitCast(d16, x[i]), factor));
    g[i] = hn::BitCast(DF(), hn::Sub(hn::Set(du, root.guess), part));
  }
}

HWY_INLINE bool all_above(const Values& x, double start) {
  VD least = hn::Min(x[0].lower, x[0].upper);
  for (int i = 1; i < kValues; ++i) least = hn::Min(least, hn::Min(x[i].lower, x[i].upper));
  return hn::AllTrue(DD(), least > wide(start));
}

HWY_INLINE VD power_step(VD x, VD z) {
  const VD z2 = z * z;
  return z * (x * x - (z2 * z2) * z);
}

HWY_INLINE void to_light(Values& x, NarrowValues& near) {
  // Few vectors hold a value on the line.
  const bool is_curve = all_above(x, kCurveStart);
  NarrowValues g;
  NarrowValues q;
  NarrowValues q2;
  NarrowValues low;
  NarrowValues high;
  guess(near, kFifthRoot, g);
  for (int i = 0; i < kValues; ++i) {
    near[i] = near[i] * g[i];
    g[i] = g[i] * g[i];
  }
  for (int i = 0; i < kValues; ++i) q[i] = near[i] * (g[i] * g[i]);
  for (int i = 0; i < kValues; ++i) q2[i] = q[i] * q[i];
  for (int i = 0; i < kValues; ++i) {
    low[i] = terms(kFifthPolynomial, 0, q[i]);
    high[i] = terms(kFifthPolynomial, 2, q[i]);
  }
  for (int i = 0; i < kValues; ++i) high[i] = high[i] + set(kFifthPolynomial[4]) * q2[i];
  for (int i = 0; i < kValues; ++i) low[i] = low[i] + high[i] * q2[i];
  for (int i = 0; i < kValues; ++i) q[i] = (near[i] * g[i]) * low[i];
  if (HWY_LIKELY(is_curve)) {
    for (int i = 0; i < kValues; ++i) x[i] = both(x[i], widen(q[i]), power_step);
  } else {
    for (int i = 0; i < kValues; ++i) {
      x[i] = both(x[i], widen(q[i]), [](VD v, VD z) HWY_ATTR {
        return hn::IfThenElse(v > wide(kCurveStart), power_step(v, z),
                              v * wide(kLineSlope) + wide(kLineOffset));
      });
    }
  }
}

HWY_INLINE VF on_line(const Wide& t, VF root) {
  const VF line =
      narrow(both(t, [](VD v) HWY_ATTR { return v * wide(kLabSlope) + wide(kLabOffset); }));
  const VF is_root = narrow(
      both(t, [](VD v) HWY_ATTR { return hn::IfThenElseZero(v > wide(kEpsilon), wide(1)); }));
  return hn::IfThenElse(is_root > hn::Zero(DF()), root, line);
}

HWY_INLINE void to_responses(const Values& t, NarrowValues& f) {
  const bool is_root = all_above(t, kEpsilon);
  NarrowValues g;
  NarrowValues q;
  NarrowValues low;
  NarrowValues high;
  NarrowValues rest;
  for (int i = 0; i < kValues; ++i) f[i] = narrow(t[i]);
  guess(f, kThirdRoot, g);
  for (int i = 0; i < kValues; ++i) q[i] = (f[i] * g[i]) * (g[i] * g[i]);
  for (int i = 0; i < kValues; ++i) {
    low[i] = terms(kThirdPolynomial, 0, q[i]);
    high[i] = terms(kThirdPolynomial, 2, q[i]);
  }
  for (int i = 0; i < kValues; ++i) q[i] = q[i] * q[i];
  for (int i = 0; i < kValues; ++i) g[i] = g[i] * (low[i] + high[i] * q[i]);
  for (int i = 0; i < kValues; ++i) g[i] = g[i] * g[i];
  for (int i = 0; i < kValues; ++i) f[i] = f[i] * g[i];
  for (int i = 0; i < kValues; ++i) {
    rest[i] = narrow(both(t[i], widen(f[i]), [](VD v, VD y) HWY_ATTR { return v - (y * y) * y; }));
  }
  for (int i = 0; i < kValues; ++i) f[i] = f[i] + rest[i] * (g[i] * set(kThird));
  if (HWY_UNLIKELY(!is_root))
    for (int i = 0; i < kValues; ++i) f[i] = on_line(t[i], f[i]);
}

HWY_INLINE void to_xyz(const Wide* rgb, Wide* xyz) {
  for (int i = 0; i < 3; ++i) {
    const auto mix = [i](VD r, VD g, VD b) HWY_ATTR {
      return (wide(kToXyz[i][0]) * r + wide(kToXyz[i][1]) * g) + wide(kToXyz[i][2]) * b;
    };
    xyz[i] = {mix(rgb[0].lower, rgb[1].lower, rgb[2].lower),
              mix(rgb[0].upper, rgb[1].upper, rgb[2].upper)};
  }
}

HWY_INLINE VF lightness_of(VF f) {
  const VF upper = hn::And(f, hn::BitCast(DF(), hn::Set(DU(), kUpperBits)));
  return (set(116) * upper - set(16)) + set(116) * (f - upper);
}

// A row is measured in segments of this many pixels, which stay in the nearest cache. Whole vectors
// may run past the end.
constexpr int kLength = 256;
constexpr int kPadding = 64;

// Luma and upsampled chroma.
template <class Sample>
struct Segment {
  Sample y[kLength + kPadding];
  Sample u[kLength + kPadding];
  Sample v[kLength + kPadding];
};

// Values of a segment. Those of the vector before it may be read and written.
struct Line {
  HWY_ALIGN float storage[kPadding + kLength + kPadding] = {};

  float* values() { return storage + kPadding; }
  HWY_INLINE VF get(int x) const { return hn::Load(DF(), storage + kPadding + x); }
  HWY_INLINE void set(int x, VF v) { hn::Store(v, DF(), storage + kPadding + x); }
};

struct LabLines {
  Line l;
  Line a;  // a' after stretch()
  Line b;
};

struct HueLines {
  Line mean_chroma;
  Line delta_chroma;
  Line cosine;  // of the mean hue
  Line sine;
  Line delta_hue;
};

// Samples less `zero`.
template <class Sample>
HWY_INLINE VI load(const Sample* from, int zero) {
  const hn::Rebind<Sample, DI> ds;
  return hn::Sub(hn::PromoteTo(DI(), hn::LoadU(ds, from)), hn::Set(DI(), zero));
}

HWY_INLINE Wide widen(VI v) {
  const hn::Half<DI> half;
  return {hn::PromoteTo(DD(), hn::LowerHalf(half, v)), hn::PromoteTo(DD(), hn::UpperHalf(half, v))};
}

// `set` makes a vector of a number.
template <class V, class Number, class Set>
HWY_INLINE void convert(V y, V u, V v, const Conversion<Number>& c, Set set_all, V& red, V& green,
                        V& blue) {
  const V luma = y * set_all(c.luma_scale) + set_all(c.luma_offset);
  red = luma + v * set_all(c.red_v);
  green = luma + (u * set_all(c.green_u) + v * set_all(c.green_v));
  blue = luma + u * set_all(c.blue_u);
}

template <class Sample>
HWY_INLINE void to_rgb(const Segment<Sample>& segment, int x, const Conversions& conversions,
                       Wide* rgb, VF* near) {
  const VI luma = load(segment.y + x, 0);
  const VI u = load(segment.u + x, conversions.wide.neutral);
  const VI v = load(segment.v + x, conversions.wide.neutral);
  const DF df;
  convert(hn::ConvertTo(df, luma), hn::ConvertTo(df, u), hn::ConvertTo(df, v), conversions.narrow,
          set, near[0], near[1], near[2]);
  const Wide wide_luma = widen(luma);
  const Wide wide_u = widen(u);
  const Wide wide_v = widen(v);
  convert(wide_luma.lower, wide_u.lower, wide_v.lower, conversions.wide, wide, rgb[0].lower,
          rgb[1].lower, rgb[2].lower);
  convert(wide_luma.upper, wide_u.upper, wide_v.upper, conversions.wide, wide, rgb[0].upper,
          rgb[1].upper, rgb[2].upper);
}

HWY_INLINE void store_lab(const VF* f, int x, LabLines& out) {
  out.l.set(x, lightness_of(f[1]));
  out.a.set(x, set(500) * (f[0] - f[1]));
  out.b.set(x, set(200) * (f[1] - f[2]));
}

HWY_INLINE VF chroma_weight(VF c) {
  const VF c2 = c * c;
  const VF c7 = (c2 * c2) * (c2 * c);
  return hn::Sqrt(c7 / (c7 + set(k25To7)));
}

HWY_INLINE VF hue_weight(VF cos1, VF sin1) {
  const VF two = set(2);
  const VF cos2 = cos1 * cos1 - sin1 * sin1;
  const VF sin2 = two * (sin1 * cos1);
  const VF cos3 = cos2 * cos1 - sin2 * sin1;
  const VF sin3 = sin2 * cos1 + cos2 * sin1;
  const VF cos4 = cos2 * cos2 - sin2 * sin2;
  const VF sin4 = two * (sin2 * cos2);
  return (((set(kCos1) * cos1 + set(kSin1) * sin1) + set(kCos2) * cos2) +
          (set(kCos3) * cos3 + set(kSin3) * sin3)) +
         ((set(kCos4) * cos4 + set(kSin4) * sin4) + set(1));
}

HWY_INLINE VF exp2_below_zero(VF x) {
  const DU du;
  const VF to_integer = set(0x1.8p23f);
  const VF shifted = x + to_integer;
  const VF f = x - (shifted - to_integer);
  const VF f2 = f * f;
  const VF p = (terms(kExp2, 0, f) + terms(kExp2, 2, f) * f2) + terms(kExp2, 4, f) * (f2 * f2);
  const VU power = hn::ShiftLeft<23>(hn::Add(hn::BitCast(du, shifted), hn::Set(du, 127)));
  return p * hn::BitCast(DF(), power);
}

HWY_INLINE VF blue_rotation(VF cosine, VF sine) {
  const VF w = set(1) - (cosine * set(kCos275) + sine * set(kSin275));
  const VF w2 = w * w;
  const VF low = terms(kBlueExponent, 0, w) + terms(kBlueExponent, 2, w) * w2;
  const VF high = terms(kBlueExponent, 4, w) + set(kBlueExponent[6]) * w2;
  const VF x = exp2_below_zero((low + high * (w2 * w2)) * w);
  const VF x2 = x * x;
  const VF p = terms(kSin60, 0, x2) + terms(kSin60, 2, x2) * (x2 * x2);
  return hn::IfThenElseZero(sine < hn::Zero(DF()), p * x);
}

HWY_INLINE void stretch(int x, LabLines& one, LabLines& two) {
  const VF half = set(0.5f);
  const VF a1 = one.a.get(x);
  const VF b1 = one.b.get(x);
  const VF a2 = two.a.get(x);
  const VF b2 = two.b.get(x);
  const VF c1 = hn::Sqrt(a1 * a1 + b1 * b1);
  const VF c2 = hn::Sqrt(a2 * a2 + b2 * b2);
  const VF factor = set(1.5f) - half * chroma_weight(half * (c1 + c2));
  one.a.set(x, a1 * factor);
  two.a.set(x, a2 * factor);
}

HWY_INLINE VF hue_difference(VF product, VF scalar, VF cross, VF over_length) {
  const VF near = set(2) * hn::Sqrt(product) * (cross * over_length);
  const auto is_near = scalar >= hn::Zero(DF());
  if (HWY_LIKELY(hn::AllTrue(DF(), is_near))) return near;
  const VF far = hn::CopySign(hn::Sqrt(set(2) * (product - scalar)), cross);
  return hn::IfThenElse(is_near, near, far);
}

HWY_INLINE void chroma_and_hue(int x, const LabLines& one, const LabLines& two, HueLines& out) {
  const VF a1 = one.a.get(x);
  const VF b1 = one.b.get(x);
  const VF a2 = two.a.get(x);
  const VF b2 = two.b.get(x);
  const VF chroma_1 = hn::Sqrt(a1 * a1 + b1 * b1);
  const VF chroma_2 = hn::Sqrt(a2 * a2 + b2 * b2);
  out.mean_chroma.set(x, set(0.5f) * (chroma_1 + chroma_2));
  out.delta_chroma.set(x, chroma_2 - chroma_1);

  const VF mean_a = a1 * chroma_2 + a2 * chroma_1;
  const VF mean_b = b1 * chroma_2 + b2 * chroma_1;
  const VF length_square = mean_a * mean_a + mean_b * mean_b;
  const VF over_length = set(1) / hn::Sqrt(hn::Max(length_square, set(kTiny)));
  out.cosine.set(x, mean_a * over_length);
  out.sine.set(x, mean_b * over_length);

  const VF cross = a1 * (b2 - b1) - (a2 - a1) * b1;
  out.delta_hue.set(x, hue_difference(chroma_1 * chroma_2, a1 * a2 + b1 * b2, cross, over_length));
}

// -2 R_C sin(60 ...): 0 where the hue is not below 0. Overwrites nothing that later loops read.
HWY_INLINE void rotation(int x, const HueLines& hue, Line& out) {
  const VF sine = hue.sine.get(x);
  VF angle = hn::Zero(DF());
  if (!hn::AllFalse(DF(), sine < angle))
    angle = chroma_weight(hue.mean_chroma.get(x)) * blue_rotation(hue.cosine.get(x), sine);
  out.set(x, set(-2) * angle);
}

HWY_INLINE void difference(int x, const Line& lightness_1, const Line& lightness_2,
                           const HueLines& lines, const Line& rotations, Line& out) {
  const VF l1 = lightness_1.get(x);
  const VF l2 = lightness_2.get(x);
  const VF mean_chroma = lines.mean_chroma.get(x);
  const VF l_offset = set(0.5f) * (l1 + l2) - set(50);
  const VF q = l_offset * l_offset;
  const VF l_root = hn::Sqrt(q + set(20));
  const VF weight_l = set(kFactorL) * (l_root + set(0.015f) * q);
  const VF weight_c = set(1) + set(0.045f) * mean_chroma;
  const VF t = hue_weight(lines.cosine.get(x), lines.sine.get(x));
  const VF weight_h = set(kFactorH) + set(kFactorH * 0.015f) * (mean_chroma * t);
  const VF weight_cl = weight_c * weight_l;
  const VF over_all = set(1) / (weight_cl * weight_h);
  const VF lightness = ((l2 - l1) * l_root) * ((weight_c * weight_h) * over_all);
  const VF chroma = lines.delta_chroma.get(x) * ((weight_l * weight_h) * over_all);
  const VF hue = lines.delta_hue.get(x) * (weight_cl * over_all);
  const VF squares = (lightness * lightness + chroma * chroma) + hue * hue;
  out.set(x, hn::Sqrt(squares + rotations.get(x) * (chroma * hue)));
}

struct Lines {
  LabLines one;
  LabLines two;
  HueLines hue;
  Line rotations;
  Line differences;
};

// The difference's roots and quotients take long and its steps wait for each other, so they are
// spread over the conversion of the next pixels, which has none.
template <class Sample>
void measure(const Segment<Sample>& one, const Segment<Sample>& two, int count,
             const Conversions& conversions, Lines& lines) {
  const int lanes = static_cast<int>(hn::Lanes(DF()));
  int x = 0;
  for (; x < count; x += lanes) {
    const int before = x - lanes;
    Values rgb;
    NarrowValues near;
    to_rgb(one, x, conversions, rgb, near);
    to_rgb(two, x, conversions, rgb + 3, near + 3);
    stretch(before, lines.one, lines.two);
    to_light(rgb, near);
    Values xyz;
    to_xyz(rgb, xyz);
    to_xyz(rgb + 3, xyz + 3);
    chroma_and_hue(before, lines.one, lines.two, lines.hue);
    NarrowValues f;
    to_responses(xyz, f);
    store_lab(f, x, lines.one);
    store_lab(f + 3, x, lines.two);
    rotation(before, lines.hue, lines.rotations);
    difference(before, lines.one.l, lines.two.l, lines.hue, lines.rotations, lines.differences);
  }
  const int last = x - lanes;
  stretch(last, lines.one, lines.two);
  chroma_and_hue(last, lines.one, lines.two, lines.hue);
  rotation(last, lines.hue, lines.rotations);
  difference(last, lines.one.l, lines.two.l, lines.hue, lines.rotations, lines.differences);
}

// Each sample twice; `out` has room for whole vectors.
template <class Sample>
HWY_INLINE void duplicate(const Sample* from, int count, Sample* out) {
  using Pair = hwy::MakeWide<Sample>;
  const hn::ScalableTag<Pair> dp;
  const hn::Rebind<Sample, decltype(dp)> ds;
  const int lanes = static_cast<int>(hn::Lanes(dp));
  for (int i = 0; i < count; i += lanes) {
    const auto v = hn::PromoteTo(dp, hn::LoadU(ds, from + i));
    const auto pair = hn::Or(v, hn::ShiftLeft<8 * sizeof(Sample)>(v));
    hn::StoreU(hn::BitCast(hn::Repartition<Sample, decltype(dp)>(), pair),
               hn::Repartition<Sample, decltype(dp)>(), out + 2 * i);
  }
}

// Columns first..first + count of a row; what lies beyond the plane is 0.
template <class Sample>
void copy_part(const Picture& picture, int plane, int row, int first, int count, Sample* out) {
  const int width = picture.width(plane);
  const int inside = row < picture.height(plane) ? std::clamp(width - first, 0, count) : 0;
  if (inside > 0)
    std::memcpy(out, picture.row<Sample>(plane, row) + first,
                static_cast<std::size_t>(inside) * sizeof(Sample));
  std::fill(out + inside, out + count, Sample{0});
}

template <class Sample>
void load_chroma(const Picture& picture, int plane, int x, int y, int count, Sample* out) {
  switch (picture.format().chroma) {
    case Chroma::k400:
      break;
    case Chroma::k411: {
      Sample quarter[kLength / 4 + kPadding] = {};
      Sample half[kLength / 2 + 2 * kPadding];
      copy_part(picture, plane, y, x / 4, (count + 3) / 4, quarter);
      duplicate(quarter, (count + 3) / 4, half);
      duplicate(half, (count + 1) / 2, out);
      break;
    }
    case Chroma::k420: {
      Sample half[kLength / 2 + kPadding] = {};
      copy_part(picture, plane, y / 2, x / 2, (count + 1) / 2, half);
      duplicate(half, (count + 1) / 2, out);
      break;
    }
    case Chroma::k422: {
      const int row_length = (picture.width(plane) + kRowUnit422 - 1) / kRowUnit422 * kRowUnit422;
      const int before = std::clamp(row_length - x, 0, count);
      copy_part(picture, plane, y / 2, x, before, out);
      copy_part(picture, plane, y / 2 + 1, x + before - row_length, count - before, out + before);
      break;
    }
    case Chroma::k440:
      copy_part(picture, plane, y / 2, x, count, out);
      break;
    case Chroma::k444:
      copy_part(picture, plane, y, x, count, out);
      break;
  }
}

template <class Sample>
void load_segment(const Picture& picture, int x, int y, int count, Segment<Sample>& out) {
  copy_part(picture, 0, y, x, count, out.y);
  load_chroma(picture, 1, x, y, count, out.u);
  load_chroma(picture, 2, x, y, count, out.v);
}

// Adds to the partial sums; clears up to the next multiple of their number.
void add_differences(float* HWY_RESTRICT differences, int count, double* HWY_RESTRICT sums) {
  const DD dd;
  const int lanes = static_cast<int>(hn::Lanes(dd));
  const int whole = (count + kPartialSums - 1) / kPartialSums * kPartialSums;
  std::fill(differences + count, differences + whole, 0.0f);
  for (int k = 0; k < kPartialSums; k += lanes) {
    VD sum = hn::Load(dd, sums + k);
    for (int i = k; i < whole; i += kPartialSums)
      sum = sum + hn::PromoteTo(dd, hn::Load(DH(), differences + i));
    hn::Store(sum, dd, sums + k);
  }
}

template <class Sample>
double sum_rows(const Picture& reference, const Picture& distorted) {
  static_assert(kLength % kPartialSums == 0);
  const PictureFormat& format = reference.format();
  const Conversions conversions = conversions_of(format.bit_depth);
  Segment<Sample> one{};
  Segment<Sample> two{};
  Lines lines;
  double sum = 0;
  for (int y = 0; y < format.height; ++y) {
    HWY_ALIGN double sums[kPartialSums] = {};
    for (int x = 0; x < format.width; x += kLength) {
      const int count = std::min(kLength, format.width - x);
      load_segment(reference, x, y, count, one);
      load_segment(distorted, x, y, count, two);
      measure(one, two, count, conversions, lines);
      add_differences(lines.differences.values(), count, sums);
    }
    for (int step = kPartialSums / 2; step > 0; step /= 2)
      for (int i = 0; i < step; ++i) sums[i] += sums[i + step];
    sum += sums[0];
  }
  return sum;
}

double sum8(const Picture& reference, const Picture& distorted) {
  return sum_rows<std::uint8_t>(reference, distorted);
}

double sum16(const Picture& reference, const Picture& distorted) {
  return sum_rows<std::uint16_t>(reference, distorted);
}

}  // namespace vmafx::ciede::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::ciede {

HWY_EXPORT(sum8);
HWY_EXPORT(sum16);

double sum(const Picture& reference, const Picture& distorted) {
  return reference.format().bit_depth == 8 ? HWY_DYNAMIC_DISPATCH(sum8)(reference, distorted)
                                           : HWY_DYNAMIC_DISPATCH(sum16)(reference, distorted);
}

}  // namespace vmafx::ciede
#endif
