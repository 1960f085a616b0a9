// Floating-point motion on devices: a plane of the differences of blurred samples, sums of its
// rows, and the sum of these. Planes in memory are turned: the samples of a column are neighbours,
// so that threads which go along rows read neighbours.
#ifndef VMAFX_METRICS_FLOAT_MOTION_KERNELS_H_
#define VMAFX_METRICS_FLOAT_MOTION_KERNELS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/plane.h"
#include "base/separable.h"
#include "device/kernel.h"
#include "metrics/ordered_sum.h"

namespace vmafx::float_motion {

inline constexpr int kFrames = 2;
inline constexpr int kMaxPlanes = 3;
inline constexpr int kMaxRadius = 2;

// Planes are along z. A team takes a tile of kWidth x kHeight samples of both frames: each thread
// filters kRun rows down a column of the tile or of its halo, then kRun columns along a row.
template <class Sample, int kRadius>
struct BlurredDifferences {
  static constexpr int kThreads = 256;
  static constexpr int kColumns = 64;
  static constexpr int kRun = 4;
  static constexpr int kWidth = kColumns - 2 * kMaxRadius;
  static constexpr int kHeight = device::kGroup;
  static constexpr int kTaps = 2 * kRadius + 1;
  // Odd, so that a column's samples are in different banks.
  static constexpr int kPitch = kColumns + 1;
  template <template <class, int> class Array>
  struct Shared {
    Array<float, kPitch * kHeight> previous;
    Array<float, kPitch * kHeight> current;
  };

  struct Plane {
    PlaneView<const Sample> previous;
    PlaneView<const Sample> current;
    // Turned.
    PlaneView<float> differences;
    PlaneView<float> blurred[kFrames];  // without data if nobody needs them
  };

  Plane planes[kMaxPlanes];
  float taps[kTaps];
  float step;

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const Plane& plane = planes[team.block().z];
    const int left = team.block().x * kWidth;
    const int top = team.block().y * kHeight;
    if (left >= plane.current.width || top >= plane.current.height) return;
    team.each([&](int thread) {
      const int column = thread % kColumns;
      for (int row = thread / kColumns * kRun; row < kHeight; row += kThreads / kColumns * kRun) {
        filter_down(plane.previous, left, top, column, row, shared.previous);
        filter_down(plane.current, left, top, column, row, shared.current);
      }
    });
    team.each_last([&](int thread) {
      const int row = thread % kHeight;
      if (top + row >= plane.current.height) return;
      for (int x = thread / kHeight * kRun; x < kWidth; x += kThreads / kHeight * kRun)
        compare_run(plane, row * kPitch + x, left + x, top + row, shared);
    });
  }

 private:
  static VMAFX_PORTABLE int mirror_any(int index, int size) {
    const int magnitude = std::abs(index);
    return std::max(std::min(magnitude, 2 * size - 2 - magnitude), 0);
  }

  template <class Line>
  VMAFX_PORTABLE void filter_down(const PlaneView<const Sample>& plane, int left, int top,
                                  int column, int row, Line& line) const {
    const int x = mirror_any(left + column - kRadius, plane.width);
    float values[kRun + 2 * kRadius];
    VMAFX_UNROLL
    for (int i = 0; i < kRun + 2 * kRadius; ++i) {
      const Sample sample = plane.row(mirror_any(top + row + i - kRadius, plane.height))[x];
      values[i] = static_cast<float>(sample) * step - separable::kOffset;
    }
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i) line[(row + i) * kPitch + column] = filter(values + i);
  }

  VMAFX_PORTABLE float filter(const float* values) const {
    float sum = 0;
    VMAFX_UNROLL
    for (int k = 0; k < kTaps; ++k) sum += taps[k] * values[k];
    return sum;
  }

  struct Run {
    float at[kRun];
  };

  template <class Line>
  VMAFX_PORTABLE Run filter_across(Line& line, int first) const {
    float values[kRun + 2 * kRadius];
    VMAFX_UNROLL
    for (int i = 0; i < kRun + 2 * kRadius; ++i) values[i] = line[first + i];
    Run run;
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i) run.at[i] = filter(values + i);
    return run;
  }

  template <class Shared>
  VMAFX_PORTABLE void compare_run(const Plane& plane, int first, int x, int y,
                                  Shared& shared) const {
    const Run previous = filter_across(shared.previous, first);
    const Run current = filter_across(shared.current, first);
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i) {
      if (x + i >= plane.current.width) break;
      plane.differences.row(x + i)[y] = std::abs(previous.at[i] - current.at[i]);
      if (plane.blurred[0].data == nullptr) continue;
      plane.blurred[0].row(x + i)[y] = previous.at[i];
      plane.blurred[1].row(x + i)[y] = current.at[i];
    }
  }
};

// Where a bilinearly scaled sample comes from along an axis.
struct Points {
  int position[2];
  float weight[2];
};

// Of blurred planes at half their size; a thread makes one difference. Planes are along z.
struct ScaledDifferences {
  static constexpr int kThreads = 128;
  static constexpr int kHeight = device::kGroup;
  static constexpr int kWidth = kThreads / kHeight;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  struct Plane {
    // Turned.
    PlaneView<const float> blurred[kFrames];
    PlaneView<float> differences;
    const Points* columns;
    const Points* rows;
  };

  Plane planes[kMaxPlanes];

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const Plane& plane = planes[team.block().z];
    team.each_last([&](int thread) {
      const int x = team.block().x * kWidth + thread / kHeight;
      const int y = team.block().y * kHeight + thread % kHeight;
      if (x >= plane.differences.height || y >= plane.differences.width) return;
      const Points column = plane.columns[x];
      const Points row = plane.rows[y];
      plane.differences.row(x)[y] =
          std::abs(scale(plane.blurred[0], column, row) - scale(plane.blurred[1], column, row));
    });
  }

 private:
  // As Scaler::scale().
  static VMAFX_PORTABLE float scale(const PlaneView<const float>& turned, const Points& column,
                                    const Points& row) {
    float sum = 0;
    VMAFX_UNROLL
    for (int j = 0; j < 2; ++j) {
      VMAFX_UNROLL
      for (int i = 0; i < 2; ++i) {
        const float weight = column.weight[i] * row.weight[j];
        sum += turned.row(column.position[i])[row.position[j]] * weight;
      }
    }
    return sum;
  }
};

// Planes at full and at half size.
inline constexpr int kMaxSums = 2 * kMaxPlanes;

struct DifferencePlane {
  PlaneView<float> turned;
  float* row_sums;
};

// A thread sums a row. Planes are along z.
struct RowSums {
  static constexpr int kThreads = 32;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  DifferencePlane planes[kMaxSums];

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const DifferencePlane& plane = planes[team.block().z];
    team.each_last([&](int thread) {
      const int y = team.block().x * kThreads + thread;
      if (y >= plane.turned.width) return;
      plane.row_sums[y] =
          ordered_sum<96>(plane.turned.data + y, plane.turned.stride, plane.turned.height);
    });
  }
};

// A team sums the rows of a plane. Planes are along x.
struct Totals {
  static constexpr int kThreads = 256;
  template <template <class, int> class Array>
  struct Shared {
    Array<float, kOrderedChunk> chunk;
  };

  DifferencePlane planes[kMaxSums];
  float* totals;

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const DifferencePlane& plane = planes[team.block().x];
    ordered_team_sum(team, team.shared().chunk, kThreads, plane.row_sums, plane.turned.width,
                     totals + team.block().x);
  }
};

using Kernels =
    device::KernelList<BlurredDifferences<std::uint8_t, 0>, BlurredDifferences<std::uint8_t, 1>,
                       BlurredDifferences<std::uint8_t, 2>, BlurredDifferences<std::uint16_t, 0>,
                       BlurredDifferences<std::uint16_t, 1>, BlurredDifferences<std::uint16_t, 2>,
                       ScaledDifferences, RowSums, Totals>;

}  // namespace vmafx::float_motion

#endif  // VMAFX_METRICS_FLOAT_MOTION_KERNELS_H_
