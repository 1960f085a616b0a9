#include "base/options.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"

namespace vmafx {
namespace {

Error usage(std::string message, std::string hint = {}) {
  return {ErrorCode::kUsage, std::move(message), std::move(hint)};
}

const OptionSpec* find(std::span<const OptionSpec> schema, std::string_view name) {
  const auto it = std::find_if(schema.begin(), schema.end(), [&](const OptionSpec& spec) {
    return spec.name == name || (!spec.alias.empty() && spec.alias == name);
  });
  return it == schema.end() ? nullptr : &*it;
}

std::string list_of_names(std::span<const OptionSpec> schema) {
  if (schema.empty()) return "it has no options";
  std::string names = "it has: ";
  for (const OptionSpec& spec : schema)
    fmt::format_to(std::back_inserter(names), "{}{}", &spec == &schema.front() ? "" : ", ",
                   spec.name);
  return names;
}

template <class T>
Result<OptionValue> in_range(const OptionSpec& spec, T value, const std::string& text,
                             std::string_view owner) {
  if (static_cast<double>(value) >= spec.min && static_cast<double>(value) <= spec.max)
    return OptionValue(value);
  return usage(fmt::format("{}: {}={} is out of range, it takes {} to {}", owner, spec.name, text,
                           format_general(spec.min), format_general(spec.max)));
}

Result<OptionValue> parse_value(const OptionSpec& spec, const std::string& text,
                                std::string_view owner) {
  const auto bad = [&](std::string_view kind) {
    return usage(fmt::format("{}: {}={} is not {}", owner, spec.name, text, kind));
  };
  if (std::holds_alternative<bool>(spec.default_value)) {
    if (text == "true" || text == "1") return OptionValue(true);
    if (text == "false" || text == "0") return OptionValue(false);
    return bad("true or false");
  }
  if (std::holds_alternative<int>(spec.default_value)) {
    const auto value = parse_int(text);
    if (!value) return bad("a whole number");
    if (*value < INT32_MIN || *value > INT32_MAX) return bad("a number of this range");
    return in_range(spec, static_cast<int>(*value), text, owner);
  }
  if (std::holds_alternative<double>(spec.default_value)) {
    const auto value = parse_double(text);
    if (!value) return bad("a number");
    return in_range(spec, *value, text, owner);
  }
  if (!spec.choices.empty() &&
      std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end())
    return bad(fmt::format("one of {}", fmt::join(spec.choices, ", ")));
  return OptionValue(text);
}

std::vector<std::size_t> sorted_by_name(std::span<const OptionSpec> schema) {
  std::vector<std::size_t> order(schema.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return schema[a].name < schema[b].name; });
  return order;
}

}  // namespace

std::string to_string(const OptionValue& value) {
  struct Text {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(int v) const { return std::to_string(v); }
    std::string operator()(double v) const { return format_general(v); }
    std::string operator()(const std::string& v) const { return v; }
  };
  return std::visit(Text{}, value);
}

Options::Options(std::span<const OptionSpec> schema) : schema_(schema) {
  values_.reserve(schema.size());
  for (const OptionSpec& spec : schema) values_.push_back(spec.default_value);
}

Result<Options> Options::parse(std::span<const OptionSpec> schema, const OptionText& text,
                               std::string_view owner) {
  Options options(schema);
  std::vector<bool> given(schema.size());
  for (const auto& [name, value_text] : text) {
    const OptionSpec* spec = find(schema, name);
    if (spec == nullptr)
      return usage(fmt::format("{}: there is no option \"{}\"", owner, name),
                   list_of_names(schema));
    auto value = parse_value(*spec, value_text, owner);
    if (!value) return value.error();
    const auto i = static_cast<std::size_t>(spec - schema.data());
    if (given[i] && options.values_[i] != *value)
      return usage(fmt::format("{}: {} is given twice, by its name and its alias {}", owner,
                               spec->name, spec->alias));
    given[i] = true;
    options.values_[i] = std::move(*value);
  }
  return options;
}

std::size_t Options::index(std::string_view name) const {
  return static_cast<std::size_t>(find(schema_, name) - schema_.data());
}

template <class T>
const T& Options::get(std::string_view name) const {
  return *std::get_if<T>(&values_[index(name)]);
}
template const bool& Options::get(std::string_view) const;
template const int& Options::get(std::string_view) const;
template const double& Options::get(std::string_view) const;
template const std::string& Options::get(std::string_view) const;

std::string Options::key_suffix() const {
  std::string suffix;
  for (const std::size_t i : sorted_by_name(schema_)) {
    const OptionSpec& spec = schema_[i];
    if (!spec.in_key || values_[i] == spec.default_value) continue;
    suffix += '_';
    suffix += spec.alias.empty() ? spec.name : spec.alias;
    if (!std::holds_alternative<bool>(values_[i])) suffix += '_' + to_string(values_[i]);
  }
  return suffix;
}

std::string Options::canonical() const { return canonical_without({}); }

std::string Options::canonical_without(std::span<const std::string_view> names) const {
  std::string text;
  for (const std::size_t i : sorted_by_name(schema_)) {
    const OptionSpec& spec = schema_[i];
    if (values_[i] == spec.default_value) continue;
    if (std::find(names.begin(), names.end(), spec.name) != names.end()) continue;
    if (!text.empty()) text += ':';
    text += spec.name;
    text += '=';
    // 17 digits: two values that print alike with %g must not count as equal.
    const double* number = std::get_if<double>(&values_[i]);
    text += number != nullptr ? format_general(*number, 17) : to_string(values_[i]);
  }
  return text;
}

}  // namespace vmafx
