// Lines on standard error, and errors as libvmaf's return codes.
#ifndef VMAFX_COMPAT_LOG_H_
#define VMAFX_COMPAT_LOG_H_

#include <string_view>

#include "libvmaf/libvmaf.h"
#include "vmafx/status.h"

namespace vmafx::compat {

class Log {
 public:
  constexpr explicit Log(VmafLogLevel level) : level_(level) {}

  // "libvmaf WARNING <line>", the line without control characters and not longer than 1000 bytes.
  // Lines of several threads do not mix.
  void write(VmafLogLevel level, std::string_view line) const noexcept;
  // 0, or the negative errno of the error, which is written with the name of the call. That a score
  // is not final yet is no error to a caller who polls, and written at the debug level.
  int result(std::string_view call, const Status& status) const noexcept;

 private:
  VmafLogLevel level_;
};

// Of calls without a context.
inline constexpr Log kDefaultLog(VMAF_LOG_LEVEL_WARNING);

}  // namespace vmafx::compat

#endif  // VMAFX_COMPAT_LOG_H_
