// From filtered moments to bits: `information` in reference.cc, in the same operations. Included
// once for each target, after foreach_target.h.
#if defined(VMAFX_METRICS_FLOAT_VIF_INFORMATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_FLOAT_VIF_INFORMATION_INL_H_
#undef VMAFX_METRICS_FLOAT_VIF_INFORMATION_INL_H_
#else
#define VMAFX_METRICS_FLOAT_VIF_INFORMATION_INL_H_
#endif

#include <cstddef>
#include <iterator>

#include <hwy/highway.h>

#include "base/separable-inl.h"
#include "metrics/float_vif/definition.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_vif {
namespace HWY_NAMESPACE {

using namespace separable::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

constexpr hn::Repartition<double, DF> dd;
constexpr hn::Half<DF> df_half;
using VD = hn::Vec<decltype(dd)>;

HWY_INLINE VF log2_approximate(VF x) {
  const hn::RebindToUnsigned<DF> du;
  const auto bits = hn::BitCast(du, x);
  const auto biased = hn::And(hn::ShiftRight<23>(bits), hn::Set(du, 0xff));
  const VF exponent = hn::ConvertTo(df, hn::Sub(hn::BitCast(di, biased), hn::Set(di, 127)));
  const auto mantissa = hn::Or(hn::And(bits, hn::Set(du, 0x007fffff)), hn::Set(du, 0x3f800000));
  const VF fraction = hn::Sub(hn::BitCast(df, mantissa), hn::Set(df, 1.0f));
  VF sum = hn::Set(df, kLog2Coefficients[0]);
  for (std::size_t i = 1; i < std::size(kLog2Coefficients); ++i)
    sum = hn::Add(hn::Mul(sum, fraction), hn::Set(df, kLog2Coefficients[i]));
  return hn::Add(exponent, hn::Mul(sum, fraction));
}

// f of both halves of vectors of floats, in double.
template <class F>
HWY_INLINE VF in_double(const F& f, VF a, VF b) {
  const auto lower =
      f(hn::PromoteTo(dd, hn::LowerHalf(df_half, a)), hn::PromoteTo(dd, hn::LowerHalf(df_half, b)));
  const auto upper =
      f(hn::PromoteTo(dd, hn::UpperHalf(df_half, a)), hn::PromoteTo(dd, hn::UpperHalf(df_half, b)));
  return hn::Combine(df, hn::DemoteTo(df_half, upper), hn::DemoteTo(df_half, lower));
}

// What the terms of every gain limit share: calls store(variance of the reference, gain before it
// is limited, unexplained variance, flat term). Not a struct, since vectors of SVE have no size.
template <class Store>
HWY_INLINE void analyse(VF mean_r, VF mean_d, VF square_r, VF square_d, VF product,
                        const Noise& noise, const Store& store) {
  const VF zero = hn::Zero(df);
  const VF epsilon = hn::Set(df, kVarianceEpsilon);
  const VF variance_r = hn::Max(hn::Sub(square_r, hn::Mul(mean_r, mean_r)), zero);
  const VF variance_d = hn::Max(hn::Sub(square_d, hn::Mul(mean_d, mean_d)), zero);
  const VF covariance = hn::Sub(product, hn::Mul(mean_r, mean_d));

  VF gain = hn::Div(covariance, hn::Add(variance_r, epsilon));
  VF unexplained = hn::Sub(variance_d, hn::Mul(gain, covariance));
  const auto none_r = hn::Lt(variance_r, epsilon);
  const auto none_d = hn::Lt(variance_d, epsilon);
  gain = hn::IfThenZeroElse(hn::Or(none_r, none_d), gain);
  unexplained = hn::IfThenElse(none_r, variance_d, unexplained);
  unexplained = hn::IfThenZeroElse(none_d, unexplained);
  const auto negative = hn::Lt(gain, zero);
  unexplained = hn::Max(hn::IfThenElse(negative, variance_d, unexplained), epsilon);
  store(hn::IfThenZeroElse(none_r, variance_r), hn::IfThenZeroElse(negative, gain), unexplained,
        hn::Sub(hn::Set(df, 1.0f), hn::Mul(variance_d, hn::Set(df, noise.slope))));
}

// Of the logarithm.
HWY_INLINE VF kept_argument(VF variance_r, VF unlimited_gain, VF unexplained, VF gain_limit,
                            const Noise& noise) {
  const VF gain = hn::Min(unlimited_gain, gain_limit);
  const VF signal = hn::Mul(hn::Mul(gain, gain), variance_r);
  const auto ratio = [&](VD a, VD b) HWY_ATTR {
    return hn::Add(hn::Set(dd, 1.0), hn::Div(a, hn::Add(b, hn::Set(dd, noise.variance))));
  };
  return in_double(ratio, signal, unexplained);
}

HWY_INLINE VF all_argument(VF variance_r, const Noise& noise) {
  // If no quotient is rounded, double and float agree.
  if (HWY_LIKELY(noise.power_of_two))
    return hn::Add(hn::Set(df, 1.0f), hn::Mul(variance_r, hn::Set(df, noise.inverse)));
  const auto ratio = [&](VD a, VD) HWY_ATTR {
    return hn::Add(hn::Set(dd, 1.0), hn::Div(a, hn::Set(dd, noise.variance)));
  };
  return in_double(ratio, variance_r, variance_r);
}

// The term of a sample that is not flat or of one that is.
HWY_INLINE VF choose(VF variance_r, VF term, VF flat_term, const Noise& noise) {
  return hn::IfThenElse(hn::Lt(variance_r, hn::Set(df, noise.threshold)), flat_term, term);
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::float_vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_FLOAT_VIF_INFORMATION_INL_H_
