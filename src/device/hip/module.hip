#include "device/hip/runtime.h"
#include "device/simt/module.h"
