// Sizes, borders and shifts of the four scales.
#ifndef VMAFX_METRICS_ADM_GEOMETRY_H_
#define VMAFX_METRICS_ADM_GEOMETRY_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "metrics/adm/csf.h"
#include "metrics/adm_borders.h"

namespace vmafx::adm {

// Smallest n with 2^n >= value.
constexpr int ceil_log2(int value) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(value) - 1u));
}

// Half a unit of what a right shift drops.
constexpr std::int64_t half_of(int shift) { return shift > 0 ? std::int64_t{1} << (shift - 1) : 0; }

struct ScaleGeometry {
  int width = 0;  // of each band
  int height = 0;
  Range columns;  // that are summed
  Range rows;

  // Right shifts of the sums of cubes: of each term, and of each row.
  int original_term_shift(int scale) const { return scale == 0 ? 0 : ceil_log2(columns.size()); }
  int original_row_shift(int scale) const {
    return scale == 0 ? std::max(ceil_log2(columns.size() * rows.size()) - 20, 0)
                      : ceil_log2(rows.size());
  }
  int masked_term_shift(int scale, int band) const {
    const int spare = scale > 0 ? 0 : band == 2 ? 3 : 4;
    return std::max(ceil_log2(width) - spare, 0);
  }
  int masked_row_shift() const { return ceil_log2(height); }
};

// Bands of the scales of a picture of width x height.
inline std::array<ScaleGeometry, kScales> scale_geometry(int width, int height) {
  std::array<ScaleGeometry, kScales> all;
  for (ScaleGeometry& g : all) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    g = {width, height, inner_range(width), inner_range(height)};
  }
  return all;
}

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_GEOMETRY_H_
