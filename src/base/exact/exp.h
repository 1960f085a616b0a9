// e to the x from IEEE +, - and x only, so that it has the same bits on every machine.
#ifndef VMAFX_BASE_EXACT_EXP_H_
#define VMAFX_BASE_EXACT_EXP_H_

#include <bit>
#include <cstdint>

namespace vmafx::exact {

// Within 1 ulp. Overflows to infinity and underflows through the subnormals to 0. No branches, so
// that loops over it become vector code.
constexpr double exp(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  // ln 2 in two parts; the first has 41 bits, so its product with any exponent is exact.
  constexpr double kLn2Hi = 0x1.62e42fefa3p-1;
  constexpr double kLn2Lo = 0x1.3de6af278ece6p-42;
  // Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
  constexpr double kToInteger = 0x1.8p52;
  constexpr double kUnderflows = -746;
  constexpr double kOverflows = 710;

  x = x < kUnderflows ? kUnderflows : x;
  x = x > kOverflows ? kOverflows : x;
  const double shifted = x * kLog2E + kToInteger;
  const double k = shifted - kToInteger;

  // x = k ln 2 + r + error with |r| < 0.347.
  const double hi = x - k * kLn2Hi;
  const double lo = k * kLn2Lo;
  const double r = hi - lo;
  const double error = (hi - r) - lo;

  // Taylor: e^r = 1 + r + r^2 (1/2! + r/3! + ...); the first term left out is below 2^-57.
  double tail = 1.0 / 6227020800;
  tail = tail * r + 1.0 / 479001600;
  tail = tail * r + 1.0 / 39916800;
  tail = tail * r + 1.0 / 3628800;
  tail = tail * r + 1.0 / 362880;
  tail = tail * r + 1.0 / 40320;
  tail = tail * r + 1.0 / 5040;
  tail = tail * r + 1.0 / 720;
  tail = tail * r + 1.0 / 120;
  tail = tail * r + 1.0 / 24;
  tail = tail * r + 1.0 / 6;
  tail = tail * r + 0.5;
  const double power = 1.0 + (r + (r * r * tail + error));

  // 2^k in two factors, so that neither overflows and only the last product rounds a subnormal.
  const std::uint64_t biased =
      std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kToInteger) + 2 * 1023;
  const std::uint64_t half = biased >> 1;
  const double scale = std::bit_cast<double>(half << 52);
  const double rest = std::bit_cast<double>((biased - half) << 52);
  return power * scale * rest;
}

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_EXP_H_
