// What the kernels of CAMBI know about the scales of a stream, and what they leave for the host.
#ifndef VMAFX_METRICS_CAMBI_DEVICE_SCALES_H_
#define VMAFX_METRICS_CAMBI_DEVICE_SCALES_H_

#include <cstdint>

#include "base/plane.h"
#include "base/portable.h"
#include "device/kernel.h"
#include "metrics/cambi/cambi.h"
#include "metrics/cambi/rank.h"

namespace vmafx::cambi {

// The distorted picture, and the source with full_ref.
inline constexpr int kMaxStreams = 2;

// A pixel of a scale: its filtered value; whether it lies in a flat area, and so is counted; and
// whether it is one of those and has a value at which a step can be seen, and so has a contrast.
inline constexpr int kPixelValue = 0x7ff;
inline constexpr int kPixelFlat = 0x8000;
inline constexpr int kPixelHasContrast = 0x4000;

// Ranks are looked at in three digits.
inline constexpr int kFirstDigits = 1 << 9;
inline constexpr int kSecondDigits = 1 << 10;
inline constexpr int kThirdDigits = 1 << 8;
static_assert(kFirstDigits * kSecondDigits * kThirdDigits == 1 << kRankBits);

constexpr int first_digit(std::uint32_t rank) {
  return static_cast<int>(rank / (kSecondDigits * kThirdDigits));
}
constexpr int second_digit(std::uint32_t rank) {
  return static_cast<int>(rank / kThirdDigits % kSecondDigits);
}
constexpr int third_digit(std::uint32_t rank) { return static_cast<int>(rank % kThirdDigits); }

// Contrasts summed in units of 2^-24. The parts overflow for no size of picture.
struct SplitSum {
  static constexpr int kFractionBits = 24;

  std::uint64_t whole;
  std::uint64_t fraction;  // in units; may be above 1

  // Of less than 2^14.
  static constexpr std::uint64_t units(float contrast) {
    return static_cast<std::uint64_t>(contrast * static_cast<float>(1 << kFractionBits));
  }
  // Adds what one team has summed.
  template <class Team>
  VMAFX_PORTABLE static void add(Team& team, SplitSum* sum, std::uint64_t units) {
    team.add(&sum->whole, units >> kFractionBits);
    team.add(&sum->fraction, units & ((std::uint64_t{1} << kFractionBits) - 1));
  }
};

// Of a scale, read back by the host.
struct ScaleResult {
  SplitSum all;         // of all contrasts
  std::uint32_t count;  // of those above 0
  // What follows is filled if there are more than are pooled.
  std::uint32_t digits;  // the first two of the smallest contrast that is pooled
  SplitSum above;        // of the contrasts whose first two digits are larger
  std::uint32_t place;   // how many of the contrasts with the same two are pooled
  std::uint32_t unused;
  std::uint32_t third[kThirdDigits];  // how often each third digit occurs among those
};

struct ScaleOnDevice {
  PlaneView<std::uint16_t> pixels;
  PlaneView<float> contrasts;  // of the pixels that have one
  std::uint32_t* first;        // how often each first digit occurs, without contrasts of 0
  std::uint32_t* second;       // and the second, with the first digit of the smallest pooled one
  std::uint32_t pooled;        // how many contrasts are
  int first_tile;              // of all scales' tiles
};

struct StreamOnDevice {
  ScaleOnDevice scales[kScales];
  ScaleResult* results;  // of each scale
  int tiles;             // of all scales
  int radius;            // of the window
};

// A part of a scale: the work of a team.
struct Tile {
  static constexpr int kWidth = 64;
  static constexpr int kHeight = 32;

  int scale;
  int left;
  int top;

  static constexpr int across(int width) { return device::teams_for(width, kWidth); }
  static constexpr int count(int width, int height) {
    return across(width) * device::teams_for(height, kHeight);
  }
  static constexpr Tile find(const StreamOnDevice& stream, int index) {
    int scale = 0;
    while (scale + 1 < kScales && index >= stream.scales[scale + 1].first_tile) ++scale;
    const int place = index - stream.scales[scale].first_tile;
    const int columns = across(stream.scales[scale].pixels.width);
    return {scale, place % columns * kWidth, place / columns * kHeight};
  }
};

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_DEVICE_SCALES_H_
