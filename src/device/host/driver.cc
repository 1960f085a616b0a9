#include "device/host/driver.h"

#include <cstring>
#include <new>

#include "vmafx/status.h"

namespace vmafx::device::host {
namespace {

constexpr std::align_val_t kAlignment{256};
constexpr int kPattern = 0xC7;

Result<void*> allocate_filled(std::size_t bytes) {
  void* const memory = ::operator new(bytes, kAlignment, std::nothrow);
  if (memory == nullptr) return Error{ErrorCode::kOutOfMemory, "out of memory", {}};
  std::memset(memory, kPattern, bytes);
  return memory;
}

class HostDriver final : public Driver {
 public:
  HostDriver(const Table& table, Order order)
      : table_(table), order_(order), info_(devices().front()) {}

  const DeviceInfo& info() const override { return info_; }

  Result<void*> allocate(std::size_t bytes) override { return allocate_filled(bytes); }
  void release(void* memory) override { ::operator delete(memory, kAlignment); }
  Result<void*> allocate_pinned(std::size_t bytes) override { return allocate_filled(bytes); }
  void release_pinned(void* memory) override { ::operator delete(memory, kAlignment); }

  Result<std::unique_ptr<Stream>> make_stream() override { return std::make_unique<Stream>(); }
  Result<std::unique_ptr<Mark>> make_mark() override { return std::make_unique<Mark>(); }

  Status upload(Stream& /*stream*/, void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Status download(Stream& /*stream*/, void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Status zero(Stream& /*stream*/, void* memory, std::size_t bytes) override {
    std::memset(memory, 0, bytes);
    return {};
  }
  Status launch(Stream& /*stream*/, const char* kernel, Grid grid, const void* arguments) override {
    const auto found = table_.find(kernel);
    if (found == table_.end()) return Error{ErrorCode::kInternal, "there is no such kernel", {}};
    std::string problem = found->second(grid, arguments, order_);
    if (problem.empty()) return {};
    return Error{ErrorCode::kInternal, std::move(problem), {}};
  }
  Status record(Stream& /*stream*/, Mark& /*mark*/) override { return {}; }
  Status wait(Stream& /*stream*/, const Mark& /*mark*/) override { return {}; }
  Status synchronize(Stream& /*stream*/) override { return {}; }

 private:
  const Table& table_;
  const Order order_;
  const DeviceInfo info_;
};

}  // namespace

std::vector<DeviceInfo> devices() {
  return {{.backend = "host", .index = 0, .name = "kernels on the CPU", .driver = {}}};
}

std::unique_ptr<Driver> open(const Table& table, Order order) {
  return std::make_unique<HostDriver>(table, order);
}

}  // namespace vmafx::device::host
