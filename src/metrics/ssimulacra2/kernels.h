// SSIMULACRA 2 on devices, all scales in each of five launches: XYB, the blur along rows, that
// along columns with the errors of each pixel, sums of rows, sums of scales.
#ifndef VMAFX_METRICS_SSIMULACRA2_KERNELS_H_
#define VMAFX_METRICS_SSIMULACRA2_KERNELS_H_

#include <cstdint>

#include "metrics/ssimulacra2/error_kernel.h"
#include "metrics/ssimulacra2/row_blur_kernel.h"
#include "metrics/ssimulacra2/sum_kernels.h"
#include "metrics/ssimulacra2/xyb_kernel.h"

namespace vmafx::ssimulacra2 {

using Kernels = device::KernelList<MakeXyb<std::uint8_t>, MakeXyb<std::uint16_t>, BlurRows,
                                   FindErrors, SumRows, SumScales>;

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_KERNELS_H_
