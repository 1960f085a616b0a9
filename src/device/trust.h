// Remembers which devices passed the self-test, so that it is not run every time.
#ifndef VMAFX_DEVICE_TRUST_H_
#define VMAFX_DEVICE_TRUST_H_

#include "device/driver.h"

namespace vmafx::device {

// Of this build with this device and its driver. The memory is a file in the user's cache folder,
// $XDG_CACHE_HOME/vmafx or ~/.cache/vmafx; what cannot be read or written is not remembered.
bool is_trusted(const DeviceInfo& info);
void remember_trusted(const DeviceInfo& info);

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_TRUST_H_
