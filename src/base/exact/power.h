// Powers, and logarithm and exponential as pairs of doubles: errors far below half an ulp, the same
// bits everywhere. For set-up code and for the last steps of scores: about a microsecond a call.
#ifndef VMAFX_BASE_EXACT_POWER_H_
#define VMAFX_BASE_EXACT_POWER_H_

#include <bit>
#include <cstdint>
#include <limits>

#include "base/exact/double_double.h"
#include "base/exact/log.h"

namespace vmafx::exact {
namespace internal {

// 2^exponent for the exponents of normal doubles.
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

inline constexpr DoubleDouble kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// e^x = mantissa * 2^exponent with a mantissa in [0.7, 1.42), for |x| < 2^20. Relative error below
// 2^-90.
struct WideExp {
  DoubleDouble mantissa;
  int exponent;
};

constexpr WideExp wide_exp_parts(DoubleDouble x) {
  const double scaled = x.hi / kLn2.hi;
  const int exponent = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const DoubleDouble rest = x - DoubleDouble{static_cast<double>(exponent), 0} * kLn2;
  // Taylor for |rest| < 0.35: the first term that is left out is below 2^-120.
  constexpr int kLastTerm = 27;
  DoubleDouble sum = {1, 0};
  for (int n = kLastTerm; n >= 1; --n)
    sum = DoubleDouble{1, 0} + sum * rest / DoubleDouble{static_cast<double>(n), 0};
  return {sum, exponent};
}

}  // namespace internal

// The nearest float of the whole sum.
constexpr float round_to_float(DoubleDouble x) {
  // Double has 29 more bits than float. With the last one set whenever something follows, rounding
  // the double to float once is rounding the sum.
  auto bits = std::bit_cast<std::uint64_t>(x.hi);
  if (x.lo != 0) {
    if ((x.lo < 0) == (x.hi > 0)) --bits;  // truncate the sum toward zero
    bits |= 1;
  }
  return static_cast<float>(std::bit_cast<double>(bits));
}

// Natural logarithm of a positive, finite x. Relative error below 2^-95.
constexpr DoubleDouble wide_log(double x) {
  const internal::Decomposed d = internal::decompose(x);
  // ln m = 2 (z + z^3/3 + z^5/5 + ...) with z = (m - 1) / (m + 1), |z| < 0.172: the first term that
  // is left out is below 2^-110.
  constexpr int kLastTerm = 43;
  const DoubleDouble z = DoubleDouble{d.mantissa - 1, 0} / two_sum(d.mantissa, 1);
  const DoubleDouble square = z * z;
  DoubleDouble sum;
  for (int n = kLastTerm; n >= 1; n -= 2)
    sum = sum * square + DoubleDouble{1, 0} / DoubleDouble{static_cast<double>(n), 0};
  const DoubleDouble fraction = z * sum;
  return DoubleDouble{static_cast<double>(d.exponent), 0} * internal::kLn2 +
         DoubleDouble{2 * fraction.hi, 2 * fraction.lo};
}

// e^x for |x| < 700. Relative error below 2^-90.
constexpr DoubleDouble wide_exp(DoubleDouble x) {
  const internal::WideExp e = internal::wide_exp_parts(x);
  const double scale = internal::power_of_two(e.exponent);
  return {e.mantissa.hi * scale, e.mantissa.lo * scale};
}

// x to the power y as the C standard has it, but NaN for every negative x. Correctly rounded but
// for cases closer than 2^-80 to a tie, and for subnormal results, which are within 1 ulp.
constexpr double pow(double x, double y) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (y == 0 || x == 1) return 1;
  if (!(x >= 0) || y != y) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || x == kInfinity) return (x == 0) == (y < 0) ? kInfinity : 0.0;
  // Beyond this any power of a double other than 1 overflows or underflows.
  constexpr double kLargest = 0x1p64;
  if (y > kLargest) y = kLargest;
  if (y < -kLargest) y = -kLargest;
  const DoubleDouble log = wide_log(x) * DoubleDouble{y, 0};
  if (log.hi > 710) return kInfinity;
  if (log.hi < -746) return 0;
  const internal::WideExp e = internal::wide_exp_parts(log);
  // In two steps, so that neither factor overflows or underflows.
  const int half = e.exponent / 2;
  return e.mantissa.hi * internal::power_of_two(half) * internal::power_of_two(e.exponent - half);
}

// x to the power 0x1.555556p-2, the float next to 1/3, correctly rounded to float: what libvmaf
// means by powf(x, 1.0f / 3.0f). Differs from the true cube root by up to 1e-6 of it. 0 if x is not
// positive; x is finite.
constexpr float pow_float_third(float x) {
  constexpr double kFloatThird = 0x1.555556p-2;
  if (!(x > 0)) return 0;
  if (x == 1) return 1;
  // No other float has a power that is a float or lies halfway between two: the exponent's
  // denominator is 2^25. So the sum decides the rounding.
  return round_to_float(wide_exp(wide_log(static_cast<double>(x)) * DoubleDouble{kFloatThird, 0}));
}

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_POWER_H_
