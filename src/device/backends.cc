#include "device/backends.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/module_loader.h"
#include "device/faults.h"
#include "device/host/driver.h"
#include "device/module_abi.h"

namespace vmafx::device {
namespace {

constexpr std::array<std::string_view, 4> kBackends = {"cuda", "hip", "sycl", "host"};

Result<std::unique_ptr<Driver>> open_host(int /*index*/) { return host::open(host::kernels()); }
Result<std::vector<DeviceInfo>> host_devices() { return host::devices(); }

// The backend's functions, from its module if it is not built in.
Result<const Module*> find_backend(std::string_view backend) {
  static constexpr Module kHost = {module_abi(), &host_devices, &open_host};
  if (backend == "host") return &kHost;
  if (std::find(kBackends.begin(), kBackends.end(), backend) == kBackends.end())
    return Error{ErrorCode::kUsage, fmt::format("there is no backend \"{}\"", backend),
                 fmt::format("there are: auto, cpu, {}", fmt::join(kBackends, ", "))};
  const auto entry =
      load_module(module_folders(), fmt::format("vmafx_{}.so", backend), kModuleEntry);
  if (!entry) {
    Error error = entry.error();
    error.message =
        fmt::format("{} needs the module vmafx_{}.so, {}", backend, backend, error.message);
    return error;
  }
  using Entry = const Module* (*)();
  const Module* const module = reinterpret_cast<Entry>(*entry)();
  if (module->abi == module_abi()) return module;
  return Error{ErrorCode::kUnavailable,
               fmt::format("vmafx_{}.so belongs to another version of VMAFx", backend),
               "install the module of this version"};
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool means(std::string_view which, const DeviceInfo& info) {
  if (which.empty()) return true;
  int index = 0;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), index);
  if (error == std::errc() && end == which.data() + which.size()) return index == info.index;
  return lower(info.name).find(lower(which)) != std::string::npos;
}

std::shared_ptr<Driver> perhaps_with_fault(std::shared_ptr<Driver> driver) {
  const char* const text = std::getenv("VMAFX_DEVICE_FAULT");
  if (text == nullptr) return driver;
  std::int64_t nth = 0;
  std::from_chars(text, text + std::strlen(text), nth);
  return nth > 0 ? with_fault(std::move(driver), nth) : driver;
}

Error name_backend(std::string_view backend, Error error) {
  error.message = fmt::format("{}: {}", backend, error.message);
  return error;
}

}  // namespace

std::span<const std::string_view> backend_names() { return kBackends; }

Result<std::vector<DeviceInfo>> devices(std::string_view backend) {
  const auto module = find_backend(backend);
  if (!module) return module.error();
  auto found = (*module)->devices();
  if (!found) return name_backend(backend, found.error());
  return found;
}

Result<std::shared_ptr<Driver>> open(std::string_view backend, std::string_view which) {
  const auto module = find_backend(backend);
  if (!module) return module.error();
  const auto found = (*module)->devices();
  if (!found) return name_backend(backend, found.error());
  for (const DeviceInfo& info : *found) {
    if (!means(which, info)) continue;
    auto driver = (*module)->open(info.index);
    if (!driver) return name_backend(backend, driver.error());
    return perhaps_with_fault(*std::move(driver));
  }
  std::vector<std::string> names;
  for (const DeviceInfo& info : *found)
    names.push_back(fmt::format("{} {}", info.index, info.name));
  return Error{ErrorCode::kUnavailable,
               fmt::format("{}: there is no device \"{}\"", backend, which),
               fmt::format("there are: {}", fmt::join(names, ", "))};
}

}  // namespace vmafx::device
