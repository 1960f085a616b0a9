// The definition of the SSIM measurement.
#include <cstdint>
#include <vector>

#include "base/grid.h"
#include "metrics/float_ssim/float_ssim.h"

namespace vmafx::float_ssim {
namespace {

// Products of two planes.
Grid<float> multiply(PlaneView<const float> a, PlaneView<const float> b) {
  Grid<float> out(a.width, a.height);
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) out.at(x, y) = a.row(y)[x] * b.row(y)[x];
  }
  return out;
}

// Along rows, then along columns, where the window lies inside. Products are rounded to float,
// sums are double.
Grid<float> window_mean(PlaneView<const float> plane) {
  Grid<float> across(plane.width - kTaps + 1, plane.height);
  for (int y = 0; y < across.height(); ++y) {
    for (int x = 0; x < across.width(); ++x) {
      double sum = 0;
      for (int k = 0; k < kTaps; ++k) sum += plane.row(y)[x + k] * kWindow[k];
      across.at(x, y) = static_cast<float>(sum);
    }
  }
  Grid<float> out(across.width(), plane.height - kTaps + 1);
  for (int y = 0; y < out.height(); ++y) {
    for (int x = 0; x < out.width(); ++x) {
      double sum = 0;
      for (int k = 0; k < kTaps; ++k) sum += across.at(x, y + k) * kWindow[k];
      out.at(x, y) = static_cast<float>(sum);
    }
  }
  return out;
}

}  // namespace

template <class Sample>
void reference_decimate(PlaneView<const Sample> plane, int bit_depth, int factor,
                        PlaneView<float> out) {
  const auto scale = static_cast<float>(1 << (bit_depth - 8));
  const float weight = 1.f / static_cast<float>(factor * factor);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      double sum = 0;
      for (int i = 0; i < factor; ++i) {
        const int row = mirror_repeating(y * factor - factor / 2 + i, plane.height);
        for (int j = 0; j < factor; ++j) {
          const int column = mirror_repeating(x * factor - factor / 2 + j, plane.width);
          sum += static_cast<float>(plane.row(row)[column]) / scale * weight;
        }
      }
      out.row(y)[x] = static_cast<float>(sum);
    }
  }
}

template void reference_decimate(PlaneView<const std::uint8_t>, int, int, PlaneView<float>);
template void reference_decimate(PlaneView<const std::uint16_t>, int, int, PlaneView<float>);

Sums reference_statistics(PlaneView<const float> reference, PlaneView<const float> distorted) {
  const Grid<float> mu_r = window_mean(reference);
  const Grid<float> mu_d = window_mean(distorted);
  const Grid<float> rr = window_mean(multiply(reference, reference).view());
  const Grid<float> dd = window_mean(multiply(distorted, distorted).view());
  const Grid<float> rd = window_mean(multiply(reference, distorted).view());
  Sums total;
  for (int x = 0; x < mu_r.width(); ++x) {
    Sums column;
    for (int y = 0; y < mu_r.height(); ++y) {
      const float r = mu_r.at(x, y);
      const float d = mu_d.at(x, y);
      const Terms window =
          compare(r, d, rr.at(x, y) - r * r, dd.at(x, y) - d * d, rd.at(x, y) - r * d);
      column.ssim += window.luminance * window.contrast * window.structure;
      column.luminance += window.luminance;
      column.contrast += window.contrast;
      column.structure += window.structure;
    }
    total.ssim += column.ssim;
    total.luminance += column.luminance;
    total.contrast += column.contrast;
    total.structure += column.structure;
  }
  return total;
}

}  // namespace vmafx::float_ssim
