// Cube root from IEEE + - * / only: the same bits everywhere.
#ifndef VMAFX_BASE_EXACT_CBRT_H_
#define VMAFX_BASE_EXACT_CBRT_H_

#include <bit>
#include <cstdint>
#include <limits>

#include "base/exact/double_double.h"

namespace vmafx::exact {
namespace internal {

// For positive, normal, finite x. Relative error before the last rounding below 2^-75.
constexpr double cbrt_positive(double x) {
  // A third of the exponent (and, linearly, of the mantissa): within 4 %.
  const auto bits = std::bit_cast<std::uint64_t>(x);
  double y = std::bit_cast<double>(bits / 3 + 0x2a9f789300000000u);
  // Halley: each step cubes the relative error and takes 2/3 of it.
  for (int i = 0; i < 2; ++i) {
    const double cube = y * y * y;
    y *= (cube + 2 * x) / (2 * cube + x);
  }
  // Newton, with the remainder in full.
  const DoubleDouble cube = two_product(y, y) * DoubleDouble{y, 0};
  const double remainder = (x - cube.hi) - cube.lo;
  return y + remainder / (3 * y * y);
}

}  // namespace internal

// Within 1 ulp (0.5001 is what tests find). Zero, infinity and NaN give themselves.
constexpr double cbrt(double x) {
  const double magnitude = x < 0 ? -x : x;
  if (!(magnitude > 0) || magnitude > std::numeric_limits<double>::max()) return x;
  const bool tiny = magnitude < 0x1p-900;
  const bool huge = magnitude > 0x1p900;
  const double scaled = magnitude * (tiny ? 0x1p300 : huge ? 0x1p-300 : 1.0);
  const double root = internal::cbrt_positive(scaled) * (tiny ? 0x1p-100 : huge ? 0x1p100 : 1.0);
  return x < 0 ? -root : root;
}

// Correctly rounded (exact_check proves it for every float).
constexpr float cbrt(float x) { return static_cast<float>(cbrt(static_cast<double>(x))); }

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_CBRT_H_
