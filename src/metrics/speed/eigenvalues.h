// Eigenvalues of a symmetric tridiagonal matrix.
#ifndef VMAFX_METRICS_SPEED_EIGENVALUES_H_
#define VMAFX_METRICS_SPEED_EIGENVALUES_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/portable.h"

namespace vmafx::speed {

// A number below this is zero: an eigenvalue or a pivot. It is compared as a double.
inline constexpr double kSingular = 1e-6;

// Turns the diagonal into the eigenvalues, in no particular order, by implicit QR steps with
// Wilkinson's shift (Golub and Van Loan, Matrix Computations, 8.3). `beside` holds the entries next
// to the diagonal, one fewer, and is destroyed. Float arithmetic; the small eigenvalues are no more
// accurate than 1e-7 of the largest, so the order of operations is part of the definition.
void diagonalize(std::span<float> diagonal, std::span<float> beside);

// The parts that the host and devices share.
namespace eigen {

// 25 eigenvalues take about 40.
inline constexpr int kMaxSteps = 500;

VMAFX_PORTABLE float hypotenuse(float x, float y) { return std::sqrt(x * x + y * y); }

// The entry between two of the diagonal, or 0 if it is negligible beside them.
VMAFX_PORTABLE float unless_negligible(float entry, float before, float after) {
  const float scale = std::abs(before) + std::abs(after);
  return static_cast<double>(std::abs(entry)) < kSingular * static_cast<double>(scale) ? 0 : entry;
}

// The eigenvalue of the last 2x2 block [a b; b c] that is nearer to c.
VMAFX_PORTABLE float wilkinson_shift(float a, float b, float c) {
  const float half = (a - c) / 2;
  if (half == 0) return c - std::abs(b);
  const float hypot = hypotenuse(half, b);
  return half > 0 ? c - b * (b / (half + hypot)) : c + b * (b / (hypot - half));
}

// 1 / sqrt(x) for 1 <= x <= 2, by double operations.
VMAFX_PORTABLE float reciprocal_root(float x) {
  return static_cast<float>(1 / std::sqrt(static_cast<double>(x)));
}

// The same, quicker where double operations take long, as on devices: a root that is at most one
// off in its last place, then the whole numbers X and Y of x = X / 2^23 and of the root, Y / 2^24,
// say which Y makes X Y^2 come nearest to 2^71. A test compares all arguments.
VMAFX_PORTABLE float reciprocal_root_by_whole_numbers(float x) {
  const float t = x - 1.5f;
  const float t2 = t * t;
  const float seed = (0x1.a20d14p-1f - 0x1.16b808p-2f * t) +
                     (0x1.15559ap-3f - 0x1.32fcdep-4f * t) * t2 +
                     (0x1.a1396cp-5f - 0x1.01c4b2p-5f * t) * (t2 * t2);
  const float root = seed + 0.5f * seed * (1 - x * seed * seed);
  const auto bits = std::bit_cast<std::uint32_t>(root);
  const std::int64_t whole_x = std::bit_cast<std::uint32_t>(x) - 0x3f000000u;
  const std::int64_t whole_y = bits - 0x3e800000u;
  const std::int64_t product = whole_x * whole_y;
  // 4 (2^71 - X Y^2), which fits, though its terms do not.
  const auto rest = static_cast<std::int64_t>(0 - 4 * static_cast<std::uint64_t>(product) *
                                                      static_cast<std::uint64_t>(whole_y));
  const std::uint32_t up = rest > whole_x + 4 * product ? 1 : 0;
  const std::uint32_t down = rest < whole_x - 4 * product ? 1 : 0;
  return std::bit_cast<float>(bits + up - down);
}

struct Rotation {
  float c;
  float s;
};

// c and s such that s x + c z = 0. `root` is one of the two above.
template <class Root>
VMAFX_PORTABLE Rotation annihilate(float x, float z, const Root& root) {
  const bool steep = std::abs(z) > std::abs(x);
  const float t = -(steep ? x : z) / (steep ? z : x);
  const float r = root(1 + t * t);
  if (z == 0) return {1, 0};
  return steep ? Rotation{r * t, r} : Rotation{r, r * t};
}

// One step on rows and columns first..last, an unreduced matrix: a rotation of the first two makes
// an entry outside the band, and further rotations chase it out at the end.
template <class Array, class Root>
VMAFX_PORTABLE void qr_step(Array& diagonal, Array& beside, int first, int last, const Root& root) {
  float a = diagonal[first];  // the 2x2 block being rotated is [a b; b next]
  float b = beside[first];
  float shift = wilkinson_shift(diagonal[last - 1], beside[last - 1], diagonal[last]);
  if (kSingular * static_cast<double>(std::abs(shift)) >
      static_cast<double>(std::abs(a) + std::abs(b)))
    shift = 0;

  float x = a - shift;
  float z = b;
  float above = 0;
  float bulge = 0;
  for (int k = first; k < last; ++k) {
    const float next = diagonal[k + 1];
    const float b_next = k + 1 < last ? static_cast<float>(beside[k + 1]) : 0.0f;
    const auto [c, s] = annihilate(x, z, root);
    if (k > first) beside[k - 1] = c * above - s * bulge;
    diagonal[k] = c * (c * a - s * b) + s * (s * next - c * b);
    above = c * (s * a + c * b) - s * (s * b + c * next);
    a = s * (s * a + c * b) + c * (s * b + c * next);
    bulge = -s * b_next;
    b = c * b_next;
    x = above;
    z = bulge;
  }
  diagonal[last] = a;
  beside[last - 1] = above;
}

}  // namespace eigen
}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_EIGENVALUES_H_
