// A driver that fails on purpose, to test what happens then.
#ifndef VMAFX_DEVICE_FAULTS_H_
#define VMAFX_DEVICE_FAULTS_H_

#include <cstdint>
#include <memory>

#include "device/driver.h"

namespace vmafx::device {

// Passes calls on to `driver`, but the `nth`, from 1, of those that can fail: an allocation is then
// out of memory, another call is an error of the device; both say "injected". Calls of all threads
// count. device::open() wraps what it opens if the environment variable VMAFX_DEVICE_FAULT holds a
// number.
std::shared_ptr<Driver> with_fault(std::shared_ptr<Driver> driver, std::int64_t nth);

// Memory, streams and marks of drivers with faults that are alive.
std::int64_t objects_alive();
// How often a fault was injected in this process.
std::int64_t faults_injected();

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_FAULTS_H_
