#include "tests/devices.h"

#include "device/backends.h"
#include "device/host/driver.h"

namespace vmafx::tests {
namespace {

struct Found {
  std::vector<TestDevice> devices;
  std::string absent;
};

Found find_devices() {
  using device::host::Order;
  Found found;
  found.devices.push_back({"host", device::host::open(device::host::kernels())});
  for (const Order order : {Order::kReverse, Order::kShuffled})
    found.devices.push_back(
        {"host, checked", device::host::open(device::host::checked_kernels(), order)});
  for (const std::string_view backend : device::backend_names()) {
    if (backend == "host") continue;
    if (auto driver = device::open(backend, "")) {
      found.devices.push_back({std::string(backend), *std::move(driver)});
    } else {
      found.absent += (found.absent.empty() ? "" : "; ") + driver.error().message;
    }
  }
  return found;
}

const Found& found_devices() {
  static const Found kFound = find_devices();
  return kFound;
}

}  // namespace

const std::vector<TestDevice>& test_devices() { return found_devices().devices; }
std::string absent_backends() { return found_devices().absent; }

}  // namespace vmafx::tests
