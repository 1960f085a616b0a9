// CAMBI: how visible the banding (false contours) of a picture is.
// Source: Tandon et al., "CAMBI: Contrast-aware Multiscale Banding Index", PCS 2021, in the form
// that libvmaf 3.2 computes it.
#ifndef VMAFX_METRICS_CAMBI_CAMBI_H_
#define VMAFX_METRICS_CAMBI_CAMBI_H_

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/cambi/pooling.h"
#include "metrics/cambi/visibility.h"
#include "metrics/metric.h"

namespace vmafx {

class DeviceMeasurement;

const Metric& cambi_metric();

namespace cambi {

inline constexpr int kScales = 5;
// Largest window in pixels across; larger ones would leave the domain of the contrast table.
inline constexpr int kMaxWindow = 65;

// How one stream is measured.
struct Parameters {
  // The size at which the picture is looked at: the encode's, if it was scaled up for display.
  int width = 0;
  int height = 0;
  // Average 2x2 pixels first, which undoes the dither of a conversion from 10 to 8 bits.
  bool anti_dither = false;
  // Halve the picture after the search for flat areas, so that every scale is one coarser.
  bool halve_first = false;
  int window = 0;  // odd, at most kMaxWindow
  double pooled_share = 0;
  std::shared_ptr<const Visibility> visibility;
};

// Of each scale, the sum of its largest contrasts; pooled_count() of them.
using PictureSums = std::array<ExactSum, kScales>;

// Raw sums of a frame; those of the source are 0 without full_ref.
struct Record {
  PictureSums distorted;
  PictureSums source;
};

// Sizes are rounded up at each halving.
constexpr int half(int size) { return (size + 1) / 2; }

// Pixels whose 7x7 neighbourhood holds more flat pixels than this are looked at for banding.
int flatness_threshold(int width, int height);

// The contrast of each pixel of a scale.
struct ContrastMap {
  int width = 0;
  int height = 0;
  std::vector<float> values;
};
using ContrastMaps = std::array<ContrastMap, kScales>;

// Sample is uint8_t or uint16_t; any size. Fills `maps`, where it is given. Samples above the peak
// of the depth count as 2^10 at 10 bits.
template <class Sample>
PictureSums reference_sums(PlaneView<const Sample> luma, int bit_depth,
                           const Parameters& parameters, ContrastMaps* maps = nullptr);

// Equal to reference_sums to the bit, for the instruction set in use.
template <class Sample>
PictureSums sums(PlaneView<const Sample> luma, int bit_depth, const Parameters& parameters,
                 Scratch& scratch, ContrastMaps* maps = nullptr);

// The sums on a device, without maps. The streams have their visibility tables.
struct Streams;
std::unique_ptr<DeviceMeasurement> measure_on_device(const Streams& streams,
                                                     const PictureFormat& format);

}  // namespace cambi
}  // namespace vmafx

#endif  // VMAFX_METRICS_CAMBI_CAMBI_H_
