#include "tools/clipgen/integer_math.h"

namespace vmafx::clipgen {

std::uint32_t hash(std::uint32_t a, std::uint32_t b) {
  std::uint64_t x = (std::uint64_t{a} << 32 | b) + 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return static_cast<std::uint32_t>(x >> 32);
}

std::int32_t sine(std::uint32_t angle) {
  // sin(pi z / 2) = z (a - z^2 (b - c z^2)) on one quadrant, the odd polynomial that has the right
  // value and slope at z = 1; all in 1/16384.
  constexpr std::int64_t kA = 25736;  // pi / 2
  constexpr std::int64_t kB = 10512;  // pi - 5 / 2
  constexpr std::int64_t kC = 1160;   // pi / 2 - 3 / 2
  const std::uint32_t quadrant = (angle >> 14) & 3U;
  std::int64_t z = angle & 16383U;
  if (quadrant & 1U) z = 16384 - z;
  const std::int64_t z2 = (z * z) >> 14;
  const std::int64_t value = (z * (kA - ((z2 * (kB - ((z2 * kC) >> 14))) >> 14))) >> 14;
  return static_cast<std::int32_t>(quadrant & 2U ? -value : value);
}

}  // namespace vmafx::clipgen
