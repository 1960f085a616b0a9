// The arithmetic of a single coefficient, as libvmaf's scalar code defines it.
#ifndef VMAFX_METRICS_ADM_COEFFICIENT_H_
#define VMAFX_METRICS_ADM_COEFFICIENT_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "metrics/adm/csf.h"

namespace vmafx::adm {

// Daubechies wavelet with two vanishing moments, times 32768.
inline constexpr std::int32_t kLowPass[4] = {15826, 27411, 7345, -4240};
inline constexpr std::int32_t kHighPass[4] = {-4240, -7345, 27411, -15826};

// cos^2 of one degree.
inline constexpr float kCosSquared = 0x1.ffd814p-1f;

// The three bands at one place.
struct Detail {
  std::int32_t band[kBands];
  constexpr std::int32_t& operator[](std::size_t index) { return band[index]; }
  constexpr const std::int32_t& operator[](std::size_t index) const { return band[index]; }
};

constexpr std::uint32_t magnitude(std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  return value < 0 ? 0 - bits : bits;
}

// Whether the edges (horizontal, vertical) of both pictures point the same way to within one
// degree. The sums are rounded to float, as libvmaf does; the rest is exact but for one rounding to
// double.
constexpr bool same_direction(const Detail& original, const Detail& test) {
  const auto dot = [](const Detail& a, const Detail& b) {
    return static_cast<float>(std::int64_t{a[0]} * b[0] + std::int64_t{a[1]} * b[1]);
  };
  const double product = dot(original, test);
  return product >= 0 &&
         product * product >= double{kCosSquared} * dot(original, original) * dot(test, test);
}

// round(2^15 test / original) within 0..2^15, with a 15-bit reciprocal of the original; the signs
// are the same and the original is not zero.
constexpr std::int32_t kept_fraction(std::uint32_t original, std::uint32_t test) {
  const int shift = std::max(static_cast<int>(std::bit_width(original)) - 15, 0);
  const std::uint32_t rounded = (original + ((1u << shift) >> 1)) >> shift;
  const std::uint32_t reciprocal = (1u << 30) / rounded;
  const std::uint64_t quotient =
      (std::uint64_t{reciprocal} * test + (std::uint64_t{1} << (14 + shift))) >> (15 + shift);
  return static_cast<std::int32_t>(std::min<std::uint64_t>(quotient, 32768));
}

// The part of the test coefficient that the original explains, whatever the direction.
constexpr std::int32_t kept_part(std::int32_t original, std::int32_t test) {
  if (original == 0 || (original < 0) != (test < 0)) return 0;
  const std::int64_t fraction = kept_fraction(magnitude(original), magnitude(test));
  return static_cast<std::int32_t>((fraction * original + 16384) >> 15);
}

// The same with a stronger copy.
constexpr std::int32_t restored(std::int32_t original, std::int32_t test, bool same,
                                double gain_limit) {
  const std::int32_t kept = kept_part(original, test);
  if (!same || kept == 0) return kept;
  // In the same direction the test may be a stronger copy, up to the limit; truncated toward zero.
  const double enhanced = kept * gain_limit;
  return static_cast<std::int32_t>(kept > 0 ? std::min<double>(enhanced, test)
                                            : std::max<double>(enhanced, test));
}

// Scale 0 has 16-bit coefficients and weights, and lets the results wrap to 16 bits; a weight of
// the default size wraps the centre tap for coefficients of 13807 and more.
struct Scale0 {
  static constexpr std::int32_t weighted(std::int32_t value, std::uint32_t weight, int band) {
    const std::int64_t product = std::int64_t{static_cast<std::int32_t>(weight)} * value;
    return static_cast<std::int16_t>(band == 2 ? (product + 65535) >> 17 : (product + 16384) >> 15);
  }
  // A thirtieth and a fifteenth of the magnitude, times 32.
  static constexpr std::int32_t neighbour_tap(std::int32_t value) {
    return static_cast<std::int16_t>((4369 * magnitude(value) + 2048) >> 12);
  }
  static constexpr std::int32_t centre_tap(std::int32_t value) {
    return static_cast<std::int16_t>((8738 * magnitude(value) + 2048) >> 12);
  }
  static constexpr std::uint32_t excitation(std::int32_t value, std::uint32_t weight,
                                            int /*band*/) {
    return magnitude(value) * weight;
  }
  // Left shift of the threshold to the excitation's unit.
  static constexpr int threshold_shift(int band) { return band == 2 ? 12 : 10; }
  static constexpr int square_shift(int band) { return band == 2 ? 30 : 29; }

  static constexpr std::uint64_t original_term(std::int32_t value, int /*scale*/,
                                               int /*term_shift*/) {
    const std::uint32_t size = magnitude(value);
    return std::uint64_t{size * size} * size;
  }
};

// The other scales have 32-bit coefficients and weights.
struct Scale123 {
  static constexpr std::int32_t weighted(std::int32_t value, std::uint32_t weight, int /*band*/) {
    const std::int64_t product = std::int64_t{static_cast<std::int32_t>(weight)} * value;
    return static_cast<std::int32_t>((product + (1 << 27)) >> 28);
  }
  // A thirtieth and a fifteenth of the magnitude. libvmaf's rounding term of 2^31 is negative,
  // because it is held in a signed 32-bit number; kept, since all its scores have it.
  static constexpr std::int32_t neighbour_tap(std::int32_t value) { return tap(value, 143165577); }
  static constexpr std::int32_t centre_tap(std::int32_t value) { return tap(value, 286331153); }
  static constexpr std::uint32_t excitation(std::int32_t value, std::uint32_t weight, int band) {
    return magnitude(weighted(value, weight, band));
  }
  static constexpr int threshold_shift(int /*band*/) { return 0; }
  static constexpr int square_shift(int /*band*/) { return 30; }

  // The term that is added before the first shift is a whole unit, not a half; as in libvmaf.
  static constexpr std::uint64_t original_term(std::int32_t value, int scale, int term_shift) {
    const int shift = scale == 2 ? 30 : 31;
    const std::uint64_t m = magnitude(value);
    const std::uint64_t cube = ((m * m + (std::uint64_t{1} << shift)) >> shift) * m;
    return (cube + (std::uint64_t{1} << term_shift >> 1)) >> term_shift;
  }

 private:
  static constexpr std::int32_t tap(std::int32_t value, std::uint32_t factor) {
    const auto product = static_cast<std::int64_t>(std::uint64_t{factor} * magnitude(value));
    return static_cast<std::int32_t>((product - (std::int64_t{1} << 31)) >> 32);
  }
};

// What stands out of the masking threshold, modulo 2^32.
constexpr std::uint32_t above_threshold(std::uint32_t excitation, std::int32_t threshold,
                                        int threshold_shift) {
  const std::uint32_t scaled = static_cast<std::uint32_t>(threshold) << threshold_shift;
  return static_cast<std::uint32_t>(std::max(static_cast<std::int32_t>(excitation - scaled), 0));
}

// Below, the cube is zero.
inline constexpr std::uint32_t kLeastAbove = 1 << 14;

// The cube of it; the square is taken modulo 2^32.
constexpr std::uint64_t masked_cube(std::uint32_t above, int square_shift, int term_shift) {
  const auto square = static_cast<std::uint32_t>(
      (std::uint64_t{above} * above + (std::uint64_t{1} << (square_shift - 1))) >> square_shift);
  return (std::uint64_t{square} * above + (std::uint64_t{1} << term_shift >> 1)) >> term_shift;
}

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_COEFFICIENT_H_
