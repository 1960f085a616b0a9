#include "metrics/float_vif/prescale.h"

namespace vmafx::float_vif {
namespace {

std::vector<speed::Points> make_points(speed::Scaling scaling, int size, int scaled_size) {
  const float ratio = static_cast<float>(size) / static_cast<float>(scaled_size);
  std::vector<speed::Points> points;
  points.reserve(static_cast<std::size_t>(scaled_size));
  for (int i = 0; i < scaled_size; ++i) points.push_back(speed::points_of(scaling, i, size, ratio));
  return points;
}

}  // namespace

Prescaler::Prescaler(speed::Scaling scaling, int width, int height, int scaled_width,
                     int scaled_height)
    : points_(speed::points(scaling)),
      normalize_(scaling == speed::Scaling::kLanczos4),
      columns_(make_points(scaling, width, scaled_width)),
      rows_(make_points(scaling, height, scaled_height)) {}

void Prescaler::scale(PlaneView<const float> plane, PlaneView<float> out) const {
  for (int y = 0; y < out.height; ++y)
    scale_row(plane, rows_[static_cast<std::size_t>(y)], out.row(y));
}

void Prescaler::scale_row(PlaneView<const float> plane, const speed::Points& row,
                          float* out) const {
  if (points_ == 1) {
    const float* samples = plane.row(row.position[0]);
    for (const speed::Points& column : columns_) *out++ = samples[column.position[0]];
    return;
  }
  for (const speed::Points& column : columns_) {
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

}  // namespace vmafx::float_vif
