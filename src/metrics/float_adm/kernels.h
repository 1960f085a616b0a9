// Floating-point ADM on devices. A launch for each scale goes from samples, or from the low band of
// the scale before, to the terms of all sums; only then come the sums, whose order is fixed: those
// of rows, each with its partial sums at once, and of all rows.
#ifndef VMAFX_METRICS_FLOAT_ADM_KERNELS_H_
#define VMAFX_METRICS_FLOAT_ADM_KERNELS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/adm_borders.h"
#include "metrics/adm_sensitivity.h"
#include "metrics/float_adm/arithmetic.h"

namespace vmafx::float_adm {

// What depends on the variant at one scale.
struct Masking {
  float gain_limit;
  float weight[adm::kBands];
  bool masking;
  bool measured;
};

// Of columns and of rows.
struct Extent {
  adm::Range columns;
  adm::Range rows;

  constexpr bool contains(int x, int y) const {
    return x >= columns.begin && x < columns.end && y >= rows.begin && y < rows.end;
  }
};

// Lines of terms, one behind another: of each row that is summed the originals of each band, then
// of each variant restored and additive detail of each band. A line begins with the last column
// before the sum's that is a multiple of kPartialSums. T is the type of terms and partial sums.
inline constexpr int kOriginalLines = adm::kBands;
inline constexpr int kVariantLines = 2 * adm::kBands;

template <class T>
struct Terms {
  T* data;
  int pitch;
  int lines;  // of a row
  Extent summed;

  constexpr int first_column() const { return summed.columns.begin / kPartialSums * kPartialSums; }
  VMAFX_PORTABLE T& at(int x, int y, int line) const {
    return data[static_cast<std::ptrdiff_t>((y - summed.rows.begin) * lines + line) * pitch + x -
                first_column()];
  }
};

// ---- From samples to terms ----

struct DeviceDetail {
  float band[adm::kBands];
};

// True if the horizontal and vertical details are within 1 degree, as in reference.cc.
VMAFX_PORTABLE bool in_same_direction(const DeviceDetail& o, const DeviceDetail& t) {
  const float product = o.band[0] * t.band[0] + o.band[1] * t.band[1];
  const float original = o.band[0] * o.band[0] + o.band[1] * o.band[1];
  const float test = t.band[0] * t.band[0] + t.band[1] * t.band[1];
  return product >= 0 && product * product >= kCosineSquared * original * test;
}

// The part of t between 0 and limit.
VMAFX_PORTABLE float part_within(float limit, float t) {
  return std::min(std::max(t, std::min(limit, 0.0f)), std::max(limit, 0.0f));
}

// A team takes a tile of places. A thread has two of a column, transforms them and splits them into
// what is restored and what is additive, leaves their magnitudes to its neighbours and makes their
// terms. The outermost places of a tile are there for their magnitudes only; other teams have them
// inside.
template <class Input, class T>
struct MakeTerms {
  static constexpr int kThreads = 256;
  static constexpr int kPlaces = 2;
  static constexpr int kWidth = device::kGroup;
  static constexpr int kHeight = kThreads / kWidth * kPlaces;
  static constexpr int kInnerWidth = kWidth - 2;
  static constexpr int kInnerHeight = kHeight - 2;
  template <template <class, int> class Array>
  struct Shared {
    Array<float, kWidth * kHeight> restored;  // magnitudes over all bands
    Array<float, kWidth * kHeight> additive;
  };

  PlaneView<const Input> original;
  PlaneView<const Input> test;
  float step;                     // of samples, in steps of 8 bits
  PlaneView<float> original_low;  // without data in the last scale
  PlaneView<float> test_low;
  int width;  // of a band
  int height;
  Extent input;   // samples that there are
  Extent needed;  // of any band
  Terms<T> terms;
  float power;
  int scale;
  bool measured;           // by any variant
  const Masking* masking;  // [variant][scale]

  device::Grid grid(int variants) const {
    return {device::teams_for(needed.columns.size(), kInnerWidth),
            device::teams_for(needed.rows.size(), kInnerHeight), variants};
  }

  // What a thread keeps of a place until the neighbours' magnitudes are there.
  struct Split {
    float restored[adm::kBands];
    float additive[adm::kBands];
  };
  struct Kept {
    Split split[kPlaces];
  };
  // Bands at the places of a thread.
  struct Bands {
    float low[kPlaces];
    DeviceDetail detail[kPlaces];
  };

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const int variant = team.block().z;
    const Masking mine = masking[variant * adm::kScales + scale];
    if (variant > 0 && !mine.measured) return;
    const int left = needed.columns.begin - 1 + team.block().x * kInnerWidth;
    const int top = needed.rows.begin - 1 + team.block().y * kInnerHeight;
    auto kept = team.template values<Kept>();
    team.each([&](int thread) { split_places(team, mine, left, top, thread, kept[thread]); });
    if (!mine.measured) return;
    team.each_last([&](int thread) { mask_places(team, mine, left, top, thread, kept[thread]); });
  }

 private:
  static constexpr int column_of(int thread) { return thread % kWidth; }
  static constexpr int row_of(int thread) { return thread / kWidth * kPlaces; }
  static constexpr bool is_inside_tile(int tile_x, int tile_y) {
    return tile_x > 0 && tile_x <= kInnerWidth && tile_y > 0 && tile_y <= kInnerHeight;
  }

  template <class Team>
  VMAFX_PORTABLE void split_places(Team& team, const Masking& mine, int left, int top, int thread,
                                   Kept& kept) const {
    const int x = left + column_of(thread);
    const int y = top + row_of(thread);
    Bands o = {};
    Bands t = {};
    if (needed.contains(x, y) || needed.contains(x, y + 1)) {
      o = transform(original, x, y);
      t = transform(test, x, y);
    }
    VMAFX_UNROLL
    for (int k = 0; k < kPlaces; ++k) {
      const int tile_y = row_of(thread) + k;
      if (team.block().z == 0 && is_inside_tile(column_of(thread), tile_y)) {
        if (original_low.data != nullptr && needed.contains(x, y + k)) {
          original_low.row(y + k)[x] = o.low[k];
          test_low.row(y + k)[x] = t.low[k];
        }
        if (measured && terms.summed.contains(x, y + k)) store_originals(o.detail[k], x, y + k);
      }
      if (!mine.measured) continue;
      const Split split = split_of(o.detail[k], t.detail[k], mine);
      const int at = tile_y * kWidth + column_of(thread);
      team.shared().restored[at] = split.restored[0] + split.restored[1] + split.restored[2];
      team.shared().additive[at] = split.additive[0] + split.additive[1] + split.additive[2];
      kept.split[k] = split;
    }
  }

  VMAFX_PORTABLE static float low_pass(float a, float b, float c, float d) {
    return kLow0 * a + kLow1 * b + kLow2 * c + kLow3 * d;
  }
  VMAFX_PORTABLE static float high_pass(float a, float b, float c, float d) {
    return kLow3 * a - kLow2 * b + kLow1 * c - kLow0 * d;
  }

  // Also for places that are not needed, whose results nobody uses.
  static constexpr int within(int index, int size, const adm::Range& range) {
    return std::clamp(adm::reflect(index, size), range.begin, range.end - 1);
  }
  VMAFX_PORTABLE float sample(const Input* row, int x) const {
    if constexpr (std::is_same_v<Input, float>) {
      return row[x];
    } else {
      return static_cast<float>(row[x]) * step - kMiddle;
    }
  }

  // Places (x, y) and (x, y + 1).
  VMAFX_PORTABLE Bands transform(const PlaneView<const Input>& plane, int x, int y) const {
    float low[kPlaces][4];
    float high[kPlaces][4];
    int column[4];
    VMAFX_UNROLL
    for (int c = 0; c < 4; ++c) column[c] = within(2 * x - 1 + c, plane.width, input.columns);
    float samples[2 * kPlaces + 2][4];
    VMAFX_UNROLL
    for (int r = 0; r < 2 * kPlaces + 2; ++r) {
      const Input* const row = plane.row(within(2 * y - 1 + r, plane.height, input.rows));
      VMAFX_UNROLL
      for (int c = 0; c < 4; ++c) samples[r][c] = sample(row, column[c]);
    }
    VMAFX_UNROLL
    for (int k = 0; k < kPlaces; ++k) {
      VMAFX_UNROLL
      for (int c = 0; c < 4; ++c) {
        low[k][c] = low_pass(samples[2 * k][c], samples[2 * k + 1][c], samples[2 * k + 2][c],
                             samples[2 * k + 3][c]);
        high[k][c] = high_pass(samples[2 * k][c], samples[2 * k + 1][c], samples[2 * k + 2][c],
                               samples[2 * k + 3][c]);
      }
    }
    Bands bands;
    VMAFX_UNROLL
    for (int k = 0; k < kPlaces; ++k) {
      bands.low[k] = low_pass(low[k][0], low[k][1], low[k][2], low[k][3]);
      bands.detail[k].band[0] = low_pass(high[k][0], high[k][1], high[k][2], high[k][3]);
      bands.detail[k].band[1] = high_pass(low[k][0], low[k][1], low[k][2], low[k][3]);
      bands.detail[k].band[2] = high_pass(high[k][0], high[k][1], high[k][2], high[k][3]);
    }
    return bands;
  }

  VMAFX_PORTABLE static Split split_of(const DeviceDetail& o, const DeviceDetail& t,
                                       const Masking& mine) {
    const bool same = in_same_direction(o, t);
    Split split;
    VMAFX_UNROLL
    for (int band = 0; band < adm::kBands; ++band) {
      const float limit = same ? o.band[band] * mine.gain_limit : o.band[band];
      const float kept = part_within(limit, t.band[band]);
      split.restored[band] = std::abs(kept) * mine.weight[band];
      split.additive[band] = std::abs(t.band[band] - kept) * mine.weight[band];
    }
    return split;
  }

  VMAFX_PORTABLE T term(float value) const {
    if constexpr (std::is_same_v<T, float>) {
      return value * value * value;
    } else {
      return power_of(value, power);
    }
  }
  VMAFX_PORTABLE void store_originals(const DeviceDetail& o, int x, int y) const {
    VMAFX_UNROLL
    for (int band = 0; band < adm::kBands; ++band)
      terms.at(x, y, band) = term(std::abs(o.band[band]));
  }

  template <class Team>
  VMAFX_PORTABLE void mask_places(Team& team, const Masking& mine, int left, int top, int thread,
                                  const Kept& kept) const {
    auto& shared = team.shared();
    const int x = left + column_of(thread);
    const int first_line = kOriginalLines + team.block().z * kVariantLines;
    VMAFX_UNROLL
    for (int k = 0; k < kPlaces; ++k) {
      const int tile_y = row_of(thread) + k;
      const int y = top + tile_y;
      if (!is_inside_tile(column_of(thread), tile_y) || !terms.summed.contains(x, y)) continue;
      float by_restored = 0;
      float by_additive = 0;
      if (mine.masking) {
        by_restored = threshold(shared.restored, x, y, left, top);
        by_additive = threshold(shared.additive, x, y, left, top);
      }
      VMAFX_UNROLL
      for (int band = 0; band < adm::kBands; ++band) {
        const float restored = std::max(kept.split[k].restored[band] - by_additive, 0.0f);
        const float additive = std::max(kept.split[k].additive[band] - by_restored, 0.0f);
        terms.at(x, y, first_line + 2 * band) = term(restored);
        terms.at(x, y, first_line + 2 * band + 1) = term(additive);
      }
    }
  }

  // The neighbours of a place inside the tile are in the tile, reflected ones too.
  template <class Magnitudes>
  VMAFX_PORTABLE float threshold(Magnitudes& magnitude, int x, int y, int left, int top) const {
    const int before = adm::reflect(x - 1, width) - left;
    const int after = adm::reflect(x + 1, width) - left;
    const auto three = [&](int row) {
      const int at = (adm::reflect(row, height) - top) * kWidth;
      const float a = magnitude[at + before];
      const float b = magnitude[at + x - left];
      const float c = magnitude[at + after];
      return a + b + c;
    };
    const float middle = magnitude[(y - top) * kWidth + x - left];
    const float sum = three(y - 1) + three(y) + three(y + 1) + middle;
    return sum * kNeighbourShare;
  }
};

// ---- From terms to sums of rows ----

// A thread has a partial sum of a line, so a team takes many lines.
template <class T>
struct AddColumns {
  static constexpr int kThreads = 256;
  static constexpr int kLines = kThreads / kPartialSums;
  template <template <class, int> class Array>
  struct Shared {
    Array<T, kThreads> partial;
  };

  Terms<T> terms[adm::kScales];
  // Teams of all scales are in one series; of the scales before s there are teams_before[s].
  int teams_before[adm::kScales + 1];
  double* line_sums;       // of the teams' lines
  const Masking* masking;  // [variant][scale]

  device::Grid grid() const { return {teams_before[adm::kScales], 1, 1}; }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    int scale = 0;
    Terms<T> mine = terms[0];
    VMAFX_UNROLL
    for (int s = 1; s < adm::kScales; ++s) {
      if (team.block().x >= teams_before[s]) {
        scale = s;
        mine = terms[s];
      }
    }
    int first = team.block().x;
    VMAFX_UNROLL
    for (int s = 1; s < adm::kScales; ++s) {
      if (scale == s) first = team.block().x - teams_before[s];
    }
    first *= kLines;
    const int count = mine.lines * mine.summed.rows.size() - first;
    team.each([&](int thread) {
      const int line = thread / kPartialSums;
      T sum = 0;
      if (line < count && is_measured((first + line) % mine.lines, scale))
        sum = partial_sum(mine, first + line, thread % kPartialSums);
      shared.partial[thread] = sum;
    });
    team.each_last([&](int line) {
      if (line >= kLines) return;
      T sum[kPartialSums];
      VMAFX_UNROLL
      for (int i = 0; i < kPartialSums; ++i) sum[i] = shared.partial[line * kPartialSums + i];
      VMAFX_UNROLL
      for (int step = kPartialSums / 2; step > 0; step /= 2) {
        VMAFX_UNROLL
        for (int i = 0; i < step; ++i) sum[i] = sum[i] + sum[i + step];
      }
      line_sums[static_cast<std::ptrdiff_t>(team.block().x) * kLines + line] =
          static_cast<double>(sum[0]);
    });
  }

  // Originals are, since a scale that no variant measures has no rows.
  VMAFX_PORTABLE bool is_measured(int line, int scale) const {
    if (line < kOriginalLines) return true;
    return masking[(line - kOriginalLines) / kVariantLines * adm::kScales + scale].measured;
  }

  // From the first column of the sum on that is in this partial sum.
  VMAFX_PORTABLE static T partial_sum(const Terms<T>& mine, int line, int number) {
    constexpr int kBatch = 8;
    const int begin = mine.summed.columns.begin - mine.first_column();
    const int end = mine.summed.columns.end - mine.first_column();
    const T* const data = mine.data + static_cast<std::ptrdiff_t>(line) * mine.pitch;
    T sum = 0;
    int x = number < begin ? number + kPartialSums : number;
    for (; x + (kBatch - 1) * kPartialSums < end; x += kBatch * kPartialSums) {
      T term[kBatch];
      VMAFX_UNROLL
      for (int i = 0; i < kBatch; ++i) term[i] = data[x + i * kPartialSums];
      VMAFX_UNROLL
      for (int i = 0; i < kBatch; ++i) sum += term[i];
    }
    for (; x < end; x += kPartialSums) sum += data[x];
    return sum;
  }
};

// ---- From rows to the record ----

// A team adds the rows of one scale for one variant.
struct AddRows {
  static constexpr int kThreads = 128;
  static constexpr int kSums = 3 * adm::kBands;  // as in the record
  static constexpr int kChunk = 256;
  template <template <class, int> class Array>
  struct Shared {
    Array<double, kSums * kChunk> rows;  // [row][sum]
  };

  struct Scale {
    std::ptrdiff_t first;  // line sum
    int rows;
  };
  Scale scale[adm::kScales];
  int lines;  // of a row
  const double* line_sums;
  const Masking* masking;  // [variant][scale]
  double* sums;            // [variant][scale][band][original, restored, additive]

  static device::Grid grid(int variants) { return {adm::kScales, variants, 1}; }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int s = team.block().x;
    const int variant = team.block().y;
    if (!masking[variant * adm::kScales + s].measured) return;
    Scale mine = scale[0];
    VMAFX_UNROLL
    for (int i = 1; i < adm::kScales; ++i) {
      if (i == s) mine = scale[i];
    }
    auto sum = team.template values<double>();
    for (int row = 0; row < mine.rows; row += kChunk) {
      const int count = mine.rows - row < kChunk ? mine.rows - row : kChunk;
      team.each([&](int thread) {
        for (int i = thread; i < count * kSums; i += kThreads)
          shared.rows[i] =
              line_sums[mine.first + static_cast<std::ptrdiff_t>(row + i / kSums) * lines +
                        line_of(variant, i % kSums)];
      });
      team.each([&](int thread) {
        if (thread >= kSums) return;
        for (int i = 0; i < count; ++i) sum[thread] += shared.rows[i * kSums + thread];
      });
    }
    team.each_last([&](int thread) {
      if (thread < kSums) sums[(variant * adm::kScales + s) * kSums + thread] = sum[thread];
    });
  }

  VMAFX_PORTABLE static int line_of(int variant, int number) {
    const int band = number / 3;
    if (number % 3 == 0) return band;
    return kOriginalLines + variant * kVariantLines + 2 * band + number % 3 - 1;
  }
};

using Kernels = device::KernelList<MakeTerms<std::uint8_t, float>, MakeTerms<std::uint16_t, float>,
                                   MakeTerms<float, float>, MakeTerms<std::uint8_t, double>,
                                   MakeTerms<std::uint16_t, double>, MakeTerms<float, double>,
                                   AddColumns<float>, AddColumns<double>, AddRows>;

}  // namespace vmafx::float_adm

#endif  // VMAFX_METRICS_FLOAT_ADM_KERNELS_H_
