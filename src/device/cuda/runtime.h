// CUDA's spelling of what simt/ needs.
#ifndef VMAFX_DEVICE_CUDA_RUNTIME_H_
#define VMAFX_DEVICE_CUDA_RUNTIME_H_

#include <cuda_runtime.h>

#include <string>

#define VMAFX_RUNTIME(name) cuda##name
// HIP's names for what the two call differently.
#define cudaDeviceProp_t cudaDeviceProp
#define cudaHostMalloc cudaHostAlloc
#define cudaHostMallocDefault cudaHostAllocDefault
#define cudaHostFree cudaFreeHost
#define VMAFX_KERNEL_ARGUMENT const __grid_constant__
#define VMAFX_LAUNCH_BOUNDS(threads, teams) __launch_bounds__(threads, teams)

namespace vmafx::device::simt {

inline constexpr char kBackend[] = "cuda";

template <class T>
__device__ __forceinline__ T value_across(T value, int distance) {
  return __shfl_xor_sync(0xffffffffu, value, distance);
}

// Of the driver, as "CUDA 13.0".
inline std::string version_text(int version) {
  return "CUDA " + std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

}  // namespace vmafx::device::simt

#endif  // VMAFX_DEVICE_CUDA_RUNTIME_H_
