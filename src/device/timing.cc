#include "device/timing.h"

#include <cxxabi.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace vmafx::device {

void CallTimes::add(const std::string& what, double seconds, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  CallTime& time = times_[what];
  ++time.calls;
  time.bytes += static_cast<std::int64_t>(bytes);
  time.seconds += seconds;
}

std::map<std::string, CallTime> CallTimes::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(times_, {});
}

std::string readable_kernel_name(const char* mangled) {
  int failed = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &failed), &std::free);
  return failed == 0 ? name.get() : mangled;
}

namespace {

class TimingDriver final : public Driver {
 public:
  TimingDriver(std::shared_ptr<Driver> driver, std::shared_ptr<CallTimes> times)
      : driver_(std::move(driver)), times_(std::move(times)) {}

  const DeviceInfo& info() const override { return driver_->info(); }
  Result<void*> allocate(std::size_t bytes) override { return driver_->allocate(bytes); }
  void release(void* memory) override { driver_->release(memory); }
  Result<void*> allocate_pinned(std::size_t bytes) override {
    return driver_->allocate_pinned(bytes);
  }
  void release_pinned(void* memory) override { driver_->release_pinned(memory); }
  Result<std::unique_ptr<Stream>> make_stream() override { return driver_->make_stream(); }
  Result<std::unique_ptr<Mark>> make_mark() override { return driver_->make_mark(); }

  Status upload(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    return timed(stream, "upload", bytes, [&] { return driver_->upload(stream, to, from, bytes); });
  }
  Status download(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    return timed(stream, "read-back", bytes,
                 [&] { return driver_->download(stream, to, from, bytes); });
  }
  Status zero(Stream& stream, void* memory, std::size_t bytes) override {
    return timed(stream, "clearing", bytes, [&] { return driver_->zero(stream, memory, bytes); });
  }
  Status launch(Stream& stream, const char* kernel, Grid grid, const void* arguments) override {
    return timed(stream, readable_kernel_name(kernel), 0,
                 [&] { return driver_->launch(stream, kernel, grid, arguments); });
  }
  Status record(Stream& stream, Mark& mark) override { return driver_->record(stream, mark); }
  Status wait(Stream& stream, const Mark& mark) override { return driver_->wait(stream, mark); }
  Status synchronize(Stream& stream) override { return driver_->synchronize(stream); }

 private:
  template <class Call>
  Status timed(Stream& stream, const std::string& what, std::size_t bytes, const Call& call) {
    if (Status idle = driver_->synchronize(stream); !idle) return idle;
    const auto start = std::chrono::steady_clock::now();
    if (Status queued = call(); !queued) return queued;
    if (Status done = driver_->synchronize(stream); !done) return done;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    times_->add(what, seconds.count(), bytes);
    return {};
  }

  std::shared_ptr<Driver> driver_;
  std::shared_ptr<CallTimes> times_;
};

}  // namespace

std::shared_ptr<Driver> with_timing(std::shared_ptr<Driver> driver,
                                    std::shared_ptr<CallTimes> times) {
  return std::make_shared<TimingDriver>(std::move(driver), std::move(times));
}

}  // namespace vmafx::device
