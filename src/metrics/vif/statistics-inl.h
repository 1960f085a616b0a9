// From the filtered moments of vectors of samples to the numbers whose logarithms VIF adds: steps
// of `accumulate` in reference.cc, in the same double operations.
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

#include "metrics/vif/constants.h"
#include "metrics/vif/log2-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

using Mask = hn::Mask<decltype(ds32)>;

// What loops over samples need beside these, a vector each, in memory for the reason that Taps are.
class Constants {
 public:
  static constexpr std::size_t kVectors = 8;

  explicit Constants(std::uint64_t* memory) : memory_(memory) {}
  void fill() const {
    const std::uint64_t values[kVectors] = {twice(0x80000000u),
                                            twice(0x80008000u),
                                            twice(kNoise),
                                            twice(kNoise - 1),
                                            std::bit_cast<std::uint64_t>(kSumStart + kNoise),
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
  // Where sums of add_integer_part() begin.
  HWY_INLINE Vd noise() const { return hn::BitCast(dsf64, load(4)); }
  HWY_INLINE Vd epsilon() const { return hn::BitCast(dsf64, load(5)); }
  HWY_INLINE V64 low_word() const { return load(6); }
  HWY_INLINE V64 rounding() const { return load(7); }

 private:
  static constexpr std::uint64_t twice(std::uint32_t word) {
    return std::uint64_t{word} << 32 | word;
  }
  HWY_INLINE V64 load(std::size_t i) const {
    return hn::Load(dsu64, memory_ + i * hn::Lanes(dsu64));
  }

  std::uint64_t* memory_;
};

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

// The sum of numbers of 0 and more, each lane with the one beside it.
HWY_INLINE void add_in_pairs(const Constants& k, Vi v, V64& sum) {
  const V64 words = hn::BitCast(dsu64, v);
  sum = hn::Add(sum, hn::Add(hn::And(words, k.low_word()), hn::ShiftRight<32>(words)));
}

// Lanes of the vector at column x that are in the strip, for even (0) or odd (1) columns.
HWY_INLINE Mask valid_lanes(int columns, int x, int parity) {
  const Vi index = hn::ShiftLeft<1>(hn::Iota(ds32, 0));
  return hn::Lt(index, hn::Set(ds32, columns - x - parity));
}

// The numerator of lanes above the noise is the logarithm of signal and noise, for each gain limit,
// less that of the noise; where r is 0, both are the same, whatever d and c are. `first` and
// `second` are halves of a vector of variances and covariances, all 0 or more.
struct NumeratorLogs {
  const LogSum& noise;
  std::span<const LogSum> signal;
  std::span<const double> gain_limits;

  HWY_INLINE void add(const Constants& k, std::size_t count, Vd first_r, Vd second_r, Vd first_d,
                      Vd second_d, Vd first_c, Vd second_c) const {
    const Vd zero = hn::Zero(dsf64);
    const Vd first_g = hn::Div(first_c, hn::Add(first_r, k.epsilon()));
    const Vd second_g = hn::Div(second_c, hn::Add(second_r, k.epsilon()));
    const Vd first_u = hn::Max(hn::Sub(first_d, hn::Mul(first_g, first_c)), zero);
    const Vd second_u = hn::Max(hn::Sub(second_d, hn::Mul(second_g, second_c)), zero);
    const Vd first_n = add_integer_part(first_u, k.noise());
    const Vd second_n = add_integer_part(second_u, k.noise());
    noise.add(count, first_n, second_n);
    for (std::size_t i = 0; i < signal.size(); ++i) {
      const Vd limit = hn::Set(dsf64, gain_limits[i]);
      const Vd first_l = hn::Min(first_g, limit);
      const Vd second_l = hn::Min(second_g, limit);
      signal[i].add(count, add_integer_part(hn::Mul(hn::Mul(first_l, first_l), first_r), first_n),
                    add_integer_part(hn::Mul(hn::Mul(second_l, second_l), second_r), second_n));
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_STATISTICS_INL_H_
