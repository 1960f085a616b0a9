#include "tests/devices.h"

#include "device/host/driver.h"

namespace vmafx::tests {

const std::vector<TestDevice>& test_devices() {
  static const std::vector<TestDevice> kDevices = [] {
    using device::host::Order;
    std::vector<TestDevice> devices;
    devices.push_back({"host", device::host::open(device::host::kernels())});
    for (const Order order : {Order::kReverse, Order::kShuffled})
      devices.push_back(
          {"host, checked", device::host::open(device::host::checked_kernels(), order)});
    return devices;
  }();
  return kDevices;
}

}  // namespace vmafx::tests
