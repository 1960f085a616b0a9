// PSNR-HVS-M: PSNR of DCT coefficients weighted by contrast sensitivity, less what contrast masking
// hides. Source: N. Ponomarenko, F. Silvestri, K. Egiazarian, M. Carli, J. Astola, V. Lukin, "On
// between-coefficient contrast masking of DCT basis functions", VPQM 2007; tables and transform as
// in the form that Xiph wrote for libvmaf.
#ifndef VMAFX_METRICS_PSNR_HVS_PSNR_HVS_H_
#define VMAFX_METRICS_PSNR_HVS_PSNR_HVS_H_

#include <memory>

#include "base/plane.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "metrics/psnr_hvs/constants.h"

namespace vmafx {

const Metric& psnr_hvs_metric();

namespace psnr_hvs {

// Blocks that a plane of this size has in one direction.
constexpr int blocks_along(int size) { return size < kBlock ? 0 : (size - kBlock) / kStep + 1; }

// Sum of the squared visible errors of all coefficients of all blocks. A running float sum in the
// order of blocks (rows, then columns) and of coefficients within them: the order is part of the
// definition, because a sum of other order or precision differs by up to 3e-3 dB. Sample is uint8_t
// or uint16_t, with at most 12 significant bits.
template <class Sample>
float reference_error(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                      const Weights& weights);

// Equal to reference_error to the bit, for the instruction set in use.
template <class Sample>
float error(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
            const Weights& weights);

// The record holds the floats of the three planes; `planes` of them are measured.
std::unique_ptr<DeviceMeasurement> measure_on_device(int planes, const PictureFormat& format);

}  // namespace psnr_hvs
}  // namespace vmafx

#endif  // VMAFX_METRICS_PSNR_HVS_PSNR_HVS_H_
