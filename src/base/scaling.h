// Scaling of a plane of floats, in libvmaf's arithmetic.
#ifndef VMAFX_BASE_SCALING_H_
#define VMAFX_BASE_SCALING_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/plane.h"

namespace vmafx {

enum class Scaling : std::uint8_t { kNone, kNearest, kBilinear, kBicubic, kLanczos4 };

// "nearest", "bilinear", "bicubic" or "lanczos4".
Scaling scaling_named(std::string_view name);

// Source samples along an axis that make one scaled sample.
int points_per_sample(Scaling scaling);

inline constexpr int kMaxPoints = 9;

// These samples, of which the first points_per_sample() count.
struct ScaledPoints {
  int position[kMaxPoints] = {};
  float weight[kMaxPoints] = {};
};

// Those of sample `scaled` of an axis of `size` samples that becomes size / ratio. Both centres of
// sizes coincide, except for nearest, where both first samples do.
ScaledPoints scaled_points(Scaling scaling, int scaled, int size, float ratio);

// What every way of scaling needs of width and height, so that the mirrored samples exist.
inline constexpr int kSmallestScaled = 6;

class Scaler {
 public:
  Scaler(Scaling scaling, int width, int height, int scaled_width, int scaled_height);

  int width() const { return static_cast<int>(columns_.size()); }
  int height() const { return static_cast<int>(rows_.size()); }
  // What makes each scaled column and row.
  int points() const { return points_; }
  std::span<const ScaledPoints> columns() const { return columns_; }
  std::span<const ScaledPoints> rows() const { return rows_; }

  // Every scaled sample is the sum of the plane's samples times the product of their weights down
  // and across, row by row from the top left, divided by the sum of these products for lanczos4.
  void scale(PlaneView<const float> plane, PlaneView<float> out) const;

 private:
  void scale_row(PlaneView<const float> plane, const ScaledPoints& row, float* out) const;

  int points_;
  bool normalize_;
  std::vector<ScaledPoints> columns_;
  std::vector<ScaledPoints> rows_;
};

}  // namespace vmafx

#endif  // VMAFX_BASE_SCALING_H_
