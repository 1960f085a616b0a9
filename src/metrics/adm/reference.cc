// The definition of the metric: what measure_cpu() must equal to the last bit.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/grid.h"
#include "base/plane.h"
#include "metrics/adm/adm.h"
#include "metrics/adm/coefficient.h"
#include "metrics/adm/geometry.h"

namespace vmafx::adm {
namespace {

// Wavelet bands of one picture at one scale.
struct Pyramid {
  Grid<std::int32_t> low;
  Grid<Detail> detail;
};

// Luma around zero.
template <class Sample>
Grid<std::int32_t> centred(const Picture& picture) {
  const PlaneView<const Sample> luma = plane_view<Sample>(picture, 0);
  Grid<std::int32_t> out(luma.width, luma.height);
  const std::int32_t middle = 1 << (picture.format().bit_depth - 1);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) out.at(x, y) = luma.row(y)[x] - middle;
  return out;
}

// Four taps around 2 index + 1/2; at(i) gives sample i.
template <class At>
std::int64_t filter(const std::int32_t (&taps)[4], int index, int size, At&& at) {
  std::int64_t sum = 0;
  for (int k = 0; k < 4; ++k) sum += std::int64_t{taps[k]} * at(reflect(2 * index - 1 + k, size));
  return sum;
}

// One level of the transform: columns first, then rows, rounded after each. T is the type that
// results are stored in.
template <class T>
Pyramid transform(const Grid<std::int32_t>& input, int column_shift, int row_shift) {
  const int width = (input.width() + 1) / 2;
  const int height = (input.height() + 1) / 2;
  const auto rounded = [](std::int64_t sum, int shift) {
    return std::int32_t{static_cast<T>((sum + half_of(shift)) >> shift)};
  };
  Pyramid out = {{width, height}, {width, height}};
  for (int y = 0; y < height; ++y) {
    std::vector<std::int32_t> low(static_cast<std::size_t>(input.width()));
    std::vector<std::int32_t> high(low.size());
    for (int x = 0; x < input.width(); ++x) {
      const auto column = [&](int i) { return input.at(x, i); };
      const auto i = static_cast<std::size_t>(x);
      low[i] = rounded(filter(kLowPass, y, input.height(), column), column_shift);
      high[i] = rounded(filter(kHighPass, y, input.height(), column), column_shift);
    }
    const auto low_row = [&](int i) { return low[static_cast<std::size_t>(i)]; };
    const auto high_row = [&](int i) { return high[static_cast<std::size_t>(i)]; };
    for (int x = 0; x < width; ++x) {
      out.low.at(x, y) = rounded(filter(kLowPass, x, input.width(), low_row), row_shift);
      out.detail.at(x, y) = {rounded(filter(kLowPass, x, input.width(), high_row), row_shift),
                             rounded(filter(kHighPass, x, input.width(), low_row), row_shift),
                             rounded(filter(kHighPass, x, input.width(), high_row), row_shift)};
    }
  }
  return out;
}

// Splits the test's detail into what the original explains and the rest.
struct Decoupled {
  Grid<Detail> restored;
  Grid<Detail> additive;
};

Decoupled decouple(const Grid<Detail>& original, const Grid<Detail>& test, double gain_limit) {
  Decoupled out = {{original.width(), original.height()}, {original.width(), original.height()}};
  for (int y = 0; y < original.height(); ++y) {
    for (int x = 0; x < original.width(); ++x) {
      const Detail& o = original.at(x, y);
      const Detail& t = test.at(x, y);
      const bool same = same_direction(o, t);
      for (std::size_t band = 0; band < kBands; ++band) {
        const std::int32_t kept = restored(o[band], t[band], same, gain_limit);
        out.restored.at(x, y)[band] = kept;
        out.additive.at(x, y)[band] = t[band] - kept;
      }
    }
  }
  return out;
}

// Contrast masking: a thirtieth of the weighted magnitude of the masker in the eight neighbours and
// a fifteenth in the middle, over all bands.
template <class Arithmetic>
Grid<std::int32_t> thresholds(const Grid<Detail>& masker, const Weights& weights) {
  Grid<std::int32_t> neighbour(masker.width(), masker.height());
  Grid<std::int32_t> centre(masker.width(), masker.height());
  for (int y = 0; y < masker.height(); ++y) {
    for (int x = 0; x < masker.width(); ++x) {
      for (int band = 0; band < kBands; ++band) {
        const auto b = static_cast<std::size_t>(band);
        const std::int32_t weighted =
            Arithmetic::weighted(masker.at(x, y)[b], weights.fixed[b], band);
        neighbour.at(x, y) += Arithmetic::neighbour_tap(weighted);
        centre.at(x, y) += Arithmetic::centre_tap(weighted);
      }
    }
  }
  Grid<std::int32_t> out = centre;
  for (int y = 0; y < masker.height(); ++y) {
    for (int x = 0; x < masker.width(); ++x) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (dy == 0 && dx == 0) continue;
          out.at(x, y) +=
              neighbour.at(reflect(x + dx, masker.width()), reflect(y + dy, masker.height()));
        }
      }
    }
  }
  return out;
}

// The sum over one band of the cube of the signal's weighted magnitude above the masker's
// threshold; each row is rounded once.
template <class Arithmetic>
std::uint64_t masked_sum(const Grid<Detail>& signal, const Grid<std::int32_t>& threshold,
                         const Weights& weights, const ScaleGeometry& g, int scale, int band) {
  const auto b = static_cast<std::size_t>(band);
  const int term_shift = g.masked_term_shift(scale, band);
  const int row_shift = g.masked_row_shift();
  std::uint64_t sum = 0;
  for (int y = g.rows.begin; y < g.rows.end; ++y) {
    std::uint64_t row = 0;
    for (int x = g.columns.begin; x < g.columns.end; ++x) {
      const std::uint32_t excitation =
          Arithmetic::excitation(signal.at(x, y)[b], weights.fixed[b], band);
      const std::uint32_t above =
          above_threshold(excitation, threshold.at(x, y), Arithmetic::threshold_shift(band));
      row += masked_cube(above, Arithmetic::square_shift(band), term_shift);
    }
    sum += (row + static_cast<std::uint64_t>(half_of(row_shift))) >> row_shift;
  }
  return sum;
}

template <class Arithmetic>
std::uint64_t original_sum(const Grid<Detail>& original, const ScaleGeometry& g, int scale,
                           int band) {
  const int term_shift = g.original_term_shift(scale);
  const int row_shift = g.original_row_shift(scale);
  std::uint64_t sum = 0;
  for (int y = g.rows.begin; y < g.rows.end; ++y) {
    std::uint64_t row = 0;
    for (int x = g.columns.begin; x < g.columns.end; ++x) {
      const std::int32_t value = original.at(x, y)[static_cast<std::size_t>(band)];
      row += Arithmetic::original_term(value, scale, term_shift);
    }
    sum += (row + static_cast<std::uint64_t>(half_of(row_shift))) >> row_shift;
  }
  return sum;
}

template <class Arithmetic>
void measure_scale(const Grid<Detail>& original, const Grid<Detail>& test, const ScaleGeometry& g,
                   int scale, const Variant& variant, std::array<BandSums, kBands>& sums) {
  const Weights& weights = variant.weights[static_cast<std::size_t>(scale)];
  const Decoupled parts = decouple(original, test, variant.gain_limit);
  const Grid<std::int32_t> by_additive = thresholds<Arithmetic>(parts.additive, weights);
  const Grid<std::int32_t> by_restored = thresholds<Arithmetic>(parts.restored, weights);
  for (int band = 0; band < kBands; ++band) {
    BandSums& out = sums[static_cast<std::size_t>(band)];
    out.original = original_sum<Arithmetic>(original, g, scale, band);
    out.restored = masked_sum<Arithmetic>(parts.restored, by_additive, weights, g, scale, band);
    if (variant.additive)
      out.additive = masked_sum<Arithmetic>(parts.additive, by_restored, weights, g, scale, band);
  }
}

template <class Sample>
void measure(const Picture& reference, const Picture& distorted, std::span<const Variant> variants,
             std::span<Sums> sums) {
  const PictureFormat& format = reference.format();
  const auto geometry = scale_geometry(format.width, format.height);
  const int depth = format.bit_depth;

  Pyramid original = transform<std::int16_t>(centred<Sample>(reference), depth, 16);
  Pyramid test = transform<std::int16_t>(centred<Sample>(distorted), depth, 16);
  for (std::size_t v = 0; v < variants.size(); ++v) {
    sums[v] = {};
    if (variants[v].scale0) {
      measure_scale<Scale0>(original.detail, test.detail, geometry[0], 0, variants[v],
                            sums[v].scale[0]);
    }
  }
  constexpr int kColumnShift[kScales] = {0, 0, 16, 16};
  constexpr int kRowShift[kScales] = {0, 15, 16, 15};
  for (int scale = 1; scale < kScales; ++scale) {
    original = transform<std::int32_t>(original.low, kColumnShift[scale], kRowShift[scale]);
    test = transform<std::int32_t>(test.low, kColumnShift[scale], kRowShift[scale]);
    const auto s = static_cast<std::size_t>(scale);
    for (std::size_t v = 0; v < variants.size(); ++v) {
      measure_scale<Scale123>(original.detail, test.detail, geometry[s], scale, variants[v],
                              sums[v].scale[s]);
    }
  }
}

}  // namespace

void measure_reference(const Picture& reference, const Picture& distorted,
                       std::span<const Variant> variants, std::span<Sums> sums) {
  if (reference.format().bit_depth == 8) {
    measure<std::uint8_t>(reference, distorted, variants, sums);
  } else {
    measure<std::uint16_t>(reference, distorted, variants, sums);
  }
}

}  // namespace vmafx::adm
