#include "common/terminal.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace vmafx::tools {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      result += "\\n";
    else if (code < 0x20 || code == 0x7f)
      result += fmt::format("\\x{:02x}", code);
    else
      result += c;
  }
  return result;
}

bool is_terminal(std::FILE* file) { return ::isatty(::fileno(file)) == 1; }

int terminal_width(std::FILE* file) {
  constexpr int kDefault = 80;
  winsize size{};
  if (::ioctl(::fileno(file), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
  return size.ws_col;
}

bool has_utf8() {
  std::string name;
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!name.empty()) break;
    name = environment(variable);
  }
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
}

std::string Style::wrap(std::string_view code, std::string_view text) const {
  if (!colour_) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

Style style_of(std::FILE* file) {
  return Style(is_terminal(file) && environment("NO_COLOR").empty() &&
               environment("TERM") != "dumb");
}

std::string bar(double share, int width, const Style& style) {
  const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  if (!has_utf8()) return fmt::format("[{:<{}}]", repeated("=", filled), width);
  return style.cyan(repeated("\u2501", filled)) +
         style.dim(repeated("\u2500", std::max(width - filled, 0)));
}

}  // namespace vmafx::tools
