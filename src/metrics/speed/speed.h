// SpEED: differences of local entropy between two streams. C. G. Bampis, P. Gupta, R. Soundararajan
// and A. C. Bovik, "SpEED-QA: Spatial Efficient Entropic Differencing for Image and Video Quality",
// IEEE Signal Processing Letters 24(9), 2017, in the form that libvmaf 3.2 computes it, on chroma
// planes (speed_chroma) and on differences of luma between frames (speed_temporal).
#ifndef VMAFX_METRICS_SPEED_SPEED_H_
#define VMAFX_METRICS_SPEED_SPEED_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/scratch.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "metrics/speed/axis.h"
#include "metrics/speed/difference.h"
#include "metrics/speed/geometry.h"
#include "metrics/speed/source.h"

namespace vmafx {

const Metric& speed_chroma_metric();
const Metric& speed_temporal_metric();

namespace speed {

struct Settings {
  double kernel_scale = 1;
  double prescale = 1;
  Scaling scaling = Scaling::kNearest;  // of a prescale other than 1
  double noise = 0.29;                  // deviation of the neural noise
};

// What is computed once for all frames of a size.
struct Plan {
  Geometry geometry;
  std::vector<float> antialias;
  std::vector<float> local_mean;
  Axis x;
  Axis y;
  bool normalize = false;  // the weights of a scaled sample do not sum to 1
  float noise = 0;
};

// Precondition: the geometry of these sizes has blocks.
Plan make_plan(int width, int height, const Settings& settings);

// Local statistics of a stream, one number for each block in raster order.
struct BlockStatistics {
  std::span<float> entropy;
  std::span<float> variance;
};

// False if the covariance matrix is singular, as that of flat or too small pictures is; `blocks` is
// then unspecified.
template <class Sample>
[[nodiscard]] bool reference_statistics(const Plan& plan, const Source<Sample>& source,
                                        BlockStatistics blocks);

// Equal to reference_statistics to the bit, for the instruction set in use.
template <class Sample>
[[nodiscard]] bool statistics(const Plan& plan, const Source<Sample>& source, Scratch& scratch,
                              BlockStatistics blocks);

// The last step of a measurement, for each variant.
struct Tail {
  float floor;
  int weight_mode;
};

enum class Content : std::uint8_t {
  kChroma,             // both planes
  kChange,             // of luma, from the frame before
  kChangeToReference,  // as kChange, but the current frame of both streams is the reference
};

// Its record is a PlaneScore for each variant and plane: [variant][plane].
std::unique_ptr<DeviceMeasurement> measure_on_device(const Plan& plan, std::span<const Tail> tails,
                                                     Content content);

}  // namespace speed
}  // namespace vmafx

#endif  // VMAFX_METRICS_SPEED_SPEED_H_
