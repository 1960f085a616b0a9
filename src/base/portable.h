// Marks functions that run on the host and on devices. constexpr functions need no mark.
#ifndef VMAFX_BASE_PORTABLE_H_
#define VMAFX_BASE_PORTABLE_H_

#if defined(__CUDACC__) || defined(__HIPCC__)
#define VMAFX_PORTABLE __host__ __device__ __forceinline__
#define VMAFX_UNROLL _Pragma("unroll")
#define VMAFX_NO_UNROLL _Pragma("unroll 1")
#elif defined(__clang__)
#define VMAFX_PORTABLE inline __attribute__((always_inline))
#define VMAFX_UNROLL _Pragma("unroll")
#define VMAFX_NO_UNROLL _Pragma("unroll 1")
#else
#define VMAFX_PORTABLE inline
#define VMAFX_UNROLL _Pragma("GCC unroll 32")
#define VMAFX_NO_UNROLL _Pragma("GCC unroll 1")
#endif

// Copies of loops are worth their compile time on devices alone.
#if defined(VMAFX_CHECKED_KERNELS)
#undef VMAFX_UNROLL
#define VMAFX_UNROLL
#endif

#endif  // VMAFX_BASE_PORTABLE_H_
