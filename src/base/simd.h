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

// sum[i] + a[2i] * b[2i] + a[2i + 1] * b[2i + 1], wrapping: one instruction and an addition on x86.
template <class D32, class V16, class V32>
HWY_INLINE V32 add_pair_products(D32 d32, V16 a, V16 b, V32 sum) {
  V32 second = hn::Zero(d32);
  const V32 first = hn::ReorderWidenMulAccumulate(d32, a, b, hn::Zero(d32), second);
  V32 result = hn::Add(sum, hn::RearrangeToOddPlusEven(first, second));
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86
  // g++ would reorder a chain of these additions into all products first, and run out of registers.
  asm("" : "+v"(result.raw));
#endif
  return result;
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

// The high halves of the 64-bit products of 32-bit lanes, rounded.
template <class V32>
HWY_INLINE V32 multiply_high_rounded(V32 a, V32 b) {
  const hn::DFromV<V32> d32;
  const hn::RepartitionToWide<decltype(d32)> d64;
  const auto half = hn::Set(d64, std::uint64_t{1} << 31);
  const auto a_odd = hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(d64, a)));
  const auto b_odd = hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(d64, b)));
  const auto even = hn::Add(hn::MulEven(a, b), half);
  const auto odd = hn::Add(hn::MulEven(a_odd, b_odd), half);
  return hn::OddEven(hn::BitCast(d32, odd), hn::BitCast(d32, hn::ShiftRight<32>(even)));
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_BASE_SIMD_H_
