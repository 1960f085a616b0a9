// From the filtered moments of a vector of samples to the sums of VIF: the steps of `accumulate` in
// reference.cc, in the same double operations.
#if defined(VMAFX_METRICS_VIF_STATISTICS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_VIF_STATISTICS_INL_H_
#undef VMAFX_METRICS_VIF_STATISTICS_INL_H_
#else
#define VMAFX_METRICS_VIF_STATISTICS_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <hwy/highway.h>

#include "base/simd.h"
#include "metrics/vif/constants.h"
#include "metrics/vif/log2_table.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<std::int32_t> ds32;
constexpr hn::ScalableTag<std::uint32_t> dsu32;
constexpr hn::ScalableTag<std::uint64_t> dsu64;
constexpr hn::ScalableTag<double> dsf64;
using Vi = hn::Vec<decltype(ds32)>;
using Vu = hn::Vec<decltype(dsu32)>;
using Vd = hn::Vec<decltype(dsf64)>;
using V64 = hn::Vec<decltype(dsu64)>;
using Mask = hn::Mask<decltype(ds32)>;

// What the loops below need beside their data, a vector each, in memory for the reason that Taps
// are.
class Constants {
 public:
  static constexpr std::size_t kVectors = 10;

  explicit Constants(std::uint64_t* memory) : memory_(memory) {}
  void fill() const {
    const std::uint64_t values[kVectors] = {
        twice(0x80000000u),
        twice(0x80008000u),
        twice(kNoise),
        twice(kNoise - 1),
        twice(0x7fff),
        std::bit_cast<std::uint64_t>(kTwoTo52),
        std::bit_cast<std::uint64_t>(static_cast<double>(kNoise)),
        std::bit_cast<std::uint64_t>(kVarianceEpsilon),
        0xffffffffu,
        0x80000000u};
    for (std::size_t i = 0; i < kVectors; ++i)
      hn::Store(hn::Set(dsu64, values[i]), dsu64, memory_ + i * hn::Lanes(dsu64));
  }

  HWY_INLINE Vu two_to_31() const { return hn::BitCast(dsu32, load(0)); }
  HWY_INLINE Vu two_to_31_and_15() const { return hn::BitCast(dsu32, load(1)); }
  HWY_INLINE Vi noise_word() const { return hn::BitCast(ds32, load(2)); }
  HWY_INLINE Vi below_noise() const { return hn::BitCast(ds32, load(3)); }
  HWY_INLINE Vu mantissa() const { return hn::BitCast(dsu32, load(4)); }
  HWY_INLINE Vd two_to_52() const { return hn::BitCast(dsf64, load(5)); }
  HWY_INLINE Vd noise() const { return hn::BitCast(dsf64, load(6)); }
  HWY_INLINE Vd epsilon() const { return hn::BitCast(dsf64, load(7)); }
  HWY_INLINE V64 low_word() const { return load(8); }
  HWY_INLINE V64 rounding() const { return load(9); }

 private:
  static constexpr double kTwoTo52 = 4503599627370496.0;

  static constexpr std::uint64_t twice(std::uint32_t word) {
    return std::uint64_t{word} << 32 | word;
  }
  HWY_INLINE V64 load(std::size_t i) const {
    return hn::Load(dsu64, memory_ + i * hn::Lanes(dsu64));
  }

  std::uint64_t* memory_;
};

// Non-negative integers in 32-bit lanes as doubles, exactly: below the exponent of 2^52 they are
// its lowest bits.
HWY_INLINE Vd even_to_double(const Constants& k, Vi v) {
  const Vi exponent = hn::BitCast(ds32, k.two_to_52());
  return hn::Sub(hn::BitCast(dsf64, hn::OddEven(exponent, v)), k.two_to_52());
}
HWY_INLINE Vd odd_to_double(const Constants& k, Vi v) {
  const auto low = hn::ShiftRight<32>(hn::BitCast(dsu64, v));
  return hn::Sub(hn::Or(hn::BitCast(dsf64, low), k.two_to_52()), k.two_to_52());
}

// Upper words of doubles that stand in even and odd lanes.
HWY_INLINE Vi upper_words(Vd even, Vd odd) {
  const auto from_even = hn::ShiftRight<32>(hn::BitCast(dsu64, even));
  return hn::OddEven(hn::BitCast(ds32, odd), hn::BitCast(ds32, from_even));
}

// log2_fixed() has a part that is linear in the bits of a floating-point number, exponent (biased)
// and first 11 bits of the mantissa, and kLog2Excess of the first 15 bits of the mantissa. The
// first is added here; mantissas are collected for excess_sum(), because scalar look-ups in a loop
// of their own wait for nothing, and beat gathers and polynomials.

// The mantissas' first 15 bits, which stand above bit kLowest.
template <int kLowest>
HWY_INLINE void store_mantissas(const Constants& k, Vi words, std::uint32_t* mantissas) {
  hn::Store(hn::And(hn::ShiftRight<kLowest>(hn::BitCast(dsu32, words)), k.mantissa()), dsu32,
            mantissas);
}

// Upper words of doubles.
HWY_INLINE Vi linear_log2(Vi upper) { return hn::ShiftRight<9>(upper); }

// Floats whose exponent and first 15 bits of the mantissa are those of integers from 2^16 to 2^31:
// what is cleared, among it the bit behind the first 16, leaves nothing that would round these up.
HWY_INLINE Vi leading_bits(Vi value) {
  const Vi below = hn::ShiftRight<16>(value);
  return hn::BitCast(ds32, hn::ConvertTo(hn::ScalableTag<float>(), hn::AndNot(below, value)));
}
HWY_INLINE Vi linear_log2_of_float(Vi bits) { return hn::ShiftRight<12>(bits); }
constexpr std::uint32_t kLog2OfNoise = (127 + 17) * 2048;
static_assert(kNoise == 1 << 17);

// Sums over a part of one row, for as long as 32-bit lanes hold them: a few thousand samples.
template <class D, class V>
HWY_INLINE std::int64_t lane_sum(D d, V v) {
  return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, v)));
}

HWY_INLINE Vu upper_lanes(Vu v) {
  return hn::BitCast(dsu32, hn::ShiftRight<32>(hn::BitCast(dsu64, v)));
}

// multiply_means() of vectors.
HWY_INLINE Vu multiply_means(const Constants& k, Vu a, Vu b) {
  const V64 even = hn::Add(hn::MulEven(a, b), k.rounding());
  const V64 odd = hn::Add(hn::MulEven(upper_lanes(a), upper_lanes(b)), k.rounding());
  return hn::OddEven(hn::BitCast(dsu32, odd), hn::BitCast(dsu32, hn::ShiftRight<32>(even)));
}

// Moments as in reference.cc to a variance or a covariance.
HWY_INLINE Vi central_moment(const Constants& k, Vu product, Vu mean_a, Vu mean_b) {
  return hn::BitCast(ds32, hn::Sub(product, multiply_means(k, mean_a, mean_b)));
}

HWY_INLINE Mask is_above_noise(const Constants& k, Vi variance_r) {
  return hn::Gt(variance_r, k.below_noise());
}

// Logarithms of a part of a row.
struct LogSum {
  Vu& linear;
  std::uint32_t* mantissas;  // a vector goes there
};

// The denominator of lanes above the noise; the others add a logarithm of the noise, kLog2OfNoise.
HWY_INLINE void accumulate_den(const Constants& k, Vi variance_r, Mask above_noise,
                               const LogSum& den) {
  const Vi sum = hn::Add(hn::IfThenElseZero(above_noise, variance_r), k.noise_word());
  const Vi bits = leading_bits(sum);
  den.linear = hn::Add(den.linear, hn::BitCast(dsu32, linear_log2_of_float(bits)));
  store_mantissas<8>(k, bits, den.mantissas);
}

// The numerator of lanes below the noise.
HWY_INLINE void accumulate_non_log(const Constants& k, Vi variance_d, Mask non_log, V64& num) {
  const auto d = hn::BitCast(dsu64, hn::IfThenElseZero(non_log, variance_d));
  num = hn::Add(num, hn::Add(hn::And(d, k.low_word()), hn::ShiftRight<32>(d)));
}

// Logarithms of signal and noise, of each gain limit; the first one's are in a register.
struct SignalSums {
  LogSum first;
  std::uint32_t* linear;   // of all of them, a vector each
  std::size_t next_limit;  // from one's mantissas to the next one's
};

// The numerator of lanes above the noise is the logarithm of signal and noise less that of the
// noise; the others add the same to both.
HWY_INLINE void accumulate_num(const Constants& k, Vi variance_r, Vi variance_d, Vi covariance,
                               Mask above_noise, std::span<const double> gain_limits,
                               const LogSum& noise, const SignalSums& signal) {
  const std::size_t lanes = hn::Lanes(ds32);
  const Vi zero = hn::Zero(ds32);
  const Mask kept = hn::And(above_noise, hn::Gt(variance_d, zero));
  variance_r = hn::IfThenElseZero(above_noise, variance_r);
  // Without covariance the gain is zero, and there is no signal.
  covariance = hn::IfThenElseZero(kept, hn::Max(covariance, zero));

  const Vd r_even = even_to_double(k, variance_r);
  const Vd r_odd = odd_to_double(k, variance_r);
  const Vd c_even = even_to_double(k, covariance);
  const Vd c_odd = odd_to_double(k, covariance);
  const Vd g_even = hn::Div(c_even, hn::Add(r_even, k.epsilon()));
  const Vd g_odd = hn::Div(c_odd, hn::Add(r_odd, k.epsilon()));
  const Vd u_even = hn::Sub(even_to_double(k, variance_d), hn::Mul(g_even, c_even));
  const Vd u_odd = hn::Sub(odd_to_double(k, variance_d), hn::Mul(g_odd, c_odd));
  const Vd n_even = hn::Add(hn::Max(hn::Trunc(u_even), hn::Zero(dsf64)), k.noise());
  const Vd n_odd = hn::Add(hn::Max(hn::Trunc(u_odd), hn::Zero(dsf64)), k.noise());
  const Vi n = upper_words(n_even, n_odd);
  noise.linear = hn::Add(noise.linear, hn::BitCast(dsu32, linear_log2(n)));
  store_mantissas<5>(k, n, noise.mantissas);

  const auto add_limit = [&](double gain_limit, const LogSum& sum) HWY_ATTR {
    const Vd limit = hn::Set(dsf64, gain_limit);
    const Vd l_even = hn::Min(g_even, limit);
    const Vd l_odd = hn::Min(g_odd, limit);
    const Vd t_even = hn::Add(hn::Trunc(hn::Mul(hn::Mul(l_even, l_even), r_even)), n_even);
    const Vd t_odd = hn::Add(hn::Trunc(hn::Mul(hn::Mul(l_odd, l_odd), r_odd)), n_odd);
    const Vi t = upper_words(t_even, t_odd);
    sum.linear = hn::Add(sum.linear, hn::BitCast(dsu32, linear_log2(t)));
    store_mantissas<5>(k, t, sum.mantissas);
  };
  add_limit(gain_limits[0], signal.first);
  for (std::size_t i = 1; i < gain_limits.size(); ++i) {
    std::uint32_t* const memory = signal.linear + i * lanes;
    Vu linear = hn::Load(dsu32, memory);
    add_limit(gain_limits[i], {linear, signal.first.mantissas + i * signal.next_limit});
    hn::Store(linear, dsu32, memory);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_STATISTICS_INL_H_
