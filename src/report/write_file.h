// Files that are either written completely or not at all.
#ifndef VMAFX_REPORT_WRITE_FILE_H_
#define VMAFX_REPORT_WRITE_FILE_H_

#include <string>
#include <string_view>

#include "vmafx/status.h"

namespace vmafx {

// Writes to a temporary beside `path` that then replaces it; a standard stream, pipe or device is
// written to as it is. kIo says that `what` ("the report") cannot be written to `path`, and why.
Status write_file(std::string_view content, const std::string& path, std::string_view what);

// The error that write_file() would give, as far as it can be told before: creates the temporary
// and removes it.
Status check_path(const std::string& path, std::string_view what);

}  // namespace vmafx

#endif  // VMAFX_REPORT_WRITE_FILE_H_
