// First and second moments of the luma of both pictures, on the 8-bit scale.
#ifndef VMAFX_METRICS_FLOAT_MOMENT_FLOAT_MOMENT_H_
#define VMAFX_METRICS_FLOAT_MOMENT_FLOAT_MOMENT_H_

#include <cstdint>
#include <memory>

#include "base/plane.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& float_moment_metric();

namespace float_moment {

struct Sums {
  std::uint64_t samples = 0;
  std::uint64_t squares = 0;

  bool operator==(const Sums&) const = default;
};

// Sums of all samples and of their squares. Sample is uint8_t or uint16_t.
template <class Sample>
Sums reference_sums(PlaneView<const Sample> plane);

// Equal to reference_sums, for the instruction set in use.
template <class Sample>
Sums sums(PlaneView<const Sample> plane);

// The record holds the sums of the reference, then those of the distorted picture.
std::unique_ptr<DeviceMeasurement> measure_on_device();

}  // namespace float_moment
}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_MOMENT_FLOAT_MOMENT_H_
