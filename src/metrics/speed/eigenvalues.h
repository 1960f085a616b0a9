// Eigenvalues of a symmetric tridiagonal matrix.
#ifndef VMAFX_METRICS_SPEED_EIGENVALUES_H_
#define VMAFX_METRICS_SPEED_EIGENVALUES_H_

#include <cmath>
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

struct Rotation {
  float c;
  float s;
};

// Roots and reciprocals are double.
VMAFX_PORTABLE float reciprocal_root(float x) {
  return static_cast<float>(1 / std::sqrt(static_cast<double>(x)));
}

// c and s such that s x + c z = 0.
VMAFX_PORTABLE Rotation annihilate(float x, float z) {
  if (z == 0) return {1, 0};
  const bool steep = std::abs(z) > std::abs(x);
  const float t = steep ? -x / z : -z / x;
  const float r = reciprocal_root(1 + t * t);
  return steep ? Rotation{r * t, r} : Rotation{r, r * t};
}

// One step on rows and columns first..last, an unreduced matrix: a rotation of the first two makes
// an entry outside the band, and further rotations chase it out at the end.
template <class Array>
VMAFX_PORTABLE void qr_step(Array& diagonal, Array& beside, int first, int last) {
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
  float before = 0;
  for (int k = first; k < last; ++k) {
    const float next = diagonal[k + 1];
    const float b_next = k + 1 < last ? static_cast<float>(beside[k + 1]) : 0.0f;
    const auto [c, s] = annihilate(x, z);
    const float now = c * (c * a - s * b) + s * (s * next - c * b);
    if (k > first) beside[k - 1] = unless_negligible(c * above - s * bulge, before, now);
    diagonal[k] = now;
    above = c * (s * a + c * b) - s * (s * b + c * next);
    a = s * (s * a + c * b) + c * (s * b + c * next);
    bulge = -s * b_next;
    b = c * b_next;
    x = above;
    z = bulge;
    before = now;
  }
  diagonal[last] = a;
  beside[last - 1] = unless_negligible(above, before, a);
}

// See diagonalize(); for anything that has elements.
template <class Array>
VMAFX_PORTABLE void diagonalize(Array& diagonal, Array& beside, int size) {
  constexpr int kMaxSteps = 500;  // 25 eigenvalues take about 40
  for (int i = 0; i + 1 < size; ++i)
    beside[i] = unless_negligible(beside[i], diagonal[i], diagonal[i + 1]);
  int last = size - 1;
  for (int step = 0; last > 0 && step < kMaxSteps;) {
    if (beside[last - 1] == 0.0f) {
      --last;
      continue;
    }
    int first = last - 1;
    while (first > 0 && beside[first - 1] != 0.0f) --first;
    qr_step(diagonal, beside, first, last);
    ++step;
  }
}

}  // namespace eigen
}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_EIGENVALUES_H_
