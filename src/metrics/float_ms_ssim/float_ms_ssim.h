// Multi-scale SSIM. Source: Z. Wang, E. P. Simoncelli, A. C. Bovik, "Multi-scale structural
// similarity for image quality assessment", Asilomar 2003; low-pass filter and rounding as in
// libvmaf 3.2.
#ifndef VMAFX_METRICS_FLOAT_MS_SSIM_FLOAT_MS_SSIM_H_
#define VMAFX_METRICS_FLOAT_MS_SSIM_FLOAT_MS_SSIM_H_

#include <cstdint>
#include <memory>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/device_measurement.h"
#include "metrics/float_ms_ssim/low_pass.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& float_ms_ssim_metric();

namespace ms_ssim {

inline constexpr int kScales = 5;
constexpr int halved(int size) { return (size + 1) / 2; }

// The low-passed plane at its even columns and rows; (width + 1) / 2 x (height + 1) / 2. Beyond the
// border the plane is mirrored, border samples repeated.
void reference_halve(PlaneView<const float> plane, PlaneView<float> out);

// Equal to reference_halve to the bit, for the instruction set in use.
void halve(PlaneView<const float> plane, PlaneView<float> out, Scratch& scratch);
// Of samples on the 8-bit scale.
void halve(PlaneView<const std::uint8_t> plane, int bit_depth, PlaneView<float> out,
           Scratch& scratch);
void halve(PlaneView<const std::uint16_t> plane, int bit_depth, PlaneView<float> out,
           Scratch& scratch);

// Of luma, or of three planes. Results are float_ssim::Sums of each plane's scales.
std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format, int planes);

}  // namespace ms_ssim
}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_MS_SSIM_FLOAT_MS_SSIM_H_
