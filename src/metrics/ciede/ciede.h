// CIEDE2000 colour difference: the mean over the picture, as 45 - 20 log10(mean).
#ifndef VMAFX_METRICS_CIEDE_CIEDE_H_
#define VMAFX_METRICS_CIEDE_CIEDE_H_

#include <memory>

#include "metrics/device_measurement.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& ciede_metric();

namespace ciede {

// Sum of the colour differences of all luma positions. Pictures of one format, not 4:0:0.
double reference_sum(const Picture& reference, const Picture& distorted);

// Equal to reference_sum, for the instruction set in use.
double sum(const Picture& reference, const Picture& distorted);

std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format);

}  // namespace ciede
}  // namespace vmafx

#endif  // VMAFX_METRICS_CIEDE_CIEDE_H_
