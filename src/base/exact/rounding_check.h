// Proof that float functions are correctly rounded: whole ranges of floats against exact products
// and pairs of doubles. For tests and the command exact_check.
#ifndef VMAFX_BASE_EXACT_ROUNDING_CHECK_H_
#define VMAFX_BASE_EXACT_ROUNDING_CHECK_H_

#include <bit>
#include <cstdint>

#include "base/exact/cbrt.h"
#include "base/exact/log.h"
#include "base/exact/power.h"

namespace vmafx::exact {

// Bits of the smallest positive float and of the largest.
inline constexpr std::uint32_t kFirstFloat = 1;
inline constexpr std::uint32_t kLastFloat = 0x7f7fffff;

// Both neighbours' middles have 25 bits, so their squares fit a double and their cubes a pair: the
// comparison with x is exact.
constexpr bool cbrt_is_rounded(float x) {
  const float root = cbrt(x);
  const auto bits = std::bit_cast<std::uint32_t>(root);
  const double here = static_cast<double>(root);
  const double below = (here + static_cast<double>(std::bit_cast<float>(bits - 1))) / 2;
  const double above = (here + static_cast<double>(std::bit_cast<float>(bits + 1))) / 2;
  const DoubleDouble low = two_product(below * below, below);
  const DoubleDouble high = two_product(above * above, above);
  const double value = static_cast<double>(x);
  return (value - low.hi) - low.lo >= 0 && (value - high.hi) - high.lo <= 0;
}

namespace internal {

// A double that is surely nearer to its true value than 2^-44 of it decides the rounding to float
// unless it is as near to the middle of two floats.
constexpr bool decides_float(double value) {
  constexpr std::uint64_t kMiddle = 1u << 28;
  constexpr std::uint64_t kDoubt = 1u << 9;
  const std::uint64_t rest = std::bit_cast<std::uint64_t>(value) & (2 * kMiddle - 1);
  return rest + kDoubt < kMiddle || rest > kMiddle + kDoubt;
}

}  // namespace internal

constexpr bool log2_is_rounded(float x) {
  const double value = static_cast<double>(x);
  return internal::decides_float(log2(value)) ||
         log2(x) == round_to_float(wide_log(value) / internal::kLn2);
}

// Of the positive floats whose bits are first, first + step, ... up to last.
template <class IsRounded>
constexpr std::uint64_t count_misrounded(std::uint32_t first, std::uint32_t last,
                                         std::uint32_t step, IsRounded is_rounded) {
  std::uint64_t count = 0;
  for (std::uint64_t bits = first; bits <= last; bits += step)
    count += is_rounded(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) ? 0 : 1;
  return count;
}

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_ROUNDING_CHECK_H_
