// HIP's names for the CUDA runtime, those that src/device uses: so that the HIP backend can be
// compiled by nvcc and run where there is no AMD device (CMake option VMAFX_HIP_ON_CUDA).
#ifndef VMAFX_TESTS_HIP_ON_CUDA_HIP_HIP_RUNTIME_H_
#define VMAFX_TESTS_HIP_ON_CUDA_HIP_HIP_RUNTIME_H_

#include <cuda_runtime.h>

#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipErrorMemoryAllocation cudaErrorMemoryAllocation
#define hipGetLastError cudaGetLastError
#define hipGetErrorString cudaGetErrorString

#define hipDeviceProp_t cudaDeviceProp
#define hipDriverGetVersion cudaDriverGetVersion
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipSetDevice cudaSetDevice

#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipHostMalloc cudaHostAlloc
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostFree cudaFreeHost
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemsetAsync cudaMemsetAsync

#define hipStream_t cudaStream_t
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamWaitEvent cudaStreamWaitEvent
#define hipStreamSynchronize cudaStreamSynchronize

#define hipEvent_t cudaEvent_t
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventBlockingSync cudaEventBlockingSync
#define hipEventDisableTiming cudaEventDisableTiming
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventDestroy cudaEventDestroy

#endif  // VMAFX_TESTS_HIP_ON_CUDA_HIP_HIP_RUNTIME_H_
