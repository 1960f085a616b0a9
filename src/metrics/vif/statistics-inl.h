// From the filtered moments of a vector of samples to the sums of VIF: the steps of `accumulate` in
// reference.cc, in the same double operations.
#if defined(VMAFX_METRICS_VIF_STATISTICS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_VIF_STATISTICS_INL_H_
#undef VMAFX_METRICS_VIF_STATISTICS_INL_H_
#else
#define VMAFX_METRICS_VIF_STATISTICS_INL_H_
#endif

#include <span>

#include <hwy/highway.h>

#include "base/simd.h"
#include "metrics/vif/constants.h"
#include "metrics/vif/log2_table.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vmafx::HWY_NAMESPACE::multiply_high_rounded;

constexpr hn::ScalableTag<std::int32_t> ds32;
constexpr hn::ScalableTag<std::uint32_t> dsu32;
constexpr hn::ScalableTag<std::uint64_t> dsu64;
constexpr hn::ScalableTag<double> dsf64;
using Vi = hn::Vec<decltype(ds32)>;
using Vu = hn::Vec<decltype(dsu32)>;
using Vd = hn::Vec<decltype(dsf64)>;
using Mask = hn::Mask<decltype(ds32)>;

// Non-negative integers in 32-bit lanes as doubles, exactly: below the exponent of 2^52 they are
// its lowest bits.
HWY_INLINE Vd even_to_double(Vi v) {
  const auto magic = hn::Set(ds32, 0x43300000);
  return hn::Sub(hn::BitCast(dsf64, hn::OddEven(magic, v)), hn::Set(dsf64, 4503599627370496.0));
}
HWY_INLINE Vd odd_to_double(Vi v) {
  const auto magic = hn::Set(dsu64, std::uint64_t{0x43300000} << 32);
  const auto low = hn::ShiftRight<32>(hn::BitCast(dsu64, v));
  return hn::Sub(hn::BitCast(dsf64, hn::Or(low, magic)), hn::Set(dsf64, 4503599627370496.0));
}

// Upper words of doubles that stand in even and odd lanes.
HWY_INLINE Vi upper_words(Vd even, Vd odd) {
  const auto from_even = hn::ShiftRight<32>(hn::BitCast(dsu64, even));
  return hn::OddEven(hn::BitCast(ds32, odd), hn::BitCast(ds32, from_even));
}

// Of log2_fixed() of integers, given the upper words of their doubles: the exponent is in bits 20
// and up, the mantissa's 15 leading bits are in bits 5 to 19. This is the part that is linear in
// these bits, with the exponent's bias; excess_sum() gives the rest.
HWY_INLINE Vi linear_log2(Vi upper) { return hn::ShiftRight<9>(upper); }
constexpr std::uint32_t kLog2OfNoise = (1023 + 17) * 2048;
static_assert(kNoise == 1 << 17);

// The sum of kLog2Excess over the lanes' mantissas; `memory` holds a
// vector. Scalar loads run beside the vector instructions around them; a gather or a polynomial
// would not.
HWY_INLINE std::uint32_t excess_sum(Vi upper, std::uint32_t* memory) {
  const auto index = hn::And(hn::ShiftRight<5>(hn::BitCast(dsu32, upper)), hn::Set(dsu32, 0x7fff));
  hn::Store(index, dsu32, memory);
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  // Compilers would take the lanes out of the register again, with vector instructions.
  asm volatile("" ::: "memory");
#endif
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < hn::Lanes(dsu32); ++i) sum += kLog2Excess[memory[i]];
  return sum;
}

// Sums over a part of one row, for as long as 32-bit lanes hold them: a few thousand samples.
template <class D, class V>
HWY_INLINE std::int64_t lane_sum(D d, V v) {
  return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, v)));
}

// Moments as in reference.cc to a variance or a covariance.
HWY_INLINE Vi central_moment(Vu product, Vu mean_a, Vu mean_b) {
  return hn::BitCast(ds32, hn::Sub(product, multiply_high_rounded(mean_a, mean_b)));
}

HWY_INLINE Mask is_above_noise(Vi variance_r) {
  return hn::Gt(variance_r, hn::Set(ds32, kNoise - 1));
}

// The denominator of lanes above the noise; the others add a logarithm of the noise, kLog2OfNoise.
// Logarithms are summed in two parts: linear ones in lanes, the excess in a scalar. `memory` holds
// a vector.
HWY_INLINE void accumulate_den(Vi variance_r, Mask above_noise, Vu& den_log,
                               std::int64_t& den_excess, std::uint32_t* memory) {
  const Vi r = hn::IfThenElseZero(above_noise, variance_r);
  const Vd noise = hn::Set(dsf64, static_cast<double>(kNoise));
  const Vi den = upper_words(hn::Add(even_to_double(r), noise), hn::Add(odd_to_double(r), noise));
  den_log = hn::Add(den_log, hn::BitCast(dsu32, linear_log2(den)));
  den_excess += excess_sum(den, memory);
}

// The numerator of lanes below the noise.
HWY_INLINE void accumulate_non_log(Vi variance_d, Mask non_log, hn::Vec<decltype(dsu64)>& num) {
  const auto d = hn::BitCast(dsu64, hn::IfThenElseZero(non_log, variance_d));
  num = hn::Add(num, hn::Add(hn::And(d, hn::Set(dsu64, 0xffffffffu)), hn::ShiftRight<32>(d)));
}

// The numerator of lanes above the noise; the others add nothing. num_log and num_excess have the
// two parts of the sum for every gain limit. `memory` holds two vectors.
HWY_INLINE void accumulate_num(Vi variance_r, Vi variance_d, Vi covariance, Mask above_noise,
                               std::span<const double> gain_limits, std::int32_t* num_log,
                               std::int64_t* num_excess, std::uint32_t* memory) {
  const std::size_t lanes = hn::Lanes(ds32);
  const Vi zero = hn::Zero(ds32);
  const Mask kept = hn::And(above_noise, hn::Gt(variance_d, zero));
  variance_r = hn::IfThenElseZero(above_noise, variance_r);
  // Without covariance the gain is zero, and both logarithms of the numerator are the same.
  covariance = hn::IfThenElseZero(kept, hn::Max(covariance, zero));

  const Vd noise = hn::Set(dsf64, static_cast<double>(kNoise));
  const Vd r_even = even_to_double(variance_r);
  const Vd r_odd = odd_to_double(variance_r);
  const Vd c_even = even_to_double(covariance);
  const Vd c_odd = odd_to_double(covariance);
  const Vd epsilon = hn::Set(dsf64, kVarianceEpsilon);
  const Vd g_even = hn::Div(c_even, hn::Add(r_even, epsilon));
  const Vd g_odd = hn::Div(c_odd, hn::Add(r_odd, epsilon));
  const Vd u_even = hn::Sub(even_to_double(variance_d), hn::Mul(g_even, c_even));
  const Vd u_odd = hn::Sub(odd_to_double(variance_d), hn::Mul(g_odd, c_odd));
  const Vd n_even = hn::Add(hn::Max(hn::Trunc(u_even), hn::Zero(dsf64)), noise);
  const Vd n_odd = hn::Add(hn::Max(hn::Trunc(u_odd), hn::Zero(dsf64)), noise);
  const Vi n = upper_words(n_even, n_odd);
  const std::uint32_t n_excess = excess_sum(n, memory);
  for (std::size_t i = 0; i < gain_limits.size(); ++i) {
    const Vd limit = hn::Set(dsf64, gain_limits[i]);
    const Vd l_even = hn::Min(g_even, limit);
    const Vd l_odd = hn::Min(g_odd, limit);
    const Vd t_even = hn::Add(hn::Trunc(hn::Mul(hn::Mul(l_even, l_even), r_even)), n_even);
    const Vd t_odd = hn::Add(hn::Trunc(hn::Mul(hn::Mul(l_odd, l_odd), r_odd)), n_odd);
    const Vi t = upper_words(t_even, t_odd);
    std::int32_t* sum = num_log + i * lanes;
    hn::Store(hn::Add(hn::Load(ds32, sum), hn::Sub(linear_log2(t), linear_log2(n))), ds32, sum);
    num_excess[i] += std::int64_t{excess_sum(t, memory + lanes)} - n_excess;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_STATISTICS_INL_H_
