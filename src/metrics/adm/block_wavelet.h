// The wavelet transform of a few places by one thread of a device, without memory that is shared.
#ifndef VMAFX_METRICS_ADM_BLOCK_WAVELET_H_
#define VMAFX_METRICS_ADM_BLOCK_WAVELET_H_

#include <cstddef>
#include <cstdint>

#include "base/plane.h"
#include "base/portable.h"
#include "metrics/adm/coefficient.h"
#include "metrics/adm_borders.h"

namespace vmafx::adm {

// kLowPass[k] and kHighPass[k], for devices, which have no address of them.
constexpr std::int32_t low_tap(int k) {
  constexpr std::int32_t kTaps[4] = {kLowPass[0], kLowPass[1], kLowPass[2], kLowPass[3]};
  return kTaps[k];
}
constexpr std::int32_t high_tap(int k) {
  constexpr std::int32_t kTaps[4] = {kHighPass[0], kHighPass[1], kHighPass[2], kHighPass[3]};
  return kTaps[k];
}

// A filter whose sums fit 32 bits. Parts of them may not, so they are taken modulo 2^32.
struct NarrowSum {
  std::uint32_t sum;
  VMAFX_PORTABLE void add(std::int32_t tap, std::int32_t value) {
    sum += static_cast<std::uint32_t>(tap) * static_cast<std::uint32_t>(value);
  }
  VMAFX_PORTABLE std::int32_t shifted(int bits) const {
    return static_cast<std::int32_t>(sum) >> bits;
  }
};

struct WideSum {
  std::int64_t sum;
  VMAFX_PORTABLE void add(std::int32_t tap, std::int32_t value) {
    sum += std::int64_t{tap} * value;
  }
  VMAFX_PORTABLE std::int32_t shifted(int bits) const {
    return static_cast<std::int32_t>(sum >> bits);
  }
};

// Sums and shifts of the passes of a scale, as in the definition. The column shift of scale 0 is
// the depth.
template <int scale>
struct Passes;
template <>
struct Passes<0> {
  using ColumnSum = NarrowSum;
  using RowSum = NarrowSum;
  static constexpr int kRowShift = 16;
};
template <>
struct Passes<1> {
  using ColumnSum = NarrowSum;
  using RowSum = WideSum;
  static constexpr int kColumnShift = 0;
  static constexpr int kRowShift = 15;
};
template <>
struct Passes<2> {
  using ColumnSum = WideSum;
  using RowSum = WideSum;
  static constexpr int kColumnShift = 16;
  static constexpr int kRowShift = 16;
};
template <>
struct Passes<3> {
  using ColumnSum = WideSum;
  using RowSum = WideSum;
  static constexpr int kColumnShift = 16;
  static constexpr int kRowShift = 15;
};

// All four bands at one place.
struct Bands {
  std::int32_t low;
  Detail detail;
};

// Places x..x + kColumns of rows y..y + kRows.
template <class Input, int scale, int kColumns, int kRows>
struct BlockWavelet {
  static constexpr int kWide = 2 * kColumns + 2;
  static constexpr int kHigh = 2 * kRows + 2;

  struct Patch {
    std::int32_t sample[kHigh][kWide];
  };
  struct Result {
    Bands at[kRows][kColumns];
  };
  // After the column pass.
  struct Lines {
    std::int32_t low[kRows][kWide];
    std::int32_t high[kRows][kWide];
  };
  // A load of two samples.
  struct alignas(2 * sizeof(Input)) Pair {
    Input sample[2];
  };

  // Rows begin where a Pair may.
  static VMAFX_PORTABLE Patch load(const PlaneView<const Input>& plane, int x, int y) {
    const int left = 2 * x - 1;
    const bool inside = left > 0 && left + kWide <= plane.width;
    const Input* rows[kHigh];
    VMAFX_UNROLL
    for (int r = 0; r < kHigh; ++r) rows[r] = plane.row(within(2 * y - 1 + r, plane.height));
    Patch patch;
    if (inside) {
      VMAFX_UNROLL
      for (int r = 0; r < kHigh; ++r) {
        VMAFX_UNROLL
        for (int c = -1; c < kWide; c += 2) {
          const Pair pair = *reinterpret_cast<const Pair*>(rows[r] + left + c);
          if (c >= 0) patch.sample[r][c] = pair.sample[0];
          if (c + 1 < kWide) patch.sample[r][c + 1] = pair.sample[1];
        }
      }
    } else {
      VMAFX_UNROLL
      for (int c = 0; c < kWide; ++c) {
        const int x_inside = within(left + c, plane.width);
        VMAFX_UNROLL
        for (int r = 0; r < kHigh; ++r) patch.sample[r][c] = rows[r][x_inside];
      }
    }
    return patch;
  }

  // Also for places beyond the border, whose results nobody uses.
  static constexpr int within(int index, int size) {
    return std::clamp(reflect(index, size), 0, size - 1);
  }

  // Samples of scale 0 are not around zero yet, which the sum of the low-pass taps makes up for.
  static VMAFX_PORTABLE Lines filter_columns(const Patch& patch, int depth) {
    using Sum = typename Passes<scale>::ColumnSum;
    int shift = depth;
    std::int32_t low_bias = 0;
    if constexpr (scale == 0) {
      constexpr std::int32_t kTapSum = kLowPass[0] + kLowPass[1] + kLowPass[2] + kLowPass[3];
      low_bias = static_cast<std::int32_t>(static_cast<std::uint32_t>(-kTapSum) << (depth - 1));
    } else {
      shift = Passes<scale>::kColumnShift;
    }
    const std::int32_t half = shift > 0 ? 1 << (shift - 1) : 0;
    Lines lines;
    VMAFX_UNROLL
    for (int r = 0; r < kRows; ++r) {
      VMAFX_UNROLL
      for (int c = 0; c < kWide; ++c) {
        Sum low = {static_cast<decltype(Sum::sum)>(low_bias + half)};
        Sum high = {static_cast<decltype(Sum::sum)>(half)};
        VMAFX_UNROLL
        for (int k = 0; k < 4; ++k) {
          low.add(low_tap(k), patch.sample[2 * r + k][c]);
          high.add(high_tap(k), patch.sample[2 * r + k][c]);
        }
        lines.low[r][c] = low.shifted(shift);
        lines.high[r][c] = high.shifted(shift);
      }
    }
    return lines;
  }

  static VMAFX_PORTABLE Result filter_rows(const Lines& lines) {
    using Sum = typename Passes<scale>::RowSum;
    constexpr int kShift = Passes<scale>::kRowShift;
    constexpr auto kHalf = static_cast<decltype(Sum::sum)>(1 << (kShift - 1));
    Result result;
    VMAFX_UNROLL
    for (int r = 0; r < kRows; ++r) {
      VMAFX_UNROLL
      for (int c = 0; c < kColumns; ++c) {
        Sum low = {kHalf};
        Sum horizontal = {kHalf};
        Sum vertical = {kHalf};
        Sum diagonal = {kHalf};
        VMAFX_UNROLL
        for (int k = 0; k < 4; ++k) {
          low.add(low_tap(k), lines.low[r][2 * c + k]);
          horizontal.add(low_tap(k), lines.high[r][2 * c + k]);
          vertical.add(high_tap(k), lines.low[r][2 * c + k]);
          diagonal.add(high_tap(k), lines.high[r][2 * c + k]);
        }
        result.at[r][c] = {
            low.shifted(kShift),
            {horizontal.shifted(kShift), vertical.shifted(kShift), diagonal.shifted(kShift)}};
      }
    }
    return result;
  }

  static VMAFX_PORTABLE Result transform(const PlaneView<const Input>& plane, int x, int y,
                                         int depth) {
    return filter_rows(filter_columns(load(plane, x, y), depth));
  }
};

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_BLOCK_WAVELET_H_
