// For the files that compile the kernels of a metric for HIP.
#ifndef VMAFX_DEVICE_HIP_KERNELS_H_
#define VMAFX_DEVICE_HIP_KERNELS_H_

#include "device/hip/runtime.h"
#include "device/simt/kernels.h"

#endif  // VMAFX_DEVICE_HIP_KERNELS_H_
