#include "base/exact/power.h"

#include <bit>
#include <cstdint>

namespace vmafx::exact {
namespace {

constexpr DoubleDouble kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr DoubleDouble kLn10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;

// 2^exponent for the exponents of normal doubles.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The nearest float; a tie of the leading part is decided by the trailing one.
float round_to_float(DoubleDouble x) {
  // Double has 29 more bits than float. With the last one set whenever something follows, rounding the
  // double to float once is rounding the whole sum.
  auto bits = std::bit_cast<std::uint64_t>(x.hi);
  if (x.lo != 0) {
    if ((x.lo < 0) == (x.hi > 0)) --bits;  // truncate the sum toward zero
    bits |= 1;
  }
  return static_cast<float>(std::bit_cast<double>(bits));
}

}  // namespace

DoubleDouble wide_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000);
  if (mantissa > kSqrt2) {
    mantissa *= 0.5;
    ++exponent;
  }
  // ln m = 2 (z + z^3/3 + z^5/5 + ...) with z = (m - 1) / (m + 1), |z| < 0.172: the first term that
  // is left out is below 2^-110.
  constexpr int kLastTerm = 43;
  const DoubleDouble z = DoubleDouble{mantissa - 1, 0} / two_sum(mantissa, 1);
  const DoubleDouble square = z * z;
  DoubleDouble sum;
  for (int n = kLastTerm; n >= 1; n -= 2)
    sum = sum * square + DoubleDouble{1, 0} / DoubleDouble{static_cast<double>(n), 0};
  const DoubleDouble fraction = z * sum;
  return DoubleDouble{static_cast<double>(exponent), 0} * kLn2 +
         DoubleDouble{2 * fraction.hi, 2 * fraction.lo};
}

DoubleDouble wide_exp(DoubleDouble x) {
  const double scaled = x.hi / kLn2.hi;
  const int exponent = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const DoubleDouble rest = x - DoubleDouble{static_cast<double>(exponent), 0} * kLn2;
  // Taylor for |rest| < 0.35: the first term that is left out is below 2^-120.
  constexpr int kLastTerm = 27;
  DoubleDouble sum = {1, 0};
  for (int n = kLastTerm; n >= 1; --n)
    sum = DoubleDouble{1, 0} + sum * rest / DoubleDouble{static_cast<double>(n), 0};
  const double scale = power_of_two(exponent);
  return {sum.hi * scale, sum.lo * scale};
}

double accurate_log10(double x) { return (wide_log(x) / kLn10).hi; }

double accurate_exp(double x) { return wide_exp({x, 0}).hi; }

double accurate_pow(double x, double y) { return wide_exp(wide_log(x) * DoubleDouble{y, 0}).hi; }

float pow_float_third(float x) {
  constexpr double kFloatThird = 0x1.555556p-2;
  if (!(x > 0)) return 0;
  if (x == 1) return 1;
  // No other float has a power that is a float or lies halfway between two: the exponent's denominator is
  // 2^25. So the sum decides the rounding.
  return round_to_float(wide_exp(wide_log(static_cast<double>(x)) * DoubleDouble{kFloatThird, 0}));
}

}  // namespace vmafx::exact
