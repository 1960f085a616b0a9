// SpEED: differences of local entropy between two streams. C. G. Bampis, P. Gupta, R. Soundararajan
// and A. C. Bovik, "SpEED-QA: Spatial Efficient Entropic Differencing for Image and Video Quality",
// IEEE Signal Processing Letters 24(9), 2017, in the form that libvmaf 3.2 computes it, on chroma
// planes (speed_chroma) and on differences of luma between frames (speed_temporal).
#ifndef VMAFX_METRICS_SPEED_SPEED_H_
#define VMAFX_METRICS_SPEED_SPEED_H_

#include <span>
#include <vector>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/metric.h"
#include "metrics/speed/axis.h"
#include "metrics/speed/geometry.h"

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

// What is looked at: the plane with its grey level taken off, or its difference to another plane,
// in steps of 8 bits.
template <class Sample>
struct Source {
  PlaneView<const Sample> plane;
  PlaneView<const Sample> subtrahend = {};  // without data: 128
  float step = 1;                           // 2^(8 - bit depth)

  // Exact: samples have at most 16 bits.
  float at(int x, int y) const {
    if (subtrahend.data != nullptr)
      return static_cast<float>(plane.row(y)[x] - subtrahend.row(y)[x]) * step;
    return static_cast<float>(plane.row(y)[x]) * step - 128;
  }
};

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

}  // namespace speed
}  // namespace vmafx

#endif  // VMAFX_METRICS_SPEED_SPEED_H_
