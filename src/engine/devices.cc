#include "device/backends.h"
#include "device/trust.h"
#include "engine/self_check.h"
#include "vmafx/device.h"

namespace vmafx {

std::vector<ListedBackend> list_backends() {
  std::vector<ListedBackend> list;
  for (const std::string_view name : device::backend_names()) {
    ListedBackend backend{std::string(name), {}, {}};
    if (const auto found = device::devices(name)) {
      for (const device::DeviceInfo& info : *found)
        backend.devices.push_back({info.index, info.name, info.driver, info.memory_bytes});
    } else {
      backend.unusable = found.error().message;
    }
    list.push_back(std::move(backend));
  }
  return list;
}

Status test_device(std::string_view backend, std::string_view device) {
  const auto driver = device::open(backend, device);
  if (!driver) return driver.error();
  Status passed = engine::self_test(*driver);
  const device::DeviceInfo& info = (*driver)->info();
  if (passed && backend != "host" && !device::is_trusted(info)) device::remember_trusted(info);
  return passed;
}

}  // namespace vmafx
