// SHA-256 (FIPS 180-4), to name the content of a file.
#ifndef VMAFX_BASE_SHA256_H_
#define VMAFX_BASE_SHA256_H_

#include <string>
#include <string_view>

namespace vmafx {

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view data);

}  // namespace vmafx

#endif  // VMAFX_BASE_SHA256_H_
