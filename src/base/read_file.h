// The whole of a file.
#ifndef VMAFX_BASE_READ_FILE_H_
#define VMAFX_BASE_READ_FILE_H_

#include <cstddef>
#include <string>

namespace vmafx {

// 0 or errno; EFBIG if the file has more than `limit` bytes.
int read_file(const std::string& path, std::size_t limit, std::string& content);

}  // namespace vmafx

#endif  // VMAFX_BASE_READ_FILE_H_
