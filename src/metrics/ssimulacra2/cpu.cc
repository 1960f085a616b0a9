// SSIMULACRA 2 for every instruction set, with the roundings of reference.cc. A scale goes through
// in groups of eight rows: light, XYB, blur along rows (a row in each lane), blur along columns (a
// column in each lane), errors. What a group leaves behind is a ring of rows, the state of the
// columns' recursions, and light at half the size, which is the next scale.
//
// Vectors have as many floats as fit doubles, for a product and a sum that are rounded once are a
// product and a sum of doubles, rounded to float.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/fixed_vectors.h"
#include "metrics/ssimulacra2/definition.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/ssimulacra2/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::ssimulacra2::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kGroup = 8;          // rows
constexpr int kRing = 3 * kGroup;  // rows of which some are needed later
constexpr int kChunk = 64;         // columns whose errors are looked at together
constexpr int kTile = kRing * kChunk;
constexpr int kStates = 6;  // last and before of three cosines
constexpr int kPicturesInPair = 2;
constexpr int kProducts = 5;  // r, d, r^2, d^2, r d

using DD = hn::CappedTag<double, kGroup>;
using DF = hn::Rebind<float, DD>;
using DI = hn::Rebind<std::int32_t, DF>;
using VD = hn::Vec<DD>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

HWY_INLINE int lanes() { return static_cast<int>(hn::Lanes(DD())); }
HWY_INLINE VF set(float value) { return hn::Set(DF(), value); }
HWY_INLINE VD wide(float value) { return hn::Set(DD(), static_cast<double>(value)); }
HWY_INLINE VD widen(VF v) { return hn::PromoteTo(DD(), v); }
HWY_INLINE VF narrow(VD v) { return hn::DemoteTo(DF(), v); }

HWY_INLINE VF fused(VD a, VD b, VD c) { return narrow(hn::Add(hn::Mul(a, b), c)); }
HWY_INLINE VF fused(VD a, VD b, VF c) { return fused(a, b, widen(c)); }

// To the precision of a float, ties away from zero: round_to_float_precision of definition.h.
HWY_INLINE VD rounded(VD v) {
  const hn::RebindToUnsigned<DD> du;
  const auto bits = hn::Add(hn::BitCast(du, v), hn::Set(du, kHalfFloatUlp));
  return hn::BitCast(DD(), hn::And(bits, hn::Set(du, kFloatPrecisionMask)));
}

// Rows of a scale: what lies between the width and the stride may be read and written.
struct Size {
  Size(int w, int h)
      : width(w), height(h), padded((w + kPartialSums - 1) / kPartialSums * kPartialSums) {}

  std::size_t stride() const { return static_cast<std::size_t>(padded) + kPartialSums; }
  Size half() const { return {half_size(width), half_size(height)}; }

  int width;
  int height;
  int padded;  // whole partial sums
};

// Light of one picture.
struct Light {
  float* row(int colour, int y) const {
    return planes[colour] + static_cast<std::size_t>(y) * stride;
  }
  float* planes[3];
  std::size_t stride;
};

// From samples to light.

HWY_INLINE VF light_of(VF srgb) {
  VF numerator = set(kCurveNumerator[4]);
  VF denominator = set(kCurveDenominator[4]);
  for (int i = 3; i >= 0; --i) {
    numerator = hn::Add(hn::Mul(numerator, srgb), set(kCurveNumerator[i]));
    denominator = hn::Add(hn::Mul(denominator, srgb), set(kCurveDenominator[i]));
  }
  return hn::IfThenElse(hn::Gt(srgb, set(kCurveStart)), hn::Div(numerator, denominator),
                        hn::Mul(srgb, set(kLineSlope)));
}

HWY_INLINE VF unit_interval(VF v) { return hn::Min(hn::Max(v, hn::Zero(DF())), set(1)); }

template <class Sample>
HWY_INLINE VI load_samples(const Sample* from) {
  return hn::PromoteTo(DI(), hn::LoadU(hn::Rebind<Sample, DI>(), from));
}

// Working memory of a row.
struct Lines {
  std::int32_t* u;
  std::int32_t* v;
  std::int32_t* narrow;  // a chroma row before it is widened
  float* light;          // of each value of a sample, for RGB
};
constexpr int kMargin = 8;

// A row of chroma at the height of luma, in units of the interpolation.
template <class Sample>
void chroma_at_row(const Picture& picture, int plane, int y, std::int32_t* out) {
  const int width = picture.width(plane);
  const int step = lanes();
  const Taps down = taps_down(y, chroma_spacing(picture.format().chroma).y);
  const Sample* rows[4];
  for (int j = 0; j < 4; ++j)
    rows[j] = picture.row<Sample>(plane, std::clamp(down.first + j, 0, picture.height(plane) - 1));
  if (down.weights == kOnSample) {
    std::copy(rows[1], rows[1] + width, out);
    return;
  }
  const auto weight = [&](int j) { return down.weights[static_cast<std::size_t>(j)]; };
  int x = 0;
  for (; x + step <= width; x += step) {
    VI sum = hn::Zero(DI());
    for (int j = 0; j < 4; ++j)
      sum = hn::Add(sum, hn::Mul(load_samples(rows[j] + x), hn::Set(DI(), weight(j))));
    hn::StoreU(sum, DI(), out + x);
  }
  for (; x < width; ++x)
    out[x] = weight(0) * rows[0][x] + weight(1) * rows[1][x] + weight(2) * rows[2][x] +
             weight(3) * rows[3][x];
}

HWY_INLINE VI interpolated(const std::int32_t* at, const Taps& taps) {
  VI sum = hn::Zero(DI());
  for (int i = 0; i < 4; ++i)
    sum = hn::Add(sum, hn::Mul(hn::LoadU(DI(), at + taps.first + i),
                               hn::Set(DI(), taps.weights[static_cast<std::size_t>(i)])));
  return sum;
}

// The same at full width. `line` has room before and after.
template <class Sample>
void chroma_row(const Picture& picture, int plane, int y, std::int32_t* line, std::int32_t* out) {
  const int spacing = chroma_spacing(picture.format().chroma).x;
  if (spacing == 1) return chroma_at_row<Sample>(picture, plane, y, out);
  const int width = picture.width(plane);
  line += kMargin;
  chroma_at_row<Sample>(picture, plane, y, line);
  for (int i = 1; i <= kMargin; ++i) line[-i] = line[0];
  std::fill(line + width, line + width + 2 * kMargin, line[width - 1]);
  Taps taps[4];
  for (int i = 0; i < spacing; ++i) taps[i] = taps_across(i, spacing);
  for (int x = 0; x < width; x += lanes()) {
    const std::int32_t* const at = line + x;
    const VI first = interpolated(at, taps[0]);
    const VI second = interpolated(at, taps[1]);
    if (spacing == 2) {
      hn::StoreInterleaved2(first, second, DI(), out + 2 * x);
    } else {
      hn::StoreInterleaved4(first, second, interpolated(at, taps[2]), interpolated(at, taps[3]),
                            DI(), out + 4 * x);
    }
  }
}

// `light` has an entry for each value of a sample.
template <class Sample>
void rgb_row(const Picture& picture, const float* light, int y, float* const* out) {
  for (int plane = 0; plane < 3; ++plane) {
    const Sample* row = picture.row<Sample>(plane, y);
    for (int x = 0; x < picture.format().width; ++x) out[plane][x] = light[row[x]];
  }
}

template <class Sample>
void yuv_row(const Picture& picture, const Conversion& c, int y, const Lines& lines,
             float* const* out) {
  const int width = picture.format().width;
  const bool grey = picture.format().chroma == Chroma::k400;
  if (!grey) {
    chroma_row<Sample>(picture, 1, y, lines.narrow, lines.u);
    chroma_row<Sample>(picture, 2, y, lines.narrow, lines.v);
  }
  const Sample* row = picture.row<Sample>(0, y);
  const int step = lanes();
  for (int x = 0; x < width; x += step) {
    VI sample = hn::Zero(DI());
    if (x + step <= width) {
      sample = load_samples(row + x);
    } else {
      HWY_ALIGN Sample rest[kGroup] = {};
      std::copy(row + x, row + width, rest);
      sample = load_samples(rest);
    }
    const VF luma =
        hn::Mul(hn::ConvertTo(DF(), hn::Sub(sample, hn::Set(DI(), c.black))), set(c.luma_scale));
    VF red = luma;
    VF green = luma;
    VF blue = luma;
    if (!grey) {
      const VI neutral = hn::Set(DI(), c.neutral);
      const VF u = hn::ConvertTo(DF(), hn::Sub(hn::LoadU(DI(), lines.u + x), neutral));
      const VF v = hn::ConvertTo(DF(), hn::Sub(hn::LoadU(DI(), lines.v + x), neutral));
      red = hn::Add(luma, hn::Mul(v, set(c.red_v)));
      green = hn::Add(luma, hn::Add(hn::Mul(u, set(c.green_u)), hn::Mul(v, set(c.green_v))));
      blue = hn::Add(luma, hn::Mul(u, set(c.blue_u)));
    }
    hn::StoreU(light_of(unit_interval(red)), DF(), out[0] + x);
    hn::StoreU(light_of(unit_interval(green)), DF(), out[1] + x);
    hn::StoreU(light_of(unit_interval(blue)), DF(), out[2] + x);
  }
}

// The mean of two by two pixels. Row and column beyond an odd size are those before them.
void halve_row(float* upper, float* lower, int width, float* out) {
  if (width % 2 != 0) {
    upper[width] = upper[width - 1];
    lower[width] = lower[width - 1];
  }
  for (int x = 0; x < half_size(width); x += lanes()) {
    VF left = hn::Zero(DF());
    VF right = left;
    VF lower_left = left;
    VF lower_right = left;
    hn::LoadInterleaved2(DF(), upper + 2 * x, left, right);
    hn::LoadInterleaved2(DF(), lower + 2 * x, lower_left, lower_right);
    const VF sum = hn::Add(hn::Add(hn::Add(left, right), lower_left), lower_right);
    hn::StoreU(hn::Mul(sum, set(0.25f)), DF(), out + x);
  }
}

// From light to XYB.

// Several values at once: each step waits for the one before, so they take turns.
template <int kCount>
HWY_INLINE void responses(VF (&x)[kCount]) {
  VF r[kCount];
  VD third[kCount];
  const VD negative_third = wide(-kThird);
  for (int i = 0; i < kCount; ++i) {
    const VI bits = hn::BitCast(DI(), x[i]);
    const VI guess = hn::Sub(hn::Set(DI(), kRootGuess),
                             hn::Mul(hn::ShiftRight<23>(bits), hn::Set(DI(), kRootExponent)));
    r[i] = hn::BitCast(DF(), hn::IfThenZeroElse(hn::Eq(bits, hn::Zero(DI())), guess));
    third[i] = widen(hn::Mul(set(-kThird), x[i]));
  }
  for (int step = 0; step < kRootSteps; ++step) {
    for (int i = 0; i < kCount; ++i) {
      const VF square = hn::Mul(r[i], r[i]);
      r[i] = fused(third[i], widen(hn::Mul(square, square)), hn::Mul(set(kFourThirds), r[i]));
    }
  }
  for (int i = 0; i < kCount; ++i) {
    const VF square = hn::Mul(r[i], r[i]);
    const VD wide_x = widen(x[i]);
    const VD wide_r = widen(r[i]);
    const VF rest = narrow(hn::Sub(wide_r, hn::Mul(wide_x, widen(hn::Mul(square, square)))));
    r[i] = narrow(hn::Sub(wide_r, hn::Mul(negative_third, widen(rest))));
    x[i] = fused(widen(hn::Mul(r[i], r[i])), wide_x, wide(-kBiasRoot));
  }
}

HWY_INLINE void absorb(VF red, VF green, VF blue, VF* out) {
  const VD r = widen(red);
  const VD g = widen(green);
  const VD b = widen(blue);
  for (int i = 0; i < 3; ++i) {
    const float(&row)[3] = kAbsorption[i];
    VF sum = fused(wide(row[2]), b, wide(kBias));
    sum = fused(wide(row[1]), g, sum);
    sum = fused(wide(row[0]), r, sum);
    out[i] = hn::Max(sum, hn::Zero(DF()));
  }
}

HWY_INLINE void store_xyb(const VF* cones, int x, float* const* out) {
  const VF half = set(0.5f);
  const VF red_green = hn::Mul(half, hn::Sub(cones[0], cones[1]));
  const VF y = hn::Mul(half, hn::Add(cones[0], cones[1]));
  hn::StoreU(hn::Add(hn::Mul(red_green, set(kXScale)), set(kXOffset)), DF(), out[0] + x);
  hn::StoreU(hn::Add(y, set(kYOffset)), DF(), out[1] + x);
  hn::StoreU(hn::Add(hn::Sub(cones[2], y), set(kBOffset)), DF(), out[2] + x);
}

// Both pictures' rows; columns from the width to the padded width become 0.
void xyb_rows(const float* const (*light)[3], const Size& size, float* const (*out)[3]) {
  for (int x = 0; x < size.width; x += lanes()) {
    VF cones[6];
    for (int i = 0; i < kPicturesInPair; ++i)
      absorb(hn::LoadU(DF(), light[i][0] + x), hn::LoadU(DF(), light[i][1] + x),
             hn::LoadU(DF(), light[i][2] + x), cones + 3 * i);
    responses(cones);
    for (int i = 0; i < kPicturesInPair; ++i) store_xyb(cones + 3 * i, x, out[i]);
  }
  for (int i = 0; i < kPicturesInPair; ++i)
    for (int c = 0; c < kChannels; ++c)
      std::fill(out[i][c] + size.width, out[i][c] + size.padded, 0.f);
}

// The blur along rows.

// Columns of as many rows as there are lanes: column x at (x + kBehind) * lanes. Columns beyond the
// rows are 0.
void transpose(const float* const* rows, int width, float* out) {
  const hn::FixedTag<float, 4> d4;
  const int count = lanes();
  std::fill(out, out + kBehind * count, 0.0f);
  out += kBehind * count;
  HWY_ALIGN float block[4 * kGroup];
  int x = 0;
  for (; x + 4 <= width; x += 4) {
    for (int i = 0; i < count; ++i)
      hn::Store(hn::LoadU(d4, rows[i] + x), d4, block + static_cast<std::ptrdiff_t>(4) * i);
    VF v[4];
    hn::LoadInterleaved4(DF(), block, v[0], v[1], v[2], v[3]);
    for (int j = 0; j < 4; ++j)
      hn::Store(v[j], DF(), out + static_cast<std::ptrdiff_t>(x + j) * count);
  }
  for (; x < width; ++x)
    for (int i = 0; i < count; ++i) out[static_cast<std::ptrdiff_t>(x) * count + i] = rows[i][x];
  std::fill(out + static_cast<std::ptrdiff_t>(width) * count,
            out + static_cast<std::ptrdiff_t>(width + kAhead) * count, 0.0f);
}

// What is blurred along rows is stored in tiles of kChunk columns and kRing rows, because the blur
// along columns takes it so.
HWY_INLINE int tile_offset(int x) { return x / kChunk * kTile + x % kChunk; }

struct Cosine {
  VF last;
  VF before;
};

HWY_INLINE VF sum_of(VF first, VF second, VF third) {
  return hn::Add(first, hn::Add(second, third));
}

// A product and a sum.
HWY_INLINE VD recursion(float factor, VD b, VD c) {
  return rounded(hn::Add(hn::Mul(wide(factor), b), c));
}

// One output.
template <int kIndex>
HWY_INLINE VF one(VF input, Cosine& state) {
  constexpr Unrolled c = unrolled(kIndex);
  VF y = hn::Sub(hn::Mul(input, set(c.input[0])), state.before);
  if constexpr (kIndex < 2) y = narrow(recursion(c.last[0], widen(state.last), widen(y)));
  state.before = state.last;
  state.last = y;
  return y;
}

// Four outputs of the first or second cosine.
template <int kIndex>
HWY_INLINE void four(const VF* input, const VD* wide_input, Cosine& state, VF* out) {
  constexpr Unrolled c = unrolled(kIndex);
  const VD last = widen(state.last);
  const VD before = widen(state.before);
  const VD y0 = widen(hn::Sub(hn::Mul(input[0], set(c.input[0])), state.before));
  VD y1 = recursion(c.input[0], wide_input[1], widen(hn::Mul(input[0], set(c.input[1]))));
  VD y2 = recursion(c.input[1], wide_input[1], widen(hn::Mul(input[0], set(c.input[2]))));
  VD y3 = recursion(c.input[2], wide_input[1], widen(hn::Mul(input[0], set(c.input[3]))));
  y2 = recursion(c.input[0], wide_input[2], y2);
  y3 = recursion(c.input[1], wide_input[2], y3);
  y3 = recursion(c.input[0], wide_input[3], y3);
  y1 = recursion(c.before[1], before, y1);
  y2 = recursion(c.before[2], before, y2);
  y3 = recursion(c.before[3], before, y3);
  out[0] = narrow(recursion(c.last[0], last, y0));
  out[1] = narrow(recursion(c.last[1], last, y1));
  out[2] = narrow(recursion(c.last[2], last, y2));
  out[3] = narrow(recursion(c.last[3], last, y3));
  state.before = out[2];
  state.last = out[3];
}

// Of the third.
HWY_INLINE void four_of_third(const VF* input, const VD* wide_input, Cosine& state, VF* out) {
  constexpr Unrolled c = unrolled(2);
  const VF n = set(c.input[0]);
  const auto inner = [&](int k) HWY_ATTR {
    const VD first = widen(hn::Mul(input[k - 2], set(c.input[2])));
    return narrow(recursion(c.input[0], wide_input[k], first));
  };
  out[0] = hn::Sub(hn::Mul(input[0], n), state.before);
  out[1] = hn::Sub(hn::Mul(input[1], n), state.last);
  out[2] = hn::Add(inner(2), state.before);
  out[3] = hn::Add(inner(3), state.last);
  state.before = out[2];
  state.last = out[3];
}

// Blurs what `at` gives: at(x) is column x, valid from -kBehind to width + kAhead - 1, a row in
// each lane.
template <class At>
HWY_INLINE void blur_rows(At at, int width, float* const* out) {
  const hn::FixedTag<float, 4> d4;
  const int count = lanes();
  HWY_ALIGN float block[4 * kGroup];
  Cosine first{hn::Zero(DF()), hn::Zero(DF())};
  Cosine second = first;
  Cosine third = first;
  const auto input = [&](int n) HWY_ATTR { return hn::Add(at(n - kBehind), at(n + kAhead)); };
  const auto step = [&](int n, VF sum) HWY_ATTR {
    const VF y1 = one<0>(sum, first);
    const VF y2 = one<1>(sum, second);
    const VF y3 = one<2>(sum, third);
    if (n < 0) return;
    hn::Store(sum_of(y1, y2, y3), DF(), block);
    for (int i = 0; i < count; ++i) out[i][tile_offset(n)] = block[i];
  };
  int n = -kAhead;
  // Left of column 0 only the sample ahead exists.
  for (; n < 0; ++n) step(n, n + kAhead < width ? at(n + kAhead) : hn::Zero(DF()));
  for (; n < std::min(kUnrolledStart, width); ++n) step(n, input(n));
  for (; n < width - kUnrolledEnd; n += 4) {
    VF sum[4];
    VD wide_sum[4];
    for (int k = 0; k < 4; ++k) {
      sum[k] = input(n + k);
      wide_sum[k] = widen(sum[k]);
    }
    VF y1[4];
    VF y2[4];
    VF y3[4];
    four<0>(sum, wide_sum, first, y1);
    four<1>(sum, wide_sum, second, y2);
    four_of_third(sum, wide_sum, third, y3);
    hn::StoreInterleaved4(sum_of(y1[0], y2[0], y3[0]), sum_of(y1[1], y2[1], y3[1]),
                          sum_of(y1[2], y2[2], y3[2]), sum_of(y1[3], y2[3], y3[3]), DF(), block);
    for (int i = 0; i < count; ++i)
      hn::StoreU(hn::Load(d4, block + static_cast<std::ptrdiff_t>(4) * i), d4,
                 out[i] + tile_offset(n));
  }
  for (; n < width; ++n) step(n, input(n));
}

// The five products of as many rows as there are lanes.
HWY_NOINLINE void blur_products(const float* r, const float* d, int width,
                                float* const (*out)[kGroup]) {
  const std::ptrdiff_t count = lanes();
  r += kBehind * count;
  d += kBehind * count;
  const auto load_r = [=](int x) HWY_ATTR { return hn::Load(DF(), r + x * count); };
  const auto load_d = [=](int x) HWY_ATTR { return hn::Load(DF(), d + x * count); };
  blur_rows(load_r, width, out[0]);
  blur_rows(load_d, width, out[1]);
  blur_rows([=](int x) HWY_ATTR { return hn::Mul(load_r(x), load_r(x)); }, width, out[2]);
  blur_rows([=](int x) HWY_ATTR { return hn::Mul(load_d(x), load_d(x)); }, width, out[3]);
  blur_rows([=](int x) HWY_ATTR { return hn::Mul(load_r(x), load_d(x)); }, width, out[4]);
}

// The blur along columns.

// Rows of one step, and where the step's output goes.
struct ColumnStep {
  const float* above;
  const float* below;
  float* out;
};

// Two vectors of columns, from x on, so that one can go on while the other waits.
HWY_INLINE void blur_columns(const ColumnStep* steps, int count, int x, float* state) {
  constexpr int kVectors = 2;
  const int step = lanes();
  VD last[3][kVectors];
  VD before[3][kVectors];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < kVectors; ++j) {
      const float* at = state + x + j * step;
      last[i][j] = widen(hn::Load(DF(), at + i * kChunk));
      before[i][j] = widen(hn::Load(DF(), at + (i + 3) * kChunk));
    }
  }
  for (int n = 0; n < count; ++n) {
    for (int j = 0; j < kVectors; ++j) {
      const int at = x + j * step;
      const VD sum =
          widen(hn::Add(hn::Load(DF(), steps[n].above + at), hn::Load(DF(), steps[n].below + at)));
      VD y[3];
      for (int i = 0; i < 3; ++i) {
        const VD product = hn::Mul(sum, wide(static_cast<float>(kInput[i])));
        if (i < 2) {
          const VD feedback = hn::Mul(last[i][j], wide(static_cast<float>(-kFeedback[i])));
          y[i] = rounded(hn::Add(product, rounded(hn::Sub(feedback, before[i][j]))));
        } else {
          y[i] = rounded(hn::Sub(product, before[i][j]));
        }
        before[i][j] = last[i][j];
        last[i][j] = y[i];
      }
      // A sum of floats in double, rounded to float, is their sum in float.
      const VF inner = narrow(hn::Add(y[1], y[2]));
      hn::Store(hn::Add(narrow(y[0]), inner), DF(), steps[n].out + at);
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < kVectors; ++j) {
      float* at = state + x + j * step;
      hn::Store(narrow(last[i][j]), DF(), at + i * kChunk);
      hn::Store(narrow(before[i][j]), DF(), at + (i + 3) * kChunk);
    }
  }
}

// The errors.

constexpr int kErrors = 6;  // structure, artifacts, lost; each and its fourth power

// Partial sums of one row.
struct RowSums {
  double at[kErrors][kPartialSums];
};

HWY_INLINE void add_error(VD error, double* HWY_RESTRICT first, double* HWY_RESTRICT fourth) {
  const DD d;
  const VD square = hn::Mul(error, error);
  hn::Store(hn::Add(hn::Load(d, first), error), d, first);
  hn::Store(hn::Add(hn::Load(d, fourth), hn::Mul(square, square)), d, fourth);
}

// Blurred rows of a chunk.
struct Blurred {
  const float* mean1;
  const float* mean2;
  const float* square1;
  const float* square2;
  const float* both;
};

HWY_INLINE VD structure_error(VF mean1, VF mean2, VF square1, VF square2, VF both) {
  const VF difference = hn::Sub(mean1, mean2);
  const VF luminance = hn::Sub(set(1), hn::Mul(difference, difference));
  const VF covariance = hn::Sub(both, hn::Mul(mean1, mean2));
  const VF numerator = hn::Mul(luminance, hn::Add(hn::Mul(set(2), covariance), set(kC2)));
  const VF denominator = hn::Add(
      hn::Add(hn::Sub(square1, hn::Mul(mean1, mean1)), hn::Sub(square2, hn::Mul(mean2, mean2))),
      set(kC2));
  const VF quotient = hn::IfThenElse(hn::Gt(denominator, set(kLeastDenominator)),
                                     hn::Div(numerator, denominator), set(1));
  return hn::Max(hn::Sub(wide(1), widen(quotient)), hn::Zero(DD()));
}

void add_errors(const float* pixels1, const float* pixels2, const Blurred& blurred, int count,
                RowSums& sums) {
  const DF d;
  const VD zero = hn::Zero(DD());
  for (int x = 0; x < count; x += lanes()) {
    const int i = x % kPartialSums;
    const VF mean1 = hn::Load(d, blurred.mean1 + x);
    const VF mean2 = hn::Load(d, blurred.mean2 + x);
    add_error(structure_error(mean1, mean2, hn::Load(d, blurred.square1 + x),
                              hn::Load(d, blurred.square2 + x), hn::Load(d, blurred.both + x)),
              sums.at[0] + i, sums.at[1] + i);
    const VF edge1 = hn::Abs(hn::Sub(hn::Load(d, pixels1 + x), mean1));
    const VF edge2 = hn::Abs(hn::Sub(hn::Load(d, pixels2 + x), mean2));
    const VD edge =
        hn::Sub(hn::Div(hn::Add(wide(1), widen(edge2)), hn::Add(wide(1), widen(edge1))), wide(1));
    add_error(hn::Max(edge, zero), sums.at[2] + i, sums.at[3] + i);
    add_error(hn::Max(hn::Neg(edge), zero), sums.at[4] + i, sums.at[5] + i);
  }
}

double tree(double* sums) {
  for (int step = kPartialSums / 2; step > 0; step /= 2)
    for (int i = 0; i < step; ++i) sums[i] += sums[i + step];
  return sums[0];
}

void add_row(RowSums& row, ChannelSums& sums) {
  ErrorSums* const errors[] = {&sums.structure, &sums.artifacts, &sums.lost};
  for (int i = 0; i < 3; ++i) {
    errors[i]->first += tree(row.at[2 * i]);
    errors[i]->fourth += tree(row.at[2 * i + 1]);
  }
}

// One scale.
class Scale {
 public:
  Scale(const Size& size, Scratch& scratch) : size_(size) {
    const std::size_t stride = size.stride();
    for (auto& picture : xyb_)
      for (float*& ring : picture) ring = zeros(kRing * stride, scratch);
    const auto chunks = static_cast<std::size_t>((size.padded + kChunk - 1) / kChunk);
    for (auto& channel : across_)
      for (float*& ring : channel) ring = zeros(chunks * kTile, scratch);
    for (auto& channel : states_)
      for (float*& state : channel) state = zeros(chunks * kStates * kChunk, scratch);
    zero_row_ = zeros(stride, scratch);
    const auto columns = static_cast<std::size_t>(size.width + kBehind + kAhead) * kGroup;
    for (float*& t : transposed_) t = scratch.take<float>(columns);
    blurred_ = scratch.take<float>(std::size_t{kProducts} * kGroup * kChunk);
    row_sums_ = scratch.take<RowSums>(kGroup);
  }

  // Rows y, y + 1, ... of both pictures' XYB, to be filled.
  float* xyb_row(int picture, int channel, int y) const {
    return ring_row(xyb_[picture][channel], y);
  }

  // After the rows from y on are filled. Beyond the last row: what is left of the blur.
  void add_group(int y, ChannelSums* sums) {
    for (int c = 0; c < kChannels; ++c) {
      if (y < size_.height) blur_across(c, y);
      add_blurred(c, y - kAhead, sums[c]);
    }
  }

 private:
  static float* zeros(std::size_t count, Scratch& scratch) {
    float* const out = scratch.take<float>(count);
    std::fill(out, out + count, 0.0f);
    return out;
  }

  float* ring_row(float* ring, int y) const {
    return ring + static_cast<std::size_t>(y % kRing) * size_.stride();
  }
  bool has_row(int y) const { return y >= 0 && y < size_.height; }

  void blur_across(int channel, int y) {
    const int count = lanes();
    for (int first = y; first < std::min(y + kGroup, size_.height); first += count) {
      const float* in[kPicturesInPair][kGroup];
      float* out[kProducts][kGroup];
      for (int i = 0; i < count; ++i) {
        // Rows below the picture are 0, and nothing reads what becomes of them.
        const int row = first + i;
        for (int p = 0; p < kPicturesInPair; ++p)
          in[p][i] = has_row(row) ? xyb_row(p, channel, row) : zero_row_;
        for (int p = 0; p < kProducts; ++p) out[p][i] = across_[channel][p] + row % kRing * kChunk;
      }
      transpose(in[0], size_.width, transposed_[0]);
      transpose(in[1], size_.width, transposed_[1]);
      blur_products(transposed_[0], transposed_[1], size_.width, out);
    }
  }

  // Blurs rows first..first + kGroup along columns and adds their errors.
  void add_blurred(int channel, int first, ChannelSums& sums) {
    const int end = std::min(first + kGroup, size_.height);
    std::fill(row_sums_, row_sums_ + kGroup, RowSums{});
    for (int x = 0; x < size_.padded; x += kChunk) {
      const int count = std::min(kChunk, size_.padded - x);
      for (int p = 0; p < kProducts; ++p) blur_down(channel, p, first, end, x, count);
      for (int y = std::max(first, 0); y < end; ++y) {
        const int row = y - first;
        add_errors(
            xyb_row(0, channel, y) + x, xyb_row(1, channel, y) + x,
            {blurred(0, row), blurred(1, row), blurred(2, row), blurred(3, row), blurred(4, row)},
            count, row_sums_[row]);
      }
    }
    for (int y = std::max(first, 0); y < end; ++y) add_row(row_sums_[y - first], sums);
  }

  float* blurred(int product, int row) const {
    return blurred_ + static_cast<std::ptrdiff_t>(product * kGroup + row) * kChunk;
  }

  void blur_down(int channel, int product, int first, int end, int x, int count) {
    ColumnStep steps[kGroup];
    const float* const tile = across_[channel][product] + tile_offset(x);
    for (int y = first; y < end; ++y) {
      const auto row = [&](int n) { return has_row(n) ? tile + n % kRing * kChunk : zero_row_; };
      steps[y - first] = {row(y - kBehind), row(y + kAhead), blurred(product, y - first)};
    }
    float* const state = states_[channel][product] + x * kStates;
    for (int i = 0; i < count; i += 2 * lanes()) blur_columns(steps, end - first, i, state);
  }

  Size size_;
  float* xyb_[kPicturesInPair][kChannels];
  float* across_[kChannels][kProducts];
  float* states_[kChannels][kProducts];
  float* zero_row_;
  float* transposed_[kPicturesInPair];
  float* blurred_;
  RowSums* row_sums_;
};

// Light of a group of rows becomes XYB, and light of the next scale.
void prepare_group(const Light* light, const Size& size, int y, int row_in_light,
                   const Scale& scale, const Light* next) {
  const int count = std::min(kGroup, size.height - y);
  for (int i = 0; i < count; ++i) {
    const float* in[kPicturesInPair][3];
    float* out[kPicturesInPair][3];
    for (int p = 0; p < kPicturesInPair; ++p) {
      for (int c = 0; c < 3; ++c) {
        in[p][c] = light[p].row(c, row_in_light + i);
        out[p][c] = scale.xyb_row(p, c, y + i);
      }
    }
    xyb_rows(in, size, out);
  }
  if (next == nullptr) return;
  for (int i = 0; i < count; i += 2) {
    for (int p = 0; p < kPicturesInPair; ++p) {
      for (int c = 0; c < 3; ++c) {
        const int upper = row_in_light + i;
        const int lower = row_in_light + std::min(i + 1, count - 1);
        halve_row(light[p].row(c, upper), light[p].row(c, lower), size.width,
                  next[p].row(c, (y + i) / 2));
      }
    }
  }
}

void take_light(const Size& size, int rows, Scratch& scratch, Light* light) {
  for (int p = 0; p < kPicturesInPair; ++p) {
    light[p].stride = size.stride();
    for (float*& plane : light[p].planes)
      plane = scratch.take<float>(size.stride() * static_cast<std::size_t>(rows));
  }
}

template <class Sample>
void read_rows(const Picture& picture, Colour colour, const Conversion& c, int y, int count,
               const Lines& lines, const Light& light) {
  for (int i = 0; i < count; ++i) {
    float* const out[] = {light.row(0, i), light.row(1, i), light.row(2, i)};
    if (colour == Colour::kRgb) {
      rgb_row<Sample>(picture, lines.light, y + i, out);
    } else {
      yuv_row<Sample>(picture, c, y + i, lines, out);
    }
  }
}

Lines take_lines(const PictureFormat& format, Colour colour, const Conversion& c, const Size& size,
                 Scratch& scratch) {
  const std::size_t length = size.stride() + 8 * kMargin;
  Lines lines{};
  if (colour != Colour::kRgb) {
    for (std::int32_t** line : {&lines.u, &lines.v, &lines.narrow})
      *line = scratch.take<std::int32_t>(length);
    return lines;
  }
  const int values = 1 << format.bit_depth;
  lines.light = scratch.take<float>(static_cast<std::size_t>(values));
  for (int i = 0; i < values; ++i)
    lines.light[i] = light_of_rgb(static_cast<float>(i) * c.luma_scale);
  return lines;
}

template <class Sample>
void measure_first_scale(const Picture& reference, const Picture& distorted, Colour colour,
                         const Light* next, Scratch& scratch, ChannelSums* sums) {
  const Scratch::Frame frame(scratch);
  const PictureFormat& format = reference.format();
  const Size size(format.width, format.height);
  const Conversion c = conversion(format, colour);
  const Lines lines = take_lines(format, colour, c, size, scratch);
  Light light[kPicturesInPair];
  take_light(size, kGroup, scratch, light);
  Scale scale(size, scratch);
  for (int y = 0; y - kAhead < size.height; y += kGroup) {
    if (y < size.height) {
      const int count = std::min(kGroup, size.height - y);
      read_rows<Sample>(reference, colour, c, y, count, lines, light[0]);
      read_rows<Sample>(distorted, colour, c, y, count, lines, light[1]);
      prepare_group(light, size, y, 0, scale, next);
    }
    scale.add_group(y, sums);
  }
}

void measure_scale(const Light* light, const Size& size, const Light* next, Scratch& scratch,
                   ChannelSums* sums) {
  const Scratch::Frame frame(scratch);
  Scale scale(size, scratch);
  for (int y = 0; y - kAhead < size.height; y += kGroup) {
    if (y < size.height) prepare_group(light, size, y, y, scale, next);
    scale.add_group(y, sums);
  }
}

template <class Sample>
Sums measure(const Picture& reference, const Picture& distorted, Colour colour, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  const PictureFormat& format = reference.format();
  const int scales = scale_count(format.width, format.height);
  Sums sums{};
  Size size(format.width, format.height);
  // Scales take turns: light of one is read while that of the next is written.
  Light light[2][kPicturesInPair];
  take_light(size.half(), size.half().height, scratch, light[1]);
  take_light(size.half().half(), size.half().half().height, scratch, light[0]);
  measure_first_scale<Sample>(reference, distorted, colour, light[1], scratch, sums.at[0]);
  for (int scale = 1; scale < scales; ++scale) {
    size = size.half();
    Light* const next = light[(scale + 1) % 2];
    for (int p = 0; p < kPicturesInPair; ++p) next[p].stride = size.half().stride();
    measure_scale(light[scale % 2], size, scale + 1 < scales ? next : nullptr, scratch,
                  sums.at[scale]);
  }
  return sums;
}

Sums measure8(const Picture& reference, const Picture& distorted, Colour colour, Scratch& scratch) {
  return measure<std::uint8_t>(reference, distorted, colour, scratch);
}

Sums measure16(const Picture& reference, const Picture& distorted, Colour colour,
               Scratch& scratch) {
  return measure<std::uint16_t>(reference, distorted, colour, scratch);
}

}  // namespace vmafx::ssimulacra2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::ssimulacra2 {

HWY_EXPORT(measure8);
HWY_EXPORT(measure16);

Sums sums(const Picture& reference, const Picture& distorted, Colour colour, Scratch& scratch) {
  return reference.format().bit_depth == 8
             ? HWY_DYNAMIC_DISPATCH(measure8)(reference, distorted, colour, scratch)
             : HWY_DYNAMIC_DISPATCH(measure16)(reference, distorted, colour, scratch);
}

}  // namespace vmafx::ssimulacra2
#endif
