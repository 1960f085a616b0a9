// The sums of the errors in the order of reference.cc, for devices.
#ifndef VMAFX_METRICS_SSIMULACRA2_SUM_KERNELS_H_
#define VMAFX_METRICS_SSIMULACRA2_SUM_KERNELS_H_

#include <algorithm>

#include "device/kernel.h"
#include "metrics/ssimulacra2/arithmetic.h"
#include "metrics/ssimulacra2/device_scales.h"

namespace vmafx::ssimulacra2 {

// A team takes kRows rows of channel y, a thread for each partial sum of a row.
struct SumRows {
  static constexpr int kRows = 8;
  static constexpr int kThreads = kRows * kPartialSums;

  template <template <class, int> class Array>
  struct Shared {
    Array<double, kErrorSums * kThreads> partial;
  };

  DeviceScales scales;

  static constexpr int teams_of(const DeviceScale& scale) {
    return device::teams_for(scale.height, kRows);
  }
  static device::Grid grid(const DeviceScales& scales) {
    return {teams_of_all(scales, teams_of), kChannels, 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const Part part = part_of(scales, team.block().x, teams_of);
    const DeviceScale& scale = part.scale;
    const int channel = team.block().y;
    const int top = part.index * kRows;
    team.each([&](int thread) {
      const int y = top + thread / kPartialSums;
      if (y < scale.height) sum_errors(shared, scale, channel, y, thread);
    });
    team.each_last([&](int thread) {
      const int y = top + thread % kRows;
      if (thread >= kErrorSums * kRows || y >= scale.height) return;
      const int which = thread / kRows;
      scale.sums(channel, which)[y] =
          tree(shared, which * kThreads + thread % kRows * kPartialSums);
    });
  }

 private:
  struct Sum {
    double first = 0;
    double fourth = 0;

    constexpr void add(double error) {
      first += error;
      const double square = error * error;
      fourth += square * square;
    }
  };

  // Several columns at once, so that none waits for its memory. What lies beyond the row adds 0.
  template <class Shared>
  static VMAFX_PORTABLE void sum_errors(Shared& shared, const DeviceScale& scale, int channel,
                                        int y, int thread) {
    constexpr int kTogether = 4;
    const float* const structure = scale.structure_row(channel, y) + kAhead;
    const float* const reference = scale.edge_row(channel, 0, y) + kAhead;
    const float* const distorted = scale.edge_row(channel, 1, y) + kAhead;
    Sum structural;
    Sum artifacts;
    Sum lost;
    for (int x = thread % kPartialSums; x < scale.width; x += kTogether * kPartialSums) {
      float similarity[kTogether];
      float edge1[kTogether];
      float edge2[kTogether];
      VMAFX_UNROLL
      for (int i = 0; i < kTogether; ++i) {
        const int column = x + i * kPartialSums;
        const bool inside = column < scale.width;
        similarity[i] = inside ? structure[column] : 1.0f;
        edge1[i] = inside ? reference[column] : 0.0f;
        edge2[i] = inside ? distorted[column] : 0.0f;
      }
      VMAFX_UNROLL
      for (int i = 0; i < kTogether; ++i) {
        const double difference = edge_difference(edge1[i], edge2[i]);
        structural.add(structure_error(similarity[i]));
        artifacts.add(std::max(difference, 0.0));
        lost.add(std::max(-difference, 0.0));
      }
    }
    const Sum sums[] = {structural, artifacts, lost};
    VMAFX_UNROLL
    for (int i = 0; i < kErrorSums / 2; ++i) {
      shared.partial[2 * i * kThreads + thread] = sums[i].first;
      shared.partial[(2 * i + 1) * kThreads + thread] = sums[i].fourth;
    }
  }

  template <class Shared>
  static VMAFX_PORTABLE double tree(Shared& shared, int first) {
    double sums[kPartialSums];
    VMAFX_UNROLL
    for (int i = 0; i < kPartialSums; ++i) sums[i] = shared.partial[first + i];
    add_upper<kPartialSums / 2>(sums);
    return sums[0];
  }
  template <int kHalf>
  static VMAFX_PORTABLE void add_upper(double (&sums)[kPartialSums]) {
    VMAFX_UNROLL
    for (int i = 0; i < kHalf; ++i) sums[i] += sums[i + kHalf];
    if constexpr (kHalf > 1) add_upper<kHalf / 2>(sums);
  }
};

// A team takes channel y of scale x; one of each 32 threads adds a sum's rows, which is a chain.
struct SumScales {
  static constexpr int kThreads = kErrorSums * device::kGroup;
  static constexpr int kRows = 256;

  template <template <class, int> class Array>
  struct Shared {
    Array<double, kErrorSums * kRows> rows;
  };

  DeviceScales scales;
  double* sums;  // those of Sums

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const DeviceScale scale = scales.scale(team.block().x);
    const int channel = team.block().y;
    auto sum = team.template values<double>();
    for (int top = 0; top < scale.height; top += kRows) {
      team.each([&](int thread) {
        const int which = thread / device::kGroup;
        for (int i = thread % device::kGroup; i < kRows; i += device::kGroup)
          shared.rows[which * kRows + i] =
              top + i < scale.height ? scale.sums(channel, which)[top + i] : 0.0;
      });
      team.each([&](int thread) {
        if (thread % device::kGroup != 0) return;
        sum[thread] = add_rows(shared, thread / device::kGroup * kRows, sum[thread]);
      });
    }
    team.each_last([&](int thread) {
      if (thread % device::kGroup != 0) return;
      sums[(team.block().x * kChannels + channel) * kErrorSums + thread / device::kGroup] =
          sum[thread];
    });
  }

 private:
  // Rows beyond the last are 0.
  template <class Shared>
  static VMAFX_PORTABLE double add_rows(Shared& shared, int first, double sum) {
    constexpr int kTogether = 16;
    VMAFX_NO_UNROLL
    for (int i = 0; i < kRows; i += kTogether) {
      VMAFX_UNROLL
      for (int j = 0; j < kTogether; ++j) sum += shared.rows[first + i + j];
    }
    return sum;
  }
};

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_SUM_KERNELS_H_
