// Logarithms to base 2 in steps of 1/2048 of the 16 leading bits of a number.
#ifndef VMAFX_METRICS_VIF_LOG2_TABLE_H_
#define VMAFX_METRICS_VIF_LOG2_TABLE_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>

namespace vmafx::vif {

// A logarithm is the exponent and, to first order, the mantissa itself; the table holds what is
// missing: round(2048 * log2(1 + i / 32768)) - i / 16 (rounded down), from 0 to 177. The logarithm
// of the definition is that of a float, so it is rounded to 2^-20 before it is scaled.
extern const std::array<std::uint8_t, 32768> kLog2Excess;

// kLog2Excess of every one of them, added.
std::uint32_t excess_sum(std::span<const std::uint32_t> mantissas);

// For processors that look up faster in registers: the mantissa, from 1 to 2, in segments. Of m in
// segment s, with u = m * kInverse[s] - 1, the logarithm in steps is 64 s and, rounded,
// kAtCentre[s] + u (kFirst + u (kSecond + u kThird)) in float, fused.
namespace log2_segments {

inline constexpr std::size_t kCount = 32;
// kSecond stands in for the fourth power, too: |u| is up to 1/64.
inline constexpr double kStepsOfE = 2048 * std::numbers::log2e;
inline constexpr auto kFirst = static_cast<float>(kStepsOfE);
inline constexpr auto kSecond = static_cast<float>(-kStepsOfE / 2 * (1 + 1.0 / 64 / 64 / 2));
inline constexpr auto kThird = static_cast<float>(kStepsOfE / 3);
extern const std::array<float, kCount> kInverse;
extern const std::array<float, kCount> kAtCentre;

}  // namespace log2_segments

// Precondition: value >= 2^15.
inline int log2_fixed(std::uint64_t value) {
  const int exponent = static_cast<int>(std::bit_width(value)) - 1;
  const auto mantissa = static_cast<std::uint32_t>(value >> (exponent - 15)) & 0x7fff;
  return exponent * 2048 + static_cast<int>(mantissa >> 4) + kLog2Excess[mantissa];
}

}  // namespace vmafx::vif

#endif  // VMAFX_METRICS_VIF_LOG2_TABLE_H_
