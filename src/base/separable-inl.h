// Symmetric windows down and across planes of floats, each sum from its first tap to its last.
// Included once for each target, after foreach_target.h.
//
// As many rows as a vector has lanes are filtered together: down the columns into vectors of
// neighbouring columns, which are then turned into vectors of neighbouring rows. Across, nothing is
// shuffled or unaligned any more, and sums over a row run from left to right in a lane of their
// own.
#if defined(VMAFX_BASE_SEPARABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_BASE_SEPARABLE_INL_H_
#undef VMAFX_BASE_SEPARABLE_INL_H_
#else
#define VMAFX_BASE_SEPARABLE_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <hwy/highway.h>

#include "base/plane.h"
#include "base/scratch.h"
#include "base/separable.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::separable {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<float> df;
constexpr hn::RebindToSigned<decltype(df)> di;
using DF = decltype(df);
using VF = hn::Vec<DF>;

HWY_INLINE int lanes() { return static_cast<int>(hn::Lanes(df)); }

// Sums that are made together, so that a loaded vector serves all of them.
constexpr int kTogether = 4;

// Adds tap kTap of a window, if it has it.
template <int kRadius, int kTap>
HWY_INLINE void add_tap(const float* HWY_RESTRICT taps, VF value, VF& sum) {
  if constexpr (kTap >= 0 && kTap <= 2 * kRadius) {
    // The same address for both sides, so that one register can hold both taps.
    constexpr int kFromCentre = kTap < kRadius ? kRadius - kTap : kTap - kRadius;
    const VF product = hn::Mul(hn::Set(df, taps[kRadius + kFromCentre]), value);
    sum = kTap == 0 ? product : hn::Add(sum, product);
  }
}

// Compilers would finish one sum after the other, with all vectors in registers that there are not.
HWY_INLINE void finish_together(VF& a, VF& b, VF& c, VF& d) {
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86
  asm("" : "+v"(a.raw), "+v"(b.raw), "+v"(c.raw), "+v"(d.raw));
#else
  static_cast<void>(a), static_cast<void>(b), static_cast<void>(c), static_cast<void>(d);
#endif
}

template <int kRadius, int kStep, int kVector = 0>
HWY_INLINE void add_vectors(const float* HWY_RESTRICT taps, const float* HWY_RESTRICT from,
                            std::ptrdiff_t pitch, VF& a, VF& b, VF& c, VF& d) {
  if constexpr (kVector <= 2 * kRadius + (kTogether - 1) * kStep) {
    const VF value = hn::LoadU(df, from + kVector * pitch);
    add_tap<kRadius, kVector>(taps, value, a);
    add_tap<kRadius, kVector - kStep>(taps, value, b);
    add_tap<kRadius, kVector - 2 * kStep>(taps, value, c);
    add_tap<kRadius, kVector - 3 * kStep>(taps, value, d);
    finish_together(a, b, c, d);
    add_vectors<kRadius, kStep, kVector + 1>(taps, from, pitch, a, b, c, d);
  }
}

// The sums of the four windows that start at `from` and kStep, 2 kStep, 3 kStep vectors after it;
// a vector is `pitch` floats after the last. kRadius < 0 stands for any.
template <int kRadius, int kStep>
HWY_INLINE void filter_four(const Window& window, const float* HWY_RESTRICT from,
                            std::ptrdiff_t pitch, VF& a, VF& b, VF& c, VF& d) {
  const float* HWY_RESTRICT taps = window.taps();
  a = b = c = d = hn::Zero(df);
  if constexpr (kRadius >= 0) {
    add_vectors<kRadius, kStep>(taps, from, pitch, a, b, c, d);
  } else {
    static_assert(Window::kPadding >= (kTogether - 1) * kStep);
    const int vectors = window.size() + (kTogether - 1) * kStep;
    for (int k = 0; k < vectors; ++k) {
      const VF value = hn::LoadU(df, from + k * pitch);
      a = hn::Add(a, hn::Mul(hn::Set(df, taps[k]), value));
      b = hn::Add(b, hn::Mul(hn::Set(df, taps[k - kStep]), value));
      c = hn::Add(c, hn::Mul(hn::Set(df, taps[k - 2 * kStep]), value));
      d = hn::Add(d, hn::Mul(hn::Set(df, taps[k - 3 * kStep]), value));
    }
  }
}

// Each block of four floats to the next multiple of `pitch`.
template <class D, class V>
HWY_INLINE void store_blocks(D d, V v, float* HWY_RESTRICT to, std::ptrdiff_t pitch) {
#if HWY_HAVE_SCALABLE
  HWY_ALIGN float copy[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(v, d, copy);
  for (int i = 0; i < lanes(); i += 4) std::memcpy(to + i / 4 * pitch, copy + i, 4 * sizeof(float));
#else
  if constexpr (hn::MaxLanes(D()) <= 4) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), to, pitch);
    store_blocks(half, hn::UpperHalf(half, v),
                 to + static_cast<std::ptrdiff_t>(hn::MaxLanes(half) / 4) * pitch, pitch);
  }
#endif
}

// The four floats of each lane side by side, from a lane to the next `pitch` floats later.
HWY_INLINE void store_turned(VF a, VF b, VF c, VF d, float* HWY_RESTRICT to, std::ptrdiff_t pitch) {
  const hn::Repartition<std::uint64_t, DF> pairs;
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(df, a, b));
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(df, a, b));
  const auto cd_low = hn::BitCast(pairs, hn::InterleaveLower(df, c, d));
  const auto cd_high = hn::BitCast(pairs, hn::InterleaveUpper(df, c, d));
  const auto store = [&](auto v, int lane) HWY_ATTR {
    store_blocks(df, hn::BitCast(df, v), to + lane * pitch, 4 * pitch);
  };
  store(hn::InterleaveLower(pairs, ab_low, cd_low), 0);
  store(hn::InterleaveUpper(pairs, ab_low, cd_low), 1);
  store(hn::InterleaveLower(pairs, ab_high, cd_high), 2);
  store(hn::InterleaveUpper(pairs, ab_high, cd_high), 3);
}

// Down the columns of a band, into `columns`: the rows of a column side by side.
template <int kRadius>
void filter_down(const Window& window, const float* HWY_RESTRICT rows, std::ptrdiff_t stride,
                 int width, float* HWY_RESTRICT columns) {
  const int n = lanes();
  for (int x = 0; x < width; x += n) {
    for (int y = 0; y < n; y += kTogether) {
      VF a, b, c, d;
      filter_four<kRadius, 1>(window, rows + x + y * stride, stride, a, b, c, d);
      store_turned(a, b, c, d, columns + std::ptrdiff_t{x} * n + y, n);
    }
  }
}

// Across, of columns that are stored side by side.
template <int kRadius>
void filter_across(const Window& window, const float* HWY_RESTRICT columns, int width,
                   float* HWY_RESTRICT out) {
  const int n = lanes();
  for (int x = 0; x < width; x += kTogether) {
    VF a, b, c, d;
    filter_four<kRadius, 1>(window, columns + std::ptrdiff_t{x} * n, n, a, b, c, d);
    float* to = out + std::ptrdiff_t{x} * n;
    hn::StoreU(a, df, to);
    hn::StoreU(b, df, to + n);
    hn::StoreU(c, df, to + 2 * n);
    hn::StoreU(d, df, to + 3 * n);
  }
}

// Calls body.template operator()<kRadius>() with the radius of the window, or -1.
template <class Body>
HWY_INLINE void with_radius(const Window& window, const Body& body) {
  switch (window.radius()) {
    case 1:
      return body(std::integral_constant<int, 1>());
    case 2:
      return body(std::integral_constant<int, 2>());
    case 4:
      return body(std::integral_constant<int, 4>());
    case 8:
      return body(std::integral_constant<int, 8>());
    default:
      return body(std::integral_constant<int, -1>());
  }
}

// A plane as the kernels read it.
template <class Sample>
struct Source {
  PlaneView<const Sample> plane;
  float step = 1;
};

// kSample floats of a row from x on, of which those at `width` and after are 0.
template <class Sample>
HWY_INLINE VF load_floats(const Source<Sample>& source, const Sample* HWY_RESTRICT row, int x) {
  const hn::Rebind<Sample, DF> d;
  Sample rest[HWY_MAX_BYTES / sizeof(float)];
  const Sample* from = row + x;
  const int left = source.plane.width - x;
  if (left < lanes()) {
    std::fill_n(rest, lanes(), Sample{});
    std::copy_n(row + x, left, rest);
    from = rest;
  }
  const auto samples = hn::LoadU(d, from);
  if constexpr (std::is_same_v<Sample, float>) {
    return samples;
  } else {
    const VF value = hn::ConvertTo(df, hn::PromoteTo(di, samples));
    return hn::Sub(sizeof(Sample) == 1 ? value : hn::Mul(value, hn::Set(df, source.step)),
                   hn::Set(df, kOffset));
  }
}

// Row `index` of the rows around a band, mirrored; a band that the plane ends in has rows that do
// not matter.
inline int band_row(int index, int height) {
  return std::clamp(mirror(index, height), 0, height - 1);
}

// Rows of a band: more than one vector's, so that the rows around it count for less.
HWY_INLINE int band_height() { return std::max(lanes(), 16); }
constexpr int kMaxBandHeight = std::max(16, static_cast<int>(HWY_MAX_BYTES / sizeof(float)));

// Working memory of filter_band().
template <int kPlanes>
class BandMemory {
 public:
  BandMemory(Scratch& scratch, int radius)
      : chunk_(chunk_for(radius)),
        columns_size_((chunk_ + 3 * radius + lanes() + kTogether) * lanes()) {
    const int n = lanes();
    for (int p = 0; p < kPlanes; ++p) {
      rows_[p] = take(scratch, chunk_ * (band_height() + 2 * radius));
      columns_[p] = take(scratch, columns_size_ * (band_height() / n));
      filtered_[p] = take(scratch, (chunk_ + radius + kTogether) * n);
    }
  }

  // Columns that are filtered at a time, more than the radius and a multiple of the lanes.
  static int chunk_for(int radius) {
    return (std::max(32, 2 * radius) + lanes() - 1) / lanes() * lanes();
  }
  int chunk() const { return chunk_; }
  // Those around a band, from `radius` above it on; chunk() floats from a row to the next.
  float* row(int plane, int y) const { return rows_[plane] + std::ptrdiff_t{y} * chunk_; }
  // Of the rows that start `group` vectors after the first of the band.
  float* columns(int plane, int group) const {
    return columns_[plane] + std::ptrdiff_t{group} * columns_size_;
  }
  float* filtered(int plane) const { return filtered_[plane]; }

 private:
  // Cleared, because sums that nobody looks at are made of what is not written either.
  static float* take(Scratch& scratch, int count) {
    float* p = scratch.take<float>(static_cast<std::size_t>(count));
    std::fill_n(p, count, 0.0f);
    return p;
  }

  int chunk_;
  int columns_size_;
  float* rows_[kPlanes];
  float* columns_[kPlanes];
  float* filtered_[kPlanes];
};

// Filters the rows that start at row `y` of the band, for a chunk of columns; returns the first of
// the columns that are finished, and their number.
template <int kPlanes>
HWY_INLINE std::pair<int, int> filter_chunk(const Window& window, int width, int x, int count,
                                            int y, const BandMemory<kPlanes>& memory) {
  const int n = lanes();
  const int radius = window.radius();
  const auto column_bytes = static_cast<std::size_t>(n) * sizeof(float);
  // columns() starts with the last ones of the chunk before.
  const int origin = x - 2 * radius;
  const int first = x == 0 ? 0 : x - radius;
  const int end = x + count == width ? width : x + count - radius;
  for (int p = 0; p < kPlanes; ++p) {
    const auto column = [&](int i) HWY_ATTR {
      return memory.columns(p, y / n) + std::ptrdiff_t{i - origin} * n;
    };
    with_radius(window, [&](auto constant) HWY_ATTR {
      filter_down<decltype(constant)::value>(window, memory.row(p, y), memory.chunk(), count,
                                             column(x));
    });
    for (int i = 1; x == 0 && i <= radius; ++i) std::memcpy(column(-i), column(i), column_bytes);
    for (int i = 1; end == width && i <= radius; ++i)
      std::memcpy(column(width - 1 + i), column(width - 1 - i), column_bytes);
    with_radius(window, [&](auto constant) HWY_ATTR {
      filter_across<decltype(constant)::value>(window, column(first - radius), end - first,
                                               memory.filtered(p));
    });
    std::memmove(column(origin), column(x + count - 2 * radius),
                 2 * static_cast<std::size_t>(radius) * column_bytes);
  }
  return {first, end - first};
}

// Filters kPlanes planes of `width` columns over a band. fill(x, count) writes that many columns
// of memory.row(), rounded up to whole vectors; consume(y, x, count) finds those of the rows from
// row y of the band on, as many as there are lanes, in memory.filtered(), the rows of a column side
// by side.
template <int kPlanes, class Fill, class Consume>
HWY_INLINE void filter_band(const Window& window, int width, const BandMemory<kPlanes>& memory,
                            const Fill& fill, const Consume& consume) {
  for (int x = 0; x < width; x += memory.chunk()) {
    const int count = std::min(memory.chunk(), width - x);
    fill(x, count);
    for (int y = 0; y < band_height(); y += lanes()) {
      const auto [first, finished] = filter_chunk(window, width, x, count, y, memory);
      consume(y, first, finished);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::separable
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_BASE_SEPARABLE_INL_H_
