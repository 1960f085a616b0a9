// Which device measures.
#ifndef VMAFX_ENGINE_CHOOSE_DEVICE_H_
#define VMAFX_ENGINE_CHOOSE_DEVICE_H_

#include <memory>
#include <string_view>

#include "device/driver.h"
#include "vmafx/log.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// Null for "cpu", and for "auto" if there is no device that works; "auto" says in the log what it
// took and why. A device that is named works, or there is an error: kUsage for an unknown backend,
// kUnavailable if this build or machine lacks it, there is no such device, or it fails the
// self-test. `device`: see device::open().
Result<std::shared_ptr<device::Driver>> choose_device(std::string_view backend,
                                                      std::string_view device, const LogSink& log);

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_CHOOSE_DEVICE_H_
