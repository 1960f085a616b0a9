// Sums of log2_fixed() over vectors of integers, in two ways: from tables in registers where they
// fit them, else with the entries of a larger one looked up one by one afterwards.
#if defined(VMAFX_METRICS_VIF_LOG2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_VIF_LOG2_INL_H_
#undef VMAFX_METRICS_VIF_LOG2_INL_H_
#else
#define VMAFX_METRICS_VIF_LOG2_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "metrics/vif/log2_table.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<std::int32_t> ds32;
constexpr hn::ScalableTag<std::uint32_t> dsu32;
constexpr hn::ScalableTag<std::uint64_t> dsu64;
constexpr hn::ScalableTag<float> dsf32;
constexpr hn::ScalableTag<double> dsf64;
using Vi = hn::Vec<decltype(ds32)>;
using Vu = hn::Vec<decltype(dsu32)>;
using V64 = hn::Vec<decltype(dsu64)>;
using Vd = hn::Vec<decltype(dsf64)>;

// Of lanes that hold sums over one row of a strip.
template <class D, class V>
HWY_INLINE std::int64_t lane_sum(D d, V v) {
  return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, v)));
}

// What a LogSum counts too much for each number that comes as a 32-bit integer: the bias of a
// float's exponent. For doubles it is this or more.
constexpr std::int64_t kLogBias = 127 * 2048;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// What sums of add_integer_part() begin with: 2^52, above which doubles have no bits behind the
// point, and integers as their lowest ones.
constexpr double kSumStart = 4503599627370496.0;

// sum + trunc(x), for x >= 0.
HWY_INLINE Vd add_integer_part(Vd x, Vd sum) {
  return Vd{_mm512_add_round_pd(x.raw, sum.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
}

// The sum of the logarithms of integers from 2^16 to 2^31 and of their kLogBias, of whole vectors;
// of other integers, something that is always the same.
// Not inlined, so that tests/layers.sh finds fused multiply-adds here alone: they need not be the
// same everywhere, since what comes of them is rounded to integers that tests compare for all
// mantissas.
HWY_NOINLINE inline std::int64_t log2_sum(const std::uint32_t* numbers, std::size_t count) {
  namespace segment = log2_segments;
  using Vf = hn::Vec<decltype(dsf32)>;
  Vu segments = hn::Zero(dsu32);
  Vu steps = segments;
  for (std::size_t i = 0; i < count; i += hn::Lanes(dsu32)) {
    const Vu v = hn::Load(dsu32, numbers + i);
    const Vf number{_mm512_cvt_roundepi32_ps(v.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
    const Vu bits = hn::BitCast(dsu32, number);
    const Vu index = hn::ShiftRight<18>(bits);  // exponent and segment
    const auto entry = [&](const auto& table) HWY_ATTR {
      static_assert(segment::kCount == 32);
      const Vf first = hn::Load(dsf32, table.data());
      const Vf second = hn::Load(dsf32, table.data() + segment::kCount / 2);
      return Vf{_mm512_permutex2var_ps(first.raw, index.raw, second.raw)};
    };
    const Vf mantissa =
        hn::BitCast(dsf32, hn::OrAnd(hn::Set(dsu32, 0x3f800000), bits, hn::Set(dsu32, 0x007fff00)));
    const Vf u = hn::MulAdd(mantissa, entry(segment::kInverse), hn::Set(dsf32, -1.f));
    Vf log = hn::MulAdd(u, hn::Set(dsf32, segment::kThird), hn::Set(dsf32, segment::kSecond));
    log = hn::MulAdd(u, log, hn::Set(dsf32, segment::kFirst));
    log = hn::MulAdd(u, log, entry(segment::kAtCentre));
    segments = hn::Add(segments, index);
    steps = hn::Add(steps, Vu{_mm512_cvtps_epi32(log.raw)});
  }
  return 64 * lane_sum(dsu32, segments) + lane_sum(dsu32, steps);
}

class LogSum {
 public:
  // Of memory that a sum of so many numbers takes.
  static std::size_t words(std::size_t numbers) { return numbers; }

  explicit LogSum(std::uint32_t* memory) : numbers_(memory) {}

  void clear() const {}
  // Integers from 2^16 to 2^31, after `count` others.
  HWY_INLINE void add(std::size_t count, Vi v) const {
    hn::Store(hn::BitCast(dsu32, v), dsu32, numbers_ + count);
  }
  // The same of sums of add_integer_part().
  HWY_INLINE void add(std::size_t count, Vd first, Vd second) const {
    add(count, hn::ConcatEven(ds32, hn::BitCast(ds32, second), hn::BitCast(ds32, first)));
  }
  std::int64_t total(std::size_t count) const { return log2_sum(numbers_, count); }

 private:
  std::uint32_t* numbers_;
};

#else

constexpr double kSumStart = 0;

// sum + trunc(x), for x >= 0.
HWY_INLINE Vd add_integer_part(Vd x, Vd sum) { return hn::Add(hn::Trunc(x), sum); }

// log2_fixed() has a part that is linear in the bits of a floating-point number, exponent (biased)
// and first 11 bits of the mantissa, and kLog2Excess of the first 15 bits of the mantissa. The
// first is added at once; mantissas are collected for excess_sum(), because scalar look-ups in a
// loop of their own wait for nothing, and beat gathers and polynomials.
class LogSum {
 public:
  static std::size_t words(std::size_t numbers) { return numbers + hn::Lanes(dsu32); }

  explicit LogSum(std::uint32_t* memory) : linear_(memory) {}

  void clear() const { hn::Store(hn::Zero(dsu32), dsu32, linear_); }
  HWY_INLINE void add(std::size_t count, Vi v) const {
    // What is cleared, among it the bit behind the first 16, leaves nothing that would round up to
    // another exponent or mantissa.
    const auto leading = hn::ConvertTo(dsf32, hn::AndNot(hn::ShiftRight<16>(v), v));
    const Vu bits = hn::BitCast(dsu32, leading);
    add(count, hn::ShiftRight<12>(bits), hn::ShiftRight<17>(hn::ShiftLeft<9>(bits)));
  }
  HWY_INLINE void add(std::size_t count, Vd first, Vd second) const {
    const auto from_first = hn::BitCast(dsu32, hn::ShiftRight<32>(hn::BitCast(dsu64, first)));
    const Vu upper = hn::OddEven(hn::BitCast(dsu32, second), from_first);
    add(count, hn::ShiftRight<9>(upper), hn::ShiftRight<17>(hn::ShiftLeft<12>(upper)));
  }
  std::int64_t total(std::size_t count) const {
    return lane_sum(dsu32, hn::Load(dsu32, linear_)) + excess_sum({mantissas(), count});
  }

 private:
  std::uint32_t* mantissas() const { return linear_ + hn::Lanes(dsu32); }
  HWY_INLINE void add(std::size_t count, Vu linear, Vu mantissa) const {
    hn::Store(hn::Add(hn::Load(dsu32, linear_), linear), dsu32, linear_);
    hn::Store(mantissa, dsu32, mantissas() + count);
  }

  std::uint32_t* linear_;  // a vector, and behind it mantissas
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_LOG2_INL_H_
