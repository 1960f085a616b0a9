// PSNR of the luma plane on the 8-bit scale, capped as libvmaf's float_psnr is.
#ifndef VMAFX_METRICS_FLOAT_PSNR_FLOAT_PSNR_H_
#define VMAFX_METRICS_FLOAT_PSNR_FLOAT_PSNR_H_

#include "metrics/metric.h"

namespace vmafx {

const Metric& float_psnr_metric();

}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_PSNR_FLOAT_PSNR_H_
