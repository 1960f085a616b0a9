// What is needed of each scale: nothing outside of what the inner parts of some scale are made of.
#ifndef VMAFX_METRICS_ADM_PLAN_H_
#define VMAFX_METRICS_ADM_PLAN_H_

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/row_parts.h"
#include "metrics/adm/geometry.h"
#include "vmafx/picture.h"

namespace vmafx::adm {

struct Extent {
  Range columns;
  Range rows;
};

struct ScalePlan {
  ScaleGeometry geometry;
  Extent detail;  // of the three bands
  Extent low;     // of the band that the next scale starts from
  int input_width = 0;
  int input_height = 0;
  Range input_columns;
};

inline std::array<ScalePlan, kScales> make_plan(const PictureFormat& format, bool scale0) {
  const auto geometry = scale_geometry(format.width, format.height);
  std::array<ScalePlan, kScales> plan;
  Extent low{};  // nothing for the last scale
  for (std::size_t s = kScales; s-- > 0;) {
    ScalePlan& p = plan[s];
    p.geometry = geometry[s];
    p.input_width = s == 0 ? format.width : geometry[s - 1].width;
    p.input_height = s == 0 ? format.height : geometry[s - 1].height;
    if (s > 0 || scale0)
      p.detail = {masking_range(geometry[s].width), masking_range(geometry[s].height)};
    p.low = low;
    p.input_columns = filter_input(hull(p.detail.columns, p.low.columns), p.input_width);
    low = {p.input_columns, filter_input(hull(p.detail.rows, p.low.rows), p.input_height)};
  }
  return plan;
}

// Some rows of a scale, which can be measured apart from the others.
struct PartPlan {
  ScalePlan plan;  // what is needed for them
  Range summed;    // rows whose masked detail is summed
};

inline Range rows_of(const ScalePlan& plan) { return hull(plan.detail.rows, plan.low.rows); }

inline RowParts parts_of(const ScalePlan& plan) {
  const Range rows = rows_of(plan);
  return {rows.begin, rows.end};
}

inline Range intersection(Range a, Range b) {
  const int begin = std::max(a.begin, b.begin);
  return {begin, std::max(std::min(a.end, b.end), begin)};
}

inline PartPlan part_of(const ScalePlan& plan, RowParts::Rows rows) {
  PartPlan part{plan, intersection(plan.geometry.rows, {rows.begin, rows.end})};
  part.plan.low.rows = intersection(plan.low.rows, {rows.begin, rows.end});
  // Masking looks at the rows above and below.
  part.plan.detail.rows = intersection(plan.detail.rows, {rows.begin - 1, rows.end + 1});
  return part;
}

inline bool contains(Range range, int value) { return value >= range.begin && value < range.end; }

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_PLAN_H_
