// Numbers to text and back, the same in every locale.
#ifndef VMAFX_BASE_NUMBER_H_
#define VMAFX_BASE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vmafx {

// printf's %.<digits>f, %.<digits>g and %g for 0 to 17 digits. Not finite: "inf", "-inf", "nan".
std::string format_fixed(double value, int digits);
std::string format_general(double value, int digits);
inline std::string format_general(double value) { return format_general(value, 6); }

// The whole text must be a number: no blanks, no suffix. A leading '+' is accepted. parse_double
// takes decimal and exponent forms, finite only. parse_int takes decimal only; parse_bits also 0x
// and 0 octal.
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::uint64_t> parse_bits(std::string_view text);

}  // namespace vmafx

#endif  // VMAFX_BASE_NUMBER_H_
