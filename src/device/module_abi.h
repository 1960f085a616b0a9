// What a device module and the library must agree on.
#ifndef VMAFX_DEVICE_MODULE_ABI_H_
#define VMAFX_DEVICE_MODULE_ABI_H_

#include <cstddef>
#include <cstdint>

#include "device/driver.h"
#include "device/kernel_stamp.h"

namespace vmafx::device {

// C++ types and kernels' arguments cross the border, so both sides must be built from the same
// headers by compilers of one mind.
constexpr std::uint64_t module_abi() {
  std::uint64_t abi = kKernelStamp;
  for (const std::size_t size : {sizeof(DeviceInfo), sizeof(Error), sizeof(Result<void*>)})
    abi = abi * 1009 + size;
  return abi;
}

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_MODULE_ABI_H_
