// The contrasts of all scales, for devices: the costly part.
#ifndef VMAFX_METRICS_CAMBI_CONTRAST_KERNEL_H_
#define VMAFX_METRICS_CAMBI_CONTRAST_KERNEL_H_

#include <cstdint>

#include "base/portable.h"
#include "device/kernel.h"
#include "metrics/cambi/cambi.h"
#include "metrics/cambi/contrast.h"
#include "metrics/cambi/device_scales.h"
#include "metrics/cambi/window_words.h"

namespace vmafx::cambi {

// A team goes down the rows of a tile. It keeps, for each column that a window of the tile sees and
// for each value, how many flat pixels of the column have the value, over the height of a window: a
// byte each, since a column holds at most 65. A row that enters or leaves changes one byte in each
// column; a pixel's count is a sum of neighbouring bytes of one line of the table.
//
// Values that the table has no room for are left to further rounds. The values of a tile lie near
// each other, so that there seldom are any; tiles without contrasts need no round at all.
struct Contrasts {
  static constexpr int kCounters = 5 * Tile::kWidth;  // threads; one for each count, by default
  static constexpr int kThreads = kCounters + Tile::kWidth;
  static constexpr int kWarps = kThreads / device::kGroup;
  static constexpr int kMaxRadius = kMaxWindow / 2;
  static constexpr int kMaxColumns = Tile::kWidth + 2 * kMaxRadius;
  static constexpr int kTableWords = 8192;
  static constexpr int kMaxCounts = (kMaxDiffs + 1) * Tile::kWidth;

  template <template <class, int> class Array>
  struct Shared {
    // Of value v and four columns from 4 c on: at [v * words + c].
    Array<std::uint32_t, kTableWords> table;
    // Of this row and of the next one: the values, and which steps are looked at (without contrast
    // or with a value of another round: none).
    Array<std::uint16_t, 2 * Tile::kWidth> values;
    Array<std::uint32_t, 2 * Tile::kWidth> steps;
    // Of this row and of the last one: each pixel's count of its own value, then the larger count
    // at each step.
    Array<std::uint16_t, 2 * kMaxCounts> counts;
    Array<std::uint32_t, kFirstDigits> digits;
    Array<std::uint32_t, 4 * WindowWords::kMasks> masks;  // of the windows of columns 0 to 3
  };

  StreamOnDevice streams[kMaxStreams];
  const float* reciprocals;
  const std::uint32_t* visible_steps;
  float weights[kMaxDiffs];
  int steps;

  // What a round is about.
  struct Round {
    const ScaleOnDevice* scale;
    Tile tile;
    int bottom;   // of the tile
    int radius;   // of the window
    int columns;  // that windows of the tile see
    int words;    // of a line of the table; odd, so that lines begin in different banks
    int lowest;   // value whose contrasts are wanted
    int values;   // how many are

    // Pixels of a column, or null outside of the picture.
    VMAFX_PORTABLE const std::uint16_t* column(int x) const {
      return x >= 0 && x < scale->pixels.width ? scale->pixels.data + x : nullptr;
    }
    // Counted columns begin a radius before the tile.
    VMAFX_PORTABLE const std::uint16_t* counted(int place) const {
      return place < columns ? column(tile.left - radius + place) : nullptr;
    }
    VMAFX_PORTABLE int pixel(const std::uint16_t* column, int y) const {
      const bool inside = column != nullptr && y >= 0 && y < scale->pixels.height;
      return inside ? column[y * scale->pixels.stride] : 0;
    }
  };

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const StreamOnDevice& stream = streams[team.block().z];
    if (team.block().x >= stream.tiles) return;
    const Tile tile = Tile::find(stream, team.block().x);
    const ScaleOnDevice& scale = stream.scales[tile.scale];
    const int columns = Tile::kWidth + 2 * stream.radius;
    const int words = (columns + 3) / 4 | 1;
    Round round = {&scale,
                   tile,
                   tile.top + Tile::kHeight < scale.pixels.height ? tile.top + Tile::kHeight
                                                                  : scale.pixels.height,
                   stream.radius,
                   columns,
                   words,
                   0,
                   (kTableWords - WindowWords::kBeyond) / words - 2 * steps};
    round.lowest = lowest_value(team, round, 0);
    if (round.lowest > kMaxLuma) return;
    team.each([&](int thread) {
      for (int i = thread; i < kFirstDigits; i += kThreads) shared.digits[i] = 0;
      if (thread < 4 * WindowWords::kMasks) {
        shared.masks[thread] = WindowWords::make_mask(thread / WindowWords::kMasks, stream.radius,
                                                      thread % WindowWords::kMasks);
      }
    });
    auto sums = team.template values<std::uint64_t>();
    while (round.lowest <= kMaxLuma) {
      run(team, round, sums);
      round.lowest = lowest_value(team, round, round.lowest + round.values);
    }
    auto found = team.template values<std::uint32_t>();
    team.each([&](int thread) {
      for (int i = thread; i < kFirstDigits; i += kThreads) {
        const std::uint32_t n = shared.digits[i];
        if (n > 0) team.add(&scale.first[i], n);
        found[thread] += n;
      }
    });
    const std::uint64_t units = team.sum(sums);
    const std::uint32_t count = team.sum(found);
    ScaleResult* const result = &stream.results[tile.scale];
    team.leader([&] {
      SplitSum::add(team, &result->all, units);
      team.add(&result->count, count);
    });
  }

  // The smallest value from `from` on that has contrasts in the tile; beyond kMaxLuma if none has.
  template <class Team>
  VMAFX_PORTABLE int lowest_value(Team& team, const Round& round, int from) const {
    auto lowest = team.template values<int>();
    team.each([&](int thread) {
      int result = kMaxLuma + 1;
      const std::uint16_t* const column = round.column(round.tile.left + thread % Tile::kWidth);
      for (int y = thread / Tile::kWidth; y < Tile::kHeight; y += kThreads / Tile::kWidth) {
        const int pixel = round.pixel(column, round.tile.top + y);
        const int value = pixel & kPixelValue;
        if ((pixel & kPixelHasContrast) != 0 && value >= from && value < result) result = value;
      }
      lowest[thread] = result;
    });
    return team.min(lowest);
  }

  // The contrasts of the values of a round. What is counted in one step becomes contrasts in the
  // next, by threads of their own, while the next row is counted.
  template <class Team, class Sums>
  VMAFX_PORTABLE void run(Team& team, const Round& round, Sums& sums) const {
    fill_table(team, round);
    // Rows are read one step before they are used: a thread has a column, or a pixel of the tile.
    auto column = team.template values<const std::uint16_t*>();
    auto entering = team.template values<int>();
    auto leaving = team.template values<int>();
    const int top = round.tile.top;
    team.each([&](int thread) {
      if (is_pixel(thread)) {
        column[thread] = round.column(round.tile.left + thread);
        take_pixel(team, round, top, thread, round.pixel(column[thread], top));
        entering[thread] = round.pixel(column[thread], top + 1);
      } else {
        column[thread] = round.counted(thread - Tile::kWidth);
        entering[thread] = round.pixel(column[thread], top + 1 + round.radius);
        leaving[thread] = round.pixel(column[thread], top - round.radius);
      }
    });
    for (int y = top; y <= round.bottom; ++y) {
      team.each([&](int thread) {
        if (thread >= kCounters) {
          if (y > top) sums[thread] += keep_contrast(team, round, y - 1, thread - kCounters);
        } else if (y < round.bottom) {
          const int x = thread % Tile::kWidth;
          for (int step = thread / Tile::kWidth; step <= steps; step += kCounters / Tile::kWidth)
            count(team, round, y, x, step);
        }
      });
      team.each([&](int thread) {
        if (is_pixel(thread)) {
          take_pixel(team, round, y + 1, thread, entering[thread]);
          entering[thread] = round.pixel(column[thread], y + 2);
        } else if (column[thread] != nullptr) {
          const int place = thread - Tile::kWidth;
          if (entering[thread] != leaving[thread]) {
            change(team, round, place, entering[thread], 1);
            change(team, round, place, leaving[thread], ~0u);
          }
          entering[thread] = round.pixel(column[thread], y + 2 + round.radius);
          leaving[thread] = round.pixel(column[thread], y + 1 - round.radius);
        }
      });
    }
  }

  static constexpr bool is_pixel(int thread) { return thread < Tile::kWidth; }
  static_assert(kThreads >= Tile::kWidth + kMaxColumns);

  // Counts what the windows of the tile's first row see.
  template <class Team>
  VMAFX_PORTABLE void fill_table(Team& team, const Round& round) const {
    const int size = round.words * (round.values + 2 * steps) + WindowWords::kBeyond;
    team.each([&](int thread) {
      for (int i = thread; i < size; i += kThreads) team.shared().table[i] = 0;
    });
    team.each([&](int thread) {
      for (int y = thread / device::kGroup; y <= 2 * round.radius; y += kWarps) {
        for (int place = thread % device::kGroup; place < round.columns; place += device::kGroup)
          change(team, round, place,
                 round.pixel(round.counted(place), round.tile.top - round.radius + y), 1);
      }
    });
  }

  // A flat pixel enters (by is 1) or leaves (-1) the windows that see its column.
  template <class Team>
  VMAFX_PORTABLE void change(Team& team, const Round& round, int place, int pixel,
                             std::uint32_t by) const {
    const int line = (pixel & kPixelValue) - (round.lowest - steps);
    if ((pixel & kPixelFlat) == 0 || line < 0 || line >= round.values + 2 * steps) return;
    team.add(team.shared().table, line * round.words + place / 4, by << place % 4 * 8);
  }

  template <class Team>
  VMAFX_PORTABLE void take_pixel(Team& team, const Round& round, int y, int x, int pixel) const {
    const int value = pixel & kPixelValue;
    const bool is_taken = (pixel & kPixelHasContrast) != 0 && value >= round.lowest &&
                          value < round.lowest + round.values;
    const int at = y % 2 * Tile::kWidth + x;
    team.shared().values[at] = static_cast<std::uint16_t>(value);
    team.shared().steps[at] = is_taken ? visible_steps[value] : 0;
  }

  // Counts a pixel's own value, or those at a step, of which the larger counts.
  template <class Team>
  VMAFX_PORTABLE void count(Team& team, const Round& round, int y, int x, int step) const {
    auto& shared = team.shared();
    const int at = y % 2 * Tile::kWidth + x;
    const std::uint32_t wanted = shared.steps[at];
    if (wanted == 0 || (step > 0 && (wanted >> (step - 1) & 1) == 0)) return;
    const int line = (shared.values[at] - (round.lowest - steps)) * round.words;
    const int masks = x % 4 * WindowWords::kMasks;
    const WindowWords window = {
        x / 4,
        WindowWords::whole_words(round.radius),
        {shared.masks[masks], shared.masks[masks + 1], shared.masks[masks + 2]}};
    const int count = step == 0 ? window.sum(shared.table, line)
                                : window.larger_sum(shared.table, line - step * round.words,
                                                    line + step * round.words);
    shared.counts[y % 2 * kMaxCounts + step * Tile::kWidth + x] = static_cast<std::uint16_t>(count);
  }

  // The contrast of a pixel, in units, after it is written and its digit counted. 0 if it has none
  // in this round.
  template <class Team>
  VMAFX_PORTABLE std::uint64_t keep_contrast(Team& team, const Round& round, int y, int x) const {
    auto& shared = team.shared();
    const std::uint32_t wanted = shared.steps[y % 2 * Tile::kWidth + x];
    if (wanted == 0) return 0;
    const int counts = y % 2 * kMaxCounts + x;
    const int own = shared.counts[counts];
    float largest = 0;
    for (int step = 1; step <= steps; ++step) {
      if ((wanted >> (step - 1) & 1) == 0) continue;
      const int near = shared.counts[counts + step * Tile::kWidth];
      const float value = contrast(own, near, weights[step - 1], reciprocals[own + near]);
      largest = value > largest ? value : largest;
    }
    round.scale->contrasts.row(y)[round.tile.left + x] = largest;
    if (largest > 0) team.add(shared.digits, first_digit(rank_of(largest)), 1u);
    return SplitSum::units(largest);
  }
};

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_CONTRAST_KERNEL_H_
