// A device module that was built from other sources.
#include "device/module_abi.h"

extern "C" __attribute__((visibility("default"))) const vmafx::device::Module*
vmafx_device_module() {
  static const vmafx::device::Module kModule = {vmafx::device::module_abi() + 1, nullptr, nullptr};
  return &kModule;
}
