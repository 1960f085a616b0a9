// Every device that tests can use.
#ifndef VMAFX_TESTS_DEVICES_H_
#define VMAFX_TESTS_DEVICES_H_

#include <memory>
#include <string>
#include <vector>

#include "device/driver.h"

namespace vmafx::tests {

struct TestDevice {
  std::string name;
  std::shared_ptr<device::Driver> driver;
};

// The host, the host that watches in two orders, and the first device of every other backend that
// is built and works here.
const std::vector<TestDevice>& test_devices();
// A line for each backend that is not among them: why. The test Device.AllBackendsAreThere is
// skipped with these lines.
std::string absent_backends();

}  // namespace vmafx::tests

#endif  // VMAFX_TESTS_DEVICES_H_
