// The kernels of the host, by name.
#ifndef VMAFX_DEVICE_HOST_TABLE_H_
#define VMAFX_DEVICE_HOST_TABLE_H_

#include <map>
#include <string>
#include <string_view>
#include <typeinfo>

#include "device/host/order.h"
#include "device/kernel.h"

namespace vmafx::device::host {

// Returns what is wrong with the kernel, or nothing.
using Run = std::string (*)(Grid blocks, const void* arguments, Order order);
using Table = std::map<std::string_view, Run>;

// Every kernel that is listed in a kernels.h: fast ones, and those that watch.
const Table& kernels();
const Table& checked_kernels();

}  // namespace vmafx::device::host

#endif  // VMAFX_DEVICE_HOST_TABLE_H_
