// What the four report formats share: which rows and columns appear, and the texts of the parts.
#ifndef VMAFX_REPORT_LAYOUT_H_
#define VMAFX_REPORT_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vmafx/comparison.h"
#include "vmafx/report.h"

namespace vmafx {

struct PooledColumn {
  const Column* column = nullptr;
  Pooled pooled;
};

// A value and the column it belongs to.
struct Cell {
  const Column* column = nullptr;
  double value = 0;
};

struct Row {
  std::int64_t frame = 0;
  std::vector<Cell> cells;  // of the columns that have a value here
};

// A metric and where it was measured. Models are left out: they are arithmetic on the host.
struct Producer {
  std::string_view name;
  std::string_view backend;
};

// A number that the report holds under a name.
struct NamedValue {
  std::string name;
  double value = 0;
};

// Columns without any value are absent, like libvmaf's.
std::vector<const Column*> columns_with_values(const Scores& scores);
// Frames without any value are absent, like libvmaf's.
std::vector<Row> rows_with_values(const Scores& scores);
std::vector<PooledColumn> pooled_columns(const Scores& scores);
std::vector<Producer> producers(const Report& report);
std::vector<std::int64_t> identical_frames(const Scores& scores);
bool all_identical(const Scores& scores);

// libvmaf's four, in its order.
std::vector<NamedValue> classic_pools(const Pooled& pooled);
// Everything in Pooled: the four, "stddev" and the percentiles as "p1", "p5", ...
std::vector<NamedValue> statistics(const Pooled& pooled);

// Frames a second of wall clock; infinite when no time was measured.
double frame_rate(const Report& report);

// "limited", "full" or "unspecified".
std::string_view to_text(ColorInfo::Range range);

// Quoted where RFC 4180 asks for it.
std::string csv_field(const std::string& text);

std::string render_xml(const Report& report, Precision precision);
std::string render_json(const Report& report, Precision precision);
std::string render_json(const Comparison& comparison, Precision precision);
std::string render_csv(const Report& report, Precision precision);
std::string render_sub(const Report& report, Precision precision);

}  // namespace vmafx

#endif  // VMAFX_REPORT_LAYOUT_H_
