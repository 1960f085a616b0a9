# cmake -DFILES=... -DOUTPUT=... -P KernelStamp.cmake: writes a header with a hash of the files.
set(all "")
foreach(file ${FILES})
  file(SHA256 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 stamp)
file(WRITE ${OUTPUT} "#ifndef VMAFX_DEVICE_KERNEL_STAMP_H_
#define VMAFX_DEVICE_KERNEL_STAMP_H_

#include <cstdint>

namespace vmafx::device {

// Of the sources of kernels, and of the border between modules and the library.
inline constexpr std::uint64_t kKernelStamp = 0x${stamp};

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_KERNEL_STAMP_H_
")
