// Logarithms from IEEE + - * / only: within 1 ulp, the same bits everywhere.
#ifndef VMAFX_BASE_EXACT_LOG_H_
#define VMAFX_BASE_EXACT_LOG_H_

#include <bit>
#include <cstdint>
#include <limits>

#include "base/exact/double_double.h"

namespace vmafx::exact {
namespace internal {

// x = mantissa * 2^exponent with mantissa in [sqrt(1/2), sqrt(2)); x positive and finite.
struct Decomposed {
  double mantissa;
  int exponent;
};

constexpr Decomposed decompose(double x) {
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (mantissa >= 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  return {mantissa, exponent};
}

// ln of a mantissa in [sqrt(1/2), sqrt(2)) by 2 atanh(f), f = (m - 1) / (m + 1), |f| < 0.172. The
// tail of the series is at most 1 % of f, so plain double is enough for it: total error below 2^-58
// of the result.
constexpr DoubleDouble ln_mantissa(double m) {
  const DoubleDouble f = divide({m - 1, 0}, two_sum(m, 1));
  const double s = f.hi * f.hi;
  double tail = 0;
  for (int k = 25; k >= 3; k -= 2) tail = s * (1.0 / k + tail);
  return quick_two_sum(2 * f.hi, 2 * (f.lo + f.hi * tail));
}

// exponent * log_of_2 + ln(mantissa) * scale. log_of_2.hi has at most 42 significant bits, so its
// product with an exponent is exact.
constexpr double log_scaled(double x, DoubleDouble log_of_2, DoubleDouble scale) {
  if (!(x > 0)) {
    return x == 0 ? -std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
  }
  if (x > std::numeric_limits<double>::max()) return x;
  const Decomposed d = decompose(x);
  const DoubleDouble whole = two_sum(d.exponent * log_of_2.hi, d.exponent * log_of_2.lo);
  return add(whole, multiply(ln_mantissa(d.mantissa), scale)).hi;
}

}  // namespace internal

// -inf for 0, NaN for negative arguments and NaN, inf for inf.
constexpr double log(double x) {
  return internal::log_scaled(x, {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45}, {1, 0});
}

constexpr double log2(double x) {
  return internal::log_scaled(x, {1, 0}, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

constexpr double log10(double x) {
  return internal::log_scaled(x, {0x1.34413509f78p-2, 0x1.fef311f12b358p-46},
                              {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

// Correctly rounded: the double result is never so close to the middle of two floats that its last
// bit could matter (exact_check proves it for every float).
constexpr float log2(float x) { return static_cast<float>(log2(static_cast<double>(x))); }

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_LOG_H_
