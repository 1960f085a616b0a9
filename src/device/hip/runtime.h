// HIP's spelling of what simt/ needs.
#ifndef VMAFX_DEVICE_HIP_RUNTIME_H_
#define VMAFX_DEVICE_HIP_RUNTIME_H_

#include <hip/hip_runtime.h>

#include <string>

#include "device/kernel.h"

#define VMAFX_RUNTIME(name) hip##name
#define VMAFX_KERNEL_ARGUMENT const
// HIP's second bound counts something else.
#define VMAFX_LAUNCH_BOUNDS(threads, teams) __launch_bounds__(threads)

namespace vmafx::device::simt {

inline constexpr char kBackend[] = "hip";

// Within groups of 32, also where the hardware's are of 64.
template <class T>
__device__ __forceinline__ T value_across(T value, int distance) {
#if defined(__HIP__)
  return __shfl_xor(value, distance, kGroup);
#else
  return __shfl_xor_sync(0xffffffffu, value, distance);  // HIP compiled by nvcc
#endif
}

// Of the driver, as "HIP 5.2.3".
inline std::string version_text(int version) {
  return "HIP " + std::to_string(version / 10000000) + '.' +
         std::to_string(version / 100000 % 100) + '.' + std::to_string(version % 100000);
}

}  // namespace vmafx::device::simt

#endif  // VMAFX_DEVICE_HIP_RUNTIME_H_
