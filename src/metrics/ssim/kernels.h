// SSIM on devices: a plane of every window's term, sums of its columns, and the sum of these.
#ifndef VMAFX_METRICS_SSIM_KERNELS_H_
#define VMAFX_METRICS_SSIM_KERNELS_H_

#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/ordered_sum.h"
#include "metrics/ssim/window.h"

namespace vmafx::ssim {

// Exactly, for integers below 2^52: there an integer is the lowest bits of 2^52 more.
VMAFX_PORTABLE double to_double(std::uint64_t value) {
  return std::bit_cast<double>(std::uint64_t{0x43300000} << 32 | value) - 4503599627370496.0;
}

// Sum is an integer in which values times taps do not overflow.
template <class Sum, class Value>
VMAFX_PORTABLE Sum filter(const Value* values) {
  Sum sum = 0;
  if constexpr (sizeof(Sum) == sizeof(Value)) {
    sum = static_cast<Sum>(tap(0)) * values[kRadius];
    VMAFX_UNROLL
    for (int k = 1; k <= kRadius; ++k)
      sum += static_cast<Sum>(tap(k)) * (values[kRadius - k] + values[kRadius + k]);
  } else {
    VMAFX_UNROLL
    for (int k = -kRadius; k <= kRadius; ++k) sum += static_cast<Sum>(tap(k)) * values[kRadius + k];
  }
  return sum;
}

// A team takes a tile of kWidth x kRows windows. Each thread filters down a column of the tile or
// of its halo, then along rows for kRun windows at a time. Word holds products of two samples times
// the taps down: 32 bits for depths up to 12.
template <class Sample, class Word>
struct WindowTerms {
  static constexpr int kThreads = 256;
  static constexpr int kColumns = kThreads;
  static constexpr int kRows = sizeof(Word) == 4 ? 8 : 4;
  static constexpr int kRun = 4;
  static constexpr int kWidth = kColumns - 2 * kRadius;
  static constexpr int kRunsInRow = kWidth / kRun;
  static constexpr int kSize = kColumns * kRows;
  // Of the taps along one axis.
  static constexpr int kFullWeight = 1 << 8;
  static constexpr bool kNarrow = sizeof(Sample) == 1;
  using ProductSum = std::conditional_t<kNarrow, std::uint32_t, std::uint64_t>;

  template <template <class, int> class Array>
  struct alignas(16) Shared {
    Array<std::uint32_t, kSize> r;
    Array<std::uint32_t, kSize> d;
    Array<Word, kSize> rr;
    Array<Word, kSize> dd;
    Array<Word, kSize> rd;
  };

  PlaneView<const Sample> reference;
  PlaneView<const Sample> distorted;
  double peak_squared;
  Stabilizers inside;       // of windows that no border cuts off
  PlaneView<double> terms;  // rows aligned to 64 bytes, and padded

  static device::Grid grid(PlaneView<const Sample> plane) {
    return {device::teams_for(plane.width, kWidth), device::teams_for(plane.height, kRows), 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int left = team.block().x * kWidth;
    const int top = team.block().y * kRows;
    team.each([&](int thread) { filter_column(shared, thread, left, top); });
    team.each_last([&](int thread) {
      for (int i = thread; i < kRunsInRow * kRows; i += kThreads)
        compare_run(shared, i % kRunsInRow * kRun, i / kRunsInRow, left, top);
    });
  }

 private:
  static constexpr int kReach = kRows + 2 * kRadius;

  template <class Shared>
  VMAFX_PORTABLE void filter_column(Shared& shared, int column, int left, int top) const {
    std::uint32_t r[kReach];
    std::uint32_t d[kReach];
    load_column(reference, left + column - kRadius, top - kRadius, r);
    load_column(distorted, left + column - kRadius, top - kRadius, d);
    filter_down<std::uint32_t>(shared.r, column, [&](int i) { return r[i]; });
    filter_down<std::uint32_t>(shared.d, column, [&](int i) { return d[i]; });
    filter_down<Word>(shared.rr, column, [&](int i) { return Word{r[i]} * r[i]; });
    filter_down<Word>(shared.dd, column, [&](int i) { return Word{d[i]} * d[i]; });
    filter_down<Word>(shared.rd, column, [&](int i) { return Word{r[i]} * d[i]; });
  }

  // Zeros beyond the border: there the taps count nothing.
  static VMAFX_PORTABLE void load_column(PlaneView<const Sample> plane, int x, int top,
                                         std::uint32_t (&samples)[kReach]) {
    const bool inside = x >= 0 && x < plane.width;
    const int column = inside ? x : 0;
    VMAFX_UNROLL
    for (int i = 0; i < kReach; ++i) {
      const int y = top + i;
      samples[i] = inside && y >= 0 && y < plane.height ? plane.row(y)[column] : 0;
    }
  }

  template <class T, class Line, class Value>
  static VMAFX_PORTABLE void filter_down(Line& line, int column, const Value& value) {
    T values[kReach];
    VMAFX_UNROLL
    for (int i = 0; i < kReach; ++i) values[i] = value(i);
    VMAFX_UNROLL
    for (int i = 0; i < kRows; ++i) line[i * kColumns + column] = filter<T>(values + i);
  }

  struct Run {
    double at[kRun];
  };

  template <class Sum, class T, class Line>
  static VMAFX_PORTABLE Run filter_across(Line& line, int first) {
    constexpr int kValues = kRun + 2 * kRadius;
    T values[kValues];
    VMAFX_UNROLL
    for (int i = 0; i < kValues; ++i) values[i] = line[first + i];
    Run run;
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i) run.at[i] = to_double(filter<Sum>(values + i));
    return run;
  }

  // Of the columns of whole runs, of which the last may lie beyond the border.
  template <class Shared>
  VMAFX_PORTABLE void compare_run(Shared& shared, int column, int row, int left, int top) const {
    const int x = left + column;
    const int y = top + row;
    if (x >= terms.width || y >= terms.height) return;
    const int first = row * kColumns + column;
    const Run r = filter_across<std::uint32_t, std::uint32_t>(shared.r, first);
    const Run d = filter_across<std::uint32_t, std::uint32_t>(shared.d, first);
    const Run rr = filter_across<ProductSum, Word>(shared.rr, first);
    const Run dd = filter_across<ProductSum, Word>(shared.dd, first);
    const Run rd = filter_across<ProductSum, Word>(shared.rd, first);
    const int down = weight(y, terms.height);
    Run out;
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i) {
      const int whole = down * weight(x + i, terms.width);
      const double w = whole;
      out.at[i] =
          weighted_ssim({r.at[i], d.at[i], rr.at[i], dd.at[i], rd.at[i]}, w,
                        whole == kFullWeight * kFullWeight ? inside : stabilizers(peak_squared, w));
    }
    store(out, terms.row(y) + x);
  }

  static VMAFX_PORTABLE int weight(int index, int size) {
    const bool full = index >= kRadius && index < size - kRadius;
    return full ? kFullWeight : window_weight(index, size);
  }

  static VMAFX_PORTABLE void store(const Run& run, double* to) {
    struct alignas(16) Pair {
      double first;
      double second;
    };
    VMAFX_UNROLL
    for (int i = 0; i < kRun; i += 2) *reinterpret_cast<Pair*>(to + i) = {run.at[i], run.at[i + 1]};
  }
};

// A thread takes a column.
struct ColumnSums {
  static constexpr int kThreads = 64;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  PlaneView<const double> terms;
  double* sums;

  static device::Grid grid(PlaneView<const double> terms) {
    return {device::teams_for(terms.width, kThreads), 1, 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    team.each_last([&](int thread) {
      const int x = team.block().x * kThreads + thread;
      if (x < terms.width) sums[x] = ordered_sum<64>(terms.data + x, terms.stride, terms.height);
    });
  }
};

// One team.
struct Total {
  static constexpr int kThreads = 256;
  template <template <class, int> class Array>
  struct Shared {
    Array<double, kOrderedChunk> chunk;
  };

  const double* sums;
  int count;
  double* total;

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    ordered_team_sum(team, team.shared().chunk, kThreads, sums, count, total);
  }
};

using Kernels = device::KernelList<WindowTerms<std::uint8_t, std::uint32_t>,
                                   WindowTerms<std::uint16_t, std::uint32_t>,
                                   WindowTerms<std::uint16_t, std::uint64_t>, ColumnSums, Total>;

}  // namespace vmafx::ssim

#endif  // VMAFX_METRICS_SSIM_KERNELS_H_
