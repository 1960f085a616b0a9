// What Highway 1.0.3 lacks or wraps awkwardly. Included once for each target, like Highway's own
// *-inl.h headers, after foreach_target.h.
#if defined(VMAFX_BASE_SIMD_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_BASE_SIMD_H_
#undef VMAFX_BASE_SIMD_H_
#else
#define VMAFX_BASE_SIMD_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafx {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sum[i] + a[2i] * b[2i] + a[2i + 1] * b[2i + 1], wrapping: one instruction on x86 with VNNI (see
// base/dot_products.h), else one and an addition.
template <class D32, class V16, class V32>
HWY_INLINE V32 add_pair_products(D32 d32, V16 a, V16 b, V32 sum) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
  // Assembly, because Highway 1.0.3 enables other instructions of this processor generation only.
  static_cast<void>(d32);
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "vm"(b.raw));
  return sum;
#elif HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  V32 second = hn::Zero(d32);
  V32 result = hn::ReorderWidenMulAccumulate(d32, a, b, sum, second);
#if HWY_COMPILER_GCC_ACTUAL
  // g++ would reorder a chain of these additions into all products first, and run out of registers.
  asm("" : "+v"(result.raw));
#endif
  return result;
#else
  V32 second = hn::Zero(d32);
  const V32 first = hn::ReorderWidenMulAccumulate(d32, a, b, hn::Zero(d32), second);
  return hn::Add(sum, hn::RearrangeToOddPlusEven(first, second));
#endif
}

template <class D32, class V16>
HWY_INLINE auto pair_products(D32 d32, V16 a, V16 b) {
  return add_pair_products(d32, a, b, hn::Zero(d32));
}

// A constant that several instructions of a loop share. Compilers would give each of them a memory
// operand of its own, and loads are what long filters wait for.
template <class V>
HWY_INLINE V keep_in_register(V v) {
#if (HWY_COMPILER_GCC || HWY_COMPILER_CLANG) && HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_BASE_SIMD_H_
