// Small additions to Highway 1.0.3. Include after hwy/highway.h, inside a foreach_target file,
// outside any namespace. Pairs follow Highway's blocks: "in block order" is what
// InterleaveLower/Upper give.
#if defined(VMAFX_BASE_SIMD_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_BASE_SIMD_H_
#undef VMAFX_BASE_SIMD_H_
#else
#define VMAFX_BASE_SIMD_H_
#endif

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace vmafx::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sum[i] + a[2i] * b[2i] + a[2i + 1] * b[2i + 1], in 32 bits without saturation.
template <class D32, class V16, class V32>
HWY_INLINE V32 add_pair_products(D32 d32, V16 a, V16 b, V32 sum) {
  V32 odd = hn::Zero(d32);
  const V32 even = hn::ReorderWidenMulAccumulate(d32, a, b, sum, odd);
  return hn::RearrangeToOddPlusEven(even, odd);
}

template <class D32, class V16>
HWY_INLINE auto pair_products(D32 d32, V16 a, V16 b) {
  return add_pair_products(d32, a, b, hn::Zero(d32));
}

}  // namespace vmafx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
