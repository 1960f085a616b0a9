// Typed options of a metric: their schema, their values and the report keys that follow from them.
#ifndef VMAFX_BASE_OPTIONS_H_
#define VMAFX_BASE_OPTIONS_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vmafx/status.h"

namespace vmafx {

using OptionText = std::map<std::string, std::string, std::less<>>;  // name or alias -> value

using OptionValue = std::variant<bool, int, double, std::string>;

struct OptionSpec {
  std::string_view name;
  std::string_view alias = {};  // may be empty
  std::string_view help = {};
  OptionValue default_value = false;
  double min = 0;  // int and double only
  double max = 0;
  std::vector<std::string_view> choices = {};  // string only; empty: any
  // A non-default value is part of the report key.
  bool in_key = false;
};

// One value for each option of a schema.
class Options {
 public:
  // Every option at its default. The schema outlives the Options (it is static data of a metric).
  explicit Options(std::span<const OptionSpec> schema);

  // kUsage if a name is unknown, a value does not parse, is out of range, or is given twice
  // differently (by name and by alias); the message starts with `owner`, the metric's name.
  static Result<Options> parse(std::span<const OptionSpec> schema, const OptionText& text,
                               std::string_view owner);

  // Precondition: the schema has an option of that name and type.
  bool flag(std::string_view name) const { return get<bool>(name); }
  int integer(std::string_view name) const { return get<int>(name); }
  double number(std::string_view name) const { return get<double>(name); }
  const std::string& text(std::string_view name) const { return get<std::string>(name); }

  // "_<alias>_<value>" for each in_key option that differs from its default, sorted by full name.
  std::string key_suffix() const;
  // "name=value:..." of every non-default option, sorted by name; equal text means equal options.
  std::string canonical() const;
  // The same without the named options.
  std::string canonical_without(std::span<const std::string_view> names) const;

 private:
  template <class T>
  const T& get(std::string_view name) const;
  std::size_t index(std::string_view name) const;

  std::span<const OptionSpec> schema_;
  std::vector<OptionValue> values_;
};

// "0.7", "3", "true": %g for numbers.
std::string to_string(const OptionValue& value);

}  // namespace vmafx

#endif  // VMAFX_BASE_OPTIONS_H_
