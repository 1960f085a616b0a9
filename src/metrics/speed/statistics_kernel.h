// From decimated planes to the statistics of their blocks, for devices.
#ifndef VMAFX_METRICS_SPEED_STATISTICS_KERNEL_H_
#define VMAFX_METRICS_SPEED_STATISTICS_KERNEL_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/speed/eigenvalues.h"
#include "metrics/speed/entropy.h"
#include "metrics/speed/geometry.h"

namespace vmafx::speed {

// A team takes a plane from end to end. Every sum is one thread's, in the order of reference.cc, so
// what runs at once is elements, entries of matrices and blocks; many teams fill a device.
struct Statistics {
  static constexpr int kThreads = 256;
  static constexpr int kSquare = kElements * kElements;
  // Entries of the covariance are summed 2x2 to a thread; of the last row and column one of both
  // counts.
  static constexpr int kTilesAcross = (kElements + 1) / 2;
  static constexpr int kTiles = kTilesAcross * (kTilesAcross + 1) / 2;
  static constexpr int kSummingThreads = 96;
  // While these sum products of deviations at some places, the others make those at the next, a
  // group of threads for each row of the block.
  static constexpr int kPlaces = device::kGroup;
  static_assert(kTiles <= kSummingThreads && kSummingThreads + kBlock * device::kGroup == kThreads);
  // A matrix to reflect and, right of it, the product of the reflections.
  static constexpr int kColumns = 2 * kElements;

  template <template <class, int> class Array>
  struct Shared {
    Array<double, 2 * kPlaces * kElements> deviation;  // [turn][place][element]
    Array<float, kElements> mean;
    Array<float, kSquare> covariance;
    Array<float, kSquare> rest;  // what is not tridiagonal yet
    Array<float, kElements> diagonal;
    Array<float, kElements> beside;
    Array<float, kElements> v;
    Array<float, kElements> w;
    Array<float, kElements> tau;
    Array<float, 2 * kElements * kColumns> reflected;  // [turn][row][column]
    Array<float, kSquare> triangle;
  };

  Geometry geometry;
  float noise;
  const float* local_mean;
  int taps;                       // of local_mean
  PlaneView<const float> planes;  // below one another, as all that follows
  PlaneView<float> detail;
  float* entropy;
  float* variance;
  std::uint32_t* regular;

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    subtract_mean(team);
    means(team);
    covariance(team);
    tridiagonalize(team);
    auto& shared = team.shared();
    auto singular = team.template values<std::uint32_t>();
    team.each([&](int thread) {
      if (thread == 0) eigen::diagonalize(shared.diagonal, shared.beside, kElements);
    });
    team.each([&](int thread) {
      singular[thread] = thread < kElements && is_singular(shared.diagonal[thread]) ? 1 : 0;
    });
    // The same for all threads, as what follows an early return must be.
    bool good = team.max(singular) == 0;
    if (good) {
      reflect(team);
      team.each([&](int thread) {
        const bool bad = thread < kElements &&
                         is_singular(std::abs(static_cast<float>(shared.triangle[diag(thread)])));
        singular[thread] = bad ? 1 : 0;
      });
      good = team.max(singular) == 0;
    }
    if (good) {
      team.each([&](int thread) {
        for (int b = thread; b < geometry.blocks(); b += kThreads) {
          if (!block_statistics(team, b)) singular[thread] = 1;
        }
      });
      good = team.max(singular) == 0;
    }
    team.leader([&] { regular[team.block().z] = good ? 1 : 0; });
  }

  VMAFX_PORTABLE static bool is_singular(float value) {
    return static_cast<double>(value) < kSingular;
  }
  VMAFX_PORTABLE static int entry(int row, int column) { return row * kElements + column; }
  VMAFX_PORTABLE static int diag(int i) { return entry(i, i); }

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
        for (int x = thread % device::kGroup; x < geometry.decimated_width; x += device::kGroup)
          detail.row(top + y)[x] = planes.row(top + y)[x] - mean_around(x, y, top);
      }
    });
  }

  VMAFX_PORTABLE float mean_around(int x, int y, int top) const {
    float sum = 0;
    for (int k = 0; k < taps; ++k) {
      const int column = mirror(x + k - taps / 2, geometry.decimated_width);
      float down = 0;
      for (int l = 0; l < taps; ++l) {
        const int at = mirror(y + l - taps / 2, geometry.decimated_height);
        down += local_mean[l] * planes.row(top + at)[column];
      }
      sum += local_mean[k] * down;
    }
    return sum;
  }

  // A group of threads for each row of the block.
  template <class Team>
  VMAFX_PORTABLE void means(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int thread) {
      const int dx = thread % device::kGroup;
      const int dy = thread / device::kGroup;
      if (dx < kBlock && dy < kBlock)
        shared.mean[dy * kBlock + dx] =
            sum_of_places(row(team, dy) + dx) / static_cast<float>(geometry.places());
    });
  }

  // Loads run ahead of the sum. Those past the end of a row are +0, which changes no sum that began
  // with it.
  VMAFX_PORTABLE float sum_of_places(const float* first) const {
    constexpr int kBatch = 16;
    float ahead[kBatch];
    load_batch(first, 0, 0, ahead);
    float sum = 0;
    for (int y = 0, x = 0; y < geometry.places_down();) {
      float batch[kBatch];
      VMAFX_UNROLL
      for (int i = 0; i < kBatch; ++i) batch[i] = ahead[i];
      x += kBatch;
      if (x >= geometry.places_across()) {
        x = 0;
        ++y;
      }
      if (y < geometry.places_down()) load_batch(first, x, y, ahead);
      VMAFX_UNROLL
      for (int i = 0; i < kBatch; ++i) sum += batch[i];
    }
    return sum;
  }
  template <int batch>
  VMAFX_PORTABLE void load_batch(const float* first, int x, int y, float (&out)[batch]) const {
    const float* const at = first + y * detail.stride + x;
    VMAFX_UNROLL
    for (int i = 0; i < batch; ++i) out[i] = x + i < geometry.places_across() ? at[i] : 0;
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
      if (thread < kSummingThreads) {
        tiles[thread] = make_tile(thread < kTiles ? thread : kTiles - 1);
      } else {
        deviations(team, 0, thread - kSummingThreads);
      }
    });
    const int turns = device::teams_for(geometry.places(), kPlaces);
    for (int turn = 0; turn < turns; ++turn) {
      team.each([&](int thread) {
        if (thread < kSummingThreads) {
          add_products(shared, turn, tiles[thread]);
        } else if (turn + 1 < turns) {
          deviations(team, turn + 1, thread - kSummingThreads);
        }
      });
    }
    team.each([&](int thread) {
      if (thread < kTiles) store_tile(shared, tiles[thread]);
    });
  }

  // Of one row of the block at one place. Past the last place they are 0, which changes no sum that
  // began with +0.
  template <class Team>
  VMAFX_PORTABLE void deviations(Team& team, int turn, int thread) const {
    auto& shared = team.shared();
    const int dy = thread / device::kGroup;
    const int lane = thread % device::kGroup;
    const int place = turn * kPlaces + lane;
    const bool inside = place < geometry.places();
    const int y = inside ? place / geometry.places_across() : 0;
    const int x = inside ? place % geometry.places_across() : 0;
    const float* const at = row(team, y + dy) + x;
    const int first = (turn % 2 * kPlaces + lane) * kElements + dy * kBlock;
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

  template <class AnyShared>
  VMAFX_PORTABLE void store_tile(AnyShared& shared, const Tile& tile) const {
    VMAFX_UNROLL
    for (int k = 0; k < 4; ++k) {
      const int r = tile.row[0] + k / 2;
      const int c = tile.column[0] + k % 2;
      if (r >= kElements || c > r) continue;
      const auto value = static_cast<float>(tile.product[k / 2][k % 2] / geometry.places());
      shared.covariance[entry(r, c)] = value;
      shared.rest[entry(r, c)] = value;
      if (c == r) continue;
      shared.covariance[entry(c, r)] = value;
      shared.rest[entry(c, r)] = value;
    }
  }

  // Householder reflections, as in reference.cc. What many threads need and nobody may write while
  // they do, every thread computes for itself.
  template <class Team>
  VMAFX_PORTABLE void tridiagonalize(Team& team) const {
    auto& shared = team.shared();
    constexpr int n = kElements;
    for (int i = 0; i + 2 < n; ++i) {
      const int first = i + 1;
      team.each([&](int thread) {
        if (thread < n) make_reflection(shared, i, thread);
      });
      // 0 if there is nothing to reflect; else it is at least 1.
      const float tau = shared.tau[i];
      if (tau == 0) continue;
      team.each([&](int thread) {
        if (thread < first || thread >= n) return;
        float sum = 0;
        for (int c = first; c < n; ++c) sum += tau * shared.rest[entry(c, thread)] * shared.v[c];
        shared.w[thread] = sum;
      });
      team.each([&](int thread) {
        const float half = -0.5f * tau * product(shared, first);
        for (int at = thread; at < kSquare; at += kThreads) {
          const int r = at / n;
          const int c = at % n;
          if (r < first || c < first) continue;
          const float vr = shared.v[r];
          const float vc = shared.v[c];
          const float wr = shared.w[r] + half * vr;
          const float wc = shared.w[c] + half * vc;
          shared.rest[at] = shared.rest[at] - (wr * vc + vr * wc);
        }
      });
    }
    team.each([&](int thread) {
      if (thread >= n - 2 && thread < n) shared.diagonal[thread] = shared.rest[diag(thread)];
      if (thread == n - 2) shared.beside[thread] = shared.rest[entry(n - 1, n - 2)];
    });
  }

  template <class AnyShared>
  VMAFX_PORTABLE static float product(AnyShared& shared, int first) {
    float sum = 0;
    for (int r = first; r < kElements; ++r) sum += shared.w[r] * shared.v[r];
    return sum;
  }

  // Element `thread` of the vector whose reflection clears column i below the band.
  template <class AnyShared>
  VMAFX_PORTABLE static void make_reflection(AnyShared& shared, int i, int thread) {
    const int first = i + 1;
    float square = 0;
    for (int r = first + 1; r < kElements; ++r) {
      const float x = shared.rest[entry(r, i)];
      square += x * x;
    }
    const float below = std::sqrt(square);
    const float alpha = shared.rest[entry(first, i)];
    const float length = std::sqrt(alpha * alpha + below * below);
    const float beta = alpha >= 0 ? -length : length;
    if (thread == 0) {
      shared.diagonal[i] = shared.rest[diag(i)];
      shared.beside[i] = below == 0 ? alpha : beta;
      shared.tau[i] = below == 0 ? 0 : (beta - alpha) / beta;
    }
    if (thread == first) shared.v[thread] = 1;
    if (thread > first) shared.v[thread] = shared.rest[entry(thread, i)] / (alpha - beta);
  }

  // The transpose of Q and the upper triangle of R in covariance = Q R. Reflections are multiplied
  // out; each reads one of two buffers and writes the other one.
  template <class Team>
  VMAFX_PORTABLE void reflect(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int thread) {
      for (int at = thread; at < kSquare; at += kThreads) {
        const int r = at / kElements;
        const int c = at % kElements;
        shared.reflected[r * kColumns + c] = shared.covariance[at];
        shared.reflected[r * kColumns + kElements + c] = r == c ? 1 : 0;
      }
    });
    for (int step = 0; step + 1 < kElements; ++step) {
      const int from = step % 2 * kElements * kColumns;
      const int to = kElements * kColumns - from;
      team.each([&](int thread) {
        if (thread >= step && thread < kElements) make_unit_vector(shared, from, step, thread);
      });
      team.each([&](int thread) {
        for (int at = thread; at < kElements * kColumns; at += kThreads) {
          const int r = at / kColumns;
          const int c = at % kColumns;
          if (r >= step && c >= step)
            shared.reflected[to + at] = reflected(shared, from, step, r, c);
          if (r < step && c >= kElements)
            shared.reflected[to + at] = static_cast<float>(shared.reflected[from + at]);
        }
      });
    }
    team.each([&](int thread) {
      for (int at = thread; at < kSquare; at += kThreads) {
        const int r = at / kElements;
        const int c = at % kElements;
        if (c < r) continue;
        float sum = 0;
        for (int e = 0; e < kElements; ++e) sum += q(shared, r, e) * shared.covariance[entry(e, c)];
        shared.triangle[at] = sum;
      }
    });
  }

  // Of the transposed Q: an even number of reflections leaves it in the first buffer.
  template <class AnyShared>
  VMAFX_PORTABLE static float q(AnyShared& shared, int row, int column) {
    static_assert(kElements % 2 == 1);
    return shared.reflected[row * kColumns + kElements + column];
  }

  // Element `thread` of the vector whose reflection clears column `step` below the diagonal.
  template <class AnyShared>
  VMAFX_PORTABLE static void make_unit_vector(AnyShared& shared, int from, int step, int thread) {
    const auto column = [&](int r) -> float {
      return shared.reflected[from + r * kColumns + step];
    };
    float square = 0;
    for (int r = step; r < kElements; ++r) square += column(r) * column(r);
    const float first = column(step) + std::sqrt(square);
    square = first * first;
    for (int r = step + 1; r < kElements; ++r) square += column(r) * column(r);
    const float length = std::sqrt(square);
    shared.v[thread] = (thread == step ? first : column(thread)) / length;
  }

  template <class AnyShared>
  VMAFX_PORTABLE static float reflected(AnyShared& shared, int from, int step, int row,
                                        int column) {
    const float factor = -2 * shared.v[row];
    float sum = 0;
    for (int j = step; j < kElements; ++j) {
      const float product = factor * shared.v[j];
      sum += (row == j ? product + 1 : product) * shared.reflected[from + j * kColumns + column];
    }
    return sum;
  }

  // False if rounding made a nearly singular solution useless.
  template <class Team>
  VMAFX_PORTABLE bool block_statistics(Team& team, int block) const {
    auto& shared = team.shared();
    const int x = block % geometry.blocks_across * kBlock;
    const int y = block / geometry.blocks_across * kBlock;
    float element[kElements];
    VMAFX_UNROLL
    for (int e = 0; e < kElements; ++e) element[e] = row(team, y + e / kBlock)[x + e % kBlock];
    const float v = block_variance(shared, element);
    float sum = 0;
    for (int e = 0; e < kElements; ++e) sum = add_component(sum, shared.diagonal[e], v, noise);
    const int at = team.block().z * geometry.blocks() + block;
    entropy[at] = sum;
    variance[at] = v;
    return std::abs(sum) <= std::numeric_limits<float>::max() && v > -1;
  }

  // y' K^-1 y / 25 of a block y.
  template <class AnyShared>
  VMAFX_PORTABLE static float block_variance(AnyShared& shared, const float (&y)[kElements]) {
    float x[kElements] = {};  // of the rows that are solved, the last solved first
    // Not unrolled: else the matrices, which are the same for all blocks, would be held in
    // registers.
    VMAFX_NO_UNROLL
    for (int i = kElements - 1; i >= 0; --i) {
      float rest = 0;
      VMAFX_UNROLL
      for (int j = 0; j < kElements; ++j) rest += q(shared, i, j) * y[j];
      VMAFX_UNROLL
      for (int k = 0; k + 1 < kElements; ++k) {
        if (i + 1 + k < kElements) rest -= x[k] * shared.triangle[entry(i, i + 1 + k)];
      }
      VMAFX_UNROLL
      for (int k = kElements - 1; k > 0; --k) x[k] = x[k - 1];
      x[0] = rest / shared.triangle[diag(i)];
    }
    float sum = x[0] * y[0] / kElements;
    VMAFX_UNROLL
    for (int e = 1; e < kElements; ++e) sum += x[e] * y[e] / kElements;
    return sum;
  }
};

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_STATISTICS_KERNEL_H_
