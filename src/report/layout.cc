#include "report/layout.h"

#include <algorithm>
#include <limits>

namespace vmafx {

std::vector<const Column*> columns_with_values(const Scores& scores) {
  std::vector<const Column*> columns;
  for (const Column& column : scores.columns)
    if (std::any_of(column.values.begin(), column.values.end(),
                    [](const auto& value) { return value.has_value(); }))
      columns.push_back(&column);
  return columns;
}

std::vector<Row> rows_with_values(const Scores& scores) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < scores.frames.size(); ++i) {
    Row row{scores.frames[i], {}};
    for (const Column& column : scores.columns)
      if (i < column.values.size() && column.values[i])
        row.cells.push_back({&column, *column.values[i]});
    if (!row.cells.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PooledColumn> pooled_columns(const Scores& scores) {
  std::vector<PooledColumn> pooled;
  for (const Column& column : scores.columns)
    if (auto values = pool(column)) pooled.push_back({&column, *std::move(values)});
  return pooled;
}

std::vector<Producer> producers(const Report& report) {
  std::vector<Producer> found;
  for (const Column* column : columns_with_values(report.scores)) {
    const bool is_model =
        std::any_of(report.models.begin(), report.models.end(),
                    [&](const UsedModel& model) { return model.version == column->producer; });
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const Producer& known) {
      return known.name == column->producer && known.backend == column->backend;
    });
    if (!is_model && !is_known) found.push_back({column->producer, column->backend});
  }
  return found;
}

std::vector<std::int64_t> identical_frames(const Scores& scores) {
  std::vector<std::int64_t> frames;
  const std::size_t count = std::min(scores.identical.size(), scores.frames.size());
  for (std::size_t i = 0; i < count; ++i)
    if (scores.identical[i]) frames.push_back(scores.frames[i]);
  return frames;
}

bool all_identical(const Scores& scores) {
  return !scores.frames.empty() && identical_frames(scores).size() == scores.frames.size();
}

std::vector<NamedValue> classic_pools(const Pooled& pooled) {
  return {{"min", pooled.min},
          {"max", pooled.max},
          {"mean", pooled.mean},
          {"harmonic_mean", pooled.harmonic_mean}};
}

std::vector<NamedValue> statistics(const Pooled& pooled) {
  std::vector<NamedValue> values = classic_pools(pooled);
  values.push_back({"stddev", pooled.stddev});
  for (const auto& [percent, value] : pooled.percentiles)
    values.push_back({"p" + std::to_string(percent), value});
  return values;
}

double frame_rate(const Report& report) {
  if (report.seconds > 0) return static_cast<double>(report.frames_scored) / report.seconds;
  return std::numeric_limits<double>::infinity();
}

std::string_view to_text(ColorInfo::Range range) {
  switch (range) {
    case ColorInfo::Range::kLimited:
      return "limited";
    case ColorInfo::Range::kFull:
      return "full";
    case ColorInfo::Range::kUnspecified:
      break;
  }
  return "unspecified";
}

}  // namespace vmafx
