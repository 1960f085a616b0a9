// What a backend does for the one device that it has opened, and the border between the library
// and the modules that hold backends.
#ifndef VMAFX_DEVICE_DRIVER_H_
#define VMAFX_DEVICE_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/kernel.h"
#include "vmafx/status.h"

namespace vmafx::device {

struct DeviceInfo {
  std::string backend;  // "cuda"
  int index = 0;        // among the backend's devices
  std::string name;     // "NVIDIA H200"
  std::string driver;   // version, as the vendor writes it
  std::uint64_t memory_bytes = 0;
};

// A queue of work that a device does in order, and a mark in such a queue. Backends derive theirs.
class Stream {
 public:
  virtual ~Stream() = default;
};
class Mark {
 public:
  virtual ~Mark() = default;
};

// Calls may come from any thread, but for each stream from one at a time. Errors carry the name of
// the vendor's call and the vendor's text; kOutOfMemory is told apart from kDevice. Work that was
// queued may fail later: then a later call says so.
class Driver {
 public:
  virtual ~Driver() = default;

  virtual const DeviceInfo& info() const = 0;

  // Memory of the device, aligned to 256 bytes.
  virtual Result<void*> allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  // Memory of the host that copies to and from the device run fastest with.
  virtual Result<void*> allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* memory) = 0;

  virtual Result<std::unique_ptr<Stream>> make_stream() = 0;
  virtual Result<std::unique_ptr<Mark>> make_mark() = 0;

  virtual Status upload(Stream& stream, void* to, const void* from, std::size_t bytes) = 0;
  virtual Status download(Stream& stream, void* to, const void* from, std::size_t bytes) = 0;
  virtual Status zero(Stream& stream, void* memory, std::size_t bytes) = 0;
  // `kernel` is the type's name, `arguments` points to an object of it.
  virtual Status launch(Stream& stream, const char* kernel, Grid grid, const void* arguments) = 0;
  // Sets the mark behind what is queued so far; wait() holds back what is queued after it until
  // the device got past the mark.
  virtual Status record(Stream& stream, Mark& mark) = 0;
  virtual Status wait(Stream& stream, const Mark& mark) = 0;
  // Returns when the device has done what was queued.
  virtual Status synchronize(Stream& stream) = 0;
};

struct Module {
  std::uint64_t abi;  // module_abi(); stays the first member for ever
  // kUnavailable if there is no driver or no device.
  Result<std::vector<DeviceInfo>> (*devices)();
  Result<std::unique_ptr<Driver>> (*open)(int index);
};

// The module's only exported symbol: `extern "C" const Module* vmafx_device_module()`.
inline constexpr char kModuleEntry[] = "vmafx_device_module";

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_DRIVER_H_
