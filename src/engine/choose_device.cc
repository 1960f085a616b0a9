#include "engine/choose_device.h"

#include <string>

#include <fmt/format.h>

#include "device/backends.h"
#include "device/trust.h"
#include "engine/self_check.h"

namespace vmafx::engine {
namespace {

using Choice = Result<std::shared_ptr<device::Driver>>;

Choice open_trusted(std::string_view backend, std::string_view which) {
  Choice driver = device::open(backend, which);
  if (!driver || backend == "host" || device::is_trusted((*driver)->info())) return driver;
  if (const Status passed = self_test(*driver); !passed) return passed.error();
  device::remember_trusted((*driver)->info());
  return driver;
}

}  // namespace

Choice choose_device(std::string_view backend, std::string_view device, const LogSink& log) {
  if (backend == "cpu") return std::shared_ptr<device::Driver>();
  if (backend != "auto") return open_trusted(backend, device);
  std::string reasons;
  for (const std::string_view name : device::backend_names()) {
    if (name == "host") continue;
    Choice driver = open_trusted(name, device);
    if (driver) {
      const device::DeviceInfo& info = (*driver)->info();
      if (log)
        log(LogLevel::kInfo,
            fmt::format("measuring on {}, device {}: {}", name, info.index, info.name));
      return driver;
    }
    reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", driver.error().message);
  }
  if (log) log(LogLevel::kInfo, fmt::format("measuring on the CPU: {}", reasons));
  return std::shared_ptr<device::Driver>();
}

}  // namespace vmafx::engine
