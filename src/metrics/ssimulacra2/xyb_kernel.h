// From samples to XYB in all scales, for devices.
#ifndef VMAFX_METRICS_SSIMULACRA2_XYB_KERNEL_H_
#define VMAFX_METRICS_SSIMULACRA2_XYB_KERNEL_H_

#include <algorithm>
#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/ssimulacra2/arithmetic.h"
#include "metrics/ssimulacra2/device_scales.h"

namespace vmafx::ssimulacra2 {

// How chroma is interpolated, by the place of a column or row among those of a chroma sample.
struct ChromaTaps {
  ChromaSpacing spacing;
  int across[4][4];
  int down[2][4];
};

template <class Sample>
struct SamplePlanes {
  PlaneView<const Sample> plane[3];  // chroma without data: grey
};

// A team takes a tile of kSize x kSize pixels of picture z: a pixel of the smallest scale, so that
// all scales are made of the tile.
template <class Sample>
struct MakeXyb {
  static constexpr int kThreads = 256;
  static constexpr int kSize = 1 << (kScales - 1);
  static constexpr int kPixels = (4 * kSize * kSize - 1) / 3;  // of all scales
  static constexpr int kTaps = 4;
  static constexpr int kChromaColumns = kSize + kTaps - 1;

  template <template <class, int> class Array>
  struct Shared {
    Array<std::int32_t, 2 * kSize * kChromaColumns> chroma;  // [plane][row], at the height of luma
    Array<float, kChannels * kPixels> light;                 // [colour], scales behind one another
  };

  SamplePlanes<Sample> picture[kPictures];
  Conversion conversion;
  ChromaTaps taps;
  DeviceScales scales;

  static device::Grid grid(const DeviceScales& scales) {
    return {device::teams_for(scales.at[0].width, kSize),
            device::teams_for(scales.at[0].height, kSize), kPictures};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int left = team.block().x * kSize;
    const int top = team.block().y * kSize;
    const int z = team.block().z;
    const SamplePlanes<Sample> planes = z == 0 ? picture[0] : picture[1];
    const bool grey = planes.plane[1].data == nullptr;
    if (!grey) team.each([&](int thread) { interpolate_down(shared, planes, thread, left, top); });
    team.each([&](int thread) {
      for (int i = thread; i < kSize * kSize; i += kThreads)
        make_light(shared, planes, grey, i % kSize, i / kSize, left, top);
    });
    VMAFX_UNROLL
    for (int s = 1; s < kScales; ++s) {
      if (s >= scales.count) break;
      team.each([&](int thread) { halve(shared, s, thread, left, top); });
    }
    team.each_last([&](int thread) {
      VMAFX_NO_UNROLL
      for (int i = thread; i < kPixels; i += kThreads) make_xyb(shared, z, i, left, top);
    });
  }

 private:
  // Where a scale lies among the pixels of all scales.
  static constexpr int first_pixel(int scale) {
    int first = 0;
    for (int s = 0; s < scale; ++s) first += (kSize >> s) * (kSize >> s);
    return first;
  }

  template <class Shared>
  VMAFX_PORTABLE void interpolate_down(Shared& shared, const SamplePlanes<Sample>& planes,
                                       int thread, int left, int top) const {
    const int columns = kSize / taps.spacing.x + kTaps - 1;
    const int first = first_across(left, taps.spacing.x);
    for (int line = thread / device::kGroup; line < 2 * kSize; line += kThreads / device::kGroup) {
      const int y = top + line % kSize;
      if (y >= scales.at[0].height) continue;
      const PlaneView<const Sample> plane = line < kSize ? planes.plane[1] : planes.plane[2];
      for (int i = thread % device::kGroup; i < columns; i += device::kGroup) {
        const int x = std::min(std::max(first + i, 0), plane.width - 1);
        shared.chroma[line * kChromaColumns + i] = chroma_down(plane, x, y);
      }
    }
  }

  VMAFX_PORTABLE int chroma_down(const PlaneView<const Sample>& plane, int x, int y) const {
    if (taps.spacing.y == 1) return plane.row(y)[x];
    const int first = first_down(y, taps.spacing.y);
    int sum = 0;
    VMAFX_UNROLL
    for (int j = 0; j < kTaps; ++j) {
      const int row = std::min(std::max(first + j, 0), plane.height - 1);
      sum += (y % 2 == 0 ? taps.down[0][j] : taps.down[1][j]) * plane.row(row)[x];
    }
    return sum;
  }

  template <class Shared>
  VMAFX_PORTABLE int chroma(Shared& shared, int plane, int x, int y) const {
    const int line = (plane * kSize + y) * kChromaColumns;
    if (taps.spacing.x == 1) return shared.chroma[line + x + 1];
    const int column = x / 2 / (taps.spacing.x == 2 ? 1 : 2);
    const int phase = x & (taps.spacing.x - 1);
    int sum = 0;
    VMAFX_UNROLL
    for (int i = 0; i < kTaps; ++i) sum += taps.across[phase][i] * shared.chroma[line + column + i];
    return sum;
  }

  // x and y are those in the tile.
  template <class Shared>
  VMAFX_PORTABLE void make_light(Shared& shared, const SamplePlanes<Sample>& planes, bool grey,
                                 int x, int y, int left, int top) const {
    if (left + x >= scales.at[0].width || top + y >= scales.at[0].height) return;
    const float luma =
        static_cast<float>(planes.plane[0].row(top + y)[left + x] - conversion.black) *
        conversion.luma_scale;
    float u = 0;
    float v = 0;
    if (!grey) {
      u = static_cast<float>(chroma(shared, 0, x, y) - conversion.neutral);
      v = static_cast<float>(chroma(shared, 1, x, y) - conversion.neutral);
    }
    const Pixel rgb = rgb_of_yuv(conversion, luma, u, v);
    VMAFX_UNROLL
    for (int c = 0; c < kChannels; ++c)
      shared.light[c * kPixels + y * kSize + x] = light_of_yuv(rgb.at[c]);
  }

  // Light of a scale from that of the one before. The last column or row of an odd size counts
  // twice.
  template <class Shared>
  VMAFX_PORTABLE void halve(Shared& shared, int scale, int thread, int left, int top) const {
    const int size = kSize >> scale;
    for (int i = thread; i < kChannels * size * size; i += kThreads) {
      const int colour = i / (size * size);
      const int x = i % size;
      const int y = i / size % size;
      if ((left >> scale) + x >= scales.at[scale].width ||
          (top >> scale) + y >= scales.at[scale].height)
        continue;
      const int width = scales.at[scale - 1].width - (left >> (scale - 1));
      const int height = scales.at[scale - 1].height - (top >> (scale - 1));
      const int right = std::min(2 * x + 1, width - 1);
      const int upper = colour * kPixels + first_pixel(scale - 1) + 2 * y * (2 * size);
      const int lower = 2 * y + 1 < height ? upper + 2 * size : upper;
      shared.light[colour * kPixels + first_pixel(scale) + y * size + x] =
          mean_of_four(shared.light[upper + 2 * x], shared.light[upper + right],
                       shared.light[lower + 2 * x], shared.light[lower + right]);
    }
  }

  // Pixel i of those of all scales.
  template <class Shared>
  VMAFX_PORTABLE void make_xyb(Shared& shared, int z, int i, int left, int top) const {
    int s = 0;
    int first = 0;
    VMAFX_UNROLL
    for (int other = 1; other < kScales; ++other) {
      if (i < first_pixel(other)) break;
      s = other;
      first = first_pixel(other);
    }
    if (s >= scales.count) return;
    const DeviceScale scale = scales.scale(s);
    const int x = (left >> s) + (i - first) % (kSize >> s);
    const int y = (top >> s) + (i - first) / (kSize >> s);
    if (x >= scale.width || y >= scale.height) return;
    const Pixel pixel =
        xyb_of_light({{shared.light[i], shared.light[kPixels + i], shared.light[2 * kPixels + i]}});
    VMAFX_UNROLL
    for (int c = 0; c < kChannels; ++c) scale.xyb_row(z, c, y)[x] = pixel.at[c];
  }
};

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_XYB_KERNEL_H_
