// For the files that compile the kernels of a metric for CUDA.
#ifndef VMAFX_DEVICE_CUDA_KERNELS_H_
#define VMAFX_DEVICE_CUDA_KERNELS_H_

#include "device/cuda/runtime.h"
#include "device/simt/kernels.h"

#endif  // VMAFX_DEVICE_CUDA_KERNELS_H_
