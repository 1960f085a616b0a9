// One block of PSNR-HVS: what its definition and its kernels share. Floating-point sums run over
// samples or coefficients row by row.
#ifndef VMAFX_METRICS_PSNR_HVS_BLOCK_H_
#define VMAFX_METRICS_PSNR_HVS_BLOCK_H_

#include <cmath>
#include <cstdlib>

#include "base/plane.h"
#include "base/portable.h"
#include "metrics/psnr_hvs/constants.h"

namespace vmafx::psnr_hvs {

// Row by row: samples, then coefficients of the same block.
using Block = int[kCoefficients];

// Rounded toward zero.
constexpr int half(int v) { return (v + (v < 0 ? 1 : 0)) >> 1; }

template <Lift kBy>
constexpr int lift(int v) {
  constexpr int kFactor = kBy.factor;
  constexpr int kShift = kBy.shift;
  return (v * kFactor + (1 << (kShift - 1))) >> kShift;
}

// 8-point DCT-II, orthonormal but for rounding, as integer lifting steps (T. Terriberry's, for
// Daala). v[i] is block[first + i * kStep], in place.
template <int kStep>
VMAFX_PORTABLE void transform(Block& block, int first) {
  const auto v = [&](int i) -> int& { return block[first + i * kStep]; };
  // Sums and differences of mirrored pairs; one of the two is halved.
  const int d07 = v(0) - v(7);
  const int s07_half = v(0) - half(d07);
  const int s16 = v(1) + v(6);
  const int d61_half = v(6) - half(s16);
  const int d25 = v(2) - v(5);
  const int s25_half = v(2) - half(d25);
  const int s34 = v(3) + v(4);
  const int d34_half = half(s34) - v(4);

  // Even coefficients: 4-point DCT-II.
  int c0 = s07_half + half(s34);
  int c6 = c0 - s34;
  int c2 = half(s16) - s25_half;
  int c4 = c2 - s16;
  c0 -= lift<kTanPi8>(c4);
  c4 += lift<kSinPi4>(c0);
  c0 -= lift<kTanPi8>(c4);
  c6 -= lift<kTan3Pi16>(c2);
  c2 += lift<kSin3Pi8>(c6);
  c6 -= lift<kTan3Pi16>(c2);

  // Odd coefficients: 4-point DST-IV.
  int c3 = d25 + lift<kTwoMinusSqrt2>(d61_half);
  int c5 = d61_half + lift<kSinPi4>(c3);
  c3 -= lift<kSqrt2MinusHalf>(c5);
  int c7 = half(c5) - d34_half;
  c5 -= c7;
  c3 = half(d07) - c3;
  int c1 = d07 - c3;
  c7 += lift<kTanPi32>(c1);
  c1 -= lift<kSinPi16>(c7);
  c7 += lift<kTanPi32>(c1);
  c5 += lift<kTan3Pi32>(c3);
  c3 -= lift<kSin3Pi16>(c5);
  c5 += lift<kTan3Pi32>(c3);

  v(0) = c0;
  v(1) = c1;
  v(2) = c2;
  v(3) = c3;
  v(4) = c4;
  v(5) = c5;
  v(6) = c6;
  v(7) = c7;
}

VMAFX_PORTABLE void transform_block(Block& block) {
  VMAFX_UNROLL
  for (int column = 0; column < kBlock; ++column) transform<kBlock>(block, column);
  VMAFX_UNROLL
  for (int row = 0; row < kBlock; ++row) transform<1>(block, kBlock * row);
}

template <class Sample>
VMAFX_PORTABLE void load(PlaneView<const Sample> plane, int x, int y, Block& block) {
  VMAFX_UNROLL
  for (int i = 0; i < kBlock; ++i) {
    const Sample* const row = plane.row(y + i) + x;
    VMAFX_UNROLL
    for (int j = 0; j < kBlock; ++j) block[i * kBlock + j] = row[j];
  }
}

// Upper left, lower left, upper right, lower right.
constexpr int quarter(int i) { return i / 32 + i % kBlock / 4 * 2; }

// Sum of the variances of the four quarters over the variance of the block: small where an edge
// runs through it, so that edges mask less than texture. 0 for a flat block.
VMAFX_PORTABLE float texture_share(const Block& samples) {
  int sum[4] = {};
  VMAFX_UNROLL
  for (int i = 0; i < kCoefficients; ++i) sum[quarter(i)] += samples[i];
  const float mean = static_cast<float>(sum[0] + sum[1] + sum[2] + sum[3]) / 64.f;

  float variance = 0;
  float quarter_variance[4] = {};
  VMAFX_UNROLL
  for (int i = 0; i < kCoefficients; ++i) {
    const auto sample = static_cast<float>(samples[i]);
    const float deviation = sample - mean;
    variance += deviation * deviation;
    const float local = sample - static_cast<float>(sum[quarter(i)]) / 16.f;
    quarter_variance[quarter(i)] += local * local;
  }
  variance *= 1 / 63.f * 64;
  VMAFX_UNROLL
  for (int q = 0; q < 4; ++q) quarter_variance[q] *= 1 / 15.f * 16;
  if (!(variance > 0)) return 0;
  return (quarter_variance[0] + quarter_variance[1] + quarter_variance[2] + quarter_variance[3]) /
         variance;
}

VMAFX_PORTABLE float masking(const Block& coefficients, float share, const Weights& weights) {
  float energy = 0;
  VMAFX_UNROLL
  for (int k = 1; k < kCoefficients; ++k)
    energy += static_cast<float>(coefficients[k] * coefficients[k]) * weights.masking[k];
  return std::sqrt(energy * share) / 32.f;
}

// The coefficients of the block at (x, y); returns how much they mask.
template <class Sample>
VMAFX_PORTABLE float measure_block(PlaneView<const Sample> plane, int x, int y,
                                   const Weights& weights, Block& block) {
  load(plane, x, y, block);
  const float share = texture_share(block);
  transform_block(block);
  return masking(block, share, weights);
}

// Of coefficient k, which differs by `difference`.
VMAFX_PORTABLE float squared_error(int k, int difference, float mask, const Weights& weights) {
  auto visible = static_cast<float>(std::abs(difference));
  // The mean of a block is not masked.
  if (k > 0) {
    const float hidden = mask / weights.masking[k];
    visible = visible < hidden ? 0 : visible - hidden;
  }
  return (visible * weights.csf[k]) * (visible * weights.csf[k]);
}

}  // namespace vmafx::psnr_hvs

#endif  // VMAFX_METRICS_PSNR_HVS_BLOCK_H_
