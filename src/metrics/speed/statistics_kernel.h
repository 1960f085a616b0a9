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

  // Means: a thread an element, a stretch of places along a row at a time, four places in a read.
  struct alignas(16) Quad {
    float sample[4];
  };
  static constexpr int kStretch = 64;
  static constexpr int kStretchQuads = kStretch / 4;
  static constexpr int kQuadPitch = kStretchQuads + 1;  // elements in different memory banks
  static constexpr int kQuadsAtOnce = 8;
  static_assert(kStretchQuads % kQuadsAtOnce == 0);
  static constexpr int kQuads = kElements * kStretchQuads;
  static constexpr int kLoading = kThreads - device::kGroup;
  static constexpr int kQuadsLoaded = (kQuads + kLoading - 1) / kLoading;

  // Covariance: entries are summed 2x2 to a thread, with a 26th element that is 0. Deviations are
  // made by a group of threads for each row of the block, a thread a place. Elements with even
  // numbers lie together, then the others: so reads of pairs, and writes of places, are in
  // different memory banks.
  static constexpr int kTilesAcross = (kElements + 1) / 2;
  static constexpr int kPlacePitch = 2 * kTilesAcross + 1;
  static constexpr int kTiles = kTilesAcross * (kTilesAcross + 1) / 2;
  static constexpr int kSumming = 96;
  static constexpr int kPlaces = device::kGroup;
  static_assert(kTiles <= kSumming && kSumming + kBlock * kPlaces <= kThreads);

  template <template <class, int> class Array>
  struct Shared {
    Array<Quad, 2 * kElements * kQuadPitch> stretch;     // [half][element][place]
    Array<double, 2 * kPlaces * kPlacePitch> deviation;  // [half][place][element]
    Array<double, kElements> mean;  // rounded to float; read again and again to save registers
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
    tridiagonalize<kThreads>(team, m);
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

  // A constant number of taps is worth a case of its own: all loads begin at once.
  template <class Team>
  VMAFX_PORTABLE void subtract_mean(Team& team) const {
    team.each([&](int thread) {
      constexpr int kRowsAtOnce = kThreads / device::kGroup;
      for (int y = thread / device::kGroup; y < geometry.decimated_height; y += kRowsAtOnce) {
        if (taps == 3) {
          subtract_mean_of_row(team, y, thread % device::kGroup, 3);
        } else {
          subtract_mean_of_row(team, y, thread % device::kGroup, taps);
        }
      }
    });
  }

  template <class Team>
  VMAFX_PORTABLE void subtract_mean_of_row(Team& team, int y, int lane, int count) const {
    constexpr int kAtOnce = 4;
    const int top = team.block().z * geometry.decimated_height;
    const int last = geometry.decimated_width - 1;
    for (int first = lane; first <= last; first += kAtOnce * device::kGroup) {
      float value[kAtOnce];
      VMAFX_UNROLL
      for (int i = 0; i < kAtOnce; ++i) {
        const int wanted = first + i * device::kGroup;
        const int x = wanted < last ? wanted : last;
        value[i] = planes.row(top + y)[x] - mean_around(x, y, top, count);
      }
      VMAFX_UNROLL
      for (int i = 0; i < kAtOnce; ++i) {
        const int x = first + i * device::kGroup;
        if (x <= last) detail.row(top + y)[x] = value[i];
      }
    }
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
    auto loaded = team.template values<Loaded>();
    const int across = device::teams_for(geometry.places_across(), kStretch);
    const int turns = across * geometry.places_down();
    for (int turn = -2; turn < turns; ++turn) {
      team.each([&](int thread) {
        if (thread >= device::kGroup) {
          if (turn == -2) loaded[thread] = place_quads(thread - device::kGroup);
          if (turn >= -1 && turn + 1 < turns) store_stretch(shared, turn + 1, loaded[thread]);
          const int next = turn + 2;
          if (next < turns)
            load_stretch(row(team, next / across), next % across * kStretch, loaded[thread]);
        } else if (thread < kElements && turn >= 0) {
          sum[thread] = add_stretch(shared, turn, thread, sum[thread]);
        }
      });
    }
    team.each([&](int thread) {
      if (thread < kElements)
        shared.mean[thread] =
            static_cast<double>(sum[thread] / static_cast<float>(geometry.places()));
    });
  }

  // What a thread loads of every stretch, a turn before it is stored. Past the last place samples
  // are +0, which changes no sum that began with it.
  struct Loaded {
    int place[kQuadsLoaded];
    int offset[kQuadsLoaded];  // of the first sample
    int slot[kQuadsLoaded];
    Quad quad[kQuadsLoaded];
  };

  VMAFX_PORTABLE Loaded place_quads(int thread) const {
    Loaded loaded = {};
    VMAFX_UNROLL
    for (int k = 0; k < kQuadsLoaded; ++k) {
      const int number = thread + k * kLoading;
      const int element = number / kStretchQuads;
      const int quad = number % kStretchQuads;
      loaded.place[k] = 4 * quad;
      loaded.offset[k] = element / kBlock * static_cast<int>(detail.stride) + element % kBlock;
      loaded.slot[k] = element < kElements ? element * kQuadPitch + quad : -1;
    }
    return loaded;
  }

  VMAFX_PORTABLE void load_stretch(const float* first_row, int x, Loaded& loaded) const {
    const int count = geometry.places_across() - x;
    VMAFX_UNROLL
    for (int k = 0; k < kQuadsLoaded; ++k) {
      if (loaded.slot[k] < 0) continue;
      const int place = loaded.place[k];
      const float* const at = first_row + (x + place + loaded.offset[k]);
      VMAFX_UNROLL
      for (int i = 0; i < 4; ++i) loaded.quad[k].sample[i] = place + i < count ? at[i] : 0.0f;
    }
  }

  template <class AnyShared>
  VMAFX_PORTABLE static void store_stretch(AnyShared& shared, int turn, const Loaded& loaded) {
    VMAFX_UNROLL
    for (int k = 0; k < kQuadsLoaded; ++k) {
      if (loaded.slot[k] >= 0)
        shared.stretch[turn % 2 * kElements * kQuadPitch + loaded.slot[k]] = loaded.quad[k];
    }
  }

  template <class AnyShared>
  VMAFX_PORTABLE static float add_stretch(AnyShared& shared, int turn, int element, float sum) {
    const int first = (turn % 2 * kElements + element) * kQuadPitch;
    VMAFX_NO_UNROLL
    for (int k = 0; k < kStretchQuads; k += kQuadsAtOnce) {
      VMAFX_UNROLL
      for (int i = 0; i < 4 * kQuadsAtOnce; i += 4) {
        const Quad quad = shared.stretch[first + k + i / 4];
        VMAFX_UNROLL
        for (const float sample : quad.sample) sum += sample;
      }
    }
    return sum;
  }

  // Which entries of the covariance a thread sums.
  struct Tile {
    int row = 0;
    int column = 0;
    double product[2][2] = {};
  };

  VMAFX_PORTABLE static Tile make_tile(int number) {
    Tile tile;
    while ((tile.row + 1) * (tile.row + 2) / 2 <= number) ++tile.row;
    tile.column = number - tile.row * (tile.row + 1) / 2;
    return tile;
  }

  // Makes the deviations of a row of the block, at every 32nd place. Its samples are loaded a turn
  // before they are needed.
  struct Maker {
    int x = 0;
    int y = 0;
    float sample[kBlock] = {};
  };

  template <class Team>
  VMAFX_PORTABLE void covariance(Team& team) const {
    auto& shared = team.shared();
    auto tiles = team.template values<Tile>();
    auto makers = team.template values<Maker>();
    const int turns = device::teams_for(geometry.places(), kPlaces);
    for (int turn = -1; turn < turns; ++turn) {
      team.each([&](int thread) {
        if (thread >= kSumming) {
          if (turn < 0) makers[thread] = start_maker(team, thread - kSumming);
          if (turn + 1 < turns) make_deviations(team, turn + 1, thread - kSumming, makers[thread]);
        } else if (turn < 0) {
          tiles[thread] = make_tile(thread < kTiles ? thread : kTiles - 1);
        } else {
          add_products(shared, turn, tiles[thread]);
        }
      });
    }
    team.each([&](int thread) {
      if (thread < kTiles) store_tile(shared.matrices, tiles[thread]);
    });
  }

  template <class Team>
  VMAFX_PORTABLE Maker start_maker(Team& team, int thread) const {
    auto& shared = team.shared();
    Maker maker;
    const int dy = thread / kPlaces;
    if (dy >= kBlock) return maker;
    if (dy == 0) {
      for (int half = 0; half < 2; ++half)
        shared.deviation[(half * kPlaces + thread) * kPlacePitch + position(kElements)] = 0;
    }
    move_maker(team, thread, thread % kPlaces, maker);
    return maker;
  }

  // By some places, which may be past the last.
  template <class Team>
  VMAFX_PORTABLE void move_maker(Team& team, int thread, int places, Maker& maker) const {
    maker.x += places;
    while (maker.x >= geometry.places_across()) {
      maker.x -= geometry.places_across();
      ++maker.y;
    }
    if (maker.y >= geometry.places_down()) return;
    const float* const at = row(team, maker.y + thread / kPlaces) + maker.x;
    VMAFX_UNROLL
    for (int dx = 0; dx < kBlock; ++dx) maker.sample[dx] = at[dx];
  }

  VMAFX_PORTABLE static int position(int element) {
    return element % 2 * kTilesAcross + element / 2;
  }

  // Past the last place deviations are 0, which changes no sum that began with +0.
  template <class Team>
  VMAFX_PORTABLE void make_deviations(Team& team, int turn, int thread, Maker& maker) const {
    auto& shared = team.shared();
    const int dy = thread / kPlaces;
    if (dy >= kBlock) return;
    const bool inside = maker.y < geometry.places_down();
    const int first = (turn % 2 * kPlaces + thread % kPlaces) * kPlacePitch;
    VMAFX_UNROLL
    for (int dx = 0; dx < kBlock; ++dx) {
      const double deviation =
          static_cast<double>(maker.sample[dx]) - shared.mean[dy * kBlock + dx];
      shared.deviation[first + position(dy * kBlock + dx)] = inside ? deviation : 0.0;
    }
    move_maker(team, thread, kPlaces, maker);
  }

  template <class AnyShared>
  VMAFX_PORTABLE static void add_products(AnyShared& shared, int turn, Tile& tile) {
    const int first = turn % 2 * kPlaces * kPlacePitch;
    VMAFX_UNROLL
    for (int i = 0; i < kPlaces; ++i) {
      const int r = first + i * kPlacePitch + tile.row;
      const int c = first + i * kPlacePitch + tile.column;
      const double row[2] = {shared.deviation[r], shared.deviation[r + kTilesAcross]};
      const double column[2] = {shared.deviation[c], shared.deviation[c + kTilesAcross]};
      VMAFX_UNROLL
      for (int k = 0; k < 4; ++k) tile.product[k / 2][k % 2] += row[k / 2] * column[k % 2];
    }
  }

  template <class M>
  VMAFX_PORTABLE void store_tile(M& m, const Tile& tile) const {
    VMAFX_UNROLL
    for (int k = 0; k < 4; ++k) {
      const int r = 2 * tile.row + k / 2;
      const int c = 2 * tile.column + k % 2;
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
    // Several logarithms at once; the sum waits for each.
    for (int e = 0; e < kElements; e += kBlock) {
      VMAFX_UNROLL
      for (int i = 0; i < kBlock; ++i) sum = add_component(sum, m.diagonal[e + i], v, noise);
    }
    const int at = team.block().z * geometry.blocks() + block;
    entropy[at] = sum;
    variance[at] = v;
    return std::abs(sum) <= std::numeric_limits<float>::max() && v > -1;
  }
};

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_STATISTICS_KERNEL_H_
