// PSNR of each plane in dB, from exact sums of squared errors.
#ifndef VMAFX_METRICS_PSNR_PSNR_H_
#define VMAFX_METRICS_PSNR_PSNR_H_

#include <cstdint>

#include "base/plane.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& psnr_metric();

namespace psnr {

// Sum of (reference - distorted)^2 over planes of equal size. Sample is uint8_t or uint16_t.
template <class Sample>
std::uint64_t reference_sse(PlaneView<const Sample> reference, PlaneView<const Sample> distorted);

// Equal to reference_sse, for the instruction set in use.
template <class Sample>
std::uint64_t sse(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                  int bit_depth);

// The record holds the sums of the three planes.
std::unique_ptr<DeviceMeasurement> measure_on_device(int planes);

}  // namespace psnr
}  // namespace vmafx

#endif  // VMAFX_METRICS_PSNR_PSNR_H_
