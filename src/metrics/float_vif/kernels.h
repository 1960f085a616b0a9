// Floating-point VIF on devices. A launch makes each smaller scale; one goes from the planes of all
// scales to sums of rows; the last one adds the rows.
#ifndef VMAFX_METRICS_FLOAT_VIF_KERNELS_H_
#define VMAFX_METRICS_FLOAT_VIF_KERNELS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/float_vif/definition.h"
#include "metrics/float_vif/planes_kernels.h"

namespace vmafx::float_vif {

inline constexpr int kDeviceScales = 4;
// Gain limits that one pass serves.
inline constexpr int kLimits = 3;
// Sums of a row: the reference's information, and what is kept with each gain limit.
inline constexpr int kRowSums = 1 + kLimits;

// ---- From moments to bits: `information` in reference.cc ----

// Not of a flat sample: its gain, before it is limited, and the variance that it leaves.
struct Gain {
  float gain;
  float unexplained;
};

VMAFX_PORTABLE Gain gain_of(float variance_r, float variance_d, float covariance) {
  float gain = covariance / (variance_r + kVarianceEpsilon);
  float unexplained = variance_d - gain * covariance;
  if (variance_r < kVarianceEpsilon) {
    gain = 0;
    unexplained = variance_d;
  }
  if (variance_d < kVarianceEpsilon) {
    gain = 0;
    unexplained = 0;
  }
  if (gain < 0) {
    gain = 0;
    unexplained = variance_d;
  }
  return {gain, unexplained < kVarianceEpsilon ? kVarianceEpsilon : unexplained};
}

VMAFX_PORTABLE float bits_of_all(float variance_r, const Noise& noise) {
  // If no quotient is rounded, double and float agree.
  if (noise.power_of_two) return log2_approximate(1 + variance_r * noise.inverse);
  return log2_approximate(static_cast<float>(1 + static_cast<double>(variance_r) / noise.variance));
}

VMAFX_PORTABLE float bits_kept(float variance_r, const Gain& g, float gain_limit,
                               const Noise& noise) {
  const float gain = std::min(g.gain, gain_limit);
  const double signal = static_cast<double>(gain * gain * variance_r);
  return log2_approximate(
      static_cast<float>(1 + signal / (static_cast<double>(g.unexplained) + noise.variance)));
}

// ---- From planes to sums of rows ----

// Terms of neighbours in a row.
struct alignas(16) Quad {
  float at[4];
};

// A team takes kRows rows from end to end, tile by tile. A thread for each column filters down
// columns, then one for each four samples along rows, which leaves their terms; sums of rows are
// in the order of the definition, so one thread each adds those while the next tile is begun.
// Scale 0 has samples of its own type, the others are floats. With kAnyWindow the windows are not
// those of kernel scale 1.
template <class Sample, bool kAnyWindow>
struct Measure {
  static constexpr int kRows = 4;
  static constexpr int kRun = 4;
  static constexpr int kColumns = 256;
  static constexpr int kThreads = kColumns + device::kGroup;
  static constexpr int kMoments = 5;  // means of both, their squares and product
  static constexpr int kTermPitch = kColumns / kRun + 1;
  static_assert(kRows * kRowSums <= device::kGroup && kRows - 1 <= Taps::kPadding);

  template <template <class, int> class Array>
  struct alignas(16) Shared {
    Array<Quad, kRows * kRowSums * kTermPitch> terms;   // [sum][row][quad]
    Array<float, kMoments * kRows * kColumns> moments;  // down columns: [moment][row][column]
  };

  Source<Sample> reference;
  Source<Sample> distorted;
  Source<float> smaller_reference[kDeviceScales - 1];
  Source<float> smaller_distorted[kDeviceScales - 1];
  Taps taps[kDeviceScales];
  Noise noise;
  // Strips of kRows rows of all scales are in one series; of the scales from the first to s - 1
  // there are strips_before[s].
  int strips_before[kDeviceScales + 1];
  int variants;
  const float* gain_limits;
  float* row_sums;  // [pass][sum][row of the series]

  device::Grid grid() const {
    return {strips_before[kDeviceScales], device::teams_for(variants, kLimits), 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const int strip = team.block().x;
    if (strip < strips_before[1]) {
      measure<0>(team, reference, distorted);
    } else if (strip < strips_before[2]) {
      measure<1>(team, smaller_reference[0], smaller_distorted[0]);
    } else if (strip < strips_before[3]) {
      measure<2>(team, smaller_reference[1], smaller_distorted[1]);
    } else {
      measure<3>(team, smaller_reference[2], smaller_distorted[2]);
    }
  }

 private:
  static constexpr int reach_of(int scale) { return kAnyWindow ? 0 : 8 >> scale; }

  template <int kScale>
  VMAFX_PORTABLE int reach() const {
    return kAnyWindow ? taps[kScale].reach : reach_of(kScale);
  }
  // Of a tile; samples that are measured.
  template <int kScale>
  VMAFX_PORTABLE int tile_width() const {
    return (kColumns - 2 * reach<kScale>()) / kRun * kRun;
  }

  // The gain limits of a pass.
  struct Limits {
    int count;
    float limit[kLimits];
  };
  VMAFX_PORTABLE Limits limits_of(int pass) const {
    Limits limits = {};
    const int left = variants - pass * kLimits;
    limits.count = left < kLimits ? left : kLimits;
    VMAFX_UNROLL
    for (int i = 0; i < kLimits; ++i)
      limits.limit[i] = i < left ? gain_limits[pass * kLimits + i] : 0.0f;
    return limits;
  }

  template <int kScale, class Team, class From>
  VMAFX_PORTABLE void measure(Team& team, const Source<From>& r, const Source<From>& d) const {
    auto& shared = team.shared();
    const int strip = team.block().x - strips_before[kScale];
    const int width = tile_width<kScale>();
    const Limits limits = limits_of(team.block().y);
    auto sum = team.template values<float>();
    for (int left = 0; left < r.plane.width; left += width) {
      team.each([&](int thread) {
        if (thread < kColumns) {
          filter_column<kScale>(shared, r, d, thread, left, strip * kRows);
        } else if (left > 0) {
          add_terms(shared, limits, thread - kColumns, width, sum[thread]);
        }
      });
      team.each([&](int thread) { measure_run<kScale>(shared, limits, thread, width); });
    }
    team.each_last([&](int thread) {
      if (thread < kColumns) return;
      const int count = (r.plane.width - 1) % width + 1;
      add_terms(shared, limits, thread - kColumns, count, sum[thread]);
      store_sum(team, limits, thread - kColumns, sum[thread]);
    });
  }

  template <int kScale, class AnyShared, class From>
  VMAFX_PORTABLE void filter_column(AnyShared& shared, const Source<From>& reference_source,
                                    const Source<From>& distorted_source, int column, int left,
                                    int top) const {
    constexpr int kReach = reach_of(kScale);
    const int height = reference_source.plane.height;
    const int x = mirror_any(left + column - reach<kScale>(), reference_source.plane.width);
    float sum[kRows][kMoments] = {};
    const auto add_row = [&](int i) {
      const int y = mirror_any(top + i - reach<kScale>(), height);
      const float r = reference_source.at(x, y);
      const float d = distorted_source.at(x, y);
      const float value[kMoments] = {r, d, r * r, d * d, r * d};
      add_sample<kReach, kRows, 1>(taps[kScale], i, [&](int o, float tap) {
        VMAFX_UNROLL
        for (int m = 0; m < kMoments; ++m) sum[o][m] += tap * value[m];
      });
    };
    if constexpr (kReach > 0) {
      VMAFX_UNROLL
      for (int i = 0; i < kRows + 2 * kReach; ++i) add_row(i);
    } else {
      for (int i = 0; i < kRows + 2 * reach<kScale>(); ++i) add_row(i);
    }
    VMAFX_UNROLL
    for (int row = 0; row < kRows; ++row) {
      VMAFX_UNROLL
      for (int m = 0; m < kMoments; ++m)
        shared.moments[(m * kRows + row) * kColumns + column] = sum[row][m];
    }
  }

  // The terms of the run of a thread.
  template <int kScale, class AnyShared>
  VMAFX_PORTABLE void measure_run(AnyShared& shared, const Limits& limits, int thread,
                                  int width) const {
    // Rows are numbered without a division.
    constexpr int kSlots = kColumns / kRun;
    const int quad = thread % kSlots;
    const int row = thread / kSlots;
    if (row >= kRows || quad * kRun >= width) return;
    float moment[kMoments][kRun];
    VMAFX_UNROLL
    for (int m = 0; m < kMoments; ++m)
      filter_run<kScale>(shared, (m * kRows + row) * kColumns + quad * kRun, moment[m]);
    Quad all = {};
    Quad kept[kLimits] = {};
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i)
      measure_sample(limits, moment[0][i], moment[1][i], moment[2][i], moment[3][i], moment[4][i],
                     i, all, kept);
    const int at = row * kTermPitch + quad;
    shared.terms[at] = all;
    VMAFX_UNROLL
    for (int l = 0; l < kLimits; ++l) {
      if (l < limits.count) shared.terms[(l + 1) * kRows * kTermPitch + at] = kept[l];
    }
  }

  template <int kScale, class AnyShared>
  VMAFX_PORTABLE void filter_run(AnyShared& shared, int first, float (&moment)[kRun]) const {
    constexpr int kReach = reach_of(kScale);
    VMAFX_UNROLL
    for (int o = 0; o < kRun; ++o) moment[o] = 0;
    // Four at a time: reads of 16 bytes.
    const auto add_four = [&](int i) {
      float value[kRun];
      VMAFX_UNROLL
      for (int k = 0; k < kRun; ++k) value[k] = shared.moments[first + i + k];
      VMAFX_UNROLL
      for (int k = 0; k < kRun; ++k)
        add_sample<kReach, kRun, 1>(taps[kScale], i + k,
                                    [&](int o, float tap) { moment[o] += tap * value[k]; });
    };
    if constexpr (kReach > 0) {
      VMAFX_UNROLL
      for (int i = 0; i < kRun + 2 * kReach; i += kRun) add_four(i);
    } else {
      for (int i = 0; i < kRun + 2 * reach<kScale>(); i += kRun) add_four(i);
    }
  }

  VMAFX_PORTABLE void measure_sample(const Limits& limits, float mean_r, float mean_d,
                                     float square_r, float square_d, float product, int i,
                                     Quad& all, Quad (&kept)[kLimits]) const {
    const float variance_r = std::max(square_r - mean_r * mean_r, 0.f);
    const float variance_d = std::max(square_d - mean_d * mean_d, 0.f);
    if (variance_r < noise.threshold) {
      all.at[i] = 1;
      VMAFX_UNROLL
      for (int l = 0; l < kLimits; ++l) kept[l].at[i] = 1 - variance_d * noise.slope;
      return;
    }
    const Gain gain = gain_of(variance_r, variance_d, product - mean_r * mean_d);
    const float some_variance = variance_r < kVarianceEpsilon ? 0.0f : variance_r;
    all.at[i] = bits_of_all(some_variance, noise);
    VMAFX_UNROLL
    for (int l = 0; l < kLimits; ++l) {
      if (l < limits.count) kept[l].at[i] = bits_kept(some_variance, gain, limits.limit[l], noise);
    }
  }

  // Of the sum and row of a thread, the terms of `count` samples.
  template <class AnyShared>
  VMAFX_PORTABLE void add_terms(AnyShared& shared, const Limits& limits, int thread, int count,
                                float& sum) const {
    if (thread >= kRows * (1 + limits.count)) return;
    constexpr int kBatch = 8;
    const int quads = count / kRun;
    const int first = thread * kTermPitch;
    int quad = 0;
    for (; quad + kBatch <= quads; quad += kBatch) {
      Quad terms[kBatch];
      VMAFX_UNROLL
      for (int i = 0; i < kBatch; ++i) terms[i] = shared.terms[first + quad + i];
      VMAFX_UNROLL
      for (int i = 0; i < kBatch * kRun; ++i) sum += terms[i / kRun].at[i % kRun];
    }
    for (; quad < quads; ++quad) {
      const Quad terms = shared.terms[first + quad];
      VMAFX_UNROLL
      for (int i = 0; i < kRun; ++i) sum += terms.at[i];
    }
    if (count % kRun == 0) return;
    const Quad terms = shared.terms[first + quads];
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i) {
      if (i < count % kRun) sum += terms.at[i];
    }
  }

  // Rows past the last one are stored as well: nobody adds them.
  template <class Team>
  VMAFX_PORTABLE void store_sum(Team& team, const Limits& limits, int thread, float sum) const {
    if (thread >= kRows * (1 + limits.count)) return;
    const auto rows = static_cast<std::ptrdiff_t>(kRows * strips_before[kDeviceScales]);
    row_sums[(team.block().y * kRowSums + thread / kRows) * rows + team.block().x * kRows +
             thread % kRows] = sum;
  }
};

// ---- From rows to the record ----

// A team adds the rows of one scale for one variant.
struct AddRows {
  static constexpr int kThreads = 128;
  static constexpr int kChunk = 1024;
  static constexpr int kPitch = kChunk + 1;
  template <template <class, int> class Array>
  struct Shared {
    Array<float, 2 * kPitch> rows;  // kept, then all
  };

  struct Scale {
    int first;  // row of the series
    int rows;
  };
  Scale scale[kDeviceScales];
  int first_scale;
  int all_rows;           // of the series
  const float* row_sums;  // as Measure leaves them
  float* sums;            // [variant][scale][kept, all]

  device::Grid grid(int variants) const { return {kDeviceScales - first_scale, variants, 1}; }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int s = first_scale + team.block().x;
    const int variant = team.block().y;
    Scale mine = scale[0];
    VMAFX_UNROLL
    for (int i = 1; i < kDeviceScales; ++i) {
      if (i == s) mine = scale[i];
    }
    const float* const all = sums_of(variant / kLimits, 0) + mine.first;
    const float* const kept = sums_of(variant / kLimits, 1 + variant % kLimits) + mine.first;
    auto sum = team.template values<float>();
    for (int row = 0; row < mine.rows; row += kChunk) {
      const int left = mine.rows - row;
      const int count = left < kChunk ? left : kChunk;
      team.each([&](int thread) {
        for (int i = thread; i < count; i += kThreads) {
          shared.rows[i] = kept[row + i];
          shared.rows[kPitch + i] = all[row + i];
        }
      });
      team.each([&](int thread) {
        if (thread < 2) add(shared, thread * kPitch, count, sum[thread]);
      });
    }
    team.each_last([&](int thread) {
      if (thread < 2) sums[(variant * kDeviceScales + s) * 2 + thread] = sum[thread];
    });
  }

  VMAFX_PORTABLE const float* sums_of(int pass, int which) const {
    return row_sums + static_cast<std::ptrdiff_t>(pass * kRowSums + which) * all_rows;
  }

  template <class AnyShared>
  VMAFX_PORTABLE static void add(AnyShared& shared, int first, int count, float& sum) {
    constexpr int kBatch = 32;
    int i = first;
    for (; i + kBatch <= first + count; i += kBatch) {
      VMAFX_UNROLL
      for (int k = 0; k < kBatch; ++k) sum += shared.rows[i + k];
    }
    for (; i < first + count; ++i) sum += shared.rows[i];
  }
};

using Kernels =
    device::KernelList<Prescale<std::uint8_t>, Prescale<std::uint16_t>, Decimate<std::uint8_t, 4>,
                       Decimate<std::uint16_t, 4>, Decimate<float, 2>, Decimate<float, 1>,
                       Decimate<float, 0>, Measure<std::uint8_t, false>,
                       Measure<std::uint16_t, false>, Measure<float, true>, AddRows>;

}  // namespace vmafx::float_vif

#endif  // VMAFX_METRICS_FLOAT_VIF_KERNELS_H_
