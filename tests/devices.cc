#include "tests/devices.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <utility>

#include "base/module_loader.h"
#include "device/backends.h"
#include "device/host/driver.h"
#include "vmafx/device.h"

namespace vmafx::tests {
namespace {

struct Found {
  std::vector<TestDevice> devices;
  std::map<std::string, std::string, std::less<>> missing;  // backend, reason
};

// From a folder of its own, so that users do not measure with it by accident.
Result<std::shared_ptr<device::Driver>> open_stand_in() {
  const auto entry = load_module({VMAFX_TEST_MODULES}, "vmafx_sycl.so", device::kModuleEntry);
  if (!entry) return entry.error();
  const device::Module* const module = reinterpret_cast<const device::Module* (*)()>(*entry)();
  auto driver = module->open(0);
  if (!driver) return driver.error();
  return std::shared_ptr<device::Driver>(*std::move(driver));
}

Found find_devices() {
  using device::host::Order;
  Found found;
  found.devices.push_back({"host", device::host::open(device::host::kernels())});
  for (const Order order : {Order::kReverse, Order::kShuffled})
    found.devices.push_back(
        {"host, checked", device::host::open(device::host::checked_kernels(), order)});
  const auto add = [&](std::string name, Result<std::shared_ptr<device::Driver>> driver,
                       bool slow) {
    if (driver) {
      found.devices.push_back({std::move(name), *std::move(driver), slow});
    } else {
      found.missing.emplace(std::move(name), driver.error().message);
    }
  };
  add("sycl, stand-in", open_stand_in(), true);
  for (const std::string_view backend : device::backend_names())
    if (backend != "host") add(std::string(backend), device::open(backend, {}), false);
  return found;
}

const Found& found_devices() {
  static const Found kFound = find_devices();
  return kFound;
}

// Says at the end of a test what was left out.
class LeftOut final : public ::testing::EmptyTestEventListener {
 public:
  static LeftOut& instance() {
    // Google Test owns its listeners.
    static LeftOut* const left_out = [] {
      auto* const listener = new LeftOut;
      ::testing::UnitTest::GetInstance()->listeners().Append(listener);
      return listener;
    }();
    return *left_out;
  }
  void count(const std::string& device) { ++counts_[device]; }
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override {
    for (const auto& [device, count] : std::exchange(counts_, {}))
      std::printf("%s: left out %d times, pictures of more than %d samples\n", device.c_str(),
                  count, kSlowSamples);
  }

 private:
  std::map<std::string, int> counts_;
};

}  // namespace

const std::vector<TestDevice>& test_devices() { return found_devices().devices; }

std::vector<std::string> usable_backends() {
  std::vector<std::string> names;
  for (const ListedBackend& backend : list_backends())
    if (backend.unusable.empty()) names.push_back(backend.name);
  return names;
}

std::string why_not_tested(std::string_view backend) {
  const auto missing = found_devices().missing.find(backend);
  return missing == found_devices().missing.end() ? std::string() : missing->second;
}

bool is_fast_enough(const TestDevice& device, const PictureFormat& format) {
  if (!device.slow || format.width * format.height <= kSlowSamples) return true;
  LeftOut::instance().count(device.name);
  return false;
}

}  // namespace vmafx::tests
