// The order of contrasts, as integers: contrasts are selected by the digits of their ranks.
#ifndef VMAFX_METRICS_CAMBI_RANK_H_
#define VMAFX_METRICS_CAMBI_RANK_H_

#include <algorithm>
#include <bit>
#include <cstdint>

namespace vmafx::cambi {

// A contrast is 0 or lies in [0.5, 2^14). The larger contrast has the larger rank, a number of 27
// bits: what the bit pattern of the float is above that of 0.5, plus 1.
inline constexpr int kRankBits = 27;
inline constexpr std::int32_t kRankZero = std::bit_cast<std::int32_t>(0.5f) - 1;
static_assert(std::bit_cast<std::int32_t>(0x1p14f) - kRankZero < 1 << kRankBits);

constexpr std::uint32_t rank_of(float contrast) {
  return static_cast<std::uint32_t>(std::max(std::bit_cast<std::int32_t>(contrast) - kRankZero, 0));
}

constexpr float contrast_of(std::uint32_t rank) {
  return rank == 0 ? 0 : std::bit_cast<float>(static_cast<std::int32_t>(rank) + kRankZero);
}

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_RANK_H_
