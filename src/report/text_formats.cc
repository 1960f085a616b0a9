// CSV and MicroDVD subtitles. Both have per-frame values only; libvmaf's readers expect nothing
// else.
#include <algorithm>

#include "report/layout.h"

namespace vmafx {
namespace {

// The format has no escapes: what would end a field or a line becomes '_'.
std::string sub_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '|' || c == '\r' || c == '\n'; }, '_');
  return text;
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string render_csv(const Report& report, Precision precision) {
  const std::vector<const Column*> columns = columns_with_values(report.scores);
  std::string text = "Frame,";
  for (const Column* column : columns) text += csv_field(column->key) + ',';
  text += '\n';
  for (const Row& row : rows_with_values(report.scores)) {
    text += std::to_string(row.frame) + ',';
    auto cell = row.cells.begin();
    for (const Column* column : columns) {
      if (cell != row.cells.end() && cell->column == column)
        text += format_score((cell++)->value, precision);
      text += ',';
    }
    text += '\n';
  }
  return text;
}

std::string render_sub(const Report& report, Precision precision) {
  std::string text;
  for (const Row& row : rows_with_values(report.scores)) {
    const std::string frame = std::to_string(row.frame);
    text += '{' + frame + "}{" + std::to_string(row.frame + 1) + "}frame: " + frame + '|';
    for (const Cell& cell : row.cells)
      text += sub_field(cell.column->key) + ": " + format_score(cell.value, precision) + '|';
    text += '\n';
  }
  return text;
}

}  // namespace vmafx
