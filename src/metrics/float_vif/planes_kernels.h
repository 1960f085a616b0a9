// The planes that floating-point VIF measures, on devices.
#ifndef VMAFX_METRICS_FLOAT_VIF_PLANES_KERNELS_H_
#define VMAFX_METRICS_FLOAT_VIF_PLANES_KERNELS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "base/plane.h"
#include "base/separable.h"
#include "device/kernel.h"

namespace vmafx::float_vif {

// At the largest kernel scale.
inline constexpr int kMaxTaps = 65;

// A window as an argument of kernels. With the zeros around its taps, a loop may hand every sample
// to every sum that is near: sums begin with +0, and zeros more do not change them.
struct Taps {
  static constexpr int kPadding = 8;
  int reach;
  float padded[kMaxTaps + 2 * kPadding];

  // Of sample i of those under the window, which may be up to kPadding outside.
  VMAFX_PORTABLE float operator[](int i) const { return padded[kPadding + i]; }
};

// Of kCount windows that are kStep samples apart, sample i belongs to some: add(o, tap) for each.
// The order of samples is that of each window's taps. A reach of 0 stands for any.
template <int kReach, int kCount, int kStep, class Add>
VMAFX_PORTABLE void add_sample(const Taps& taps, int i, const Add& add) {
  VMAFX_UNROLL
  for (int o = 0; o < kCount; ++o) {
    const int tap = i - o * kStep;
    if (kReach == 0 || (tap >= 0 && tap <= 2 * kReach)) add(o, taps[tap]);
  }
}

// mirror(), and any sample for indices that are too large: nothing is made of them.
VMAFX_PORTABLE int mirror_any(int index, int size) {
  const int magnitude = std::abs(index);
  return std::max(std::min(magnitude, 2 * size - 2 - magnitude), 0);
}

// Luma around zero, in steps of 8 bits; a plane of floats is that already.
template <class Sample>
struct Source {
  PlaneView<const Sample> plane;
  float step;

  VMAFX_PORTABLE float at(int x, int y) const {
    if constexpr (std::is_same_v<Sample, float>) {
      return plane.row(y)[x];
    } else {
      // 2^23 and the sample, times a power of two, are exact, and cheaper than a conversion.
      constexpr std::uint32_t kExponent = 0x4b000000;
      constexpr float kShift = 0x1p23f;
      const std::uint32_t sample =
          plane.data[static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(plane.stride) +
                     static_cast<std::uint32_t>(x)];
      return std::bit_cast<float>(kExponent | sample) * step - (kShift * step + separable::kOffset);
    }
  }
};

// ---- Before scale 0 ----

// A sample that makes a scaled one.
struct Point {
  std::int32_t position;
  float weight;
};

// Pictures as planes of floats, scaled. The general way to scale 0: a Scaler's samples.
template <class Sample>
struct Prescale {
  static constexpr int kThreads = 128;
  static constexpr int kRows = 4;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  Source<Sample> from[2];
  int points;           // along each axis
  bool normalize;       // by the sum of the weights
  const Point* across;  // [column][point]
  const Point* down;
  PlaneView<float> to[2];

  device::Grid grid() const {
    return {device::teams_for(to[0].width, kThreads), device::teams_for(to[0].height, kRows), 2};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const bool second = team.block().z == 1;
    const Source<Sample> source = second ? from[1] : from[0];
    const PlaneView<float> out = second ? to[1] : to[0];
    const int top = team.block().y * kRows;
    team.each_last([&](int thread) {
      const int x = team.block().x * kThreads + thread;
      if (x >= out.width) return;
      for (int y = top; y < std::min(top + kRows, out.height); ++y)
        out.row(y)[x] = scaled(source, across + x * points, down + y * points);
    });
  }

  VMAFX_PORTABLE float scaled(const Source<Sample>& source, const Point* x, const Point* y) const {
    float sum = 0;
    float weights = 0;
    for (int j = 0; j < points; ++j) {
      for (int i = 0; i < points; ++i) {
        const float weight = x[i].weight * y[j].weight;
        sum += source.at(x[i].position, y[j].position) * weight;
        weights += weight;
      }
    }
    return normalize ? sum / weights : sum;
  }
};

// ---- From scale to scale ----

// A team takes a tile of kRows rows of the smaller plane: a thread for each column of the larger
// one, then a thread for each sample.
template <class Sample, int kReach>
struct Decimate {
  static constexpr int kThreads = 256;
  static constexpr int kRows = 4;
  static constexpr int kColumns = kThreads;
  static constexpr int kPitch = kColumns / 2;
  static_assert(2 * (kRows - 1) <= Taps::kPadding);
  template <template <class, int> class Array>
  struct Shared {
    Array<float, kRows * kColumns> lines;
  };

  Source<Sample> from[2];
  PlaneView<float> to[2];
  Taps taps;

  VMAFX_PORTABLE int reach() const { return kReach > 0 ? kReach : taps.reach; }
  VMAFX_PORTABLE int tile_width() const { return kColumns / 2 - reach(); }
  device::Grid grid() const {
    return {device::teams_for(to[0].width, tile_width()), device::teams_for(to[0].height, kRows),
            2};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const bool second = team.block().z == 1;
    const Source<Sample> source = second ? from[1] : from[0];
    const PlaneView<float> out = second ? to[1] : to[0];
    const int left = team.block().x * tile_width();
    const int top = team.block().y * kRows;
    team.each([&](int column) { filter_column(shared, source, column, 2 * left, 2 * top); });
    team.each_last([&](int thread) {
      const int tile_x = thread % kPitch;
      const int x = left + tile_x;
      if (tile_x >= tile_width() || x >= out.width) return;
      VMAFX_UNROLL
      for (int row = thread / kPitch; row < kRows; row += kThreads / kPitch) {
        if (top + row < out.height)
          out.row(top + row)[x] = filter_line(shared, row * kColumns + 2 * tile_x);
      }
    });
  }

  template <class AnyShared>
  VMAFX_PORTABLE void filter_column(AnyShared& shared, const Source<Sample>& source, int column,
                                    int left, int top) const {
    const int x = mirror_any(left + column - reach(), source.plane.width);
    float sum[kRows] = {};
    const auto add_row = [&](int i) {
      const float value = source.at(x, mirror_any(top + i - reach(), source.plane.height));
      add_sample<kReach, kRows, 2>(taps, i, [&](int o, float tap) { sum[o] += tap * value; });
    };
    constexpr int kBetween = 2 * (kRows - 1);
    if constexpr (kReach > 0) {
      VMAFX_UNROLL
      for (int i = 0; i <= 2 * kReach + kBetween; ++i) add_row(i);
    } else {
      for (int i = 0; i <= 2 * reach() + kBetween; ++i) add_row(i);
    }
    VMAFX_UNROLL
    for (int row = 0; row < kRows; ++row) shared.lines[row * kColumns + column] = sum[row];
  }

  template <class AnyShared>
  VMAFX_PORTABLE float filter_line(AnyShared& shared, int first) const {
    float sum = 0;
    for (int i = 0; i <= 2 * reach(); ++i) sum += taps[i] * shared.lines[first + i];
    return sum;
  }
};

}  // namespace vmafx::float_vif

#endif  // VMAFX_METRICS_FLOAT_VIF_PLANES_KERNELS_H_
