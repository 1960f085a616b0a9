// The kernels of SpEED.
#ifndef VMAFX_METRICS_SPEED_KERNELS_H_
#define VMAFX_METRICS_SPEED_KERNELS_H_

#include <cstdint>

#include "device/kernel.h"
#include "metrics/speed/compare_kernel.h"
#include "metrics/speed/decimate_kernel.h"
#include "metrics/speed/statistics_kernel.h"

namespace vmafx::speed {

// Points of each way of scaling.
using Kernels = device::KernelList<
    Decimate<std::uint8_t, 1>, Decimate<std::uint8_t, 2>, Decimate<std::uint8_t, 4>,
    Decimate<std::uint8_t, kMaxPoints>, Decimate<std::uint16_t, 1>, Decimate<std::uint16_t, 2>,
    Decimate<std::uint16_t, 4>, Decimate<std::uint16_t, kMaxPoints>, Statistics, Compare>;

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_KERNELS_H_
