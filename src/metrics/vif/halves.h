// The windows of VIF for devices, in 32-bit arithmetic.
//
// Samples of both pictures stand in the halves of a 32-bit word, so do the two means; mean squares
// have a word of their own. So windows run over words of two halves. No sum over one half needs
// more than 32 bits, because taps add up to 2^16.
#ifndef VMAFX_METRICS_VIF_HALVES_H_
#define VMAFX_METRICS_VIF_HALVES_H_

#include <cstddef>
#include <cstdint>

#include "base/portable.h"
#include "metrics/vif/constants.h"

namespace vmafx::vif {

// kTaps[kScale][|offset|], for devices, which have no address of it.
template <int kScale>
constexpr std::uint32_t tap(int offset) {
  constexpr auto kHalf = kTaps[kScale];
  return kHalf[static_cast<std::size_t>(offset)];
}

// The sum of a window, without multiples of 2^32.
template <int kScale>
VMAFX_PORTABLE std::uint32_t filter(const std::uint32_t* values) {
  constexpr int kCentre = kRadius[kScale];
  std::uint32_t sum = tap<kScale>(0) * values[kCentre];
  VMAFX_UNROLL
  for (int k = 1; k <= kCentre; ++k)
    sum += tap<kScale>(k) * (values[kCentre - k] + values[kCentre + k]);
  return sum;
}

// Sums of a window over lower and over upper halves of words.
struct Halves {
  std::uint32_t low;
  std::uint32_t high;
};

// upper[i] = words[i] >> 16. The lower halves' sum is below 2^32, so it is what the sum over whole
// words has beside the upper halves', however often that one wrapped: nothing has to be masked.
template <int kScale>
VMAFX_PORTABLE Halves filter_halves(const std::uint32_t* words, const std::uint32_t* upper) {
  const std::uint32_t high = filter<kScale>(upper);
  return {filter<kScale>(words) - (high << 16), high};
}

// The same of words below 2^31, whose pairs can be added before they are parted.
template <int kScale>
VMAFX_PORTABLE Halves filter_small(const std::uint32_t* words) {
  constexpr int kCentre = kRadius[kScale];
  std::uint32_t sum = tap<kScale>(0) * words[kCentre];
  std::uint32_t high = tap<kScale>(0) * (words[kCentre] >> 16);
  VMAFX_UNROLL
  for (int k = 1; k <= kCentre; ++k) {
    const std::uint32_t pair = words[kCentre - k] + words[kCentre + k];
    sum += tap<kScale>(k) * pair;
    high += tap<kScale>(k) * (pair >> 16);
  }
  return {sum - (high << 16), high};
}

VMAFX_PORTABLE std::uint32_t shift_rounded(std::uint32_t value, int shift) {
  return (value + rounding(shift)) >> shift;
}

// shift_rounded() of the whole words' sum; 0 < shift <= 16.
VMAFX_PORTABLE std::uint32_t join(Halves sum, int shift) {
  return (sum.high << (16 - shift)) + shift_rounded(sum.low, shift);
}

VMAFX_PORTABLE std::uint32_t round_means(Halves sum, int shift) {
  return shift_rounded(sum.low, shift) | shift_rounded(sum.high, shift) << 16;
}

}  // namespace vmafx::vif

#endif  // VMAFX_METRICS_VIF_HALVES_H_
