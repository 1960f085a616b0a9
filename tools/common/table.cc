#include "common/table.h"

#include <algorithm>

namespace vmafx::tools {
namespace {

// Characters of UTF-8; each is taken to be one column wide.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::string blanks(width - std::min(width, columns_of(text)), ' ');
  return align == Align::kLeft ? text + blanks : blanks + text;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    const std::size_t blank = text.rfind(' ', width);
    // A word that is longer than the line stays whole.
    const std::size_t end = blank == std::string_view::npos || blank == 0 ? text.find(' ') : blank;
    if (end == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  lines.emplace_back(text);
  return lines;
}

class Layout {
 public:
  Layout(const std::vector<TableColumn>& columns, const std::vector<std::vector<std::string>>& rows,
         int width)
      : columns_(columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::size_t widest = columns_of(columns[i].title);
      for (const auto& row : rows) widest = std::max(widest, columns_of(row[i]));
      widths_.push_back(widest);
      if (i + 1 < columns.size()) before_last_ += widest + kGap;
    }
    constexpr std::size_t kNarrowest = 20;
    const std::size_t room = static_cast<std::size_t>(std::max(width, 0));
    if (columns.back().align == Align::kLeft && room >= before_last_ + kGap + kNarrowest)
      widths_.back() = std::min(widths_.back(), room - before_last_ - kGap);
  }

  template <class StyleCell>
  std::string line(const std::vector<std::string>& cells, StyleCell style_cell) const {
    const std::vector<std::string> last = wrapped(cells.back(), widths_.back());
    std::string text(kGap, ' ');
    for (std::size_t i = 0; i + 1 < cells.size(); ++i)
      text +=
          style_cell(i, padded(cells[i], widths_[i], columns_[i].align)) + std::string(kGap, ' ');
    const bool right = columns_.back().align == Align::kRight;
    text += style_cell(cells.size() - 1,
                       right ? padded(last[0], widths_.back(), Align::kRight) : last[0]);
    for (std::size_t i = 1; i < last.size(); ++i)
      text += '\n' + std::string(before_last_ + kGap, ' ') + last[i];
    return text.erase(text.find_last_not_of(' ') + 1) + '\n';
  }

 private:
  static constexpr std::size_t kGap = 2;
  const std::vector<TableColumn>& columns_;
  std::vector<std::size_t> widths_;
  std::size_t before_last_ = 0;
};

}  // namespace

std::string table_text(const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, int width,
                       const Style& style) {
  const Layout layout(columns, rows, width);
  std::vector<std::string> titles;
  for (const TableColumn& column : columns) titles.push_back(column.title);
  std::string text =
      layout.line(titles, [&](std::size_t, const std::string& cell) { return style.dim(cell); });
  for (const auto& row : rows)
    text += layout.line(row, [&](std::size_t i, const std::string& cell) {
      return i == 0 ? style.bold(cell) : cell;
    });
  return text;
}

}  // namespace vmafx::tools
