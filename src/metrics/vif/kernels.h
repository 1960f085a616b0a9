// VIF on devices: one launch for each scale, which also makes the planes of the next one.
#ifndef VMAFX_METRICS_VIF_KERNELS_H_
#define VMAFX_METRICS_VIF_KERNELS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/vif/constants.h"
#include "metrics/vif/gain.h"
#include "metrics/vif/halves.h"

namespace vmafx::vif {

// Gain limits that one pass serves.
inline constexpr int kLimits = 4;

struct DeviceSums {
  std::uint64_t den_log;
  std::uint64_t den_non_log;
  std::uint64_t num_non_log;
  std::uint64_t num_log[kLimits];
};

// kLog2Excess in a form that is small enough for shared memory: over 8 neighbours it grows by one
// step at most. The entry of such a group holds 8 times the first one's value, plus how many of
// the group are behind the step: excess of mantissa m = (entry[m / 8] + m % 8) / 8.
inline constexpr int kLog2Groups = 4096;

// Planes have fewer than 2^32 samples, and their indices cost devices half of what pointers do.
template <class T>
VMAFX_PORTABLE T sample(const PlaneView<const T>& plane, int x, int y) {
  return plane.data[static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(plane.stride) +
                    static_cast<std::uint32_t>(x)];
}

// Both pictures, of up to kBits a sample. The reference is in the lower half of a word.
template <class Sample, int kBits>
struct PicturePair {
  static constexpr int kSampleBits = kBits;
  PlaneView<const Sample> reference;
  PlaneView<const Sample> distorted;

  VMAFX_PORTABLE int width() const { return reference.width; }
  VMAFX_PORTABLE int height() const { return reference.height; }
  VMAFX_PORTABLE std::uint32_t word(int x, int y) const {
    return sample(reference, x, y) | std::uint32_t{sample(distorted, x, y)} << 16;
  }
};

// Decimated pictures, already in words.
struct WordPlane {
  static constexpr int kSampleBits = 16;
  PlaneView<const std::uint32_t> plane;

  VMAFX_PORTABLE int width() const { return plane.width; }
  VMAFX_PORTABLE int height() const { return plane.height; }
  VMAFX_PORTABLE std::uint32_t word(int x, int y) const { return sample(plane, x, y); }
};

// Exactly: below the exponent of 2^52 an integer is its lowest bits.
VMAFX_PORTABLE double to_double(std::uint32_t value) {
  return std::bit_cast<double>(std::uint64_t{0x43300000} << 32 | value) - 4503599627370496.0;
}

// A team takes a tile of kWidth x kRows samples. Each thread filters down a column of the tile or
// of its halo, then along rows for kRun samples at a time: lines that are read four words at once.
template <int kScale, class Source>
struct MeasureScale {
  static constexpr int kThreads = kScale < 2 ? 256 : 128;
  static constexpr int kRows = kScale < 2 ? 8 : 4;
  static constexpr int kReach = kRadius[kScale];
  static constexpr int kGroups = kThreads / device::kGroup;
  static constexpr int kRun = 4;
  static constexpr int kColumns = kThreads;
  static constexpr int kWidth = (kColumns - 2 * kReach) / kRun * kRun;
  static constexpr int kRunsInRow = kWidth / kRun;
  static constexpr int kBits = Source::kSampleBits;
  static constexpr bool kHasNext = kScale + 1 < kScales;
  static constexpr int kNext = kHasNext ? kScale + 1 : kScale;
  static constexpr int kNextReach = kRadius[kNext];

  template <template <class, int> class Array>
  struct alignas(16) Shared {
    Array<std::uint16_t, kLog2Groups> log2_groups;
    Array<std::uint64_t, 4 * kGroups> sums;
    Array<std::uint32_t, kColumns * kRows> means;
    Array<std::uint32_t, kColumns * kRows> square_r;
    Array<std::uint32_t, kColumns * kRows> square_d;
    Array<std::uint32_t, kColumns * kRows> product;
    Array<std::uint32_t, kHasNext ? kColumns * kRows / 2 : 1> next;
  };

  static constexpr int kChunk = 8;
  struct alignas(16) Chunk {
    std::uint16_t group[kChunk];
  };

  Source source;
  PlaneView<std::uint32_t> next;
  int depth;
  bool statistics;
  int limits;
  double gain_limit[kLimits];
  const Chunk* log2_groups;
  DeviceSums* sums;

  static device::Grid grid(const Source& source) {
    return {device::teams_for(source.width(), kWidth), device::teams_for(source.height(), kRows),
            1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int left = team.block().x * kWidth;
    const int top = team.block().y * kRows;
    team.each([&](int thread) {
      VMAFX_UNROLL
      for (int i = 0; i < kLog2Groups; i += kChunk * kThreads)
        copy_chunk(shared, i / kChunk + thread);
      filter_column(shared, thread, left, top);
    });
    auto den = team.template values<std::uint64_t>();
    auto non_log = team.template values<std::uint64_t>();
    auto num = team.template values<std::uint64_t>();
    auto more_num = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      if constexpr (kHasNext) {
        for (int i = thread; i < kRunsInRow * kRows / 2; i += kThreads)
          decimate(shared, i % kRunsInRow * kRun, i / kRunsInRow, left, top);
      }
      if (!statistics) return;
      Totals totals;
      for (int i = thread; i < kRunsInRow * kRows; i += kThreads)
        measure_run(shared, i % kRunsInRow * kRun, i / kRunsInRow, left, top, totals);
      // No sum of a team needs more than 32 bits, but for the variances.
      den[thread] = two_words(totals.den_log, totals.den_non_log);
      non_log[thread] = totals.num_non_log;
      num[thread] = two_words(totals.num_log[0], totals.num_log[1]);
      more_num[thread] = two_words(totals.num_log[2], totals.num_log[3]);
    });
    if (!statistics) return;
    team.sum32(den);
    team.sum32(non_log);
    team.sum32(num);
    if (limits > 2) team.sum32(more_num);
    team.each([&](int thread) {
      if (thread % device::kGroup != 0) return;
      const int group = thread / device::kGroup;
      shared.sums[group] = den[thread];
      shared.sums[kGroups + group] = non_log[thread];
      shared.sums[2 * kGroups + group] = num[thread];
      shared.sums[3 * kGroups + group] = more_num[thread];
    });
    team.leader([&] {
      add_halves(team, total(shared, 0), &sums->den_log, &sums->den_non_log);
      team.add(&sums->num_non_log, total(shared, 1));
      add_halves(team, total(shared, 2), &sums->num_log[0], &sums->num_log[1]);
      if (limits > 2) add_halves(team, total(shared, 3), &sums->num_log[2], &sums->num_log[3]);
    });
  }

 private:
  struct Totals {
    std::uint32_t den_log = 0;
    std::uint32_t den_non_log = 0;
    std::uint64_t num_non_log = 0;
    std::uint32_t num_log[kLimits] = {};
  };

  static VMAFX_PORTABLE std::uint64_t two_words(std::uint32_t low, std::uint32_t high) {
    return low | static_cast<std::uint64_t>(high) << 32;
  }
  template <class Team>
  static VMAFX_PORTABLE void add_halves(Team& team, std::uint64_t sum, std::uint64_t* low,
                                        std::uint64_t* high) {
    team.add(low, sum & 0xffffffff);
    team.add(high, sum >> 32);
  }
  template <class Shared>
  static VMAFX_PORTABLE std::uint64_t total(Shared& shared, int which) {
    std::uint64_t sum = 0;
    VMAFX_UNROLL
    for (int i = 0; i < kGroups; ++i) sum += shared.sums[which * kGroups + i];
    return sum;
  }

  VMAFX_PORTABLE int to_mean() const { return mean_shift(kScale, kBits == 8 ? 8 : depth); }
  VMAFX_PORTABLE int to_square() const { return square_shift(kScale, kBits == 8 ? 8 : depth); }

  template <class Shared>
  VMAFX_PORTABLE void filter_column(Shared& shared, int column, int left, int top) const {
    constexpr int kWindow = kRows + 2 * kReach;
    std::uint32_t words[kWindow];
    load_column(left + column - kReach, top - kReach, words);
    std::uint32_t upper[kWindow];
    VMAFX_UNROLL
    for (int i = 0; i < kWindow; ++i) upper[i] = words[i] >> 16;
    if constexpr (kHasNext) {
      constexpr int kFirst = kReach - kNextReach;
      VMAFX_UNROLL
      for (int i = 0; i < kRows; i += 2)
        shared.next[i / 2 * kColumns + column] =
            round_means(filter_halves<kNext>(words + kFirst + i, upper + kFirst + i), to_mean());
    }
    if (!statistics) return;
    VMAFX_UNROLL
    for (int i = 0; i < kRows; ++i)
      shared.means[i * kColumns + column] =
          round_means(filter_halves<kScale>(words + i, upper + i), to_mean());
    filter_products(shared.square_r, column, [&](int i) {
      const std::uint32_t r = words[i] & 0xffff;
      return r * r;
    });
    filter_products(shared.square_d, column, [&](int i) { return upper[i] * upper[i]; });
    filter_products(shared.product, column, [&](int i) { return (words[i] & 0xffff) * upper[i]; });
  }

  template <class Shared>
  VMAFX_PORTABLE void copy_chunk(Shared& shared, int index) const {
    const Chunk chunk = log2_groups[index];
    VMAFX_UNROLL
    for (int i = 0; i < kChunk; ++i) shared.log2_groups[kChunk * index + i] = chunk.group[i];
  }

  template <int kWindow>
  VMAFX_PORTABLE void load_column(int x, int top, std::uint32_t (&words)[kWindow]) const {
    x = mirror_any(x, source.width());
    if (top >= 0 && top + kWindow <= source.height()) {
      VMAFX_UNROLL
      for (int i = 0; i < kWindow; ++i) words[i] = source.word(x, top + i);
    } else {
      VMAFX_UNROLL
      for (int i = 0; i < kWindow; ++i)
        words[i] = source.word(x, mirror_any(top + i, source.height()));
    }
  }
  // mirror(), and any sample for indices that are too large: nothing is made of them.
  static VMAFX_PORTABLE int mirror_any(int index, int size) {
    const int magnitude = std::abs(index);
    return std::max(std::min(magnitude, 2 * size - 2 - magnitude), 0);
  }

  template <class Line, class Product>
  VMAFX_PORTABLE void filter_products(Line& line, int column, const Product& product) const {
    constexpr int kWindow = kRows + 2 * kReach;
    std::uint32_t products[kWindow];
    VMAFX_UNROLL
    for (int i = 0; i < kWindow; ++i) products[i] = product(i);
    std::uint32_t upper[kWindow];
    VMAFX_UNROLL
    for (int i = 0; i < kWindow; ++i) upper[i] = products[i] >> 16;
    VMAFX_UNROLL
    for (int i = 0; i < kRows; ++i) {
      std::uint32_t square;
      if constexpr (kBits == 8)
        square = filter<kScale>(products + i);
      else if constexpr (kBits < 16)
        square = join(filter_small<kScale>(products + i), to_square());
      else
        square = join(filter_halves<kScale>(products + i, upper + i), to_square());
      line[i * kColumns + column] = square;
    }
  }

  // f(i, Halves) for kCount windows of a line, kStep apart.
  template <int kWindowScale, int kCount, int kStep, class Line, class F>
  static VMAFX_PORTABLE void filter_line(Line& line, int first, const F& f) {
    constexpr int kWindow = (kCount - 1) * kStep + 2 * kRadius[kWindowScale] + 1;
    std::uint32_t words[kWindow];
    std::uint32_t upper[kWindow];
    VMAFX_UNROLL
    for (int i = 0; i < kWindow; ++i) {
      words[i] = line[first + i];
      upper[i] = words[i] >> 16;
    }
    VMAFX_UNROLL
    for (int i = 0; i < kCount; ++i)
      f(i, filter_halves<kWindowScale>(words + i * kStep, upper + i * kStep));
  }

  // Two samples of the next scale, from column x of the tile on.
  template <class Shared>
  VMAFX_PORTABLE void decimate(Shared& shared, int x, int row, int left, int top) const {
    const int next_x = (left + x) / 2;
    const int next_y = top / 2 + row;
    if (next_x >= next.width || next_y >= next.height) return;
    filter_line<kNext, 2, 2>(shared.next, row * kColumns + x + kReach - kNextReach,
                             [&](int i, Halves sum) {
                               if (next_x + i < next.width)
                                 next.row(next_y)[next_x + i] = round_means(sum, 16);
                             });
  }

  template <class Shared>
  VMAFX_PORTABLE void measure_run(Shared& shared, int x, int row, int left, int top,
                                  Totals& totals) const {
    if (left + x >= source.width() || top + row >= source.height()) return;
    const int first = row * kColumns + x;
    std::uint32_t variance_r[kRun];
    std::uint32_t variance_d[kRun];
    std::uint32_t covariance[kRun];
    filter_line<kScale, kRun, 1>(shared.means, first, [&](int i, Halves mean) {
      variance_r[i] = 0u - multiply_means(mean.low, mean.low);
      variance_d[i] = 0u - multiply_means(mean.high, mean.high);
      covariance[i] = 0u - multiply_means(mean.low, mean.high);
    });
    filter_line<kScale, kRun, 1>(shared.square_r, first,
                                 [&](int i, Halves sum) { variance_r[i] += join(sum, 16); });
    filter_line<kScale, kRun, 1>(shared.square_d, first,
                                 [&](int i, Halves sum) { variance_d[i] += join(sum, 16); });
    filter_line<kScale, kRun, 1>(shared.product, first,
                                 [&](int i, Halves sum) { covariance[i] += join(sum, 16); });
    VMAFX_UNROLL
    for (int i = 0; i < kRun; ++i) {
      if (left + x + i < source.width())
        accumulate(shared, static_cast<std::int32_t>(variance_r[i]),
                   std::max(static_cast<std::int32_t>(variance_d[i]), 0),
                   static_cast<std::int32_t>(covariance[i]), totals);
    }
  }

  // log2_fixed() of a positive integer, given its double, and with the exponent's bias.
  template <class Shared>
  static VMAFX_PORTABLE std::uint32_t biased_log2(Shared& shared, double value) {
    const auto upper = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32);
    const std::uint32_t entry = shared.log2_groups[static_cast<int>(upper >> 8 & 0xfff)];
    return (upper >> 9) + ((entry + (upper >> 5 & 7)) >> 3);
  }
  static constexpr std::uint32_t kLog2OfNoise = (1023 + 17) * 2048;
  static_assert(kNoise == 1 << 17);

  template <class Shared>
  VMAFX_PORTABLE void accumulate(Shared& shared, std::int32_t variance_r, std::int32_t variance_d,
                                 std::int32_t covariance, Totals& totals) const {
    if (variance_r < kNoise) {
      totals.num_non_log += static_cast<std::uint32_t>(variance_d);
      totals.den_non_log += 1;
      return;
    }
    const double r = to_double(static_cast<std::uint32_t>(variance_r));
    totals.den_log += biased_log2(shared, r + kNoise) - kLog2OfNoise;
    if (covariance > 0 && variance_d > 0)
      keep_information(shared, r, to_double(static_cast<std::uint32_t>(variance_d)),
                       to_double(static_cast<std::uint32_t>(covariance)), totals);
  }

  // Variances are near 2^30 at most, a quarter of the square of the peak, and so is what the gain
  // explains: 32 bits hold what the definition keeps in 64.
  template <class Shared>
  VMAFX_PORTABLE void keep_information(Shared& shared, double variance_r, double variance_d,
                                       double covariance, Totals& totals) const {
    const double g = gain(variance_r, covariance);
    const auto rest = static_cast<std::int32_t>(unexplained(variance_d, covariance, g));
    const double noise = to_double(static_cast<std::uint32_t>(std::max(rest, 0) + kNoise));
    const std::uint32_t log_noise = biased_log2(shared, noise);
    VMAFX_UNROLL
    for (int i = 0; i < kLimits; ++i) {
      if (i >= limits) break;
      const double kept = explained(variance_r, std::min(g, gain_limit[i]));
      const double signal = to_double(static_cast<std::uint32_t>(kept));
      totals.num_log[i] += biased_log2(shared, signal + noise) - log_noise;
    }
  }
};

using Kernels =
    device::KernelList<MeasureScale<0, PicturePair<std::uint8_t, 8>>,
                       MeasureScale<0, PicturePair<std::uint16_t, 15>>,
                       MeasureScale<0, PicturePair<std::uint16_t, 16>>, MeasureScale<1, WordPlane>,
                       MeasureScale<2, WordPlane>, MeasureScale<3, WordPlane>>;

}  // namespace vmafx::vif

#endif  // VMAFX_METRICS_VIF_KERNELS_H_
