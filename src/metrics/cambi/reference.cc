// The definition of CAMBI's sums, in plain arithmetic.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/grid.h"
#include "metrics/cambi/cambi.h"
#include "metrics/cambi/contrast.h"
#include "metrics/cambi/pixels.h"
#include "metrics/cambi/sampling.h"

namespace vmafx::cambi {
namespace {

// The nearest inside for positions outside.
template <class T>
const T& nearest(const Grid<T>& grid, int x, int y) {
  return grid.at(std::clamp(x, 0, grid.width() - 1), std::clamp(y, 0, grid.height() - 1));
}

using Luma = Grid<int>;
using Mask = Grid<char>;

template <class Sample>
Luma sample_luma(PlaneView<const Sample> plane, int bit_depth, int width, int height) {
  const auto columns = nearest_positions(plane.width, width);
  const auto rows = nearest_positions(plane.height, height);
  Luma luma(width, height);
  for (int y = 0; y < height; ++y) {
    const Sample* row = plane.row(rows[static_cast<std::size_t>(y)]);
    for (int x = 0; x < width; ++x)
      luma.at(x, y) = to_ten_bits(row[columns[static_cast<std::size_t>(x)]], bit_depth);
  }
  return luma;
}

Luma average_dither(const Luma& luma) {
  Luma out = luma;
  for (int y = 0; y < luma.height(); ++y) {
    for (int x = 0; x < luma.width(); ++x) {
      out.at(x, y) = (luma.at(x, y) + nearest(luma, x + 1, y) + nearest(luma, x, y + 1) +
                      nearest(luma, x + 1, y + 1)) /
                     4;
    }
  }
  return out;
}

// Pixels in whose 7x7 neighbourhood enough pixels equal both their right and their lower neighbour.
Mask flat_areas(const Luma& luma) {
  constexpr int kRadius = 3;
  const int threshold = flatness_threshold(luma.width(), luma.height());
  Mask level(luma.width(), luma.height());
  Mask flat(luma.width(), luma.height());
  for (int y = 0; y < luma.height(); ++y) {
    for (int x = 0; x < luma.width(); ++x) {
      level.at(x, y) =
          luma.at(x, y) == nearest(luma, x + 1, y) && luma.at(x, y) == nearest(luma, x, y + 1);
    }
  }
  for (int y = 0; y < luma.height(); ++y) {
    for (int x = 0; x < luma.width(); ++x) {
      int count = 0;
      for (int v = std::max(0, y - kRadius); v <= std::min(luma.height() - 1, y + kRadius); ++v) {
        for (int u = std::max(0, x - kRadius); u <= std::min(luma.width() - 1, x + kRadius); ++u)
          count += level.at(u, v);
      }
      flat.at(x, y) = count > threshold;
    }
  }
  return flat;
}

template <class T>
Grid<T> every_second(const Grid<T>& map) {
  Grid<T> out(half(map.width()), half(map.height()));
  for (int y = 0; y < out.height(); ++y) {
    for (int x = 0; x < out.width(); ++x) out.at(x, y) = map.at(2 * x, 2 * y);
  }
  return out;
}

// Along rows, except in the first and last column; then along columns, where the first and last row
// stay as they were before both.
Luma mode_filter(const Luma& luma) {
  const int width = luma.width();
  const int height = luma.height();
  Luma across = luma;
  for (int y = 0; y < height; ++y) {
    for (int x = 1; x < width - 1; ++x)
      across.at(x, y) = mode(luma.at(x - 1, y), luma.at(x, y), luma.at(x + 1, y));
  }
  Luma out = luma;
  for (int y = 1; y < height - 1; ++y) {
    for (int x = 0; x < width; ++x)
      out.at(x, y) = mode(across.at(x, y - 1), across.at(x, y), across.at(x, y + 1));
  }
  return out;
}

// How often each value occurs among the flat pixels of the window around (x, y).
class Histogram {
 public:
  void count(const Luma& luma, const Mask& flat, int x, int y, int radius) {
    counts_.fill(0);
    for (int v = std::max(0, y - radius); v <= std::min(luma.height() - 1, y + radius); ++v) {
      for (int u = std::max(0, x - radius); u <= std::min(luma.width() - 1, x + radius); ++u)
        counts_[static_cast<std::size_t>(luma.at(u, v))] += flat.at(u, v);
    }
  }
  int operator[](int value) const {
    return value < 0 || value > kMaxLuma ? 0 : counts_[static_cast<std::size_t>(value)];
  }

 private:
  std::array<int, kMaxLuma + 1> counts_{};
};

float largest_contrast(const Histogram& histogram, int value, const Visibility& visibility) {
  float largest = 0;
  for (int step = 1; step <= visibility.steps; ++step) {
    const bool visible =
        visibility.visible_steps[static_cast<std::size_t>(value)] >> (step - 1) & 1;
    if (!visible) continue;
    const int near = std::max(histogram[value + step], histogram[value - step]);
    const float weight = kStepWeights[static_cast<std::size_t>(step - 1)];
    largest = std::max(largest, contrast(histogram[value], near, weight));
  }
  return largest;
}

std::vector<float> contrasts(const Luma& luma, const Mask& flat, const Parameters& parameters) {
  std::vector<float> values;
  Histogram histogram;
  for (int y = 0; y < luma.height(); ++y) {
    for (int x = 0; x < luma.width(); ++x) {
      float value = 0;
      if (flat.at(x, y)) {
        histogram.count(luma, flat, x, y, parameters.window / 2);
        value = largest_contrast(histogram, luma.at(x, y), *parameters.visibility);
      }
      values.push_back(value);
    }
  }
  return values;
}

}  // namespace

template <class Sample>
PictureSums reference_sums(PlaneView<const Sample> plane, int bit_depth,
                           const Parameters& parameters, ContrastMaps* maps) {
  Luma luma = sample_luma(plane, bit_depth, parameters.width, parameters.height);
  if (parameters.anti_dither) luma = average_dither(luma);
  Mask flat = flat_areas(luma);
  PictureSums sums;
  for (int scale = 0; scale < kScales; ++scale) {
    if (scale > 0 || parameters.halve_first) {
      luma = every_second(luma);
      flat = every_second(flat);
    }
    luma = mode_filter(luma);
    std::vector<float> values = contrasts(luma, flat, parameters);
    if (maps != nullptr)
      (*maps)[static_cast<std::size_t>(scale)] = {luma.width(), luma.height(), values};
    std::sort(values.rbegin(), values.rend());
    values.resize(pooled_count(parameters.pooled_share, luma.width(), luma.height()));
    ExactSum& sum = sums[static_cast<std::size_t>(scale)];
    for (const float value : values) sum.add(value);
  }
  return sums;
}

template PictureSums reference_sums(PlaneView<const std::uint8_t>, int, const Parameters&,
                                    ContrastMaps*);
template PictureSums reference_sums(PlaneView<const std::uint16_t>, int, const Parameters&,
                                    ContrastMaps*);

}  // namespace vmafx::cambi
