// Columns of text for a terminal.
#ifndef VMAFX_TOOLS_COMMON_TABLE_H_
#define VMAFX_TOOLS_COMMON_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/terminal.h"

namespace vmafx::tools {

enum class Align { kLeft, kRight };

struct TableColumn {
  std::string title;
  Align align = Align::kLeft;
};

// A heading and aligned rows, two blanks apart and indented by two; no blanks at the ends of lines.
// The last column wraps at `width`, if that leaves it 20 columns. Cells are text without escape
// sequences; the heading is dim, the first column bold.
std::string table_text(const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, int width,
                       const Style& style);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_TABLE_H_
