// ADM for devices. A launch for each scale goes from samples, or from the low band of the scale
// before, to the sums of the rows; of what lies between only the low band is stored. A last launch
// rounds and adds the rows of all scales.
#ifndef VMAFX_METRICS_ADM_KERNELS_H_
#define VMAFX_METRICS_ADM_KERNELS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/adm/block_wavelet.h"
#include "metrics/adm/coefficient.h"
#include "metrics/adm/plan.h"

namespace vmafx::adm {

// Sums of a row, as in the record: of each band in turn its original, restored and additive sum.
inline constexpr int kRowSums = 3 * kBands;

// What depends on the variant at one scale.
struct Masking {
  double gain_limit;
  std::int32_t whole_gain;   // the same if it is a whole number, else 0
  std::int32_t whole_limit;  // times whole_gain it fits 32 bits, and is beyond every coefficient
  std::uint32_t weight[kBands];
  bool measured;
  bool additive;
};

// ---- From coefficients to what masks and is masked ----

// The outcome of same_direction(), in float where rounding cannot change it.
template <int scale>
VMAFX_PORTABLE bool is_same_direction(const Detail& original, const Detail& test) {
  const auto dot = [](const Detail& a, const Detail& b) {
    if constexpr (scale == 0) {
      return static_cast<float>(a[0] * b[0] + a[1] * b[1]);
    } else {
      return static_cast<float>(a[0]) * static_cast<float>(b[0]) +
             static_cast<float>(a[1]) * static_cast<float>(b[1]);
    }
  };
  const float product = dot(original, test);
  const float left = product * product;
  const float right = kCosSquared * dot(original, original) * dot(test, test);
  const float difference = left - right;
  // Each side has fewer than ten roundings of 2^-24.
  const float margin = right * 0x1p-19f;
  if ((difference < 0 ? -difference : difference) < margin) return same_direction(original, test);
  return product >= 0 && difference >= 0;
}

// The value, or as near to it as lies between 0 and bound.
constexpr std::int32_t between_zero_and(std::int32_t bound, std::int32_t value) {
  return std::max(std::min(value, std::max(bound, 0)), std::min(bound, 0));
}

// kept_part() of each band.
template <int scale>
VMAFX_PORTABLE Detail kept_detail(const Detail& original, const Detail& test) {
  // Below, kept_fraction() loses nothing that is not rounded back.
  constexpr std::uint32_t kLossless = 1 << 14;
  Detail kept = {};
  if constexpr (scale == 0) {
    // Larger ones are rare.
    const bool lossless = (magnitude(original.band[0]) | magnitude(original.band[1]) |
                           magnitude(original.band[2])) < kLossless;
    VMAFX_UNROLL
    for (int band = 0; band < kBands; ++band)
      kept.band[band] = between_zero_and(original.band[band], test.band[band]);
    if (lossless) return kept;
    for (int band = 0; band < kBands; ++band)
      kept.band[band] = kept_part(original.band[band], test.band[band]);
  } else {
    VMAFX_UNROLL
    for (int band = 0; band < kBands; ++band) {
      const std::int32_t o = original.band[band];
      const std::int32_t t = test.band[band];
      const std::uint32_t size = magnitude(o);
      const std::int64_t fraction = kept_fraction(std::max(size, kLossless), magnitude(t));
      const auto part = static_cast<std::int32_t>((fraction * o + 16384) >> 15);
      kept.band[band] = size < kLossless ? between_zero_and(o, t) : (o ^ t) < 0 ? 0 : part;
    }
  }
  return kept;
}

// The detail times the gain limit, or something beyond every coefficient.
template <int scale>
VMAFX_PORTABLE Detail enhanced(const Detail& kept, const Masking& masking) {
  Detail enhanced = {};
  if (masking.whole_gain > 0) {
    const std::int32_t limit = masking.whole_limit;
    VMAFX_UNROLL
    for (int band = 0; band < kBands; ++band) {
      // Coefficients of scale 0 are too small for the limit.
      const std::int32_t k =
          scale == 0 ? kept.band[band] : std::max(std::min(kept.band[band], limit), -limit);
      enhanced.band[band] = k * masking.whole_gain;
    }
  } else {
    constexpr double kLargest = 2147483647;
    VMAFX_UNROLL
    for (int band = 0; band < kBands; ++band) {
      const double product = kept.band[band] * masking.gain_limit;
      enhanced.band[band] =
          static_cast<std::int32_t>(std::max(std::min(product, kLargest), -kLargest));
    }
  }
  return enhanced;
}

// restored() of each band.
template <int scale>
VMAFX_PORTABLE Detail restored_detail(const Detail& original, const Detail& test,
                                      const Masking& masking) {
  const bool same = is_same_direction<scale>(original, test);
  Detail restored = kept_detail<scale>(original, test);
  const Detail bound = enhanced<scale>(restored, masking);
  VMAFX_UNROLL
  for (int band = 0; band < kBands; ++band) {
    if (same) restored.band[band] = between_zero_and(bound.band[band], test.band[band]);
  }
  return restored;
}

// Taps over all bands: what the masker adds to its neighbours' thresholds, or to its own.
struct Taps {
  std::int32_t restored;
  std::int32_t additive;
};

// What a thread keeps of the restored and the additive part of a band: their excitations, or at
// scale 0, so that they take one register, their magnitudes of up to 16 bits.
template <int scale>
struct Excitation {
  std::uint32_t restored_part;
  std::uint32_t additive_part;

  static constexpr Excitation of(std::int32_t restored, std::int32_t additive, std::uint32_t weight,
                                 int band) {
    return {Scale123::excitation(restored, weight, band),
            Scale123::excitation(additive, weight, band)};
  }
  constexpr std::uint32_t restored(std::uint32_t /*weight*/, int /*band*/) const {
    return restored_part;
  }
  constexpr std::uint32_t additive(std::uint32_t /*weight*/, int /*band*/) const {
    return additive_part;
  }
};
template <>
struct Excitation<0> {
  std::uint32_t magnitudes;

  static constexpr Excitation of(std::int32_t restored, std::int32_t additive,
                                 std::uint32_t /*weight*/, int /*band*/) {
    return {magnitude(restored) | magnitude(additive) << 16};
  }
  constexpr std::uint32_t restored(std::uint32_t weight, int band) const {
    return Scale0::excitation(static_cast<std::int32_t>(magnitudes & 0xffff), weight, band);
  }
  constexpr std::uint32_t additive(std::uint32_t weight, int band) const {
    return Scale0::excitation(static_cast<std::int32_t>(magnitudes >> 16), weight, band);
  }
};

// One place, split.
template <int scale>
struct Split {
  Excitation<scale> excitation[kBands];
  Taps neighbour;
  Taps centre;
};

template <int scale>
VMAFX_PORTABLE Split<scale> split_of(const Detail& original, const Detail& test,
                                     const Masking& masking) {
  using Arithmetic = std::conditional_t<scale == 0, Scale0, Scale123>;
  const Detail restored_bands = restored_detail<scale>(original, test, masking);
  Split<scale> split = {};
  VMAFX_UNROLL
  for (int band = 0; band < kBands; ++band) {
    const std::uint32_t weight = masking.weight[band];
    const std::int32_t restored = restored_bands.band[band];
    const std::int32_t additive = test.band[band] - restored;
    const std::int32_t weighted_restored = Arithmetic::weighted(restored, weight, band);
    const std::int32_t weighted_additive = Arithmetic::weighted(additive, weight, band);
    split.excitation[band] = Excitation<scale>::of(restored, additive, weight, band);
    split.neighbour.restored += Arithmetic::neighbour_tap(weighted_restored);
    split.neighbour.additive += Arithmetic::neighbour_tap(weighted_additive);
    split.centre.restored += Arithmetic::centre_tap(weighted_restored);
    split.centre.additive += Arithmetic::centre_tap(weighted_additive);
  }
  return split;
}

// ---- A scale ----

// A team takes tiles side by side, one after the other. A thread transforms and splits a block of
// places of the tile, leaves the taps to its neighbours and sums its places with those that it
// gets. The outermost places of a tile are there for their taps only; other teams have them inside.
template <class Input, int scale>
struct ScaleSums {
  // The last two scales have few places, which are better shared by more threads.
  static constexpr int kBlock = scale < 2 ? 2 : 1;  // places in a row and in a column
  static constexpr int kThreads = scale < 2 ? 256 : 512;
  static constexpr int kTeamsAtOnce = scale < 2 ? 2 : 1;
  static constexpr int kTiles = scale == 0 ? 4 : 1;  // of a team
  static constexpr int kWidth = device::kGroup * kBlock;
  static constexpr int kHeight = kThreads / device::kGroup * kBlock;
  static constexpr int kInnerWidth = kWidth - 2;
  static constexpr int kInnerHeight = kHeight - 2;
  static constexpr int kTapWords = kWidth * kHeight;
  static constexpr int kSumWords = kThreads / device::kGroup * kRowSums * (device::kGroup + 1);
  template <template <class, int> class Array>
  struct Shared {
    // The neighbours' taps, packed; in the end the threads' sums.
    Array<std::uint64_t, std::max(kTapWords, kSumWords)> words;
  };
  using Low = std::conditional_t<scale == 0, std::int16_t, std::int32_t>;
  using Arithmetic = std::conditional_t<scale == 0, Scale0, Scale123>;
  using Wavelet = BlockWavelet<Input, scale, kBlock, kBlock>;

  PlaneView<const Input> original;
  PlaneView<const Input> test;
  PlaneView<Low> original_low;  // not of the last scale
  PlaneView<Low> test_low;
  int width;  // of a band
  int height;
  Extent needed;  // of any band
  Extent detail;  // of the others than low
  Extent summed;
  int depth;
  int original_shift;  // of a term
  int masked_shift[kBands];
  const Masking* masking;   // [variant][scale]
  std::uint64_t* row_sums;  // [variant][team in the row][sum][row of `summed`]

  static int teams_in_row(const Extent& needed) {
    return device::teams_for(needed.columns.size(), kInnerWidth * kTiles);
  }
  device::Grid grid(int variants) const {
    return {teams_in_row(needed), device::teams_for(needed.rows.size(), kInnerHeight), variants};
  }

  // Where a tile is in the bands, and what is wanted of it.
  struct Tile {
    int left;
    int top;
    bool makes_low;
    Masking masking;
  };
  // A place in its tile and in the bands.
  struct Place {
    int tile_x;
    int tile_y;
    int x;
    int y;

    VMAFX_PORTABLE bool is_in(const Extent& extent) const {
      return x >= extent.columns.begin && x < extent.columns.end && y >= extent.rows.begin &&
             y < extent.rows.end;
    }
    VMAFX_PORTABLE bool is_inside_tile() const {
      return tile_x > 0 && tile_x <= kInnerWidth && tile_y > 0 && tile_y <= kInnerHeight;
    }
  };
  // What a thread keeps: of a tile until the neighbours' taps are there, and of all its tiles.
  struct Kept {
    Split<scale> split[kBlock][kBlock];
    std::uint64_t sums[kBlock][kRowSums];
  };

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const Masking mine = masking[team.block().z * kScales + scale];
    const bool makes_low = scale < kScales - 1 && team.block().z == 0;
    if (!makes_low && !mine.measured) return;

    const int top = needed.rows.begin - 1 + team.block().y * kInnerHeight;
    auto kept = team.template values<Kept>();
    for (int i = 0; i < kTiles; ++i) {
      const int left = needed.columns.begin - 1 + (team.block().x * kTiles + i) * kInnerWidth;
      if (left + 1 >= needed.columns.end) break;
      const Tile tile = {left, top, makes_low, mine};
      team.each([&](int thread) { split_block(team, tile, thread, kept[thread]); });
      team.each([&](int thread) {
        if (mine.measured) sum_block(team, tile, thread, kept[thread]);
      });
    }
    if (mine.measured) store_sums(team, top, kept);
  }

  // The place in column x and row y of a thread's block.
  static VMAFX_PORTABLE Place place(const Tile& tile, int thread, int x, int y) {
    const int tile_x = thread % device::kGroup * kBlock + x;
    const int tile_y = thread / device::kGroup * kBlock + y;
    return {tile_x, tile_y, tile.left + tile_x, tile.top + tile_y};
  }
  // Neighbouring threads find the same column of their blocks side by side.
  static constexpr int slot(int tile_x, int tile_y) {
    return tile_y * kWidth + tile_x % kBlock * device::kGroup + tile_x / kBlock;
  }

  template <class Team>
  VMAFX_PORTABLE void split_block(Team& team, const Tile& tile, int thread, Kept& kept) const {
    const Place first = place(tile, thread, 0, 0);
    typename Wavelet::Result o = {};
    typename Wavelet::Result t = {};
    if (touches(first, needed)) {
      o = Wavelet::transform(original, first.x, first.y, depth);
      t = Wavelet::transform(test, first.x, first.y, depth);
      if (tile.makes_low) store_low(tile, thread, o, t);
    }
    if (!tile.masking.measured) return;
    // Beyond the detail that is needed are taps of places that nobody sums.
    const bool has_detail = touches(first, detail);
    VMAFX_UNROLL
    for (int x = 0; x < kBlock; ++x) {
      const bool counts = is_summed_column(place(tile, thread, x, 0));
      VMAFX_UNROLL
      for (int y = 0; y < kBlock; ++y) {
        Split<scale> split = {};
        if (has_detail) split = split_of<scale>(o.at[y][x].detail, t.at[y][x].detail, tile.masking);
        if (counts) add_originals(o.at[y][x].detail, kept.sums[y]);
        const Place here = place(tile, thread, x, y);
        team.shared().words[slot(here.tile_x, here.tile_y)] = packed(split.neighbour);
        kept.split[y][x] = split;
      }
    }
  }

  // Whether any place of the block that begins there is in the extent.
  static VMAFX_PORTABLE bool touches(const Place& first, const Extent& extent) {
    return first.x + kBlock > extent.columns.begin && first.x < extent.columns.end &&
           first.y + kBlock > extent.rows.begin && first.y < extent.rows.end;
  }
  // Rows that are not summed are dropped in the end.
  VMAFX_PORTABLE bool is_summed_column(const Place& here) const {
    return here.tile_x > 0 && here.tile_x <= kInnerWidth && here.x >= summed.columns.begin &&
           here.x < summed.columns.end;
  }

  VMAFX_PORTABLE void store_low(const Tile& tile, int thread, const typename Wavelet::Result& o,
                                const typename Wavelet::Result& t) const {
    VMAFX_UNROLL
    for (int y = 0; y < kBlock; ++y) {
      VMAFX_UNROLL
      for (int x = 0; x < kBlock; ++x) {
        const Place here = place(tile, thread, x, y);
        if (!here.is_inside_tile() || !here.is_in(needed)) continue;
        original_low.row(here.y)[here.x] = static_cast<Low>(o.at[y][x].low);
        test_low.row(here.y)[here.x] = static_cast<Low>(t.at[y][x].low);
      }
    }
  }

  VMAFX_PORTABLE void add_originals(const Detail& original_detail,
                                    std::uint64_t (&sums)[kRowSums]) const {
    VMAFX_UNROLL
    for (int band = 0; band < kBands; ++band)
      sums[3 * band] +=
          Arithmetic::original_term(original_detail.band[band], scale, original_shift);
  }

  template <class Team>
  VMAFX_PORTABLE void sum_block(Team& team, const Tile& tile, int thread, Kept& kept) const {
    const Neighbourhood around = neighbourhood(team, tile, thread);
    VMAFX_UNROLL
    for (int x = 0; x < kBlock; ++x) {
      if (!is_summed_column(place(tile, thread, x, 0))) continue;
      VMAFX_UNROLL
      for (int y = 0; y < kBlock; ++y) {
        const Split<scale>& split = kept.split[y][x];
        Taps threshold = split.centre;
        VMAFX_UNROLL
        for (int i = 0; i < 9; ++i) {
          if (i == 4) continue;
          threshold.restored += around.taps[y + i / 3][x + i % 3].restored;
          threshold.additive += around.taps[y + i / 3][x + i % 3].additive;
        }
        // Restored detail is masked by the additive, and the other way around.
        std::uint32_t restored[kBands];
        std::uint32_t additive[kBands];
        VMAFX_UNROLL
        for (int band = 0; band < kBands; ++band) {
          restored[band] = split.excitation[band].restored(tile.masking.weight[band], band);
          additive[band] = split.excitation[band].additive(tile.masking.weight[band], band);
        }
        add_masked(restored, threshold.additive, 1, kept.sums[y]);
        if (tile.masking.additive) add_masked(additive, threshold.restored, 2, kept.sums[y]);
      }
    }
  }

  struct Neighbourhood {
    Taps taps[kBlock + 2][kBlock + 2];
  };
  // The block and the places around it.
  template <class Team>
  VMAFX_PORTABLE Neighbourhood neighbourhood(Team& team, const Tile& tile, int thread) const {
    const Place first = place(tile, thread, 0, 0);
    int tile_x[kBlock + 2];
    int tile_y[kBlock + 2];
    // Beyond the tile only for places that are not summed.
    VMAFX_UNROLL
    for (int i = 0; i < kBlock + 2; ++i) {
      tile_x[i] = std::clamp(first.tile_x + i - 1, 0, kWidth - 1);
      tile_y[i] = std::clamp(first.tile_y + i - 1, 0, kHeight - 1);
    }
    // Only small bands are summed to their borders.
    if (summed.columns.begin == 0 || summed.rows.begin == 0) {
      VMAFX_UNROLL
      for (int i = 0; i < kBlock + 2; ++i) {
        tile_x[i] = std::clamp(reflect(first.x + i - 1, width) - tile.left, 0, kWidth - 1);
        tile_y[i] = std::clamp(reflect(first.y + i - 1, height) - tile.top, 0, kHeight - 1);
      }
    }
    Neighbourhood around;
    VMAFX_UNROLL
    for (int y = 0; y < kBlock + 2; ++y) {
      VMAFX_UNROLL
      for (int x = 0; x < kBlock + 2; ++x)
        around.taps[y][x] = unpacked(team.shared().words[slot(tile_x[x], tile_y[y])]);
    }
    return around;
  }

  static constexpr std::uint64_t packed(const Taps& taps) {
    return std::uint64_t{static_cast<std::uint32_t>(taps.additive)} << 32 |
           static_cast<std::uint32_t>(taps.restored);
  }
  static constexpr Taps unpacked(std::uint64_t word) {
    return {static_cast<std::int32_t>(word), static_cast<std::int32_t>(word >> 32)};
  }

  // Adds what of a signal stands out of the threshold to the sums `part` of each band.
  VMAFX_PORTABLE void add_masked(const std::uint32_t (&excitation)[kBands], std::int32_t threshold,
                                 int part, std::uint64_t (&sums)[kRowSums]) const {
    std::uint32_t above[kBands];
    VMAFX_UNROLL
    for (int band = 0; band < kBands; ++band)
      above[band] = above_threshold(excitation[band], threshold, Arithmetic::threshold_shift(band));
    if (std::max(std::max(above[0], above[1]), above[2]) < kLeastAbove) return;
    VMAFX_UNROLL
    for (int band = 0; band < kBands; ++band)
      sums[3 * band + part] +=
          masked_cube(above[band], Arithmetic::square_shift(band), masked_shift[band]);
  }

  // The threads of a group have the same rows: each leaves its sums, then some of them add.
  template <class Team, class Values>
  VMAFX_PORTABLE void store_sums(Team& team, int top, Values& kept) const {
    const int team_of_all = team.block().z * team.blocks().x + team.block().x;
    std::uint64_t* const out =
        row_sums + std::ptrdiff_t{team_of_all} * kRowSums * summed.rows.size();
    VMAFX_UNROLL
    for (int y = 0; y < kBlock; ++y) {
      team.each([&](int thread) {
        VMAFX_UNROLL
        for (int k = 0; k < kRowSums; ++k)
          team.shared().words[sum_slot(thread / device::kGroup, k) + thread % device::kGroup] =
              kept[thread].sums[y][k];
      });
      team.each([&](int thread) {
        const int group = thread / device::kGroup;
        const int k = thread % device::kGroup;
        const int tile_y = group * kBlock + y;
        const int row = top + tile_y - summed.rows.begin;
        if (k >= kRowSums || tile_y == 0 || tile_y > kInnerHeight || row < 0 ||
            row >= summed.rows.size())
          return;
        std::uint64_t sum = 0;
        VMAFX_UNROLL
        for (int i = 0; i < device::kGroup; ++i)
          sum += std::uint64_t{team.shared().words[sum_slot(group, k) + i]};
        out[std::ptrdiff_t{k} * summed.rows.size() + row] = sum;
      });
    }
  }
  // Neighbouring threads find theirs in different banks.
  static constexpr int sum_slot(int group, int k) {
    return (group * kRowSums + k) * (device::kGroup + 1);
  }
};

// ---- All scales ----

// A team takes one sum of one scale and variant.
struct AddRows {
  static constexpr int kThreads = 128;
  template <template <class, int> class Array>
  using Shared = device::NothingShared<Array>;

  struct Scale {
    const std::uint64_t* row_sums;  // as ScaleSums writes them
    int rows;
    int teams_in_row;
    int original_shift;  // of a row
    int masked_shift;
  };

  Scale scale[kScales];
  const Masking* masking;
  std::uint64_t* sums;  // a record for each variant

  static device::Grid grid(int variants) { return {kRowSums, kScales, variants}; }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const device::Grid block = team.block();
    const int part = block.z * kScales + block.y;
    if (!masking[part].measured) return;
    const Scale& mine = scale[block.y];
    const int shift = block.x % 3 == 0 ? mine.original_shift : mine.masked_shift;
    auto total = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      for (int y = thread; y < mine.rows; y += kThreads)
        total[thread] += (row_sum(mine, y, block) + (std::uint64_t{1} << shift >> 1)) >> shift;
    });
    const std::uint64_t sum = team.sum(total);
    team.leader([&] { sums[part * kRowSums + block.x] = sum; });
  }

  VMAFX_PORTABLE static std::uint64_t row_sum(const Scale& mine, int y, const device::Grid& block) {
    std::uint64_t sum = 0;
    for (int i = 0; i < mine.teams_in_row; ++i) {
      const int team = block.z * mine.teams_in_row + i;
      sum += mine.row_sums[(std::ptrdiff_t{team} * kRowSums + block.x) * mine.rows + y];
    }
    return sum;
  }
};

using Kernels = device::KernelList<ScaleSums<std::uint8_t, 0>, ScaleSums<std::uint16_t, 0>,
                                   ScaleSums<std::int16_t, 1>, ScaleSums<std::int32_t, 2>,
                                   ScaleSums<std::int32_t, 3>, AddRows>;

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_KERNELS_H_
