// The host as a device: work is done where it is queued.
#ifndef VMAFX_DEVICE_HOST_DRIVER_H_
#define VMAFX_DEVICE_HOST_DRIVER_H_

#include <memory>
#include <vector>

#include "device/driver.h"
#include "device/host/order.h"
#include "device/host/table.h"

namespace vmafx::device::host {

std::vector<DeviceInfo> devices();

// `table` lives longer than the driver. Memory is filled with a pattern, so that what depends on
// memory that nobody wrote differs from what other devices give.
std::unique_ptr<Driver> open(const Table& table, Order order = Order::kForward);

}  // namespace vmafx::device::host

#endif  // VMAFX_DEVICE_HOST_DRIVER_H_
