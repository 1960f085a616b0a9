// CAMBI's sums, for devices.
#ifndef VMAFX_METRICS_CAMBI_KERNELS_H_
#define VMAFX_METRICS_CAMBI_KERNELS_H_

#include <cstdint>

#include "device/kernel.h"
#include "metrics/cambi/contrast_kernel.h"
#include "metrics/cambi/scale_kernels.h"
#include "metrics/cambi/selection_kernels.h"

namespace vmafx::cambi {

using Kernels = device::KernelList<FirstScale<std::uint8_t, 1>, FirstScale<std::uint8_t, 2>,
                                   FirstScale<std::uint16_t, 1>, FirstScale<std::uint16_t, 2>,
                                   CoarserScales, Contrasts, CountDigits<2>, CountDigits<3>>;

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_KERNELS_H_
