// Where the planes of the scales lie on a device.
#ifndef VMAFX_METRICS_SSIMULACRA2_DEVICE_SCALES_H_
#define VMAFX_METRICS_SSIMULACRA2_DEVICE_SCALES_H_

#include <cstddef>

#include "base/portable.h"
#include "device/kernel.h"
#include "metrics/ssimulacra2/definition.h"

namespace vmafx::ssimulacra2 {

inline constexpr int kPictures = 2;   // reference and distorted
inline constexpr int kProducts = 5;   // r, d, r^2, d^2, r d
inline constexpr int kErrorSums = 6;  // structure, artifacts, lost; each and its fourth power
static_assert(sizeof(ChannelSums) == kErrorSums * sizeof(double));

// Planes of one scale, all of one stride, one behind another.
struct DeviceScale {
  int width;
  int height;
  std::ptrdiff_t stride;
  float* xyb;        // [picture][channel]
  float* blurred;    // [channel][product], along rows; then [0] to [2] of each channel: errors
  double* row_sums;  // [channel][error sum][row]

  constexpr std::ptrdiff_t plane(int index) const { return index * (height * stride); }
  constexpr float* xyb_row(int picture, int channel, int y) const {
    return xyb + plane(picture * kChannels + channel) + y * stride;
  }
  // The recursions are kAhead samples behind what they read. So that rows which are read and
  // written together begin alike, column x lies at x + kAhead.
  constexpr float* blurred_row(int channel, int product, int y) const {
    return blurred + plane(channel * kProducts + product) + y * stride;
  }
  constexpr float* structure_row(int channel, int y) const { return blurred_row(channel, 0, y); }
  constexpr float* edge_row(int channel, int picture, int y) const {
    return blurred_row(channel, 1 + picture, y);
  }
  constexpr double* sums(int channel, int which) const {
    return row_sums + static_cast<std::ptrdiff_t>(channel * kErrorSums + which) * height;
  }
};

struct DeviceScales {
  int count;
  DeviceScale at[kScales];

  // Without a changing index into the argument, which would be copied to slow memory.
  VMAFX_PORTABLE DeviceScale scale(int index) const {
    DeviceScale result = at[0];
    VMAFX_UNROLL
    for (int s = 1; s < kScales; ++s) {
      if (index == s) result = at[s];
    }
    return result;
  }
};

// What a team does when teams of all scales are numbered through, the largest scale first.
// `teams_of(scale)` says how many a scale has.
struct Part {
  DeviceScale scale;
  int index;  // among the scale's teams
};

template <class TeamsOf>
VMAFX_PORTABLE Part part_of(const DeviceScales& scales, int team, const TeamsOf& teams_of) {
  Part part = {scales.at[0], team};
  int before = 0;
  VMAFX_UNROLL
  for (int s = 0; s < kScales; ++s) {
    if (s >= scales.count) break;
    if (team >= before) part = {scales.at[s], team - before};
    before += teams_of(scales.at[s]);
  }
  return part;
}

template <class TeamsOf>
int teams_of_all(const DeviceScales& scales, const TeamsOf& teams_of) {
  int teams = 0;
  for (int s = 0; s < scales.count; ++s) teams += teams_of(scales.at[s]);
  return teams;
}

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_DEVICE_SCALES_H_
