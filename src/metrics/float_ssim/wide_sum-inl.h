// Sums in double of a vector of floats. Included once for each target, after foreach_target.h.
#if defined(VMAFX_METRICS_FLOAT_SSIM_WIDE_SUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_FLOAT_SSIM_WIDE_SUM_INL_H_
#undef VMAFX_METRICS_FLOAT_SSIM_WIDE_SUM_INL_H_
#else
#define VMAFX_METRICS_FLOAT_SSIM_WIDE_SUM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_ssim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DFHalf = hn::Half<DF>;
using DD = hn::Repartition<double, DF>;
using VF = hn::Vec<DF>;
using VD = hn::Vec<DD>;

HWY_INLINE VD lower_doubles(VF v) { return hn::PromoteTo(DD(), hn::LowerHalf(DFHalf(), v)); }
HWY_INLINE VD upper_doubles(VF v) { return hn::PromoteTo(DD(), hn::UpperHalf(DFHalf(), v)); }

struct WideSum {
  VD lower;
  VD upper;

  // No member initializers: g++ would compile the implicit constructor for the baseline.
  static HWY_INLINE WideSum zero() { return {hn::Zero(DD()), hn::Zero(DD())}; }
  HWY_INLINE void add(VF v) {
    lower = hn::Add(lower, lower_doubles(v));
    upper = hn::Add(upper, upper_doubles(v));
  }
  HWY_INLINE VF rounded() const {
    const DFHalf d;
    return hn::Combine(DF(), hn::DemoteTo(d, upper), hn::DemoteTo(d, lower));
  }
};

// Samples as floats, one step of which is `step`; floats as they are.
template <class D, class Sample>
HWY_INLINE hn::Vec<D> load_samples(D d, const Sample* from, float step) {
  if constexpr (std::is_same_v<Sample, float>) {
    return hn::LoadU(d, from);
  } else {
    const auto samples = hn::LoadU(hn::Rebind<Sample, D>(), from);
    const auto integers = hn::PromoteTo(hn::Rebind<std::int32_t, D>(), samples);
    return hn::Mul(hn::ConvertTo(d, integers), hn::Set(d, step));
  }
}

}  // namespace vmafx::float_ssim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_FLOAT_SSIM_WIDE_SUM_INL_H_
