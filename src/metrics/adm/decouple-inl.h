// Splitting the detail of the distorted picture into restored detail and additive impairment, and
// the masking taps of both, for one row.
#if defined(VMAFX_METRICS_ADM_DECOUPLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_ADM_DECOUPLE_INL_H_
#undef VMAFX_METRICS_ADM_DECOUPLE_INL_H_
#else
#define VMAFX_METRICS_ADM_DECOUPLE_INL_H_
#endif

#include <cmath>
#include <limits>

#include "metrics/adm/adm.h"
#include "metrics/adm/coefficient.h"
#include "metrics/adm/wavelet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::adm {
namespace HWY_NAMESPACE {

// Lines of the three bands; index 0 is the first column.
template <class T>
using BandLines = std::array<T*, kBands>;

// What masking needs of one signal, by column.
template <class Magnitude>
struct SignalLines {
  BandLines<Magnitude> magnitude;  // scale 0: of the coefficient; else of the weighted one
  std::int32_t* neighbour;         // sum of the bands' taps
  std::int32_t* centre;            // the same in the middle, minus neighbour
};

template <class Magnitude>
struct DecoupledLines {
  SignalLines<Magnitude> restored;
  SignalLines<Magnitude> additive;
};

enum class Gain { kOne, kWhole, kReal };

inline Gain kind_of(double gain_limit) {
  if (gain_limit == 1) return Gain::kOne;
  return gain_limit == std::floor(gain_limit) ? Gain::kWhole : Gain::kReal;
}

// trunc(v * gain), saturated.
HWY_INLINE V32 multiply_real(V32 v, double gain) {
  const hn::Half<D32> half32;
  const hn::Rebind<double, decltype(half32)> wide;
  const auto limit = hn::Set(wide, 2147483647.0);
  const auto scaled = [&](auto part) HWY_ATTR {
    const auto product = hn::Mul(hn::PromoteTo(wide, part), hn::Set(wide, gain));
    return hn::DemoteTo(half32, hn::Max(hn::Min(product, limit), hn::Neg(limit)));
  };
  return hn::Combine(d32, scaled(hn::UpperHalf(half32, v)), scaled(hn::LowerHalf(half32, v)));
}

HWY_INLINE V16 multiply_real(V16 v, double gain) {
  const hn::Half<D16> half16;
  const auto lower = multiply_real(hn::PromoteTo(d32, hn::LowerHalf(half16, v)), gain);
  const auto upper = multiply_real(hn::PromoteTo(d32, hn::UpperHalf(half16, v)), gain);
  return hn::Combine(d16, hn::DemoteTo(half16, upper), hn::DemoteTo(half16, lower));
}

// v * gain_limit, or something beyond every coefficient.
template <Gain kGain, class D, class V>
HWY_INLINE V enhanced(D d, V v, double gain_limit) {
  if (kGain == Gain::kOne) return v;
  if (kGain == Gain::kReal) return multiply_real(v, gain_limit);
  using T = hn::TFromD<D>;
  const auto gain = static_cast<T>(gain_limit);
  const auto limit = static_cast<T>(std::numeric_limits<T>::max() / gain);
  const V clamped = hn::Max(hn::Min(v, hn::Set(d, limit)), hn::Set(d, static_cast<T>(-limit)));
  return hn::Mul(clamped, hn::Set(d, gain));
}

// v, or as near to it as lies between 0 and bound.
template <class D, class V>
HWY_INLINE V clamp_between_zero_and(D d, V v, V bound) {
  const V zero = hn::Zero(d);
  return hn::Max(hn::Min(v, hn::Max(bound, zero)), hn::Min(bound, zero));
}

// The comparison of same_direction() in float; *unsure is set where rounding could change its
// outcome.
struct Direction {
  hn::Mask<DF> same;
  hn::Mask<DF> unsure;
};

HWY_INLINE Direction compare_direction(VF product, VF original, VF test) {
  const VF left = hn::Mul(product, product);
  const VF right = hn::Mul(hn::Mul(hn::Set(df, kCosSquared), original), test);
  // Each side has fewer than ten roundings of 2^-24.
  const VF margin = hn::Mul(right, hn::Set(df, 0x1p-19f));
  return {hn::And(hn::Ge(product, hn::Zero(df)), hn::Ge(left, right)),
          hn::Lt(hn::Abs(hn::Sub(left, right)), margin)};
}

// ---- Scale 0 ----

// Up to which magnitudes the short forms below hold.
struct ShortLimits {
  std::int16_t axis;
  std::int16_t diagonal;
};

inline ShortLimits short_limits(const Weights& weights) {
  // With an original below 2^14 kept_fraction() loses nothing that restored() does not round back.
  std::int32_t axis = 16383;
  std::int32_t diagonal = 16383;
  // A weighted magnitude of 15360 or more would wrap the centre tap.
  const auto w_axis = static_cast<std::int32_t>(weights.fixed[0]);
  const auto w_diagonal = static_cast<std::int32_t>(weights.fixed[2]);
  if (w_axis > 0) axis = std::min(axis, ((15360 << 15) - 16384 - 1) / w_axis);
  if (w_diagonal > 0) {
    diagonal = std::min(diagonal, ((15360 << 17) - 65536 - 1) / w_diagonal);
    // A product that is a multiple of 2^16 is rounded differently for either sign.
    const int zeros = std::countr_zero(weights.fixed[2]);
    diagonal = std::min(diagonal, (1 << std::max(16 - zeros, 0)) - 1);
  }
  return {static_cast<std::int16_t>(axis), static_cast<std::int16_t>(diagonal)};
}

struct ShortWeights {
  V16 axis;  // minus 32768
  hn::Vec<DU16> diagonal;

  explicit ShortWeights(const Weights& weights)
      : axis(hn::Set(
            d16, static_cast<std::int16_t>(static_cast<std::int32_t>(weights.fixed[0]) - 32768))),
        diagonal(hn::Set(du16, static_cast<std::uint16_t>(weights.fixed[2]))) {}
};

// 16-bit lanes to two vectors of 32 bits.
HWY_INLINE void store_wide(hn::Vec<DU16> v, std::int32_t* out) {
  const hn::Half<DU16> half;
  hn::StoreU(hn::PromoteTo(d32, hn::LowerHalf(half, v)), d32, out);
  hn::StoreU(hn::PromoteTo(d32, hn::UpperHalf(half, v)), d32, out + lanes32());
}

// Magnitudes and, if it masks, taps of a signal within ShortLimits.
HWY_INLINE void store_signal(V16 h, V16 v, V16 d, const ShortWeights& weights, bool masks, int x,
                             const SignalLines<std::uint16_t>& out) {
  const V16 magnitude_d = hn::Abs(d);
  hn::StoreU(hn::BitCast(du16, hn::Abs(h)), du16, out.magnitude[0] + x);
  hn::StoreU(hn::BitCast(du16, hn::Abs(v)), du16, out.magnitude[1] + x);
  hn::StoreU(hn::BitCast(du16, magnitude_d), du16, out.magnitude[2] + x);
  if (!masks) return;

  const auto weighted_axis = [&](V16 value) HWY_ATTR {
    return hn::Abs(hn::Add(value, hn::MulFixedPoint15(value, weights.axis)));
  };
  const V16 wh = weighted_axis(h);
  const V16 wv = weighted_axis(v);
  const V16 wd = hn::BitCast(
      d16, hn::AverageRound(hn::MulHigh(hn::BitCast(du16, magnitude_d), weights.diagonal),
                            hn::Zero(du16)));
  // 4369 / 4096 = 1 + 2184 / 32768 and 8738 / 4096 = 2 + 4368 / 32768.
  const auto sum_of_parts = [&](std::int16_t part) HWY_ATTR {
    const V16 p = hn::Set(d16, part);
    return hn::Add(hn::Add(hn::MulFixedPoint15(wh, p), hn::MulFixedPoint15(wv, p)),
                   hn::MulFixedPoint15(wd, p));
  };
  const V16 sum = hn::Add(hn::Add(wh, wv), wd);
  const V16 thirtieth = sum_of_parts(2184);
  const V16 fifteenth = sum_of_parts(4368);
  store_wide(hn::BitCast(du16, hn::Add(sum, thirtieth)), out.neighbour + x);
  store_wide(hn::BitCast(du16, hn::Add(sum, hn::Sub(fifteenth, thirtieth))), out.centre + x);
}

template <class Arithmetic, class Magnitude>
void store_scalar(const Detail& signal, const Weights& weights, int x,
                  const SignalLines<Magnitude>& out) {
  std::int32_t neighbour = 0;
  std::int32_t centre = 0;
  for (int band = 0; band < kBands; ++band) {
    const auto b = static_cast<std::size_t>(band);
    const std::int32_t weighted = Arithmetic::weighted(signal[b], weights.fixed[b], band);
    neighbour += Arithmetic::neighbour_tap(weighted);
    centre += Arithmetic::centre_tap(weighted);
    out.magnitude[b][x] = static_cast<Magnitude>(std::abs(signal[b]));
  }
  out.neighbour[x] = neighbour;
  out.centre[x] = centre - neighbour;
}

// Column x by the definition.
inline void decouple_scalar(const BandLines<std::int16_t>& original,
                            const BandLines<std::int16_t>& test, int x, const Variant& variant,
                            const DecoupledLines<std::uint16_t>& out) {
  const Weights& weights = variant.weights[0];
  const Detail o = {original[0][x], original[1][x], original[2][x]};
  const Detail t = {test[0][x], test[1][x], test[2][x]};
  const bool same = same_direction(o, t);
  Detail kept;
  Detail rest;
  for (std::size_t band = 0; band < kBands; ++band) {
    kept[band] = restored(o[band], t[band], same, variant.gain_limit);
    rest[band] = t[band] - kept[band];
  }
  store_scalar<Scale0>(kept, weights, x, out.restored);
  store_scalar<Scale0>(rest, weights, x, out.additive);
}

// The columns whose lane is set: for what the short forms do not cover.
HWY_NOINLINE inline void decouple_lanes(const BandLines<std::int16_t>& original,
                                        const BandLines<std::int16_t>& test, Range columns,
                                        const std::int16_t* lanes, const Variant& variant,
                                        const DecoupledLines<std::uint16_t>& out) {
  for (int x = columns.begin; x < columns.end; ++x)
    if (lanes[x - columns.begin] != 0) decouple_scalar(original, test, x, variant, out);
}

struct ShortDirection {
  hn::Mask<D16> same;
  hn::Mask<D16> unsure;
};

HWY_INLINE ShortDirection compare_direction(V16 oh, V16 ov, V16 th, V16 tv) {
  const auto dot = [&](V16 a, V16 b) HWY_ATTR {
    return hn::ConvertTo(df, add_pair_products(d32, a, b, hn::Zero(d32)));
  };
  const V16 ol = hn::InterleaveLower(d16, oh, ov);
  const V16 ou = hn::InterleaveUpper(d16, oh, ov);
  const V16 tl = hn::InterleaveLower(d16, th, tv);
  const V16 tu = hn::InterleaveUpper(d16, th, tv);
  const Direction lower = compare_direction(dot(ol, tl), dot(ol, ol), dot(tl, tl));
  const Direction upper = compare_direction(dot(ou, tu), dot(ou, ou), dot(tu, tu));
  const auto pack_masks = [](hn::Mask<DF> a, hn::Mask<DF> b) HWY_ATTR {
    return hn::MaskFromVec(
        pack({hn::BitCast(d32, hn::VecFromMask(df, a)), hn::BitCast(d32, hn::VecFromMask(df, b))}));
  };
  return {pack_masks(lower.same, upper.same), pack_masks(lower.unsure, upper.unsure)};
}

template <Gain kGain>
HWY_INLINE void decouple_columns(const BandLines<std::int16_t>& original,
                                 const BandLines<std::int16_t>& test, Range columns,
                                 const Variant& variant, const DecoupledLines<std::uint16_t>& out) {
  const ShortLimits limits = short_limits(variant.weights[0]);
  const V16 axis_limit = hn::Set(d16, limits.axis);
  const V16 diagonal_limit = hn::Set(d16, limits.diagonal);
  const ShortWeights weights(variant.weights[0]);
  for (int x = columns.begin; x < columns.end; x += lanes16()) {
    const V16 oh = hn::LoadU(d16, original[0] + x);
    const V16 ov = hn::LoadU(d16, original[1] + x);
    const V16 od = hn::LoadU(d16, original[2] + x);
    const V16 th = hn::LoadU(d16, test[0] + x);
    const V16 tv = hn::LoadU(d16, test[1] + x);
    const V16 td = hn::LoadU(d16, test[2] + x);
    const V16 axis = hn::Max(hn::Max(hn::Abs(oh), hn::Abs(ov)), hn::Max(hn::Abs(th), hn::Abs(tv)));
    const V16 diagonal = hn::Max(hn::Abs(od), hn::Abs(td));
    hn::Mask<D16> uncovered = hn::Or(hn::Gt(axis, axis_limit), hn::Gt(diagonal, diagonal_limit));

    V16 bound_h = oh;
    V16 bound_v = ov;
    V16 bound_d = od;
    if (kGain != Gain::kOne) {
      const ShortDirection direction = compare_direction(oh, ov, th, tv);
      const auto enhance = [&](V16 bound) HWY_ATTR {
        return hn::IfThenElse(direction.same, enhanced<kGain>(d16, bound, variant.gain_limit),
                              bound);
      };
      bound_h = enhance(oh);
      bound_v = enhance(ov);
      bound_d = enhance(od);
      uncovered = hn::Or(uncovered, direction.unsure);
    }
    const V16 rh = clamp_between_zero_and(d16, th, bound_h);
    const V16 rv = clamp_between_zero_and(d16, tv, bound_v);
    const V16 rd = clamp_between_zero_and(d16, td, bound_d);
    store_signal(rh, rv, rd, weights, variant.additive, x, out.restored);
    store_signal(hn::Sub(th, rh), hn::Sub(tv, rv), hn::Sub(td, rd), weights, true, x, out.additive);
    if (HWY_UNLIKELY(!hn::AllFalse(d16, uncovered))) {
      std::int16_t lanes[hn::MaxLanes(d16)];
      hn::StoreU(hn::VecFromMask(d16, uncovered), d16, lanes);
      decouple_lanes(original, test, {x, std::min(x + lanes16(), columns.end)}, lanes, variant,
                     out);
    }
  }
}

// ---- Scales 1 to 3 ----

// restored() before the gain limit: round(fraction * original / 2^15) with the 15-bit reciprocal.
HWY_INLINE V32 restore_without_gain(V32 original, V32 test) {
  const VU32 one = hn::Set(du32, 1);
  const VU32 size = hn::BitCast(du32, hn::Abs(original));
  const VU32 test_size = hn::BitCast(du32, hn::Abs(test));

  // shift = bits of size beyond 15. Clearing the second bit keeps the conversion from rounding up
  // to the next power of two.
  const VU32 top = hn::AndNot(hn::ShiftRight<1>(size), size);
  const V32 exponent =
      hn::ShiftRight<23>(hn::BitCast(d32, hn::ConvertTo(df, hn::BitCast(d32, top))));
  const V32 shift = hn::Max(hn::Sub(exponent, hn::Set(d32, 127 + 14)), hn::Zero(d32));
  const VU32 shift_bits = hn::BitCast(du32, shift);
  const VU32 rounded =
      hn::Shr(hn::Add(size, hn::ShiftRight<1>(hn::Shl(one, shift_bits))), shift_bits);

  // reciprocal = floor(2^30 / rounded), which lies in 2^15..2^16: the float quotient, whose magic
  // addend rounds it to an integer, is that or one more.
  const VF quotient = hn::Div(hn::Set(df, 0x1p30f), hn::ConvertTo(df, hn::BitCast(d32, rounded)));
  const V32 nearest =
      hn::Sub(hn::BitCast(d32, hn::Add(quotient, hn::Set(df, 0x1p23f))), hn::Set(d32, 0x4B000000));
  const V32 excess = hn::VecFromMask(
      d32, hn::Gt(hn::Mul(nearest, hn::BitCast(d32, rounded)), hn::Set(d32, 1 << 30)));
  const VU32 reciprocal = hn::BitCast(du32, hn::Add(nearest, excess));

  // fraction = floor(reciprocal * test_size / 2^(15 + shift) + 1/2), at most 2^15: more than twice
  // the original changes nothing, and fits 32 bits when shifted so that one shift serves all lanes.
  const VU32 bounded = hn::Min(test_size, hn::Add(size, size));
  const VU32 scaled = hn::Shl(bounded, hn::Sub(hn::Set(du32, 16), shift_bits));
  const VU64 half = hn::Set(du64, std::uint64_t{1} << 31);
  const VU32 twice = hn::Add(reciprocal, reciprocal);
  const auto odd = [](VU32 v) HWY_ATTR {
    return hn::BitCast(du32, hn::ShiftRight<32>(hn::BitCast(du64, v)));
  };
  const VU64 fraction_even = hn::ShiftRight<32>(hn::Add(hn::MulEven(twice, scaled), half));
  const VU64 fraction_odd = hn::Add(hn::MulEven(odd(twice), odd(scaled)), half);
  const VU32 fraction =
      hn::Min(hn::OddEven(hn::BitCast(du32, fraction_odd), hn::BitCast(du32, fraction_even)),
              hn::Set(du32, 1 << 15));

  const V32 factor = hn::BitCast(d32, fraction);
  const auto rounding = hn::Set(d64, 1 << 14);
  const auto product_even = hn::Add(hn::MulEven(factor, original), rounding);
  const auto product_odd = hn::Add(hn::MulEven(hn::BitCast(d32, odd(fraction)),
                                               hn::BitCast(d32, odd(hn::BitCast(du32, original)))),
                                   rounding);
  const V32 large = hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<17>(product_odd)),
                                hn::BitCast(d32, hn::ShiftRight<15>(product_even)));
  const V32 opposite = hn::BroadcastSignBit(hn::Xor(original, test));
  // Below 2^14 the fraction loses nothing.
  return hn::IfThenElse(hn::Lt(hn::BitCast(d32, size), hn::Set(d32, 1 << 14)),
                        clamp_between_zero_and(d32, test, original), hn::AndNot(opposite, large));
}

HWY_INLINE hn::Mask<D32> same_direction_lanes(V32 oh, V32 ov, V32 th, V32 tv) {
  const auto dot = [](VF ah, VF av, VF bh, VF bv)
                       HWY_ATTR { return hn::Add(hn::Mul(ah, bh), hn::Mul(av, bv)); };
  const VF foh = hn::ConvertTo(df, oh);
  const VF fov = hn::ConvertTo(df, ov);
  const VF fth = hn::ConvertTo(df, th);
  const VF ftv = hn::ConvertTo(df, tv);
  const Direction direction =
      compare_direction(dot(foh, fov, fth, ftv), dot(foh, fov, foh, fov), dot(fth, ftv, fth, ftv));
  if (HWY_LIKELY(hn::AllFalse(df, direction.unsure))) return hn::RebindMask(d32, direction.same);
  HWY_ALIGN std::int32_t lanes[4][HWY_MAX_BYTES / 4];
  hn::Store(oh, d32, lanes[0]);
  hn::Store(ov, d32, lanes[1]);
  hn::Store(th, d32, lanes[2]);
  hn::Store(tv, d32, lanes[3]);
  for (int i = 0; i < lanes32(); ++i) {
    const bool same = same_direction({lanes[0][i], lanes[1][i], 0}, {lanes[2][i], lanes[3][i], 0});
    lanes[0][i] = same ? -1 : 0;
  }
  return hn::MaskFromVec(hn::Load(d32, lanes[0]));
}

// A signal's weighted magnitudes and, if it masks, its taps.
HWY_INLINE void store_signal(V32 h, V32 v, V32 d, const Weights& weights, bool masks, int x,
                             const SignalLines<std::uint32_t>& out) {
  const V32 signal[kBands] = {h, v, d};
  const VU64 unit = hn::Set(du64, std::uint64_t{1} << 31);
  const VU32 thirtieth = hn::Set(du32, 143165577);
  const VU32 fifteenth = hn::Set(du32, 286331153);
  // Only the upper halves of the sums of products count.
  VU32 neighbour_even = hn::Zero(du32);
  VU32 neighbour_odd = hn::Zero(du32);
  VU32 centre_even = hn::Zero(du32);
  VU32 centre_odd = hn::Zero(du32);
  for (std::size_t band = 0; band < kBands; ++band) {
    // weighted() with the weight shifted so that the result is found in a product's middle.
    const V32 weight = hn::Set(d32, static_cast<std::int32_t>(weights.fixed[band] << 3));
    const auto half = hn::Set(d64, std::int64_t{1} << 30);
    const V32 odd_lanes = hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(du64, signal[band])));
    const auto even = hn::Add(hn::MulEven(signal[band], weight), half);
    const auto odd = hn::Add(hn::MulEven(odd_lanes, weight), half);
    const VU32 magnitude = hn::BitCast(
        du32, hn::Abs(hn::OddEven(hn::BitCast(d32, hn::Add(odd, odd)),
                                  hn::BitCast(d32, hn::ShiftRight<31>(hn::BitCast(du64, even))))));
    hn::StoreU(magnitude, du32, out.magnitude[band] + x);
    if (!masks) continue;
    const VU32 magnitude_odd = hn::BitCast(du32, hn::ShiftRight<32>(hn::BitCast(du64, magnitude)));
    const auto add_tap = [&](VU32& sum, VU32 value, VU32 factor) HWY_ATTR {
      sum = hn::Add(sum, hn::BitCast(du32, hn::Sub(hn::MulEven(value, factor), unit)));
    };
    add_tap(neighbour_even, magnitude, thirtieth);
    add_tap(neighbour_odd, magnitude_odd, thirtieth);
    add_tap(centre_even, magnitude, fifteenth);
    add_tap(centre_odd, magnitude_odd, fifteenth);
  }
  if (!masks) return;
  const auto upper_halves = [](VU32 odd, VU32 even) HWY_ATTR {
    return hn::BitCast(
        d32, hn::OddEven(odd, hn::BitCast(du32, hn::ShiftRight<32>(hn::BitCast(du64, even)))));
  };
  const V32 neighbour = upper_halves(neighbour_odd, neighbour_even);
  hn::StoreU(neighbour, d32, out.neighbour + x);
  hn::StoreU(hn::Sub(upper_halves(centre_odd, centre_even), neighbour), d32, out.centre + x);
}

template <Gain kGain>
HWY_INLINE void decouple_columns(int scale, const BandLines<std::int32_t>& original,
                                 const BandLines<std::int32_t>& test, Range columns,
                                 const Variant& variant, const DecoupledLines<std::uint32_t>& out) {
  const Weights& weights = variant.weights[static_cast<std::size_t>(scale)];
  for (int x = columns.begin; x < columns.end; x += lanes32()) {
    const V32 oh = hn::LoadU(d32, original[0] + x);
    const V32 ov = hn::LoadU(d32, original[1] + x);
    const V32 od = hn::LoadU(d32, original[2] + x);
    const V32 th = hn::LoadU(d32, test[0] + x);
    const V32 tv = hn::LoadU(d32, test[1] + x);
    const V32 td = hn::LoadU(d32, test[2] + x);
    const auto same = same_direction_lanes(oh, ov, th, tv);
    const auto restore = [&](V32 o, V32 t) HWY_ATTR {
      const V32 kept = restore_without_gain(o, t);
      const V32 limited =
          clamp_between_zero_and(d32, t, enhanced<kGain>(d32, kept, variant.gain_limit));
      return hn::IfThenElse(same, limited, kept);
    };
    const V32 rh = restore(oh, th);
    const V32 rv = restore(ov, tv);
    const V32 rd = restore(od, td);
    store_signal(rh, rv, rd, weights, variant.additive, x, out.restored);
    store_signal(hn::Sub(th, rh), hn::Sub(tv, rv), hn::Sub(td, rd), weights, true, x, out.additive);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::adm
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_ADM_DECOUPLE_INL_H_
