// SSIMULACRA 2.1 (J. Sneyers, Cloudinary): structural similarity, ringing and blurring of XYB
// colours in six scales. 100 for equal pictures, 90 visually lossless, 30 low quality; no lower
// limit.
#ifndef VMAFX_METRICS_SSIMULACRA2_SSIMULACRA2_H_
#define VMAFX_METRICS_SSIMULACRA2_SSIMULACRA2_H_

#include <cstdint>
#include <memory>

#include "base/scratch.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& ssimulacra2_metric();

namespace ssimulacra2 {

inline constexpr int kMinSize = 8;
inline constexpr int kScales = 6;
inline constexpr int kChannels = 3;  // X, Y, B - Y

// What the planes of a picture are. The numbers are the values of the option yuv_matrix.
enum class Colour : std::int8_t {
  kRgb = -1,  // red, green, blue over the full range: for comparisons with other tools
  kBt709Limited = 0,
  kBt601Limited = 1,
  kBt709Full = 2,
  kBt601Full = 3,
};

// Sums of an error over a plane, and of its fourth power.
struct ErrorSums {
  double first;
  double fourth;
};

struct ChannelSums {
  ErrorSums structure;  // 1 - SSIM, without its luminance denominator
  ErrorSums artifacts;  // edges that only the distorted picture has: ringing, blocks
  ErrorSums lost;       // edges that only the reference has: blurring
};

// Scales that a picture is too small for are 0.
struct Sums {
  ChannelSums at[kScales][kChannels];
};

// Scales of a picture of at least kMinSize: as long as the scale before is not below 8x8.
int scale_count(int width, int height);
inline int half_size(int size) { return (size + 1) / 2; }

// Pictures of one format, at least kMinSize.
Sums reference_sums(const Picture& reference, const Picture& distorted, Colour colour);
// Equal to reference_sums, for the instruction set in use.
Sums sums(const Picture& reference, const Picture& distorted, Colour colour, Scratch& scratch);

// The same on devices, for YUV: the record is Sums.
std::unique_ptr<DeviceMeasurement> measure_on_device(Colour colour, const PictureFormat& format);

double score(const Sums& sums, int width, int height);

}  // namespace ssimulacra2
}  // namespace vmafx

#endif  // VMAFX_METRICS_SSIMULACRA2_SSIMULACRA2_H_
