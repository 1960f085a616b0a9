// The backends of this build and their devices.
#ifndef VMAFX_DEVICE_BACKENDS_H_
#define VMAFX_DEVICE_BACKENDS_H_

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "device/driver.h"
#include "vmafx/status.h"

namespace vmafx::device {

// "cuda", "hip", "sycl", "host": the order in which "auto" tries them, but for the host, which it
// leaves out.
std::span<const std::string_view> backend_names();

// kUsage if there is no backend of that name; kUnavailable, with the reason, if this build or this
// machine lacks it.
Result<std::vector<DeviceInfo>> devices(std::string_view backend);

// `which`: the device's index or a part of its name, in any case; empty: the first. kUnavailable if
// there is no such device.
Result<std::shared_ptr<Driver>> open(std::string_view backend, std::string_view which);

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_BACKENDS_H_
