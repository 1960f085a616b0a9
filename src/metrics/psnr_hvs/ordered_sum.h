// A running float sum in its order, by many threads at once.
//
// While the sum stays in one binade, where floats are evenly spaced, what a term adds to it, in
// units of that spacing, does not depend on the sum but for its parity, which decides ties. So a
// run of terms is two numbers: what it adds to an even sum and to an odd one. Runs are measured
// apart and then joined; where the sum leaves the binade, the terms are added one by one.
#ifndef VMAFX_METRICS_PSNR_HVS_ORDERED_SUM_H_
#define VMAFX_METRICS_PSNR_HVS_ORDERED_SUM_H_

#include <bit>
#include <cstdint>

#include "base/portable.h"

namespace vmafx::psnr_hvs {

// Floats that are not negative, by their bits: neighbours differ by one. Denormals and zero are
// spaced like the first normal numbers, and form a binade of their own.
constexpr std::uint32_t kBinade = 1u << 23;
constexpr std::uint32_t binade_of(std::uint32_t bits) { return bits & ~(kBinade - 1); }

// By how many floats the sum advances. kTooFar: it leaves the binade.
struct Advance {
  std::uint32_t even;
  std::uint32_t odd;
};
inline constexpr std::uint32_t kTooFar = 2 * kBinade;
constexpr std::uint32_t limited(std::uint32_t by) { return by < kTooFar ? by : kTooFar; }

constexpr std::uint32_t advance(const Advance& by, std::uint32_t bits) {
  return bits % 2 == 0 ? by.even : by.odd;
}

// What `terms`, none of them negative, add to sums of the binade of `sum`. Their order is kept by
// adding them to the least even and the least odd float there: if any sum of the binade stays in
// it, these do.
template <int kTerms>
VMAFX_PORTABLE Advance advance_by(const float (&terms)[kTerms], std::uint32_t sum) {
  const std::uint32_t even_bits = binade_of(sum);
  const std::uint32_t odd_bits = even_bits + 1;
  auto even = std::bit_cast<float>(even_bits);
  auto odd = std::bit_cast<float>(odd_bits);
  VMAFX_UNROLL
  for (int i = 0; i < kTerms; ++i) {
    even += terms[i];
    odd += terms[i];
  }
  return {limited(std::bit_cast<std::uint32_t>(even) - even_bits),
          limited(std::bit_cast<std::uint32_t>(odd) - odd_bits)};
}

constexpr Advance join(const Advance& first, const Advance& second) {
  return {limited(first.even + advance(second, first.even)),
          limited(first.odd + advance(second, first.odd + 1))};
}

// The end of the binade belongs to it: the float there is reached by either spacing.
constexpr bool stays(std::uint32_t sum, std::uint32_t by) {
  return sum + by <= binade_of(sum) + kBinade;
}

}  // namespace vmafx::psnr_hvs

#endif  // VMAFX_METRICS_PSNR_HVS_ORDERED_SUM_H_
