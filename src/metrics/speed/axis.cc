#include "metrics/speed/axis.h"

#include "base/plane.h"
#include "metrics/speed/geometry.h"

namespace vmafx::speed {

Axis make_axis(Scaling scaling, int size, int scaled_size, int taps) {
  constexpr std::size_t kVector = 16;
  Axis axis;
  axis.outputs = scaled_size / kDecimation;
  axis.taps = taps;
  axis.points = points_per_sample(scaling);
  const auto entries = static_cast<std::size_t>(axis.outputs) * static_cast<std::size_t>(taps);
  axis.pitch = (entries + kVector - 1) / kVector * kVector + kVector;
  axis.position.resize(axis.pitch * static_cast<std::size_t>(axis.points));
  axis.weight.resize(axis.position.size());
  const float ratio = static_cast<float>(size) / static_cast<float>(scaled_size);
  for (int tap = 0; tap < taps; ++tap) {
    for (int output = 0; output < axis.outputs; ++output) {
      const int scaled = mirror(output * kDecimation + tap - taps / 2, scaled_size);
      const ScaledPoints p = scaled_points(scaling, scaled, size, ratio);
      for (int i = 0; i < axis.points; ++i) {
        axis.position[axis.index(i, tap, output)] = p.position[i];
        axis.weight[axis.index(i, tap, output)] = p.weight[i];
      }
    }
  }
  return axis;
}

}  // namespace vmafx::speed
