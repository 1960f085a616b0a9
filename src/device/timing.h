// A driver that tells how long each kind of call takes on the device.
#ifndef VMAFX_DEVICE_TIMING_H_
#define VMAFX_DEVICE_TIMING_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "device/driver.h"

namespace vmafx::device {

struct CallTime {
  std::int64_t calls = 0;
  std::int64_t bytes = 0;  // moved by uploads and read-backs
  double seconds = 0;
};

// By the kernel's name, or "upload", "read-back", "clearing".
class CallTimes {
 public:
  void add(const std::string& what, double seconds, std::size_t bytes);
  std::map<std::string, CallTime> take();

 private:
  std::mutex mutex_;
  std::map<std::string, CallTime> times_;
};

// Waits for the device before and after every call, so that nothing overlaps: each time holds the
// device's part, and some microseconds of launching and waiting. For one queue at a time.
std::shared_ptr<Driver> with_timing(std::shared_ptr<Driver> driver,
                                    std::shared_ptr<CallTimes> times);

// "vmafx::vif::Filter<0>" for the name of a kernel's type.
std::string readable_kernel_name(const char* mangled);

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_TIMING_H_
