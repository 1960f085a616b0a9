// Motion: how much the reference changes from frame to frame, as the sum of absolute differences of
// blurred luma. Source: the temporal feature of VMAF, in the form that libvmaf 3.2 computes it.
#ifndef VMAFX_METRICS_MOTION_MOTION_H_
#define VMAFX_METRICS_MOTION_MOTION_H_

#include <cstdint>

#include "base/crew.h"
#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "metrics/motion/filter.h"

namespace vmafx {

const Metric& motion_metric();
// The same values under the names that VMAFx gives them since its second version.
const Metric& motion_v2_metric();

namespace motion {

// Sum over all pixels of |blur(previous - current)|: a 5-tap Gaussian, vertical then horizontal, in
// 16-bit fixed point. Sample is uint8_t or uint16_t; planes of equal size, at least 3x3.
template <class Sample>
std::uint64_t reference_sad(PlaneView<const Sample> previous, PlaneView<const Sample> current,
                            int bit_depth);

// Equal to reference_sad to the bit, for the instruction set in use.
template <class Sample>
std::uint64_t sad(PlaneView<const Sample> previous, PlaneView<const Sample> current, int bit_depth,
                  Scratch& scratch, Crew* crew = nullptr);

// Against the frame `back` frames earlier; the record is the sum.
std::unique_ptr<DeviceMeasurement> measure_on_device(int back);

}  // namespace motion
}  // namespace vmafx

#endif  // VMAFX_METRICS_MOTION_MOTION_H_
