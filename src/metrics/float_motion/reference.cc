// The definition of the floating-point motion measurement. All sums are floats in the order in
// which they stand here.
#include <cmath>
#include <vector>

#include "metrics/float_motion/float_motion.h"

namespace vmafx::float_motion {
namespace {

using separable::Window;

struct FloatPlane {
  FloatPlane(int w, int h)
      : width(w), height(h), samples(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  float& at(int x, int y) { return samples[static_cast<std::size_t>(y * width + x)]; }
  float at(int x, int y) const { return samples[static_cast<std::size_t>(y * width + x)]; }

  int width;
  int height;
  std::vector<float> samples;
};

// Down the columns, then along the rows, borders mirrored.
template <class Sample>
FloatPlane blur(PlaneView<const Sample> plane, float step, const Window& window) {
  FloatPlane out(plane.width, plane.height);
  std::vector<float> line(static_cast<std::size_t>(plane.width));
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      float sum = 0;
      for (int k = 0; k < window.size(); ++k) {
        const Sample sample = plane.row(mirror(y + k - window.radius(), plane.height))[x];
        sum += window.taps()[k] * (static_cast<float>(sample) * step - separable::kOffset);
      }
      line[static_cast<std::size_t>(x)] = sum;
    }
    for (int x = 0; x < out.width; ++x) {
      float sum = 0;
      for (int k = 0; k < window.size(); ++k)
        sum += window.taps()[k] *
               line[static_cast<std::size_t>(mirror(x + k - window.radius(), out.width))];
      out.at(x, y) = sum;
    }
  }
  return out;
}

FloatPlane scale(const FloatPlane& plane, const Scaler& scaler) {
  FloatPlane out(scaler.width(), scaler.height());
  scaler.scale({plane.samples.data(), plane.width, plane.width, plane.height},
               {out.samples.data(), out.width, out.width, out.height});
  return out;
}

// Each row from left to right, then the rows from top to bottom.
float mean_difference(const FloatPlane& a, const FloatPlane& b) {
  float sum = 0;
  for (int y = 0; y < a.height; ++y) {
    float row = 0;
    for (int x = 0; x < a.width; ++x) row += std::fabs(a.at(x, y) - b.at(x, y));
    sum += row;
  }
  return sum / static_cast<float>(a.width * a.height);
}

}  // namespace

template <class Sample>
float reference_difference(PlaneView<const Sample> previous, PlaneView<const Sample> current,
                           float step, const Window& window, const Scaler* half) {
  const FloatPlane a = blur(previous, step, window);
  const FloatPlane b = blur(current, step, window);
  const float mean = mean_difference(a, b);
  if (half == nullptr) return mean;
  return mean + mean_difference(scale(a, *half), scale(b, *half));
}

template float reference_difference(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>,
                                    float, const Window&, const Scaler*);
template float reference_difference(PlaneView<const std::uint16_t>, PlaneView<const std::uint16_t>,
                                    float, const Window&, const Scaler*);

}  // namespace vmafx::float_motion
