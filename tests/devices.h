// Every device that tests can use.
#ifndef VMAFX_TESTS_DEVICES_H_
#define VMAFX_TESTS_DEVICES_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/driver.h"
#include "vmafx/picture.h"

namespace vmafx::tests {

struct TestDevice {
  std::string name;
  std::shared_ptr<device::Driver> driver;
  // Thousands of times slower than the host: for pictures of up to kSlowSamples samples of luma.
  bool slow = false;
};
inline constexpr int kSlowSamples = 128 * 128;

// The host, the host that watches in two orders, the SYCL backend on a stand-in for SYCL, and the
// first device of every other backend that is built and works here. Backends that do not are named,
// with the reason, by the test Devices.AllBackendsAreTested, which is skipped then.
const std::vector<TestDevice>& test_devices();

// The backends that a session can measure with here, the host's too.
std::vector<std::string> usable_backends();

// Why the backend is not among the devices; empty if it is.
std::string why_not_tested(std::string_view backend);

// Whether the device is fast enough for pictures of this format. Each time that it is not is
// counted, and a line about them is printed when the test ends.
bool is_fast_enough(const TestDevice& device, const PictureFormat& format);

}  // namespace vmafx::tests

#endif  // VMAFX_TESTS_DEVICES_H_
