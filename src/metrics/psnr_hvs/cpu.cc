// PSNR-HVS for every instruction set: a lane is a block, so that the order of sums within a block
// is that of the definition.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "metrics/psnr_hvs/psnr_hvs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/psnr_hvs/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::psnr_hvs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kMaxLanes = 16;
using DF = hn::CappedTag<float, kMaxLanes>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

// 64 values of each block of a group; value k of lane b is at [k * lanes + b].
struct Group {
  alignas(64) std::int32_t values[kCoefficients * kMaxLanes];

  VI get(int k) const { return hn::Load(DI(), values + static_cast<std::size_t>(k) * lanes()); }
  void set(int k, VI v) { hn::Store(v, DI(), values + static_cast<std::size_t>(k) * lanes()); }
  static std::size_t lanes() { return hn::Lanes(DI()); }
};

// Samples of `lanes` blocks that start at columns x[lane]. Words of several samples are gathered
// first and taken apart in vectors.
template <class Sample>
void load_group(PlaneView<const Sample> plane, const int* x, int y, Group& group) {
  constexpr int kPerWord = 4 / static_cast<int>(sizeof(Sample));
  constexpr int kWordsPerRow = kBlock / kPerWord;
  constexpr int kBits = 8 * static_cast<int>(sizeof(Sample));
  const DU du;
  const std::size_t lanes = Group::lanes();
  alignas(64) std::uint32_t words[kWordsPerRow * kMaxLanes];
  const auto mask = hn::Set(du, (1u << kBits) - 1);
  for (int i = 0; i < kBlock; ++i) {
    const Sample* row = plane.row(y + i);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t w = 0; w < kWordsPerRow; ++w)
        std::memcpy(&words[w * lanes + lane], row + x[lane] + w * kPerWord, 4);
    }
    for (int w = 0; w < kWordsPerRow; ++w) {
      auto word = hn::Load(du, words + static_cast<std::size_t>(w) * lanes);
      for (int s = 0; s < kPerWord; ++s) {
        group.set(i * kBlock + w * kPerWord + s, hn::BitCast(DI(), hn::And(word, mask)));
        word = hn::ShiftRight<kBits>(word);
      }
    }
  }
}

HWY_INLINE VI half(VI v) {
  const VI negative = hn::BitCast(DI(), hn::ShiftRight<31>(hn::BitCast(DU(), v)));
  return hn::ShiftRight<1>(hn::Add(v, negative));
}

template <int kFactor, int kShift>
HWY_INLINE VI lift(VI v) {
  const DI d;
  return hn::ShiftRight<kShift>(
      hn::Add(hn::Mul(v, hn::Set(d, kFactor)), hn::Set(d, 1 << (kShift - 1))));
}
#define VMAFX_LIFT(v, by) lift<(by).factor, (by).shift>(v)

// The transform of reference.cc, on values first, first + step, ...
HWY_INLINE void transform(Group& group, int first, int step) {
  const auto v = [&](int i) HWY_ATTR { return group.get(first + i * step); };
  const auto put = [&](int i, VI c) HWY_ATTR { group.set(first + i * step, c); };
  const VI d07 = hn::Sub(v(0), v(7));
  const VI d07_half = half(d07);
  const VI s07_half = hn::Sub(v(0), d07_half);
  const VI s16 = hn::Add(v(1), v(6));
  const VI s16_half = half(s16);
  const VI d61_half = hn::Sub(v(6), s16_half);
  const VI d25 = hn::Sub(v(2), v(5));
  const VI s25_half = hn::Sub(v(2), half(d25));
  const VI s34 = hn::Add(v(3), v(4));
  const VI s34_half = half(s34);
  const VI d34_half = hn::Sub(s34_half, v(4));

  VI c0 = hn::Add(s07_half, s34_half);
  VI c6 = hn::Sub(c0, s34);
  VI c2 = hn::Sub(s16_half, s25_half);
  VI c4 = hn::Sub(c2, s16);
  c0 = hn::Sub(c0, VMAFX_LIFT(c4, kTanPi8));
  c4 = hn::Add(c4, VMAFX_LIFT(c0, kSinPi4));
  c0 = hn::Sub(c0, VMAFX_LIFT(c4, kTanPi8));
  c6 = hn::Sub(c6, VMAFX_LIFT(c2, kTan3Pi16));
  c2 = hn::Add(c2, VMAFX_LIFT(c6, kSin3Pi8));
  c6 = hn::Sub(c6, VMAFX_LIFT(c2, kTan3Pi16));
  put(0, c0);
  put(2, c2);
  put(4, c4);
  put(6, c6);

  VI c3 = hn::Add(d25, VMAFX_LIFT(d61_half, kTwoMinusSqrt2));
  VI c5 = hn::Add(d61_half, VMAFX_LIFT(c3, kSinPi4));
  c3 = hn::Sub(c3, VMAFX_LIFT(c5, kSqrt2MinusHalf));
  VI c7 = hn::Sub(half(c5), d34_half);
  c5 = hn::Sub(c5, c7);
  c3 = hn::Sub(d07_half, c3);
  VI c1 = hn::Sub(d07, c3);
  c7 = hn::Add(c7, VMAFX_LIFT(c1, kTanPi32));
  c1 = hn::Sub(c1, VMAFX_LIFT(c7, kSinPi16));
  c7 = hn::Add(c7, VMAFX_LIFT(c1, kTanPi32));
  c5 = hn::Add(c5, VMAFX_LIFT(c3, kTan3Pi32));
  c3 = hn::Sub(c3, VMAFX_LIFT(c5, kSin3Pi16));
  c5 = hn::Add(c5, VMAFX_LIFT(c3, kTan3Pi32));
  put(1, c1);
  put(3, c3);
  put(5, c5);
  put(7, c7);
}

void transform_group(Group& group) {
  for (int column = 0; column < kBlock; ++column) transform(group, column, kBlock);
  for (int row = 0; row < kBlock; ++row) transform(group, kBlock * row, 1);
}

// Sum of one quarter, which starts at value `first`.
HWY_INLINE VI quarter_sum(const Group& samples, int first) {
  VI sum = hn::Zero(DI());
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) sum = hn::Add(sum, samples.get(first + i * kBlock + j));
  }
  return sum;
}

// Adds the squared deviations of four samples to the variance of the block and of the quarter.
HWY_INLINE void add_deviations(const Group& samples, int first, VF mean, VF quarter_mean,
                               VF& variance, VF& quarter_variance) {
  for (int j = 0; j < 4; ++j) {
    const VF sample = hn::ConvertTo(DF(), samples.get(first + j));
    const VF deviation = hn::Sub(sample, mean);
    variance = hn::Add(variance, hn::Mul(deviation, deviation));
    const VF local = hn::Sub(sample, quarter_mean);
    quarter_variance = hn::Add(quarter_variance, hn::Mul(local, local));
  }
}

VF texture_share(const Group& samples) {
  const DF d;
  const VI sum0 = quarter_sum(samples, 0);
  const VI sum1 = quarter_sum(samples, 4 * kBlock);
  const VI sum2 = quarter_sum(samples, 4);
  const VI sum3 = quarter_sum(samples, 4 * kBlock + 4);
  const VF sixteenth = hn::Set(d, 1 / 16.f);
  const VF mean0 = hn::Mul(hn::ConvertTo(d, sum0), sixteenth);
  const VF mean1 = hn::Mul(hn::ConvertTo(d, sum1), sixteenth);
  const VF mean2 = hn::Mul(hn::ConvertTo(d, sum2), sixteenth);
  const VF mean3 = hn::Mul(hn::ConvertTo(d, sum3), sixteenth);
  const VI total = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
  const VF mean = hn::Mul(hn::ConvertTo(d, total), hn::Set(d, 1 / 64.f));

  VF variance = hn::Zero(d);
  VF v0 = hn::Zero(d);
  VF v1 = hn::Zero(d);
  VF v2 = hn::Zero(d);
  VF v3 = hn::Zero(d);
  for (int i = 0; i < 4; ++i) {
    add_deviations(samples, i * kBlock, mean, mean0, variance, v0);
    add_deviations(samples, i * kBlock + 4, mean, mean2, variance, v2);
  }
  for (int i = 4; i < kBlock; ++i) {
    add_deviations(samples, i * kBlock, mean, mean1, variance, v1);
    add_deviations(samples, i * kBlock + 4, mean, mean3, variance, v3);
  }
  variance = hn::Mul(variance, hn::Set(d, 1 / 63.f * 64));
  const VF unbias = hn::Set(d, 1 / 15.f * 16);
  const VF local =
      hn::Add(hn::Add(hn::Add(hn::Mul(v0, unbias), hn::Mul(v1, unbias)), hn::Mul(v2, unbias)),
              hn::Mul(v3, unbias));
  return hn::IfThenElseZero(hn::Gt(variance, hn::Zero(d)), hn::Div(local, variance));
}

VF masking(const Group& coefficients, VF share, const Weights& weights) {
  const DF d;
  VF energy = hn::Zero(d);
  for (int k = 1; k < kCoefficients; ++k) {
    const VI c = coefficients.get(k);
    const VF weight = hn::Set(d, weights.masking[static_cast<std::size_t>(k)]);
    energy = hn::Add(energy, hn::Mul(hn::ConvertTo(d, hn::Mul(c, c)), weight));
  }
  return hn::Mul(hn::Sqrt(hn::Mul(energy, share)), hn::Set(d, 1 / 32.f));
}

// Squared visible errors of each lane, and which of them are not zero.
struct Terms {
  alignas(64) float values[kCoefficients * kMaxLanes];
  alignas(64) std::uint32_t nonzero_low[kMaxLanes];   // bit k: coefficient k
  alignas(64) std::uint32_t nonzero_high[kMaxLanes];  // bit k: coefficient 32 + k
};

template <int kFirst>
hn::Vec<DU> half_of_terms(const Group& reference, const Group& distorted, VF mask,
                          const Weights& weights, Terms& terms) {
  const DF d;
  const DU du;
  const VF zero = hn::Zero(d);
  auto nonzero = hn::Zero(du);
  for (int i = 0; i < kCoefficients / 2; ++i) {
    const int k = kFirst + i;
    const auto index = static_cast<std::size_t>(k);
    const VI difference = hn::Sub(reference.get(k), distorted.get(k));
    VF visible = hn::ConvertTo(d, hn::Abs(difference));
    if (k > 0) {
      const VF hidden = hn::Div(mask, hn::Set(d, weights.masking[index]));
      visible = hn::IfThenElse(hn::Lt(visible, hidden), zero, hn::Sub(visible, hidden));
    }
    const VF weighted = hn::Mul(visible, hn::Set(d, weights.csf[index]));
    const VF term = hn::Mul(weighted, weighted);
    hn::Store(term, d, terms.values + index * Group::lanes());
    const auto bit = hn::BitCast(d, hn::Set(du, 1u << i));
    nonzero = hn::Or(nonzero, hn::BitCast(du, hn::IfThenElseZero(hn::Gt(term, zero), bit)));
  }
  return nonzero;
}

void visible_errors(const Group& reference, const Group& distorted, VF mask, const Weights& weights,
                    Terms& terms) {
  const DU du;
  hn::Store(half_of_terms<0>(reference, distorted, mask, weights, terms), du, terms.nonzero_low);
  hn::Store(half_of_terms<32>(reference, distorted, mask, weights, terms), du, terms.nonzero_high);
}

// The order of the definition; adding zero changes nothing.
float add_terms(const Terms& terms, std::size_t blocks, float sum) {
  const std::size_t lanes = Group::lanes();
  for (std::size_t block = 0; block < blocks; ++block) {
    std::uint64_t left = std::uint64_t{terms.nonzero_high[block]} << 32 | terms.nonzero_low[block];
    for (; left != 0; left &= left - 1)
      sum += terms.values[static_cast<std::size_t>(std::countr_zero(left)) * lanes + block];
  }
  return sum;
}

template <class Sample>
float plane_error(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                  const Weights& weights) {
  const int lanes = static_cast<int>(Group::lanes());
  const int blocks = blocks_along(reference.width);
  float sum = 0;
  Group r;
  Group d;
  Terms terms;
  for (int y = 0; y + kBlock <= reference.height; y += kStep) {
    for (int first = 0; first < blocks; first += lanes) {
      int x[kMaxLanes];
      for (int lane = 0; lane < lanes; ++lane) x[lane] = std::min(first + lane, blocks - 1) * kStep;
      load_group(reference, x, y, r);
      load_group(distorted, x, y, d);
      const VF r_share = texture_share(r);
      const VF d_share = texture_share(d);
      transform_group(r);
      transform_group(d);
      const VF mask = hn::Max(masking(r, r_share, weights), masking(d, d_share, weights));
      visible_errors(r, d, mask, weights, terms);
      sum = add_terms(terms, static_cast<std::size_t>(std::min(lanes, blocks - first)), sum);
    }
  }
  return sum;
}

float error8(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
             const Weights& weights) {
  return plane_error(reference, distorted, weights);
}

float error16(PlaneView<const std::uint16_t> reference, PlaneView<const std::uint16_t> distorted,
              const Weights& weights) {
  return plane_error(reference, distorted, weights);
}

#undef VMAFX_LIFT

}  // namespace vmafx::psnr_hvs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::psnr_hvs {

HWY_EXPORT(error8);
HWY_EXPORT(error16);

template <>
float error(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
            const Weights& weights) {
  return HWY_DYNAMIC_DISPATCH(error8)(reference, distorted, weights);
}

template <>
float error(PlaneView<const std::uint16_t> reference, PlaneView<const std::uint16_t> distorted,
            const Weights& weights) {
  return HWY_DYNAMIC_DISPATCH(error16)(reference, distorted, weights);
}

}  // namespace vmafx::psnr_hvs
#endif
