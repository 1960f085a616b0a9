// From a picture to the filtered pixels of its scales, for devices.
#ifndef VMAFX_METRICS_CAMBI_SCALE_KERNELS_H_
#define VMAFX_METRICS_CAMBI_SCALE_KERNELS_H_

#include <algorithm>
#include <cstdint>

#include "base/plane.h"
#include "base/portable.h"
#include "device/kernel.h"
#include "metrics/cambi/cambi.h"
#include "metrics/cambi/device_scales.h"
#include "metrics/cambi/pixels.h"

namespace vmafx::cambi {

constexpr int clamp_to(int position, int size) { return std::min(std::max(position, 0), size - 1); }

// A filtered pixel as the later kernels want it. `flat` is kPixelFlat or 0.
constexpr std::uint16_t make_pixel(int value, int flat, const std::uint32_t* visible_steps) {
  const bool has_contrast = flat != 0 && visible_steps[value] != 0;
  return static_cast<std::uint16_t>(value | flat | (has_contrast ? kPixelHasContrast : 0));
}

// Where a picture of the stream's size is taken from.
template <class Sample>
struct StreamInput {
  PlaneView<const Sample> plane;
  const int* columns;  // null, or for each column its place in the plane
  const int* rows;
  int width;  // at which the picture is looked at
  int height;
  int threshold;  // of flatness
  PlaneView<std::uint16_t> out;
  std::uint32_t* cleared;  // set to 0 for later kernels
  int cleared_size;
};

// The first scale: luma in 10 bits, flat areas and the mode filter. kStep is 2 if the picture is
// halved in between.
template <class Sample, int kStep>
struct FirstScale {
  static constexpr int kThreads = 256;
  static constexpr int kWidth = 64;  // of a tile of the scale
  static constexpr int kHeight = 16;
  // The filter sees one pixel more at each side.
  static constexpr int kMarkedWidth = kWidth + 2;
  static constexpr int kMarkedHeight = kHeight + 2;
  // The neighbourhood of a pixel that may be flat.
  static constexpr int kRadius = 3;
  static constexpr int kNeighbourhood = 2 * kRadius + 1;
  // Level pixels are counted in bytes, four to a word; a neighbourhood reads three words.
  static constexpr int kLevelHeight = kStep * (kMarkedHeight - 1) + kNeighbourhood;
  static constexpr int kCountedWords = kStep * (kMarkedWidth - 1) / 4 + 1;
  static constexpr int kLevelWords = kCountedWords + 2;
  // They are compared with those to the right and below, and these are means of such.
  static constexpr int kLumaWidth = 4 * kLevelWords + 1;
  static constexpr int kLumaHeight = kLevelHeight + 1;
  static constexpr int kSampleWidth = kLumaWidth + 1;
  static constexpr int kSampleHeight = kLumaHeight + 1;
  template <template <class, int> class Array>
  struct Shared {
    Array<std::uint16_t, kSampleWidth * kSampleHeight> samples;
    Array<std::uint16_t, kLumaWidth * kLumaHeight> luma;
    Array<std::uint32_t, kLevelWords * kLevelHeight> level;
    Array<std::uint32_t, kLevelWords * kMarkedHeight> level_below;  // level pixels of 7 in a column
    Array<std::uint16_t, kMarkedWidth * kMarkedHeight> marked;
    Array<std::uint16_t, kWidth * kMarkedHeight> along;
  };

  StreamInput<Sample> streams[kMaxStreams];
  const std::uint32_t* visible_steps;
  int bit_depth;
  bool anti_dither;

  static device::Grid grid(PlaneView<std::uint16_t> scale) {
    return {device::teams_for(scale.width, kWidth), device::teams_for(scale.height, kHeight), 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const StreamInput<Sample>& in = streams[team.block().z];
    const int left = team.block().x * kWidth;
    const int top = team.block().y * kHeight;
    if (left == 0 && top == 0) {
      team.each([&](int thread) {
        for (int i = thread; i < in.cleared_size; i += kThreads) in.cleared[i] = 0;
      });
    }
    if (left >= in.out.width || top >= in.out.height) return;
    make_luma(team, in, kStep * (left - 1) - kRadius, kStep * (top - 1) - kRadius);
    find_level(team, in, kStep * (left - 1) - kRadius, kStep * (top - 1) - kRadius);
    mark_flat(team, in.threshold);
    filter(team, in.out, left, top);
  }

  template <class Team>
  VMAFX_PORTABLE void make_luma(Team& team, const StreamInput<Sample>& in, int left,
                                int top) const {
    auto& shared = team.shared();
    team.each([&](int thread) {
      for (int i = thread; i < kSampleWidth * kSampleHeight; i += kThreads) {
        const int x = clamp_to(left + i % kSampleWidth, in.width);
        const int y = clamp_to(top + i / kSampleWidth, in.height);
        const int column = in.columns == nullptr ? x : in.columns[x];
        const int row = in.rows == nullptr ? y : in.rows[y];
        const int value = to_ten_bits(in.plane.row(row)[column], bit_depth);
        // Samples may be above the peak of their depth.
        shared.samples[i] = static_cast<std::uint16_t>(value < kMaxLuma ? value : kMaxLuma);
      }
    });
    team.each([&](int thread) {
      for (int i = thread; i < kLumaWidth * kLumaHeight; i += kThreads) {
        const int at = i / kLumaWidth * kSampleWidth + i % kLumaWidth;
        int value = shared.samples[at];
        if (anti_dither) {
          value = (value + shared.samples[at + 1] + shared.samples[at + kSampleWidth] +
                   shared.samples[at + kSampleWidth + 1]) /
                  4;
        }
        shared.luma[i] = static_cast<std::uint16_t>(value);
      }
    });
  }

  // Pixels that equal those to their right and below; none outside of the picture.
  template <class Team>
  VMAFX_PORTABLE void find_level(Team& team, const StreamInput<Sample>& in, int left,
                                 int top) const {
    auto& shared = team.shared();
    team.each([&](int thread) {
      for (int i = thread; i < kLevelWords * kLevelHeight; i += kThreads) {
        const int x = i % kLevelWords * 4;
        const int y = i / kLevelWords;
        const int at = y * kLumaWidth + x;
        const bool row_inside = top + y >= 0 && top + y < in.height;
        std::uint32_t word = 0;
        int value = shared.luma[at];
        VMAFX_UNROLL
        for (int k = 0; k < 4; ++k) {
          const int right = shared.luma[at + k + 1];
          const bool inside = row_inside && left + x + k >= 0 && left + x + k < in.width;
          if (inside && value == right && value == shared.luma[at + k + kLumaWidth])
            word |= 1u << 8 * k;
          value = right;
        }
        shared.level[i] = word;
      }
    });
  }

  template <class Team>
  VMAFX_PORTABLE void mark_flat(Team& team, int threshold) const {
    auto& shared = team.shared();
    team.each([&](int thread) {
      for (int i = thread; i < kLevelWords * kMarkedHeight; i += kThreads) {
        const int at = i / kLevelWords * kStep * kLevelWords + i % kLevelWords;
        std::uint32_t counts = 0;
        VMAFX_UNROLL
        for (int k = 0; k < kNeighbourhood; ++k) counts += shared.level[at + k * kLevelWords];
        shared.level_below[i] = counts;
      }
    });
    team.each([&](int thread) {
      for (int i = thread; i < kCountedWords * kMarkedHeight; i += kThreads) {
        const int word = i % kCountedWords;
        const int y = i / kCountedWords;
        const int at = y * kLevelWords + word;
        const std::uint32_t counts = sums_of_seven(
            shared.level_below[at], shared.level_below[at + 1], shared.level_below[at + 2]);
        VMAFX_UNROLL
        for (int k = 0; k < 4; k += kStep) {
          const int x = (4 * word + k) / kStep;
          if (x >= kMarkedWidth) continue;
          const int value =
              shared.luma[(y * kStep + kRadius) * kLumaWidth + 4 * word + k + kRadius];
          const int count = static_cast<int>(counts >> 8 * k & 0xff);
          shared.marked[y * kMarkedWidth + x] =
              static_cast<std::uint16_t>(value | (count > threshold ? kPixelFlat : 0));
        }
      }
    });
  }

  // Of each of the four bytes of `a`, the sum of itself and the six bytes that follow, the first of
  // a word being its lowest.
  static constexpr std::uint32_t sums_of_seven(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const auto from = [](std::uint32_t low, std::uint32_t high, int byte) {
      return low >> 8 * byte | high << (32 - 8 * byte);
    };
    return a + from(a, b, 1) + from(a, b, 2) + from(a, b, 3) + b + from(b, c, 1) + from(b, c, 2);
  }
  static_assert(kNeighbourhood == 7);

  template <class Team>
  VMAFX_PORTABLE void filter(Team& team, PlaneView<std::uint16_t> out, int left, int top) const {
    auto& shared = team.shared();
    team.each([&](int thread) {
      for (int i = thread; i < kWidth * kMarkedHeight; i += kThreads) {
        const int x = i % kWidth;
        const int at = i / kWidth * kMarkedWidth + x + 1;
        const auto value = [&](int place) { return shared.marked[place] & kPixelValue; };
        const bool ends = left + x == 0 || left + x >= out.width - 1;
        shared.along[i] = static_cast<std::uint16_t>(
            ends ? value(at) : mode(value(at - 1), value(at), value(at + 1)));
      }
    });
    team.each_last([&](int thread) {
      for (int i = thread; i < kWidth * kHeight; i += kThreads) {
        const int x = i % kWidth;
        const int y = i / kWidth;
        if (left + x >= out.width || top + y >= out.height) continue;
        const int marked = shared.marked[(y + 1) * kMarkedWidth + x + 1];
        const bool ends = top + y == 0 || top + y == out.height - 1;
        const int value =
            ends ? marked & kPixelValue
                 : mode(shared.along[i], shared.along[i + kWidth], shared.along[i + 2 * kWidth]);
        out.row(top + y)[left + x] = make_pixel(value, marked & kPixelFlat, visible_steps);
      }
    });
  }
};

// How much of each scale a team needs to filter its own part of the last one. It owns a tile of
// kTile x kTile pixels of the second scale, and what becomes of it.
struct CoarserTile {
  static constexpr int kTile = 32;
  static constexpr int kLast = kScales - 1;
  static constexpr int own(int scale) { return kTile >> (scale - 1); }

  // Pixels across that are filtered: of the last scale the team's own, of the one before twice what
  // the last one's filter sees, less one.
  static constexpr int filtered(int scale) { return 7 * (1 << (kLast - scale)) - 3; }
  static constexpr int seen(int scale) { return filtered(scale) + 2; }
  // How many of the filtered pixels lie before the team's own.
  static constexpr int before(int scale) { return 2 * (1 << (kLast - scale)) - 2; }
};
static_assert(CoarserTile::filtered(4) == CoarserTile::own(4) && CoarserTile::before(4) == 0);
static_assert(CoarserTile::filtered(1) == 2 * CoarserTile::seen(2) - 1);
static_assert(CoarserTile::before(1) == 2 * (CoarserTile::before(2) + 1));

// The other scales, of the first one.
struct CoarserScales : CoarserTile {
  static constexpr int kThreads = 256;

  template <template <class, int> class Array>
  struct Shared {
    Array<std::uint16_t, seen(1) * seen(1)> odd;  // what the filter sees of scales 1 and 3
    Array<std::uint16_t, seen(2) * seen(2)> even;
    Array<std::uint16_t, filtered(1) * seen(1)> along;
  };

  PlaneView<std::uint16_t> scales[kMaxStreams][kScales];
  const std::uint32_t* visible_steps;

  static device::Grid grid(PlaneView<std::uint16_t> second) {
    return {device::teams_for(second.width, kTile), device::teams_for(second.height, kTile), 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const PlaneView<std::uint16_t>* const stream = scales[team.block().z];
    if (team.block().x * kTile >= stream[1].width || team.block().y * kTile >= stream[1].height)
      return;
    const int left = team.block().x * kTile - before(1) - 1;
    const int top = team.block().y * kTile - before(1) - 1;
    team.each([&](int thread) {
      for (int i = thread; i < seen(1) * seen(1); i += kThreads) {
        const int x = left + i % seen(1);
        const int y = top + i / seen(1);
        const bool inside = x >= 0 && x < stream[1].width && y >= 0 && y < stream[1].height;
        shared.odd[i] = inside ? stream[0].row(2 * y)[2 * x] : std::uint16_t{0};
      }
    });
    filter<1>(team, stream, shared.odd, shared.even);
    filter<2>(team, stream, shared.even, shared.odd);
    filter<3>(team, stream, shared.odd, shared.even);
    filter<4>(team, stream, shared.even, shared.odd);
  }

  // Filters what is in `in`, keeps the team's own part and puts every second pixel into `next`.
  template <int kScale, class Team, class In, class Next>
  VMAFX_PORTABLE void filter(Team& team, const PlaneView<std::uint16_t>* stream, In& in,
                             Next& next) const {
    constexpr int kSeen = seen(kScale);
    constexpr int kFiltered = filtered(kScale);
    constexpr int kOwn = own(kScale);
    constexpr int kBefore = before(kScale);
    auto& along = team.shared().along;
    const PlaneView<std::uint16_t> out = stream[kScale];
    const int left = team.block().x * kOwn - kBefore;
    const int top = team.block().y * kOwn - kBefore;
    team.each([&](int thread) {
      for (int i = thread; i < kFiltered * kSeen; i += kThreads) {
        const int x = i % kFiltered;
        const int at = i / kFiltered * kSeen + x + 1;
        const auto value = [&](int place) { return in[place] & kPixelValue; };
        const bool ends = left + x <= 0 || left + x >= out.width - 1;
        along[i] = static_cast<std::uint16_t>(ends ? value(at)
                                                   : mode(value(at - 1), value(at), value(at + 1)));
      }
    });
    team.each([&](int thread) {
      for (int i = thread; i < kFiltered * kFiltered; i += kThreads) {
        const int x = i % kFiltered;
        const int y = i / kFiltered;
        const int marked = in[(y + 1) * kSeen + x + 1];
        const bool ends = top + y <= 0 || top + y >= out.height - 1;
        const int value = ends ? marked & kPixelValue
                               : mode(along[i], along[i + kFiltered], along[i + 2 * kFiltered]);
        const std::uint16_t pixel = make_pixel(value, marked & kPixelFlat, visible_steps);
        if (x >= kBefore && x < kBefore + kOwn && left + x < out.width && y >= kBefore &&
            y < kBefore + kOwn && top + y < out.height)
          out.row(top + y)[left + x] = pixel;
        // Both are even at the left and upper end.
        if constexpr (kScale < kLast) {
          if (x % 2 == 0 && y % 2 == 0) next[y / 2 * seen(kScale + 1) + x / 2] = pixel;
        }
      }
    });
  }
};

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_SCALE_KERNELS_H_
