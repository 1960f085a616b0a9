// The definition of the floating-point motion measurement. All sums are floats in the order in
// which they stand here.
#include <cmath>
#include <vector>

#include "base/grid.h"
#include "metrics/float_motion/float_motion.h"

namespace vmafx::float_motion {
namespace {

using separable::Window;

// Down the columns, then along the rows, borders mirrored.
template <class Sample>
Grid<float> blur(PlaneView<const Sample> plane, float step, const Window& window) {
  Grid<float> out(plane.width, plane.height);
  std::vector<float> line(static_cast<std::size_t>(plane.width));
  for (int y = 0; y < out.height(); ++y) {
    for (int x = 0; x < out.width(); ++x) {
      float sum = 0;
      for (int k = 0; k < window.size(); ++k) {
        const Sample sample = plane.row(mirror(y + k - window.radius(), plane.height))[x];
        sum += window.taps()[k] * (static_cast<float>(sample) * step - separable::kOffset);
      }
      line[static_cast<std::size_t>(x)] = sum;
    }
    for (int x = 0; x < out.width(); ++x) {
      float sum = 0;
      for (int k = 0; k < window.size(); ++k)
        sum += window.taps()[k] *
               line[static_cast<std::size_t>(mirror(x + k - window.radius(), out.width()))];
      out.at(x, y) = sum;
    }
  }
  return out;
}

Grid<float> scale(const Grid<float>& plane, const Scaler& scaler) {
  Grid<float> out(scaler.width(), scaler.height());
  scaler.scale(plane.view(), out.view());
  return out;
}

}  // namespace

float mean_difference(PlaneView<const float> a, PlaneView<const float> b) {
  float sum = 0;
  for (int y = 0; y < a.height; ++y) {
    float row = 0;
    for (int x = 0; x < a.width; ++x) row += std::fabs(a.row(y)[x] - b.row(y)[x]);
    sum += row;
  }
  return sum / static_cast<float>(a.width * a.height);
}

template <class Sample>
float reference_difference(PlaneView<const Sample> previous, PlaneView<const Sample> current,
                           float step, const Window& window, const Scaler* half) {
  const Grid<float> a = blur(previous, step, window);
  const Grid<float> b = blur(current, step, window);
  const float mean = mean_difference(a.view(), b.view());
  if (half == nullptr) return mean;
  return mean + mean_difference(scale(a, *half).view(), scale(b, *half).view());
}

template float reference_difference(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>,
                                    float, const Window&, const Scaler*);
template float reference_difference(PlaneView<const std::uint16_t>, PlaneView<const std::uint16_t>,
                                    float, const Window&, const Scaler*);

}  // namespace vmafx::float_motion
