// SSIM with a 9x9 integer Gaussian window that is cut off at the borders. Source: Z. Wang, A. C.
// Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from error visibility to
// structural similarity", IEEE Transactions on Image Processing 13(4), 2004, in the form that
// Daala's tools and libvmaf compute it.
#ifndef VMAFX_METRICS_SSIM_SSIM_H_
#define VMAFX_METRICS_SSIM_SSIM_H_

#include <cstdint>
#include <memory>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "metrics/ssim/window.h"

namespace vmafx {

const Metric& ssim_metric();

namespace ssim {

// Sum over all samples of SSIM times the weight of the window. Each column is summed from top to
// bottom, then the columns from left to right. Sample is uint8_t or uint16_t.
template <class Sample>
double reference_sum(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                     int bit_depth);

// Equal to reference_sum to the bit, for the instruction set in use.
template <class Sample>
double sum(PlaneView<const Sample> reference, PlaneView<const Sample> distorted, int bit_depth,
           Scratch& scratch);

std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format);

}  // namespace ssim
}  // namespace vmafx

#endif  // VMAFX_METRICS_SSIM_SSIM_H_
