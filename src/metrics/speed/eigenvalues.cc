#include "metrics/speed/eigenvalues.h"

#include <cmath>
#include <cstddef>

namespace vmafx::speed {
namespace {

float hypotenuse(float x, float y) { return std::sqrt(x * x + y * y); }

void drop_negligible(std::span<const float> diagonal, std::span<float> beside) {
  for (std::size_t i = 0; i < beside.size(); ++i) {
    const float scale = std::fabs(diagonal[i]) + std::fabs(diagonal[i + 1]);
    if (static_cast<double>(std::fabs(beside[i])) < kSingular * static_cast<double>(scale))
      beside[i] = 0;
  }
}

// The eigenvalue of the last 2x2 block [a b; b c] that is nearer to c.
float wilkinson_shift(float a, float b, float c) {
  const float half = (a - c) / 2;
  if (half == 0) return c - std::fabs(b);
  const float hypot = hypotenuse(half, b);
  return half > 0 ? c - b * (b / (half + hypot)) : c + b * (b / (hypot - half));
}

struct Rotation {
  float c;
  float s;
};

// c and s such that s x + c z = 0. Roots and reciprocals are double.
Rotation annihilate(float x, float z) {
  if (z == 0) return {1, 0};
  const auto reciprocal_root = [](float t) {
    return static_cast<float>(1 / std::sqrt(static_cast<double>(1 + t * t)));
  };
  if (std::fabs(z) > std::fabs(x)) {
    const float t = -x / z;
    const float s = reciprocal_root(t);
    return {s * t, s};
  }
  const float t = -z / x;
  const float c = reciprocal_root(t);
  return {c, c * t};
}

// One step on an unreduced matrix: a rotation of rows and columns 0 and 1 makes an entry outside
// the band, and further rotations chase it out at the end.
void qr_step(std::span<float> diagonal, std::span<float> beside) {
  const std::size_t n = diagonal.size();
  float shift = wilkinson_shift(diagonal[n - 2], beside[n - 2], diagonal[n - 1]);
  if (kSingular * static_cast<double>(std::fabs(shift)) >
      static_cast<double>(std::fabs(diagonal[0]) + std::fabs(beside[0])))
    shift = 0;

  float x = diagonal[0] - shift;
  float z = beside[0];
  float above = 0;
  float bulge = 0;
  float a = diagonal[0];  // the 2x2 block being rotated is [a b; b next]
  float b = beside[0];
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const float next = diagonal[k + 1];
    const float b_next = k + 2 < n ? beside[k + 1] : 0;
    const auto [c, s] = annihilate(x, z);
    if (k > 0) beside[k - 1] = c * above - s * bulge;
    diagonal[k] = c * (c * a - s * b) + s * (s * next - c * b);
    above = c * (s * a + c * b) - s * (s * b + c * next);
    a = s * (s * a + c * b) + c * (s * b + c * next);
    bulge = -s * b_next;
    b = c * b_next;
    x = above;
    z = bulge;
  }
  diagonal[n - 1] = a;
  beside[n - 2] = above;
}

}  // namespace

void diagonalize(std::span<float> diagonal, std::span<float> beside) {
  constexpr int kMaxSteps = 500;  // 25 eigenvalues take about 40
  drop_negligible(diagonal, beside);
  std::size_t last = diagonal.size() - 1;
  for (int step = 0; last > 0 && step < kMaxSteps;) {
    if (beside[last - 1] == 0) {
      --last;
      continue;
    }
    std::size_t first = last - 1;
    while (first > 0 && beside[first - 1] != 0) --first;
    const auto block = diagonal.subspan(first, last - first + 1);
    const auto block_beside = beside.subspan(first, last - first);
    qr_step(block, block_beside);
    drop_negligible(block, block_beside);
    ++step;
  }
}

}  // namespace vmafx::speed
