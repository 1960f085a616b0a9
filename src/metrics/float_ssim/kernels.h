// Windowed statistics on devices: planes of every window's terms, sums of their columns, and the
// sums of these. Those of several pairs of planes are made at once, for float_ms_ssim.
#ifndef VMAFX_METRICS_FLOAT_SSIM_KERNELS_H_
#define VMAFX_METRICS_FLOAT_SSIM_KERNELS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/float_ssim/wide.h"
#include "metrics/float_ssim/window.h"
#include "metrics/ordered_sum.h"

namespace vmafx::float_ssim {

// Means of boxes. A thread makes a sample. Pictures are along z.
template <class Sample>
struct Decimate {
  static constexpr int kThreads = 128;
  static constexpr int kWidth = 32;
  static constexpr int kHeight = kThreads / kWidth;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  PlaneView<const Sample> plane[2];
  PlaneView<float> out[2];
  int factor;
  float step;    // of samples, in steps of 8 bits
  float weight;  // of a sample of a box

  static device::Grid grid(PlaneView<float> out) {
    return {device::teams_for(out.width, kWidth), device::teams_for(out.height, kHeight), 2};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const int picture = team.block().z;
    team.each_last([&](int thread) {
      const int x = team.block().x * kWidth + thread % kWidth;
      const int y = team.block().y * kHeight + thread / kWidth;
      if (x < out[picture].width && y < out[picture].height)
        out[picture].row(y)[x] =
            box_mean(plane[picture], x * factor - factor / 2, y * factor - factor / 2);
    });
  }

  VMAFX_PORTABLE float box_mean(PlaneView<const Sample> samples, int left, int top) const {
    double sum = 0;
    for (int i = 0; i < factor; ++i) {
      const Sample* const row = samples.row(mirror_repeating(top + i, samples.height));
      for (int j = 0; j < factor; ++j) {
        const Sample sample = row[mirror_repeating(left + j, samples.width)];
        sum += widen<false>(static_cast<float>(sample) * step * weight);
      }
    }
    return narrow(sum);
  }
};

// What becomes of one pair of planes. Rows of the planes begin every `stride` elements.
struct TermPlanes {
  double* luminance;
  double* contrast;
  float* structure;
  double* sums;  // of the columns: those of Sums, `stride` apart
  std::ptrdiff_t stride;
  int width;
  int height;
};

inline constexpr int kQuantities = 4;
// Pairs of planes of a launch.
inline constexpr int kMaxPairs = 15;

template <class Sample>
struct PlanePair {
  PlaneView<const Sample> reference;
  PlaneView<const Sample> distorted;
  TermPlanes out;
};

// A thread goes down a column of windows. It filters each row of samples across, and adds the
// result to the sums of all windows that lie on the row, each with its tap: so every sum grows from
// the first tap to the last. Pairs of planes are along z.
template <class Sample, bool kSigned>
struct CompareWindows {
  static constexpr int kThreads = 128;
  static constexpr int kLine = kThreads + kTaps - 1;
  static constexpr int kRowsAtOnce = 8;
  struct alignas(8) Samples {
    float r;
    float d;
  };
  template <template <class, int> class Array>
  struct Shared {
    Array<Samples, kLine * kRowsAtOnce> samples;
  };

  PlanePair<Sample> pair[kMaxPairs];
  float step;  // of samples, in steps of 8 bits
  int rows;    // of windows, of a team

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const PlanePair<Sample>& planes = pair[team.block().z];
    const int left = team.block().x * kThreads;
    const int top = team.block().y * rows;
    if (left >= planes.out.width || top >= planes.out.height) return;
    const int end = std::min(top + rows, planes.out.height) + kTaps - 1;
    auto sums = team.template values<OpenSums>();
    for (int y = top; y < end; y += kRowsAtOnce) {
      const int count = end - y < kRowsAtOnce ? end - y : kRowsAtOnce;
      team.each([&](int thread) {
        for (int i = 0; i < count; ++i) load_row(planes, y + i, left, thread, i, team.shared());
      });
      team.each([&](int thread) {
        for (int i = 0; i < count; ++i) {
          const Means across = filter_across(team.shared(), i * kLine + thread);
          const Means means = add_row(across, sums[thread]);
          const int window = y + i - (kTaps - 1);
          if (window >= top && left + thread < planes.out.width)
            store(means, planes.out, left + thread, window);
        }
      });
    }
  }

 private:
  // r, d, r^2, d^2, r d.
  static constexpr int kMeans = 5;
  struct Means {
    float at[kMeans];
  };
  // [k]: of the windows on whose next row tap k + 1 is.
  struct OpenSums {
    double at[kMeans][kTaps - 1];
  };

  // Beyond the border any samples will do: nothing is made of them.
  template <class Shared>
  VMAFX_PORTABLE void load_row(const PlanePair<Sample>& planes, int y, int left, int thread, int i,
                               Shared& shared) const {
    for (int x = thread; x < kLine; x += kThreads) {
      const int column = std::min(left + x, planes.reference.width - 1);
      shared.samples[i * kLine + x] =
          Samples{static_cast<float>(planes.reference.row(y)[column]) * step,
                  static_cast<float>(planes.distorted.row(y)[column]) * step};
    }
  }

  // The first product instead of 0 and the first product: that may make a zero negative, which
  // compare() does not see.
  template <class Shared>
  static VMAFX_PORTABLE Means filter_across(Shared& shared, int first) {
    double sum[kMeans];
    VMAFX_UNROLL
    for (int k = 0; k < kTaps; ++k) {
      const Samples s = shared.samples[first + k];
      const float value[kMeans] = {s.r, s.d, s.r * s.r, s.d * s.d, s.r * s.d};
      VMAFX_UNROLL
      for (int m = 0; m < kMeans; ++m) {
        const double product = weigh(value[m], k, m);
        sum[m] = k == 0 ? product : sum[m] + product;
      }
    }
    Means means;
    VMAFX_UNROLL
    for (int m = 0; m < kMeans; ++m) means.at[m] = narrow(sum[m]);
    return means;
  }

  // Returns the means of the windows whose last row this is.
  static VMAFX_PORTABLE Means add_row(const Means& row, OpenSums& sums) {
    Means means;
    VMAFX_UNROLL
    for (int m = 0; m < kMeans; ++m) {
      double* const sum = sums.at[m];
      const float value = row.at[m];
      means.at[m] = narrow(sum[kTaps - 2] + weigh(value, kTaps - 1, m));
      VMAFX_UNROLL
      for (int k = kTaps - 2; k > 0; --k) sum[k] = sum[k - 1] + weigh(value, k, m);
      sum[0] = weigh(value, 0, m);
    }
    return means;
  }

  // Squares have no sign.
  static VMAFX_PORTABLE double weigh(float value, int k, int m) {
    const float product = value * tap(k);
    return kSigned && m != 2 && m != 3 ? widen<true>(product) : widen<false>(product);
  }

  static VMAFX_PORTABLE void store(const Means& m, const TermPlanes& out, int x, int y) {
    const float r = m.at[0];
    const float d = m.at[1];
    const Terms terms = compare(r, d, m.at[2] - r * r, m.at[3] - d * d, m.at[4] - r * d);
    const std::ptrdiff_t at = y * out.stride + x;
    out.luminance[at] = terms.luminance;
    out.contrast[at] = terms.contrast;
    out.structure[at] = terms.structure;
  }
};

// A thread sums a column of all quantities, and reads kAhead rows before it adds them.
struct ColumnSums {
  static constexpr int kThreads = 32;
  static constexpr int kAhead = 16;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  TermPlanes planes[kMaxPairs];

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const TermPlanes& terms = planes[team.block().z];
    team.each_last([&](int thread) {
      const int x = team.block().x * kThreads + thread;
      if (x < terms.width) sum_column(terms, x);
    });
  }

 private:
  struct Sums {
    double ssim = 0;
    double luminance = 0;
    double contrast = 0;
    double structure = 0;
  };

  static VMAFX_PORTABLE void sum_column(const TermPlanes& terms, int x) {
    Sums sums;
    int y = 0;
    for (; y + kAhead <= terms.height; y += kAhead)
      add_rows<true>(terms, y * terms.stride + x, kAhead, sums);
    add_rows<false>(terms, y * terms.stride + x, terms.height - y, sums);
    terms.sums[x] = sums.ssim;
    terms.sums[terms.stride + x] = sums.luminance;
    terms.sums[2 * terms.stride + x] = sums.contrast;
    terms.sums[3 * terms.stride + x] = sums.structure;
  }

  // Adds `count` rows, or kAhead of them.
  template <bool kWhole>
  static VMAFX_PORTABLE void add_rows(const TermPlanes& terms, std::ptrdiff_t at, int count,
                                      Sums& sums) {
    double l[kAhead];
    double c[kAhead];
    float s[kAhead];
    VMAFX_UNROLL
    for (int i = 0; i < kAhead; ++i) {
      const bool inside = kWhole || i < count;
      l[i] = inside ? terms.luminance[at] : 0;
      c[i] = inside ? terms.contrast[at] : 0;
      s[i] = inside ? terms.structure[at] : 0;
      at += terms.stride;
    }
    // Zeros change nothing: no sum is -0.
    VMAFX_UNROLL
    for (int i = 0; i < kAhead; ++i) {
      sums.ssim += l[i] * c[i] * s[i];
      sums.luminance += l[i];
      sums.contrast += c[i];
      sums.structure += s[i];
    }
  }
};

// A team sums a row of column sums. Quantities are along x, pairs of planes along z.
struct Totals {
  static constexpr int kThreads = 256;
  template <template <class, int> class Array>
  struct Shared {
    Array<double, kOrderedChunk> chunk;
  };

  TermPlanes planes[kMaxPairs];
  double* totals;  // kQuantities for each pair

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const TermPlanes& terms = planes[team.block().z];
    const int quantity = team.block().x;
    ordered_team_sum(team, team.shared().chunk, kThreads, terms.sums + quantity * terms.stride,
                     terms.width, totals + team.block().z * kQuantities + quantity);
  }
};

using Kernels =
    device::KernelList<Decimate<std::uint8_t>, Decimate<std::uint16_t>,
                       CompareWindows<std::uint8_t, false>, CompareWindows<std::uint16_t, false>,
                       CompareWindows<float, false>, ColumnSums, Totals>;

}  // namespace vmafx::float_ssim

#endif  // VMAFX_METRICS_FLOAT_SSIM_KERNELS_H_
