// The driver of SYCL and the module's entry.
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <sycl/sycl.hpp>
#include <utility>
#include <vector>

#include "device/driver.h"
#include "device/module_abi.h"
#include "device/sycl/kernels.h"
#include "vmafx/status.h"

namespace vmafx::device::sycl_backend {
namespace {

constexpr std::size_t kAlignment = 256;

// Nothing is thrown beyond this file.
template <class Call>
Status attempt(const char* name, const Call& call) {
  const auto error = [name](ErrorCode code, const char* what) {
    return Error{code, std::string(name) + ": " + what, {}};
  };
  try {
    call();
    return {};
  } catch (const sycl::exception& e) {
    const bool memory = e.code() == sycl::make_error_code(sycl::errc::memory_allocation);
    return error(memory ? ErrorCode::kOutOfMemory : ErrorCode::kDevice, e.what());
  } catch (const std::bad_alloc& e) {
    return error(ErrorCode::kOutOfMemory, e.what());
  } catch (const std::exception& e) {
    return error(ErrorCode::kDevice, e.what());
  }
}

// The first error of work that had been queued. It stays: which of the results are good after one
// is not known.
class LateErrors {
 public:
  sycl::async_handler handler() const {
    return [state = state_](const sycl::exception_list& errors) {
      const std::lock_guard lock(state->mutex);
      if (!state->first && errors.begin() != errors.end()) state->first = *errors.begin();
    };
  }
  Status status() const {
    const std::lock_guard lock(state_->mutex);
    if (!state_->first) return {};
    return attempt("queued work", [this] { std::rethrow_exception(state_->first); });
  }

 private:
  struct State {
    std::mutex mutex;
    std::exception_ptr first;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

class SyclStream final : public Stream {
 public:
  explicit SyclStream(sycl::queue in_order) : queue(std::move(in_order)) {}

  sycl::queue queue;
  sycl::event last;                // of the commands so far
  std::vector<sycl::event> waits;  // of other streams, for the next command
};

class SyclMark final : public Mark {
 public:
  std::vector<sycl::event> events;
};

class SyclDriver final : public Driver {
 public:
  SyclDriver(DeviceInfo info, const sycl::device& device)
      : info_(std::move(info)), device_(device), context_(device_, late_errors_.handler()) {}

  const DeviceInfo& info() const override { return info_; }

  Result<void*> allocate(std::size_t bytes) override {
    // Some implementations want a multiple of the alignment.
    const std::size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return allocated("sycl::aligned_alloc_device", [&] {
      return sycl::aligned_alloc_device(kAlignment, whole, device_, context_);
    });
  }
  void release(void* memory) override {
    static_cast<void>(attempt("sycl::free", [&] { sycl::free(memory, context_); }));
  }
  Result<void*> allocate_pinned(std::size_t bytes) override {
    return allocated("sycl::malloc_host", [&] { return sycl::malloc_host(bytes, context_); });
  }
  void release_pinned(void* memory) override { release(memory); }

  Result<std::unique_ptr<Stream>> make_stream() override {
    std::unique_ptr<Stream> stream;
    const Status status = attempt("sycl::queue", [&] {
      stream = std::make_unique<SyclStream>(
          sycl::queue(context_, device_, late_errors_.handler(),
                      sycl::property_list(sycl::property::queue::in_order())));
    });
    if (!status) return status.error();
    return stream;
  }
  Result<std::unique_ptr<Mark>> make_mark() override {
    return std::unique_ptr<Mark>(std::make_unique<SyclMark>());
  }

  Status upload(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    return submit(stream, "sycl::handler::memcpy",
                  [&](sycl::handler& handler) { handler.memcpy(to, from, bytes); });
  }
  Status download(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    return upload(stream, to, from, bytes);
  }
  Status zero(Stream& stream, void* memory, std::size_t bytes) override {
    return submit(stream, "sycl::handler::memset",
                  [&](sycl::handler& handler) { handler.memset(memory, 0, bytes); });
  }
  Status launch(Stream& stream, const char* kernel, Grid grid, const void* arguments) override {
    const auto found = kernels().find(kernel);
    if (found == kernels().end())
      return Error{ErrorCode::kInternal, "the module has no such kernel", {}};
    return submit(stream, "sycl::handler::parallel_for",
                  [&](sycl::handler& handler) { found->second(handler, grid, arguments); });
  }
  Status record(Stream& stream, Mark& mark) override {
    const auto& from = static_cast<SyclStream&>(stream);
    return attempt("sycl::event", [&] {
      std::vector<sycl::event> events = from.waits;
      events.push_back(from.last);
      static_cast<SyclMark&>(mark).events = std::move(events);
    });
  }
  Status wait(Stream& stream, const Mark& mark) override {
    auto& waits = static_cast<SyclStream&>(stream).waits;
    const auto& events = static_cast<const SyclMark&>(mark).events;
    return attempt("sycl::event", [&] { waits.insert(waits.end(), events.begin(), events.end()); });
  }
  Status synchronize(Stream& stream) override {
    auto& waiting = static_cast<SyclStream&>(stream);
    const Status status = attempt("sycl::queue::wait_and_throw", [&] {
      sycl::event::wait(waiting.waits);
      waiting.waits.clear();
      waiting.queue.wait_and_throw();
    });
    return status ? late_errors_.status() : status;
  }

 private:
  template <class Allocate>
  static Result<void*> allocated(const char* call, const Allocate& allocate) {
    void* memory = nullptr;
    const Status status = attempt(call, [&] { memory = allocate(); });
    if (!status) return status.error();
    if (memory == nullptr)
      return Error{ErrorCode::kOutOfMemory, std::string(call) + " gives no memory", {}};
    return memory;
  }
  // Queues what `command` adds to the handler.
  template <class Command>
  static Status submit(Stream& stream, const char* call, const Command& command) {
    auto& to = static_cast<SyclStream&>(stream);
    return attempt(call, [&] {
      to.last = to.queue.submit([&](sycl::handler& handler) {
        handler.depends_on(to.waits);
        command(handler);
      });
      to.waits.clear();
    });
  }

  const DeviceInfo info_;
  const LateErrors late_errors_;
  const sycl::device device_;
  const sycl::context context_;
};

bool has_what_kernels_need(const sycl::device& device) {
  return device.has(sycl::aspect::usm_device_allocations) &&
         device.has(sycl::aspect::usm_host_allocations) && device.has(sycl::aspect::atomic64);
}

// GPUs first. Others may be there too: a CPU, say, whose kernels are compiled for it.
std::vector<sycl::device> usable_devices() {
  const std::vector<sycl::device> all = sycl::device::get_devices();
  std::vector<sycl::device> usable;
  for (const bool gpu : {true, false})
    for (const sycl::device& device : all)
      if (device.is_gpu() == gpu && has_what_kernels_need(device)) usable.push_back(device);
  return usable;
}

DeviceInfo describe(const sycl::device& device, int index) {
  return {"sycl", index, device.get_info<sycl::info::device::name>(),
          device.get_platform().get_info<sycl::info::platform::name>() + ' ' +
              device.get_info<sycl::info::device::driver_version>(),
          device.get_info<sycl::info::device::global_mem_size>()};
}

Result<std::vector<DeviceInfo>> list_devices() {
  std::vector<DeviceInfo> infos;
  const Status status = attempt("sycl::device::get_devices", [&] {
    for (const sycl::device& device : usable_devices())
      infos.push_back(describe(device, static_cast<int>(infos.size())));
  });
  if (!status) return Error{ErrorCode::kUnavailable, status.error().message, {}};
  if (infos.empty())
    return Error{ErrorCode::kUnavailable,
                 "there is no device with unified shared memory and 64-bit atomics",
                 {}};
  return infos;
}

Result<std::unique_ptr<Driver>> open_device(int index) {
  std::unique_ptr<Driver> driver;
  const Status status = attempt("sycl::context", [&] {
    const std::vector<sycl::device> devices = usable_devices();
    if (index < 0 || static_cast<std::size_t>(index) >= devices.size()) return;
    const sycl::device& device = devices[static_cast<std::size_t>(index)];
    driver = std::make_unique<SyclDriver>(describe(device, index), device);
  });
  if (!status) return status.error();
  if (!driver)
    return Error{ErrorCode::kUnavailable, "there is no device " + std::to_string(index), {}};
  return driver;
}

}  // namespace
}  // namespace vmafx::device::sycl_backend

extern "C" __attribute__((visibility("default"))) const vmafx::device::Module*
vmafx_device_module() {
  using namespace vmafx::device;
  static const Module kModule = {module_abi(), &sycl_backend::list_devices,
                                 &sycl_backend::open_device};
  return &kModule;
}
