#include "base/scaling.h"

#include <algorithm>
#include <cmath>

#include "base/exact/sine.h"

namespace vmafx {
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

Scaling scaling_named(std::string_view name) {
  if (name == "bilinear") return Scaling::kBilinear;
  if (name == "bicubic") return Scaling::kBicubic;
  return name == "lanczos4" ? Scaling::kLanczos4 : Scaling::kNearest;
}

ScaledPoints scaled_points(Scaling scaling, int scaled, int size, float ratio) {
  ScaledPoints p;
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
  for (int i = 0; i < points_per_sample(scaling); ++i) {
    const float distance = static_cast<float>(i - before) - fraction;
    p.position[i] = mirror(floor + i - before, size);
    p.weight[i] = lanczos ? lanczos_weight(distance) : cubic_weight(distance);
  }
  return p;
}

int points_per_sample(Scaling scaling) {
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

namespace {

std::vector<ScaledPoints> make_points(Scaling scaling, int size, int scaled_size) {
  const float ratio = static_cast<float>(size) / static_cast<float>(scaled_size);
  std::vector<ScaledPoints> points;
  points.reserve(static_cast<std::size_t>(scaled_size));
  for (int i = 0; i < scaled_size; ++i) points.push_back(scaled_points(scaling, i, size, ratio));
  return points;
}

}  // namespace

Scaler::Scaler(Scaling scaling, int width, int height, int scaled_width, int scaled_height)
    : points_(points_per_sample(scaling)),
      normalize_(scaling == Scaling::kLanczos4),
      columns_(make_points(scaling, width, scaled_width)),
      rows_(make_points(scaling, height, scaled_height)) {}

void Scaler::scale(PlaneView<const float> plane, PlaneView<float> out) const {
  for (int y = 0; y < out.height; ++y)
    scale_row(plane, rows_[static_cast<std::size_t>(y)], out.row(y));
}

void Scaler::scale_row(PlaneView<const float> plane, const ScaledPoints& row, float* out) const {
  if (points_ == 1) {
    const float* samples = plane.row(row.position[0]);
    for (const ScaledPoints& column : columns_) *out++ = samples[column.position[0]];
    return;
  }
  for (const ScaledPoints& column : columns_) {
    float sum = 0;
    float weights = 0;
    for (int j = 0; j < points_; ++j) {
      const float* samples = plane.row(row.position[j]);
      for (int i = 0; i < points_; ++i) {
        const float weight = column.weight[i] * row.weight[j];
        sum += samples[column.position[i]] * weight;
        weights += weight;
      }
    }
    *out++ = normalize_ ? sum / weights : sum;
  }
}

}  // namespace vmafx
