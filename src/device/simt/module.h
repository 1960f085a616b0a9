// The driver of CUDA and HIP and the module's entry: each backend's module.* includes this once,
// after its runtime.h.
#ifndef VMAFX_DEVICE_SIMT_MODULE_H_
#define VMAFX_DEVICE_SIMT_MODULE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/driver.h"
#include "device/module_abi.h"
#include "device/simt/kernels.h"
#include "vmafx/status.h"

namespace vmafx::device::simt {

using NativeError = VMAFX_RUNTIME(Error_t);
inline constexpr NativeError kSuccess = VMAFX_RUNTIME(Success);

inline Error to_error(NativeError error, const char* call) {
  // The runtime keeps errors that do not concern later calls until somebody asks.
  static_cast<void>(VMAFX_RUNTIME(GetLastError)());
  return {
      error == VMAFX_RUNTIME(ErrorMemoryAllocation) ? ErrorCode::kOutOfMemory : ErrorCode::kDevice,
      std::string(call) + ": " + VMAFX_RUNTIME(GetErrorString)(error),
      {}};
}

inline Status to_status(NativeError error, const char* call) {
  if (error == kSuccess) return {};
  return to_error(error, call);
}

#define VMAFX_STRINGIFY_(name) #name
#define VMAFX_STRINGIFY(name) VMAFX_STRINGIFY_(name)
// The call's name is the vendor's: "cudaMalloc".
#define VMAFX_CALL(name, ...) \
  to_status(VMAFX_RUNTIME(name)(__VA_ARGS__), VMAFX_STRINGIFY(VMAFX_RUNTIME(name)))

class SimtStream final : public Stream {
 public:
  ~SimtStream() override {
    if (native != nullptr) static_cast<void>(VMAFX_RUNTIME(StreamDestroy)(native));
    if (done != nullptr) static_cast<void>(VMAFX_RUNTIME(EventDestroy)(done));
  }
  VMAFX_RUNTIME(Stream_t) native = nullptr;
  VMAFX_RUNTIME(Event_t) done = nullptr;  // for synchronize()
};

class SimtMark final : public Mark {
 public:
  ~SimtMark() override {
    if (native != nullptr) static_cast<void>(VMAFX_RUNTIME(EventDestroy)(native));
  }
  VMAFX_RUNTIME(Event_t) native = nullptr;
};

inline VMAFX_RUNTIME(Stream_t) native(Stream& stream) {
  return static_cast<SimtStream&>(stream).native;
}

class SimtDriver final : public Driver {
 public:
  explicit SimtDriver(DeviceInfo info) : info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }

  Result<void*> allocate(std::size_t bytes) override {
    void* memory = nullptr;
    if (Status status = select(); !status) return status.error();
    if (Status status = VMAFX_CALL(Malloc, &memory, bytes); !status) return status.error();
    return memory;
  }
  void release(void* memory) override {
    static_cast<void>(select());
    static_cast<void>(VMAFX_RUNTIME(Free)(memory));
  }
  Result<void*> allocate_pinned(std::size_t bytes) override {
    void* memory = nullptr;
    if (Status status = select(); !status) return status.error();
    const auto flags = VMAFX_RUNTIME(HostMallocDefault);
    if (Status status = VMAFX_CALL(HostMalloc, &memory, bytes, flags); !status)
      return status.error();
    return memory;
  }
  void release_pinned(void* memory) override {
    static_cast<void>(select());
    static_cast<void>(VMAFX_RUNTIME(HostFree)(memory));
  }

  Result<std::unique_ptr<Stream>> make_stream() override {
    auto stream = std::make_unique<SimtStream>();
    if (Status status = select(); !status) return status.error();
    const auto kind = VMAFX_RUNTIME(StreamNonBlocking);
    if (Status status = VMAFX_CALL(StreamCreateWithFlags, &stream->native, kind); !status)
      return status.error();
    // Threads sleep while they wait: there are as many as frames in flight.
    const auto sleep = VMAFX_RUNTIME(EventBlockingSync) | VMAFX_RUNTIME(EventDisableTiming);
    if (Status status = VMAFX_CALL(EventCreateWithFlags, &stream->done, sleep); !status)
      return status.error();
    return std::unique_ptr<Stream>(std::move(stream));
  }
  Result<std::unique_ptr<Mark>> make_mark() override {
    auto mark = std::make_unique<SimtMark>();
    if (Status status = select(); !status) return status.error();
    const auto kind = VMAFX_RUNTIME(EventDisableTiming);
    if (Status status = VMAFX_CALL(EventCreateWithFlags, &mark->native, kind); !status)
      return status.error();
    return std::unique_ptr<Mark>(std::move(mark));
  }

  Status upload(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    if (Status status = select(); !status) return status;
    const auto kind = VMAFX_RUNTIME(MemcpyHostToDevice);
    return VMAFX_CALL(MemcpyAsync, to, from, bytes, kind, native(stream));
  }
  Status download(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    if (Status status = select(); !status) return status;
    const auto kind = VMAFX_RUNTIME(MemcpyDeviceToHost);
    return VMAFX_CALL(MemcpyAsync, to, from, bytes, kind, native(stream));
  }
  Status zero(Stream& stream, void* memory, std::size_t bytes) override {
    if (Status status = select(); !status) return status;
    return VMAFX_CALL(MemsetAsync, memory, 0, bytes, native(stream));
  }
  Status launch(Stream& stream, const char* kernel, Grid grid, const void* arguments) override {
    if (Status status = select(); !status) return status;
    const auto found = kernels().find(kernel);
    if (found == kernels().end())
      return Error{ErrorCode::kInternal, "the module has no such kernel", {}};
    return to_status(found->second(native(stream), grid, arguments), "launch");
  }
  Status record(Stream& stream, Mark& mark) override {
    if (Status status = select(); !status) return status;
    return VMAFX_CALL(EventRecord, static_cast<SimtMark&>(mark).native, native(stream));
  }
  Status wait(Stream& stream, const Mark& mark) override {
    if (Status status = select(); !status) return status;
    return VMAFX_CALL(StreamWaitEvent, native(stream), static_cast<const SimtMark&>(mark).native,
                      0);
  }
  Status synchronize(Stream& stream) override {
    auto& simt_stream = static_cast<SimtStream&>(stream);
    if (Status status = select(); !status) return status;
    Status status = VMAFX_CALL(EventRecord, simt_stream.done, simt_stream.native);
    if (status) status = VMAFX_CALL(EventSynchronize, simt_stream.done);
    // Nobody frees memory that is in use because an event could not be had.
    if (!status) static_cast<void>(VMAFX_RUNTIME(StreamSynchronize)(simt_stream.native));
    return status;
  }

 private:
  // The runtime's idea of the current device belongs to the thread.
  Status select() const { return VMAFX_CALL(SetDevice, info_.index); }

  DeviceInfo info_;
};

// Errors of looking for devices mean that there are none.
inline Error unavailable(const Status& status) {
  return {ErrorCode::kUnavailable, status.error().message, {}};
}

inline Result<int> count_devices() {
  int count = 0;
  if (Status status = VMAFX_CALL(GetDeviceCount, &count); !status) return unavailable(status);
  if (count == 0) return Error{ErrorCode::kUnavailable, "there is no device", {}};
  return count;
}

inline Result<DeviceInfo> describe_device(int index) {
  int version = 0;
  if (Status status = VMAFX_CALL(DriverGetVersion, &version); !status) return unavailable(status);
  VMAFX_RUNTIME(DeviceProp_t) properties;
  if (Status status = VMAFX_CALL(GetDeviceProperties, &properties, index); !status)
    return unavailable(status);
  return DeviceInfo{kBackend, index, properties.name, version_text(version),
                    properties.totalGlobalMem};
}

inline Result<std::vector<DeviceInfo>> list_devices() {
  const auto count = count_devices();
  if (!count) return count.error();
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < *count; ++i) {
    auto info = describe_device(i);
    if (!info) return info.error();
    devices.push_back(*std::move(info));
  }
  return devices;
}

inline Result<std::unique_ptr<Driver>> open_device(int index) {
  const auto count = count_devices();
  if (!count) return count.error();
  if (index < 0 || index >= *count)
    return Error{ErrorCode::kUnavailable,
                 "there is no device " + std::to_string(index) + ", only " + std::to_string(*count),
                 {}};
  auto info = describe_device(index);
  if (!info) return info.error();
  if (Status status = VMAFX_CALL(SetDevice, index); !status) return unavailable(status);
  return std::unique_ptr<Driver>(std::make_unique<SimtDriver>(*std::move(info)));
}

}  // namespace vmafx::device::simt

extern "C" __attribute__((visibility("default"))) const vmafx::device::Module*
vmafx_device_module() {
  static const vmafx::device::Module kModule = {vmafx::device::module_abi(),
                                                &vmafx::device::simt::list_devices,
                                                &vmafx::device::simt::open_device};
  return &kModule;
}

#endif  // VMAFX_DEVICE_SIMT_MODULE_H_
