// The devices that can measure beside the CPU: SessionConfig::backend and SessionConfig::device.
#ifndef VMAFX_DEVICE_H_
#define VMAFX_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vmafx/status.h"

namespace vmafx {

struct ListedDevice {
  int index = 0;
  std::string name;    // "NVIDIA H200"
  std::string driver;  // "CUDA 13.0"
  std::uint64_t memory_bytes = 0;
};

struct ListedBackend {
  std::string name;                   // "cuda"
  std::string unusable;               // why it cannot be used here; empty if it can
  std::vector<ListedDevice> devices;  // none if it is unusable
};

// All but the CPU, in the order in which "auto" tries them; the host's own is last, and "auto"
// leaves it out. Loads the modules and their drivers, which can take a second.
std::vector<ListedBackend> list_backends();

// Measures small pictures with every metric that the device measures, with the default options and
// those of two models, and compares with the CPU.
// Every session does so once with a device, driver and build that it does not know. kUnavailable if
// there is no such device, or with what differs.
Status test_device(std::string_view backend, std::string_view device);

// What a session takes of its device.
struct DeviceUse {
  std::string backend;  // empty: none
  std::string name;
  int frames_in_flight = 0;
  std::size_t device_bytes = 0;
  std::size_t pinned_bytes = 0;  // of the host
};

// How long the device took for one kind of work, in all.
struct DeviceTime {
  std::string what;  // a kernel, or "upload", "read-back", "clearing"
  std::int64_t calls = 0;
  std::int64_t bytes = 0;  // moved between host and device
  double seconds = 0;      // with some microseconds a call of launching and waiting
};

}  // namespace vmafx

#endif  // VMAFX_DEVICE_H_
