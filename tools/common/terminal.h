// What the terminal can show.
#ifndef VMAFX_TOOLS_COMMON_TERMINAL_H_
#define VMAFX_TOOLS_COMMON_TERMINAL_H_

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace vmafx::tools {

// Where the file is full or closed this goes on, unlike fmt::print, which throws: a message that is
// lost must not lose the scores.
template <class... Args>
void put(std::FILE* file, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), file);
}

// The text with its control characters as \n or \x1b. A file's name may hold any of them, and a
// message is one line that does nothing to the terminal.
std::string printable(std::string_view text);

bool is_terminal(std::FILE* file);
// Columns of the terminal behind the file; 80 if it does not say.
int terminal_width(std::FILE* file);
// The environment's locale encodes text as UTF-8.
bool has_utf8();

// Wraps text in escape sequences, or leaves it alone.
class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string red(std::string_view text) const { return wrap("1;31", text); }
  std::string yellow(std::string_view text) const { return wrap("33", text); }
  std::string green(std::string_view text) const { return wrap("32", text); }
  std::string cyan(std::string_view text) const { return wrap("36", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool colour_;
};

// In colour on a terminal, unless NO_COLOR is set and not empty or TERM is "dumb".
Style style_of(std::FILE* file);

// A horizontal bar of `width` columns of which `share` (0..1) is filled.
std::string bar(double share, int width, const Style& style);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_TERMINAL_H_
