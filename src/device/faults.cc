#include "device/faults.h"

#include <atomic>
#include <utility>

namespace vmafx::device {
namespace {

std::atomic<std::int64_t> alive = 0;
std::atomic<std::int64_t> injected = 0;

// Counts itself beside what it holds.
template <class Base>
struct Counted final : Base {
  explicit Counted(std::unique_ptr<Base> held) : inner(std::move(held)) { ++alive; }
  ~Counted() override { --alive; }
  std::unique_ptr<Base> inner;
};

Stream& inner(Stream& stream) { return *static_cast<Counted<Stream>&>(stream).inner; }
Mark& inner(Mark& mark) { return *static_cast<Counted<Mark>&>(mark).inner; }
const Mark& inner(const Mark& mark) { return *static_cast<const Counted<Mark>&>(mark).inner; }

class FaultyDriver final : public Driver {
 public:
  FaultyDriver(std::shared_ptr<Driver> driver, std::int64_t nth)
      : driver_(std::move(driver)), left_(nth) {}

  const DeviceInfo& info() const override { return driver_->info(); }

  Result<void*> allocate(std::size_t bytes) override {
    return allocate_with([&] { return driver_->allocate(bytes); });
  }
  void release(void* memory) override {
    driver_->release(memory);
    --alive;
  }
  Result<void*> allocate_pinned(std::size_t bytes) override {
    return allocate_with([&] { return driver_->allocate_pinned(bytes); });
  }
  void release_pinned(void* memory) override {
    driver_->release_pinned(memory);
    --alive;
  }

  Result<std::unique_ptr<Stream>> make_stream() override {
    return make([&] { return driver_->make_stream(); });
  }
  Result<std::unique_ptr<Mark>> make_mark() override {
    return make([&] { return driver_->make_mark(); });
  }

  Status upload(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    return pass([&] { return driver_->upload(inner(stream), to, from, bytes); });
  }
  Status download(Stream& stream, void* to, const void* from, std::size_t bytes) override {
    return pass([&] { return driver_->download(inner(stream), to, from, bytes); });
  }
  Status zero(Stream& stream, void* memory, std::size_t bytes) override {
    return pass([&] { return driver_->zero(inner(stream), memory, bytes); });
  }
  Status launch(Stream& stream, const char* kernel, Grid grid, const void* arguments) override {
    return pass([&] { return driver_->launch(inner(stream), kernel, grid, arguments); });
  }
  Status record(Stream& stream, Mark& mark) override {
    return pass([&] { return driver_->record(inner(stream), inner(mark)); });
  }
  Status wait(Stream& stream, const Mark& mark) override {
    return pass([&] { return driver_->wait(inner(stream), inner(mark)); });
  }
  // The device does its work even if it says that it failed: nothing may be freed before.
  Status synchronize(Stream& stream) override {
    Status done = driver_->synchronize(inner(stream));
    return pass([&] { return std::move(done); });
  }

 private:
  bool fails() {
    if (--left_ != 0) return false;
    ++injected;
    return true;
  }
  template <class Call>
  Status pass(const Call& call) {
    if (fails()) return Error{ErrorCode::kDevice, "injected failure", {}};
    return call();
  }
  template <class Call>
  Result<void*> allocate_with(const Call& call) {
    if (fails()) return Error{ErrorCode::kOutOfMemory, "injected lack of memory", {}};
    Result<void*> memory = call();
    if (memory) ++alive;
    return memory;
  }
  template <class Call>
  auto make(const Call& call) -> decltype(call()) {
    using Object = typename std::remove_reference_t<decltype(*call())>::element_type;
    if (fails()) return Error{ErrorCode::kDevice, "injected failure", {}};
    auto made = call();
    if (!made) return made;
    return std::unique_ptr<Object>(std::make_unique<Counted<Object>>(*std::move(made)));
  }

  std::shared_ptr<Driver> driver_;
  std::atomic<std::int64_t> left_;
};

}  // namespace

std::shared_ptr<Driver> with_fault(std::shared_ptr<Driver> driver, std::int64_t nth) {
  return std::make_shared<FaultyDriver>(std::move(driver), nth);
}

std::int64_t objects_alive() { return alive; }
std::int64_t faults_injected() { return injected; }

}  // namespace vmafx::device
