// Which samples of a plane, with which weights, lie behind each tap of the anti-alias filter.
#ifndef VMAFX_METRICS_SPEED_AXIS_H_
#define VMAFX_METRICS_SPEED_AXIS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace vmafx::speed {

// How a plane is prescaled.
enum class Scaling : std::uint8_t { kNone, kNearest, kBilinear, kBicubic, kLanczos4 };

// Source samples along an axis that make one scaled sample.
int points(Scaling scaling);

inline constexpr int kMaxPoints = 9;

// These samples, of which the first points() count.
struct Points {
  int position[kMaxPoints] = {};
  float weight[kMaxPoints] = {};
};

// Those of sample `scaled` of an axis of `size` samples that becomes size / ratio. Both centres of
// sizes coincide, except for nearest, where both first samples do.
Points points_of(Scaling scaling, int scaled, int size, float ratio);

// One direction, x or y. Only every 16th filtered sample is wanted; tap k of output j looks at the
// scaled sample 16 j + k - taps / 2, mirrored at the borders, and that is a weighted sum of
// `points` samples of the plane.
struct Axis {
  int outputs = 0;
  int taps = 0;
  int points = 0;
  // Entries from a point to the next: outputs * taps, rounded up to whole vectors, and a spare one
  // of zeros.
  std::size_t pitch = 0;
  std::vector<std::int32_t> position;  // [point][tap][output], in the plane
  std::vector<float> weight;

  std::size_t index(int point, int tap, int output) const {
    return static_cast<std::size_t>(point) * pitch +
           static_cast<std::size_t>(tap * outputs + output);
  }
};

Axis make_axis(Scaling scaling, int size, int scaled_size, int taps);

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_AXIS_H_
