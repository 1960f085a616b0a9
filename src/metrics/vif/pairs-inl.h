// Rows of a picture, as the filter down the columns takes them: in 16 signed bits, mirrored at the
// border, in pairs.
#if defined(VMAFX_METRICS_VIF_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_VIF_PAIRS_INL_H_
#undef VMAFX_METRICS_VIF_PAIRS_INL_H_
#else
#define VMAFX_METRICS_VIF_PAIRS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include "base/plane.h"
#include "metrics/vif/filter-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

// How samples, which lie within their depth, are kept in 16 signed bits.
enum class Form {
  kNarrow,   // 8 bits, as they are: products have 16 bits
  kPlain,    // 9 to 15 bits, as they are
  kCentred,  // 16 bits, minus 2^15
};
constexpr std::int32_t centre_of(Form form) { return form == Form::kCentred ? 32768 : 0; }

// The pairs of rows of one vector of columns.
struct Pairs {
  const std::int16_t* first;
  HWY_INLINE V16 operator()(int pair) const {
    return hn::Load(d16, first + static_cast<std::size_t>(2 * pair) * hn::Lanes(d16));
  }
};

// The rows of a plane that a band looks at, in pairs, for each vector of columns one after the
// other: even columns, then odd ones.
struct Ring {
  static constexpr int kBandPairs = kBandRows / 2;
  // After so many bands the pairs move back to the front.
  static constexpr int kBands = 4;
  static constexpr int kPairs = Window<0>::kRowPairs + (kBands - 1) * kBandPairs;

  std::int16_t* memory;
  int band = 0;

  // For the vectors at column x, counted from the front.
  HWY_INLINE std::int16_t* at(int x, int pair) const {
    const auto n = static_cast<std::ptrdiff_t>(hn::Lanes(d16));
    return memory + static_cast<std::ptrdiff_t>(2 * kPairs) * x + 2 * pair * n;
  }
  HWY_INLINE std::int16_t* of_band(int x, int pair) const {
    return at(x, band * kBandPairs + pair);
  }
  HWY_INLINE Pairs columns(int x, int parity) const {
    return {of_band(x, 0) + static_cast<std::size_t>(parity) * hn::Lanes(d16)};
  }
};

template <Form kForm>
HWY_INLINE V16 load_samples(const std::uint8_t* p) {
  const hn::Rebind<std::uint8_t, decltype(d16)> d8;
  return hn::PromoteTo(d16, hn::LoadU(d8, p));
}
template <Form kForm>
HWY_INLINE V16 load_samples(const std::uint16_t* p) {
  const V16 v = hn::BitCast(d16, hn::LoadU(du16, p));
  return kForm == Form::kCentred ? hn::Xor(v, hn::Set(d16, -32768)) : v;
}
template <Form kForm>
HWY_INLINE V16 load_samples(const std::int16_t* p) {
  return hn::LoadU(d16, p);
}

template <Form kForm, class Sample>
HWY_INLINE std::int16_t one_sample(Sample v) {
  constexpr bool kIsCentred = std::is_signed_v<Sample>;
  return static_cast<std::int16_t>(kIsCentred ? v : v - centre_of(kForm));
}

// Columns first..last of a row of `width` samples, mirrored where they are outside, to `out`.
template <Form kForm, class Sample>
HWY_INLINE void expand_row(const Sample* row, int width, int first, int last, std::int16_t* out) {
  const int n = static_cast<int>(hn::Lanes(d16));
  const int begin = std::max(first, 0);
  const int end = std::min(last + 1, width);
  for (int x = first; x < begin; ++x) out[x - first] = one_sample<kForm>(row[mirror(x, width)]);
  int x = begin;
  for (; x + n <= end; x += n) hn::StoreU(load_samples<kForm>(row + x), d16, out + (x - first));
  if (x < end && end - n >= begin) {  // the last vector overlaps the one before it
    hn::StoreU(load_samples<kForm>(row + end - n), d16, out + (end - n - first));
    x = end;
  }
  for (; x < end; ++x) out[x - first] = one_sample<kForm>(row[x]);
  for (x = end; x <= last; ++x) out[x - first] = one_sample<kForm>(row[mirror(x, width)]);
}

// Two rows of `columns` samples to the ring.
HWY_INLINE void pair_rows(const std::int16_t* first, const std::int16_t* second, int columns,
                          const Ring& ring, int pair) {
  const int n = static_cast<int>(hn::Lanes(d16));
  for (int x = 0; x < columns; x += n) {
    const V16 a = hn::Load(d16, first + x);
    const V16 b = hn::Load(d16, second + x);
    const V16 even = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(hn::BitCast(du32, b))), a);
    const V16 odd = hn::OddEven(b, hn::BitCast(d16, hn::ShiftRight<16>(hn::BitCast(du32, a))));
    std::int16_t* const out = ring.of_band(x, pair);
    hn::Store(even, d16, out);
    hn::Store(odd, d16, out + n);
  }
}

// The halves of products, minus 2^15 if they need 16 bits.
template <Form kForm>
HWY_INLINE hn::Vec<decltype(du16)> plain(V16 v) {
  if constexpr (kForm == Form::kCentred) v = hn::Xor(v, hn::Set(d16, -32768));
  return hn::BitCast(du16, v);
}
template <Form kForm>
struct LowProduct {
  Pairs a, b;
  HWY_INLINE V16 operator()(int pair) const {
    const V16 low = hn::BitCast(d16, hn::Mul(plain<kForm>(a(pair)), plain<kForm>(b(pair))));
    return hn::Xor(low, hn::Set(d16, -32768));
  }
};
template <Form kForm>
struct HighProduct {
  Pairs a, b;
  HWY_INLINE V16 operator()(int pair) const {
    const V16 high = hn::BitCast(d16, hn::MulHigh(plain<kForm>(a(pair)), plain<kForm>(b(pair))));
    return kForm == Form::kCentred ? hn::Xor(high, hn::Set(d16, -32768)) : high;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_VIF_PAIRS_INL_H_
