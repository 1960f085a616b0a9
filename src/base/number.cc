#include "base/number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace vmafx {
namespace {

// DBL_MAX in %.17f: 309 digits before the point.
constexpr std::size_t kMaxText = 400;

std::string not_finite(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

std::string format(double value, std::chars_format form, int digits) {
  if (!std::isfinite(value)) return not_finite(value);
  std::array<char, kMaxText> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, form, digits);
  return {text.data(), end.ptr};
}

template <class T, class... Args>
std::optional<T> parse(std::string_view text, Args... args) {
  T value{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, args...);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

}  // namespace

std::string format_fixed(double value, int digits) {
  return format(value, std::chars_format::fixed, digits);
}

std::string format_general(double value, int digits) {
  return format(value, std::chars_format::general, digits);
}

std::optional<double> parse_double(std::string_view text) {
  const auto value = parse<double>(without_plus(text));
  if (value && !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  return parse<std::int64_t>(without_plus(text));
}

std::optional<std::uint64_t> parse_bits(std::string_view text) {
  text = without_plus(text);
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return parse<std::uint64_t>(text.substr(2), 16);
  if (text.size() > 1 && text[0] == '0') return parse<std::uint64_t>(text.substr(1), 8);
  return parse<std::uint64_t>(text);
}

}  // namespace vmafx
