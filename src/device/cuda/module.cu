#include "device/cuda/runtime.h"
#include "device/simt/module.h"
