// Motion in floating point: libvmaf's metric "float_motion", bit for bit.
#ifndef VMAFX_METRICS_FLOAT_MOTION_FLOAT_MOTION_H_
#define VMAFX_METRICS_FLOAT_MOTION_FLOAT_MOTION_H_

#include <memory>

#include "base/plane.h"
#include "base/scaling.h"
#include "base/scratch.h"
#include "base/separable.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& float_motion_metric();

namespace float_motion {

// The blur in front of the difference: 1, 3 or 5 taps; other sizes mean 5.
separable::Window blur_window(int filter_size);

// Mean absolute difference of two planes: each row from left to right, then the rows from top to
// bottom.
float mean_difference(PlaneView<const float> a, PlaneView<const float> b);

// That of the two blurred planes, in steps of 8 bits; a step of the samples is
// `step` of these. With `half` that of the blurred planes scaled by it is added. Sample is uint8_t
// or uint16_t; planes of equal size, larger than the window's radius.
template <class Sample>
float reference_difference(PlaneView<const Sample> previous, PlaneView<const Sample> current,
                           float step, const separable::Window& window, const Scaler* half);

// Equal to reference_difference to the bit, for the instruction set in use.
template <class Sample>
float difference(PlaneView<const Sample> previous, PlaneView<const Sample> current, float step,
                 const separable::Window& window, const Scaler* half, Scratch& scratch);

// What to measure, with the arguments of difference(): the sum of the first planes' differences.
struct DeviceTask {
  int back;  // frames from the previous one to the current one; with 0 the sum is 0
  int planes;
  float step;
  separable::Window window;
  bool with_half;  // bilinear
};

std::unique_ptr<DeviceMeasurement> measure_on_device(const DeviceTask& task,
                                                     const PictureFormat& format);

}  // namespace float_motion
}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_MOTION_FLOAT_MOTION_H_
