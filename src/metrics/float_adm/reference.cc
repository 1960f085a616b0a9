// The definition of the metric: what measure_cpu() must equal to the last bit. Coefficients and
// everything made of them are float; products and sums are rounded one by one, from left to right
// as they stand here. Sums over a band: a row has 16 partial sums, that of column x being x mod 16,
// in float for cubes and in double for other powers; they are added in pairs (add_partial_sums());
// the rows are added from top to bottom in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/grid.h"
#include "base/plane.h"
#include "metrics/adm_borders.h"
#include "metrics/float_adm/arithmetic.h"
#include "metrics/float_adm/float_adm.h"

namespace vmafx::float_adm {
namespace {

using adm::inner_range;
using adm::Range;
using adm::reflect;

// Horizontal, vertical and diagonal detail at one place.
using Detail = std::array<float, kBands>;

// Wavelet bands of one picture at one scale.
struct Pyramid {
  Grid<float> low;
  Grid<Detail> detail;
};

// Luma around zero, on the scale of 8 bits; exact.
template <class Sample>
Grid<float> centred(const Picture& picture) {
  const PlaneView<const Sample> luma = plane_view<Sample>(picture, 0);
  const float scale = 1.0f / static_cast<float>(1 << (picture.format().bit_depth - 8));
  Grid<float> out(luma.width, luma.height);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x)
      out.at(x, y) = static_cast<float>(luma.row(y)[x]) * scale - kMiddle;
  return out;
}

// Four taps around 2 index + 1/2; at(i) gives sample i.
template <class At>
float low_pass(int index, int size, At&& at) {
  const auto sample = [&](int k) { return at(reflect(2 * index - 1 + k, size)); };
  return kLow0 * sample(0) + kLow1 * sample(1) + kLow2 * sample(2) + kLow3 * sample(3);
}

template <class At>
float high_pass(int index, int size, At&& at) {
  const auto sample = [&](int k) { return at(reflect(2 * index - 1 + k, size)); };
  return kLow3 * sample(0) - kLow2 * sample(1) + kLow1 * sample(2) - kLow0 * sample(3);
}

// One level of the transform: columns first, then rows.
Pyramid transform(const Grid<float>& input) {
  const int width = (input.width() + 1) / 2;
  const int height = (input.height() + 1) / 2;
  Pyramid out = {{width, height}, {width, height}};
  std::vector<float> low(static_cast<std::size_t>(input.width()));
  std::vector<float> high(low.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < input.width(); ++x) {
      const auto column = [&](int i) { return input.at(x, i); };
      low[static_cast<std::size_t>(x)] = low_pass(y, input.height(), column);
      high[static_cast<std::size_t>(x)] = high_pass(y, input.height(), column);
    }
    const auto low_row = [&](int i) { return low[static_cast<std::size_t>(i)]; };
    const auto high_row = [&](int i) { return high[static_cast<std::size_t>(i)]; };
    for (int x = 0; x < width; ++x) {
      out.low.at(x, y) = low_pass(x, input.width(), low_row);
      out.detail.at(x, y) = {low_pass(x, input.width(), high_row),
                             high_pass(x, input.width(), low_row),
                             high_pass(x, input.width(), high_row)};
    }
  }
  return out;
}

// True if the horizontal and vertical details of both pictures, as vectors, are within 1 degree.
bool same_direction(const Detail& o, const Detail& t) {
  const float product = o[0] * t[0] + o[1] * t[1];
  const float original = o[0] * o[0] + o[1] * o[1];
  const float test = t[0] * t[0] + t[1] * t[1];
  return product >= 0 && product * product >= kCosineSquared * original * test;
}

// The part of t between 0 and limit: what the paper writes as clamp(t / o, 0, 1) o, without the
// rounding of a quotient.
float restored(float limit, float t) {
  return std::min(std::max(t, std::min(limit, 0.0f)), std::max(limit, 0.0f));
}

// The weighted magnitudes of what the original explains of the test's detail, and of the rest.
struct Decoupled {
  Grid<Detail> restored;
  Grid<Detail> additive;
};

Decoupled decouple(const Grid<Detail>& original, const Grid<Detail>& test, float gain_limit,
                   const Weights& weights) {
  Decoupled out = {{original.width(), original.height()}, {original.width(), original.height()}};
  for (int y = 0; y < original.height(); ++y) {
    for (int x = 0; x < original.width(); ++x) {
      const Detail& o = original.at(x, y);
      const Detail& t = test.at(x, y);
      const bool same = same_direction(o, t);
      for (std::size_t band = 0; band < kBands; ++band) {
        const float kept = restored(same ? o[band] * gain_limit : o[band], t[band]);
        out.restored.at(x, y)[band] = std::abs(kept) * weights[band];
        out.additive.at(x, y)[band] = std::abs(t[band] - kept) * weights[band];
      }
    }
  }
  return out;
}

// Contrast masking: a thirtieth of the masker's magnitude in the eight neighbours and a fifteenth
// in the middle, over all bands.
Grid<float> thresholds(const Grid<Detail>& masker, bool masking) {
  Grid<float> magnitude(masker.width(), masker.height());
  for (int y = 0; y < masker.height(); ++y) {
    for (int x = 0; x < masker.width(); ++x) {
      const Detail& m = masker.at(x, y);
      magnitude.at(x, y) = m[0] + m[1] + m[2];
    }
  }
  Grid<float> out(masker.width(), masker.height());
  for (int y = 0; y < masker.height(); ++y) {
    for (int x = 0; x < masker.width(); ++x) {
      const auto three = [&](int row) {
        const int at = reflect(row, masker.height());
        return magnitude.at(reflect(x - 1, masker.width()), at) + magnitude.at(x, at) +
               magnitude.at(reflect(x + 1, masker.width()), at);
      };
      const float sum = three(y - 1) + three(y) + three(y + 1) + magnitude.at(x, y);
      out.at(x, y) = masking ? sum * kNeighbourShare : 0.0f;
    }
  }
  return out;
}

// term(y, x) summed over the inner range.
template <class T, class Term>
double ordered_sum(int width, int height, Term&& term) {
  const Range columns = inner_range(width);
  const Range rows = inner_range(height);
  double sum = 0;
  for (int y = rows.begin; y < rows.end; ++y) {
    T partial[kPartialSums] = {};
    for (int x = columns.begin; x < columns.end; ++x) partial[x % kPartialSums] += term(y, x);
    sum += add_partial_sums(partial);
  }
  return sum;
}

// The sum of the power of value(y, x).
template <class Value>
double power_sum(int width, int height, float power, Value&& value) {
  if (power == kCube) {
    return ordered_sum<float>(width, height, [&](int y, int x) {
      const float v = value(y, x);
      return v * v * v;
    });
  }
  return ordered_sum<double>(width, height,
                             [&](int y, int x) { return power_of(value(y, x), power); });
}

double masked_sum(const Grid<Detail>& signal, const Grid<float>& threshold, float power,
                  std::size_t band) {
  return power_sum(signal.width(), signal.height(), power, [&](int y, int x) {
    return std::max(signal.at(x, y)[band] - threshold.at(x, y), 0.0f);
  });
}

void measure_scale(const Grid<Detail>& original, const Grid<Detail>& test, float power,
                   const Variant& variant, const Weights& weights,
                   std::array<BandSums, kBands>& sums) {
  const Decoupled parts = decouple(original, test, variant.gain_limit, weights);
  const Grid<float> by_additive = thresholds(parts.additive, variant.masking);
  const Grid<float> by_restored = thresholds(parts.restored, variant.masking);
  for (std::size_t band = 0; band < kBands; ++band) {
    sums[band].original = power_sum(original.width(), original.height(), power, [&](int y, int x) {
      return std::abs(original.at(x, y)[band]);
    });
    sums[band].restored = masked_sum(parts.restored, by_additive, power, band);
    sums[band].additive = masked_sum(parts.additive, by_restored, power, band);
  }
}

template <class Sample>
void measure(const Picture& reference, const Picture& distorted, float power,
             std::span<const Variant> variants, std::span<Sums> sums) {
  Grid<float> low_original = centred<Sample>(reference);
  Grid<float> low_test = centred<Sample>(distorted);
  for (std::size_t scale = 0; scale < kScales; ++scale) {
    Pyramid original = transform(low_original);
    Pyramid test = transform(low_test);
    for (std::size_t v = 0; v < variants.size(); ++v) {
      sums[v].scale[scale] = {};
      if (scale == 0 && !variants[v].scale0) continue;
      measure_scale(original.detail, test.detail, power, variants[v], variants[v].weights[scale],
                    sums[v].scale[scale]);
    }
    low_original = std::move(original.low);
    low_test = std::move(test.low);
  }
}

}  // namespace

void measure_reference(const Picture& reference, const Picture& distorted, float power,
                       std::span<const Variant> variants, std::span<Sums> sums) {
  if (reference.format().bit_depth == 8) {
    measure<std::uint8_t>(reference, distorted, power, variants, sums);
  } else {
    measure<std::uint16_t>(reference, distorted, power, variants, sums);
  }
}

}  // namespace vmafx::float_adm
