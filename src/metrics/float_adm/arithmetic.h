// Constants, powers and the order of sums.
#ifndef VMAFX_METRICS_FLOAT_ADM_ARITHMETIC_H_
#define VMAFX_METRICS_FLOAT_ADM_ARITHMETIC_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/exact/exp.h"

namespace vmafx::float_adm {

// Low-pass filter of the Daubechies-2 wavelet (I. Daubechies, "Orthonormal bases of compactly
// supported wavelets", Comm. Pure Appl. Math. 41, 1988, table 1). The high-pass filter is its
// mirror with alternating signs.
inline constexpr float kLow0 = 0.482962913144690f;
inline constexpr float kLow1 = 0.836516303737469f;
inline constexpr float kLow2 = 0.224143868041857f;
inline constexpr float kLow3 = -0.129409522550921f;

// The middle of luma on the scale of 8 bits.
inline constexpr float kMiddle = 128;

// The square of the cosine of 1 degree.
inline constexpr float kCosineSquared = 0.99969541350954788f;

// Share of a neighbour's magnitude in the masking threshold; the middle has two shares.
inline constexpr float kNeighbourShare = 1.0f / 30.0f;

// ln x for a positive, normal x, within 1e-14 of max(1, |ln x|). No branches, so that loops over it
// become vector code.
constexpr double natural_log(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcdu;
  constexpr std::uint64_t kBias = 1024;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  // x = mantissa * 2^exponent with a mantissa in [sqrt(1/2), sqrt(2)).
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t biased = (bits - kSqrtHalf + (kBias << 52)) >> 52;
  const double mantissa = std::bit_cast<double>(bits - ((biased - kBias) << 52));
  const double exponent =
      std::bit_cast<double>(biased | std::bit_cast<std::uint64_t>(0x1p52)) - (0x1p52 + kBias);
  // 2 atanh(f) with |f| < 0.172: the first term left out is below 2^-56.
  const double f = (mantissa - 1) / (mantissa + 1);
  const double s = f * f;
  double tail = 1.0 / 21;
  tail = tail * s + 1.0 / 19;
  tail = tail * s + 1.0 / 17;
  tail = tail * s + 1.0 / 15;
  tail = tail * s + 1.0 / 13;
  tail = tail * s + 1.0 / 11;
  tail = tail * s + 1.0 / 9;
  tail = tail * s + 1.0 / 7;
  tail = tail * s + 1.0 / 5;
  tail = tail * s + 1.0 / 3;
  return exponent * kLn2 + 2 * (f + f * s * tail);
}

// x^power for x >= 0 and 1 <= power <= 20.
constexpr double power_of(float x, float power) {
  const double result = exact::exp(static_cast<double>(power) * natural_log(x));
  return x > 0 ? result : 0.0;
}

// A row's terms go to this many partial sums, that of column x to partial sum x mod kPartialSums.
inline constexpr int kPartialSums = 16;

// Adds the partial sums of a row in pairs: i and i + 8, then i and i + 4, i + 2, i + 1.
template <class T>
double add_partial_sums(const T (&partial)[kPartialSums]) {
  T sum[kPartialSums];
  for (std::size_t i = 0; i < kPartialSums; ++i) sum[i] = partial[i];
  for (std::size_t step = kPartialSums / 2; step > 0; step /= 2)
    for (std::size_t i = 0; i < step; ++i) sum[i] = sum[i] + sum[i + step];
  return sum[0];
}

}  // namespace vmafx::float_adm

#endif  // VMAFX_METRICS_FLOAT_ADM_ARITHMETIC_H_
