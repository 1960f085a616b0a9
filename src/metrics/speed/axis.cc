#include "metrics/speed/axis.h"

#include <algorithm>
#include <cmath>

#include "base/exact/sine.h"
#include "base/plane.h"
#include "metrics/speed/geometry.h"

namespace vmafx::speed {
namespace {

constexpr int kLanczosReach = 4;
static_assert(kMaxPoints == 2 * kLanczosReach + 1);

// Cubic convolution (Keys, 1981) with a = -0.75.
float cubic_weight(float distance) {
  constexpr float kA = -0.75f;
  const float t = std::fabs(distance);
  if (t < 1) return ((kA + 2) * t - (kA + 3)) * t * t + 1;
  if (t < 2) return (((t - 5) * t + 8) * t - 4) * kA;
  return 0;
}

float lanczos_weight(float distance) {
  constexpr double kPi = 0x1.921fb54442d18p+1;
  constexpr double kReach = kLanczosReach;
  const double x = static_cast<double>(distance);
  if (x == 0) return 1;
  if (std::fabs(x) >= kReach) return 0;
  return static_cast<float>(kReach * exact::sine_of_pi(x) * exact::sine_of_pi(x / kReach) /
                            (kPi * kPi * x * x));
}

}  // namespace

Points points_of(Scaling scaling, int scaled, int size, float ratio) {
  Points p;
  if (scaling == Scaling::kNone) {
    p.position[0] = scaled;
    p.weight[0] = 1;
    return p;
  }
  if (scaling == Scaling::kNearest) {
    p.position[0] = std::min(static_cast<int>(static_cast<float>(scaled) * ratio), size - 1);
    p.weight[0] = 1;
    return p;
  }
  const auto centre = static_cast<float>((scaled + 0.5) * static_cast<double>(ratio) - 0.5);
  const int floor = static_cast<int>(std::floor(centre));
  if (scaling == Scaling::kBilinear) {
    p.position[0] = mirror(floor, size);
    p.position[1] = mirror(static_cast<int>(std::ceil(centre)), size);
    // From the mirrored sample: so libvmaf extrapolates in front of the first sample.
    p.weight[1] = centre - static_cast<float>(p.position[0]);
    p.weight[0] = 1 - p.weight[1];
    return p;
  }
  const bool lanczos = scaling == Scaling::kLanczos4;
  const int before = lanczos ? kLanczosReach : 1;
  const float fraction = centre - static_cast<float>(floor);
  for (int i = 0; i < points(scaling); ++i) {
    const float distance = static_cast<float>(i - before) - fraction;
    p.position[i] = mirror(floor + i - before, size);
    p.weight[i] = lanczos ? lanczos_weight(distance) : cubic_weight(distance);
  }
  return p;
}

int points(Scaling scaling) {
  switch (scaling) {
    case Scaling::kNone:
    case Scaling::kNearest:
      return 1;
    case Scaling::kBilinear:
      return 2;
    case Scaling::kBicubic:
      return 4;
    case Scaling::kLanczos4:
      return kMaxPoints;
  }
  return 0;
}

Axis make_axis(Scaling scaling, int size, int scaled_size, int taps) {
  constexpr std::size_t kVector = 16;
  Axis axis;
  axis.outputs = scaled_size / kDecimation;
  axis.taps = taps;
  axis.points = points(scaling);
  const auto entries = static_cast<std::size_t>(axis.outputs) * static_cast<std::size_t>(taps);
  axis.pitch = (entries + kVector - 1) / kVector * kVector + kVector;
  axis.position.resize(axis.pitch * static_cast<std::size_t>(axis.points));
  axis.weight.resize(axis.position.size());
  const float ratio = static_cast<float>(size) / static_cast<float>(scaled_size);
  for (int tap = 0; tap < taps; ++tap) {
    for (int output = 0; output < axis.outputs; ++output) {
      const int scaled = mirror(output * kDecimation + tap - taps / 2, scaled_size);
      const Points p = points_of(scaling, scaled, size, ratio);
      for (int i = 0; i < axis.points; ++i) {
        axis.position[axis.index(i, tap, output)] = p.position[i];
        axis.weight[axis.index(i, tap, output)] = p.weight[i];
      }
    }
  }
  return axis;
}

}  // namespace vmafx::speed
