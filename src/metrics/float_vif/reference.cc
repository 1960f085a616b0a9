// The definition of floating-point VIF. Every other implementation must equal this one to the bit:
// all sums are floats in the order in which they stand here.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/plane.h"
#include "base/grid.h"
#include "metrics/float_vif/definition.h"
#include "metrics/float_vif/float_vif.h"

namespace vmafx::float_vif {
namespace {

using Luma = Grid<float>;

template <class Sample>
Luma load(const Picture& picture) {
  const float step = separable::step_of(picture.format());
  Luma luma(picture.width(0), picture.height(0));
  for (int y = 0; y < luma.height(); ++y) {
    const Sample* row = picture.row<Sample>(0, y);
    for (int x = 0; x < luma.width(); ++x)
      luma.at(x, y) = static_cast<float>(row[x]) * step - separable::kOffset;
  }
  return luma;
}

Luma load(const Picture& picture, const std::optional<Scaler>& prescaler) {
  Luma luma =
      picture.format().bit_depth == 8 ? load<std::uint8_t>(picture) : load<std::uint16_t>(picture);
  if (!prescaler) return luma;
  Luma scaled(prescaler->width(), prescaler->height());
  prescaler->scale(luma.view(), scaled.view());
  return scaled;
}

// The window around `centre`, over value(index) with indices mirrored into 0..size-1.
template <class Value>
float filter(const Window& window, int centre, int size, Value&& value) {
  float sum = 0;
  for (int k = 0; k < window.size(); ++k)
    sum += window.taps()[k] * value(mirror(centre + k - window.radius(), size));
  return sum;
}

// Local first and second moments of one sample.
struct Moments {
  float mean_r = 0, mean_d = 0;
  float square_r = 0, square_d = 0, product = 0;
};

Moments vertical(const Luma& r, const Luma& d, const Window& window, int x, int y) {
  const auto sum = [&](auto&& value) { return filter(window, y, r.height(), value); };
  return {
      sum([&](int v) { return r.at(x, v); }),
      sum([&](int v) { return d.at(x, v); }),
      sum([&](int v) { return r.at(x, v) * r.at(x, v); }),
      sum([&](int v) { return d.at(x, v) * d.at(x, v); }),
      sum([&](int v) { return r.at(x, v) * d.at(x, v); }),
  };
}

Moments horizontal(const std::vector<Moments>& line, const Window& window, int x) {
  const auto sum = [&](float Moments::* moment) {
    return filter(window, x, static_cast<int>(line.size()),
                  [&](int u) { return line[static_cast<std::size_t>(u)].*moment; });
  };
  return {sum(&Moments::mean_r), sum(&Moments::mean_d), sum(&Moments::square_r),
          sum(&Moments::square_d), sum(&Moments::product)};
}

// d = g r + v: the distorted signal is a gain on the reference and additive noise v. In bits of
// one sample, log2(1 + g^2 s_r^2 / (s_v^2 + s_n^2)) with the gain limited after s_v^2 followed
// from the unlimited one, and log2(1 + s_r^2 / s_n^2). Quotients by the noise are double.
ScaleSums information(const Moments& m, double noise, float gain_limit) {
  float variance_r = std::max(m.square_r - m.mean_r * m.mean_r, 0.f);
  const float variance_d = std::max(m.square_d - m.mean_d * m.mean_d, 0.f);
  const float covariance = m.product - m.mean_r * m.mean_d;
  // A flat reference: 1 bit, less what the distorted picture has of its own.
  if (variance_r < noise) return {1 - variance_d * flat_slope(noise), 1};

  float gain = covariance / (variance_r + kVarianceEpsilon);
  float unexplained = variance_d - gain * covariance;
  if (variance_r < kVarianceEpsilon) {
    gain = 0;
    unexplained = variance_d;
    variance_r = 0;
  }
  if (variance_d < kVarianceEpsilon) {
    gain = 0;
    unexplained = 0;
  }
  if (gain < 0) {
    gain = 0;
    unexplained = variance_d;
  }
  unexplained = std::max(unexplained, kVarianceEpsilon);
  gain = std::min(gain, gain_limit);

  const auto kept =
      static_cast<float>(1 + static_cast<double>(gain * gain * variance_r) / (unexplained + noise));
  // Without noise and variance 0 / 0, see log2_approximate().
  const auto all = static_cast<float>(1 + variance_r / noise);
  return {log2_approximate(kept), log2_approximate(all)};
}

// Each row from left to right, then the rows from top to bottom.
void measure_scale(const Luma& r, const Luma& d, const Window& window, const Task& task,
                   std::size_t scale, std::span<Sums> sums) {
  std::vector<Moments> line(static_cast<std::size_t>(r.width()));
  for (int y = 0; y < r.height(); ++y) {
    for (int x = 0; x < r.width(); ++x)
      line[static_cast<std::size_t>(x)] = vertical(r, d, window, x, y);
    for (std::size_t v = 0; v < sums.size(); ++v) {
      ScaleSums row;
      for (int x = 0; x < r.width(); ++x) {
        const ScaleSums sample =
            information(horizontal(line, window, x), task.noise, task.gain_limits[v]);
        row.num += sample.num;
        row.den += sample.den;
      }
      sums[v].scale[scale].num += row.num;
      sums[v].scale[scale].den += row.den;
    }
  }
}

// The window of the next scale, then every second row and column.
Luma decimate(const Luma& above, const Window& window) {
  Luma result(above.width() / 2, above.height() / 2);
  std::vector<float> line(static_cast<std::size_t>(above.width()));
  for (int y = 0; y < result.height(); ++y) {
    for (int x = 0; x < above.width(); ++x)
      line[static_cast<std::size_t>(x)] =
          filter(window, 2 * y, above.height(), [&](int v) { return above.at(x, v); });
    for (int x = 0; x < result.width(); ++x)
      result.at(x, y) = filter(window, 2 * x, above.width(),
                               [&](int u) { return line[static_cast<std::size_t>(u)]; });
  }
  return result;
}

}  // namespace

void measure_reference(const Picture& reference, const Picture& distorted, const Task& task,
                       std::span<Sums> sums) {
  Luma r = load(reference, task.prescaler);
  Luma d = load(distorted, task.prescaler);
  std::fill(sums.begin(), sums.end(), Sums{});
  for (std::size_t scale = 0; scale < kScales; ++scale) {
    const Window& window = task.windows[scale];
    if (scale > 0) {
      r = decimate(r, window);
      d = decimate(d, window);
    }
    if (scale > 0 || task.scale0) measure_scale(r, d, window, task, scale, sums);
  }
}

}  // namespace vmafx::float_vif
