// From decimated planes to the statistics of their blocks, for devices.
#ifndef VMAFX_METRICS_SPEED_STATISTICS_KERNEL_H_
#define VMAFX_METRICS_SPEED_STATISTICS_KERNEL_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/speed/entropy.h"
#include "metrics/speed/geometry.h"
#include "metrics/speed/matrix_phases.h"

namespace vmafx::speed {

// Of the local mean at the largest kernel scale.
inline constexpr int kMaxMeanTaps = 9;

// A team takes a plane from end to end; many frames fill a device. Every sum is one thread's, in
// the order of reference.cc, so what runs at once is elements, entries of matrices and blocks.
// While some threads sum what lies in one half of a shared array, others fill the other half.
struct Statistics {
  static constexpr int kThreads = 384;

  // Means: a thread an element, places along a row at a time.
  static constexpr int kStretch = 128;
  static constexpr int kStretchPitch = kStretch + kBlock;  // 25 elements in 25 memory banks
  static constexpr int kStretchSamples = kBlock * kStretchPitch;

  // Covariance: entries are summed 2x2 to a thread; of the last row and column one of both counts.
  // Deviations are made by a group of threads for each row of the block, a thread a place.
  static constexpr int kTilesAcross = (kElements + 1) / 2;
  static constexpr int kTiles = kTilesAcross * (kTilesAcross + 1) / 2;
  static constexpr int kSumming = 96;
  static constexpr int kPlaces = device::kGroup;
  static_assert(kTiles <= kSumming && kSumming + kBlock * kPlaces <= kThreads);

  template <template <class, int> class Array>
  struct Shared {
    Array<float, 2 * kStretchSamples> stretch;         // [half][row][sample]
    Array<double, 2 * kPlaces * kElements> deviation;  // [half][place][element]
    Array<float, kElements> mean;
    Matrices<Array> matrices;
  };

  Geometry geometry;
  float noise;
  int taps;  // of the local mean
  float local_mean[kMaxMeanTaps];
  PlaneView<const float> planes;  // below one another, as all that follows
  PlaneView<float> detail;
  float* entropy;
  float* variance;
  std::uint32_t* regular;

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& m = team.shared().matrices;
    subtract_mean(team);
    means(team);
    covariance(team);
    tridiagonalize(team, m);
    diagonalize_and_factorize<kThreads>(team, m);
    make_triangle<kThreads>(team, m);
    auto bad = team.template values<std::uint32_t>();
    team.each(
        [&](int thread) { bad[thread] = thread < kElements && is_singular_at(m, thread) ? 1 : 0; });
    bool good = team.max(bad) == 0;
    if (good) {
      team.each([&](int thread) {
        for (int b = thread; b < geometry.blocks(); b += kThreads) {
          if (!block_statistics(team, b)) bad[thread] = 1;
        }
      });
      good = team.max(bad) == 0;
    }
    team.leader([&] { regular[team.block().z] = good ? 1 : 0; });
  }

  // A row of this team's plane.
  template <class Team>
  VMAFX_PORTABLE const float* row(Team& team, int y) const {
    return detail.row(team.block().z * geometry.decimated_height + y);
  }

  template <class Team>
  VMAFX_PORTABLE void subtract_mean(Team& team) const {
    constexpr int kRowsAtOnce = kThreads / device::kGroup;
    const int top = team.block().z * geometry.decimated_height;
    team.each([&](int thread) {
      for (int y = thread / device::kGroup; y < geometry.decimated_height; y += kRowsAtOnce) {
        for (int x = thread % device::kGroup; x < geometry.decimated_width; x += device::kGroup) {
          // A constant is worth a case of its own: all loads begin at once.
          const float mean = taps == 3 ? mean_around(x, y, top, 3) : mean_around(x, y, top, taps);
          detail.row(top + y)[x] = planes.row(top + y)[x] - mean;
        }
      }
    });
  }

  VMAFX_PORTABLE float mean_around(int x, int y, int top, int count) const {
    float sum = 0;
    VMAFX_UNROLL
    for (int k = 0; k < count; ++k) {
      const int column = mirror(x + k - count / 2, geometry.decimated_width);
      float down = 0;
      VMAFX_UNROLL
      for (int l = 0; l < count; ++l) {
        const int at = mirror(y + l - count / 2, geometry.decimated_height);
        down += local_mean[l] * planes.row(top + at)[column];
      }
      sum += local_mean[k] * down;
    }
    return sum;
  }

  // Of each element over all places.
  template <class Team>
  VMAFX_PORTABLE void means(Team& team) const {
    auto& shared = team.shared();
    auto sum = team.template values<float>();
    const int across = device::teams_for(geometry.places_across(), kStretch);
    const int turns = across * geometry.places_down();
    for (int turn = -1; turn < turns; ++turn) {
      team.each([&](int thread) {
        if (thread >= device::kGroup) {
          const int next = turn + 1;
          if (next < turns)
            load_stretch(team, next, next % across * kStretch, next / across,
                         thread - device::kGroup);
        } else if (thread < kElements && turn >= 0) {
          const int left = geometry.places_across() - turn % across * kStretch;
          sum[thread] =
              add_stretch(shared, turn, left < kStretch ? left : kStretch, thread, sum[thread]);
        }
      });
    }
    team.each([&](int thread) {
      if (thread < kElements)
        shared.mean[thread] = sum[thread] / static_cast<float>(geometry.places());
    });
  }

  // Five rows from (x, y).
  template <class Team>
  VMAFX_PORTABLE void load_stretch(Team& team, int turn, int x, int y, int thread) const {
    auto& shared = team.shared();
    const int half = turn % 2 * kStretchSamples;
    VMAFX_UNROLL
    for (int at = thread; at < kStretchSamples; at += kThreads - device::kGroup) {
      const int r = at / kStretchPitch;
      const int c = at % kStretchPitch;
      if (x + c < geometry.covered_width()) shared.stretch[half + at] = row(team, y + r)[x + c];
    }
  }

  template <class AnyShared>
  VMAFX_PORTABLE static float add_stretch(AnyShared& shared, int turn, int count, int element,
                                          float sum) {
    constexpr int kBatch = 32;
    int at = turn % 2 * kStretchSamples + element / kBlock * kStretchPitch + element % kBlock;
    for (; count >= kBatch; count -= kBatch, at += kBatch) {
      VMAFX_UNROLL
      for (int i = 0; i < kBatch; ++i) sum += shared.stretch[at + i];
    }
    for (int i = 0; i < count; ++i) sum += shared.stretch[at + i];
    return sum;
  }

  // Which entries of the covariance a thread sums.
  struct Tile {
    int row[2];
    int column[2];
    double product[2][2];
  };

  VMAFX_PORTABLE static Tile make_tile(int number) {
    int row = 0;
    while ((row + 1) * (row + 2) / 2 <= number) ++row;
    const int column = number - row * (row + 1) / 2;
    const auto next = [](int element) { return element + 1 < kElements ? element + 1 : element; };
    return {{2 * row, next(2 * row)}, {2 * column, next(2 * column)}, {}};
  }

  template <class Team>
  VMAFX_PORTABLE void covariance(Team& team) const {
    auto& shared = team.shared();
    auto tiles = team.template values<Tile>();
    team.each([&](int thread) {
      if (thread < kSumming) {
        tiles[thread] = make_tile(thread < kTiles ? thread : kTiles - 1);
      } else {
        make_deviations(team, 0, thread - kSumming);
      }
    });
    const int turns = device::teams_for(geometry.places(), kPlaces);
    for (int turn = 0; turn < turns; ++turn) {
      team.each([&](int thread) {
        if (thread < kSumming) {
          add_products(shared, turn, tiles[thread]);
        } else if (turn + 1 < turns) {
          make_deviations(team, turn + 1, thread - kSumming);
        }
      });
    }
    team.each([&](int thread) {
      if (thread < kTiles) store_tile(shared.matrices, tiles[thread]);
    });
  }

  // Of one row of the block at one place. Past the last place they are 0, which changes no sum that
  // began with +0.
  template <class Team>
  VMAFX_PORTABLE void make_deviations(Team& team, int turn, int thread) const {
    auto& shared = team.shared();
    const int dy = thread / kPlaces;
    if (dy >= kBlock) return;
    const int place = turn * kPlaces + thread % kPlaces;
    const bool inside = place < geometry.places();
    const int y = inside ? place / geometry.places_across() : 0;
    const int x = inside ? place % geometry.places_across() : 0;
    const float* const at = row(team, y + dy) + x;
    const int first = (turn % 2 * kPlaces + thread % kPlaces) * kElements + dy * kBlock;
    VMAFX_UNROLL
    for (int dx = 0; dx < kBlock; ++dx) {
      const float mean = shared.mean[dy * kBlock + dx];
      const double deviation = static_cast<double>(at[dx]) - static_cast<double>(mean);
      shared.deviation[first + dx] = inside ? deviation : 0.0;
    }
  }

  template <class AnyShared>
  VMAFX_PORTABLE static void add_products(AnyShared& shared, int turn, Tile& tile) {
    const int first = turn % 2 * kPlaces * kElements;
    VMAFX_UNROLL
    for (int i = 0; i < kPlaces; ++i) {
      const int at = first + i * kElements;
      const double row[2] = {shared.deviation[at + tile.row[0]],
                             shared.deviation[at + tile.row[1]]};
      const double column[2] = {shared.deviation[at + tile.column[0]],
                                shared.deviation[at + tile.column[1]]};
      VMAFX_UNROLL
      for (int k = 0; k < 4; ++k) tile.product[k / 2][k % 2] += row[k / 2] * column[k % 2];
    }
  }

  template <class M>
  VMAFX_PORTABLE void store_tile(M& m, const Tile& tile) const {
    VMAFX_UNROLL
    for (int k = 0; k < 4; ++k) {
      const int r = tile.row[0] + k / 2;
      const int c = tile.column[0] + k % 2;
      if (r >= kElements || c > r) continue;
      const auto value = static_cast<float>(tile.product[k / 2][k % 2] / geometry.places());
      m.covariance[entry(r, c)] = value;
      m.rest[entry(r, c)] = value;
      if (c == r) continue;
      m.covariance[entry(c, r)] = value;
      m.rest[entry(c, r)] = value;
    }
  }

  // False if rounding made a nearly singular solution useless.
  template <class Team>
  VMAFX_PORTABLE bool block_statistics(Team& team, int block) const {
    auto& m = team.shared().matrices;
    const int x = block % geometry.blocks_across * kBlock;
    const int y = block / geometry.blocks_across * kBlock;
    float element[kElements];
    VMAFX_UNROLL
    for (int e = 0; e < kElements; ++e) element[e] = row(team, y + e / kBlock)[x + e % kBlock];
    const float v = block_variance(m, element);
    float sum = 0;
    for (int e = 0; e < kElements; ++e) sum = add_component(sum, m.diagonal[e], v, noise);
    const int at = team.block().z * geometry.blocks() + block;
    entropy[at] = sum;
    variance[at] = v;
    return std::abs(sum) <= std::numeric_limits<float>::max() && v > -1;
  }
};

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_STATISTICS_KERNEL_H_
