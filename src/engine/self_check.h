// Whether a device gives the CPU's bits.
#ifndef VMAFX_ENGINE_SELF_CHECK_H_
#define VMAFX_ENGINE_SELF_CHECK_H_

#include <memory>

#include "device/driver.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// Measures a few small pictures with every metric that devices measure, with the default options
// and those of two models, and compares with what the CPU measures. kUnavailable names the metric
// and the frame that differ; errors of the device are passed on as kUnavailable. Takes some
// milliseconds.
Status self_test(const std::shared_ptr<device::Driver>& driver);

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_SELF_CHECK_H_
