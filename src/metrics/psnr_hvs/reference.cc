// The definition of the PSNR-HVS measurement.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "metrics/psnr_hvs/psnr_hvs.h"

namespace vmafx::psnr_hvs {
namespace {

// Row by row: samples, then coefficients of the same block.
using Block = std::array<int, kCoefficients>;

// Rounded toward zero.
int half(int v) { return (v + (v < 0 ? 1 : 0)) >> 1; }

int lift(int v, Lift by) { return (v * by.factor + (1 << (by.shift - 1))) >> by.shift; }

// 8-point DCT-II, orthonormal but for rounding, as integer lifting steps (T. Terriberry's, for
// Daala). v[i] is data[i * step], in place.
void transform(int* data, int step) {
  const auto v = [&](int i) -> int& { return data[i * step]; };
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
  c0 -= lift(c4, kTanPi8);
  c4 += lift(c0, kSinPi4);
  c0 -= lift(c4, kTanPi8);
  c6 -= lift(c2, kTan3Pi16);
  c2 += lift(c6, kSin3Pi8);
  c6 -= lift(c2, kTan3Pi16);

  // Odd coefficients: 4-point DST-IV.
  int c3 = d25 + lift(d61_half, kTwoMinusSqrt2);
  int c5 = d61_half + lift(c3, kSinPi4);
  c3 -= lift(c5, kSqrt2MinusHalf);
  int c7 = half(c5) - d34_half;
  c5 -= c7;
  c3 = half(d07) - c3;
  int c1 = d07 - c3;
  c7 += lift(c1, kTanPi32);
  c1 -= lift(c7, kSinPi16);
  c7 += lift(c1, kTanPi32);
  c5 += lift(c3, kTan3Pi32);
  c3 -= lift(c5, kSin3Pi16);
  c5 += lift(c3, kTan3Pi32);

  v(0) = c0;
  v(1) = c1;
  v(2) = c2;
  v(3) = c3;
  v(4) = c4;
  v(5) = c5;
  v(6) = c6;
  v(7) = c7;
}

void transform_block(Block& block) {
  for (int column = 0; column < kBlock; ++column) transform(block.data() + column, kBlock);
  for (int row = 0; row < kBlock; ++row) transform(block.data() + kBlock * row, 1);
}

template <class Sample>
Block load(PlaneView<const Sample> plane, int x, int y) {
  Block block{};
  for (int i = 0; i < kCoefficients; ++i)
    block[static_cast<std::size_t>(i)] = plane.row(y + i / kBlock)[x + i % kBlock];
  return block;
}

// Sum of the variances of the four quarters over the variance of the block: small where an edge
// runs through it, so that edges mask less than texture. 0 for a flat block.
float texture_share(const Block& samples) {
  // Upper left, lower left, upper right, lower right.
  const auto quarter = [](int i) {
    const int q = i / 32 + i % kBlock / 4 * 2;
    return static_cast<std::size_t>(q);
  };
  std::array<int, 4> sum{};
  for (int i = 0; i < kCoefficients; ++i) sum[quarter(i)] += samples[static_cast<std::size_t>(i)];
  const float mean = static_cast<float>(sum[0] + sum[1] + sum[2] + sum[3]) / 64.f;

  float variance = 0;
  std::array<float, 4> quarter_variance{};
  for (int i = 0; i < kCoefficients; ++i) {
    const auto sample = static_cast<float>(samples[static_cast<std::size_t>(i)]);
    const float deviation = sample - mean;
    variance += deviation * deviation;
    const float local = sample - static_cast<float>(sum[quarter(i)]) / 16.f;
    quarter_variance[quarter(i)] += local * local;
  }
  variance *= 1 / 63.f * 64;
  for (float& v : quarter_variance) v *= 1 / 15.f * 16;
  if (!(variance > 0)) return 0;
  return (quarter_variance[0] + quarter_variance[1] + quarter_variance[2] + quarter_variance[3]) /
         variance;
}

float masking(const Block& coefficients, float share, const Weights& weights) {
  float energy = 0;
  for (std::size_t k = 1; k < kCoefficients; ++k)
    energy += static_cast<float>(coefficients[k] * coefficients[k]) * weights.masking[k];
  return std::sqrt(energy * share) / 32.f;
}

// Adds the block's terms to sum one by one.
void add_block(Block reference, Block distorted, const Weights& weights, float& sum) {
  const float reference_share = texture_share(reference);
  const float distorted_share = texture_share(distorted);
  transform_block(reference);
  transform_block(distorted);
  const float mask = std::max(masking(reference, reference_share, weights),
                              masking(distorted, distorted_share, weights));
  for (std::size_t k = 0; k < kCoefficients; ++k) {
    auto visible = static_cast<float>(std::abs(reference[k] - distorted[k]));
    // The mean of a block is not masked.
    if (k > 0) {
      const float hidden = mask / weights.masking[k];
      visible = visible < hidden ? 0 : visible - hidden;
    }
    sum += (visible * weights.csf[k]) * (visible * weights.csf[k]);
  }
}

}  // namespace

template <class Sample>
float reference_error(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                      const Weights& weights) {
  float sum = 0;
  for (int y = 0; y + kBlock <= reference.height; y += kStep) {
    for (int x = 0; x + kBlock <= reference.width; x += kStep)
      add_block(load(reference, x, y), load(distorted, x, y), weights, sum);
  }
  return sum;
}

template float reference_error(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>,
                               const Weights&);
template float reference_error(PlaneView<const std::uint16_t>, PlaneView<const std::uint16_t>,
                               const Weights&);

}  // namespace vmafx::psnr_hvs
