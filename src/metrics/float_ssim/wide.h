// Sums in double of floats, on devices. Converting a float costs them four additions; two shifts
// make a double of it that is 2^-896 times as large. Sums of such doubles are rounded just as those
// of the floats: nothing falls out of the range, since floats are multiples of 2^-149.
#ifndef VMAFX_METRICS_FLOAT_SSIM_WIDE_H_
#define VMAFX_METRICS_FLOAT_SSIM_WIDE_H_

#include <bit>
#include <cstdint>

#include "base/portable.h"

namespace vmafx::float_ssim {

// 2^-896 times a finite value, which has no sign bit unless kSigned.
template <bool kSigned>
VMAFX_PORTABLE double widen(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t upper = bits >> 3;
  if constexpr (kSigned) upper = (bits & 0x80000000) | (upper & 0x0fffffff);
  return std::bit_cast<double>(static_cast<std::uint64_t>(upper) << 32 | (bits << 29));
}

// The sum of the floats whose widen() are in `sum`, rounded.
VMAFX_PORTABLE float narrow(double sum) { return static_cast<float>(sum * 0x1p896); }

}  // namespace vmafx::float_ssim

#endif  // VMAFX_METRICS_FLOAT_SSIM_WIDE_H_
