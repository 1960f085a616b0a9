#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "base/guard.h"
#include "device/driver.h"
#include "engine/choose_device.h"
#include "vmafx/frame_memory.h"

namespace vmafx {
namespace {

class PinnedMemory final : public FrameMemory {
 public:
  explicit PinnedMemory(std::shared_ptr<device::Driver> driver) : driver_(std::move(driver)) {}

  std::byte* allocate(std::size_t bytes) noexcept override {
    void* memory = nullptr;
    try {
      const auto allocated = driver_->allocate_pinned(bytes);
      if (!allocated) return nullptr;
      memory = *allocated;
      const std::lock_guard lock(mutex_);
      sizes_.emplace(static_cast<std::byte*>(memory), bytes);
      return static_cast<std::byte*>(memory);
    } catch (const std::bad_alloc&) {
      if (memory != nullptr) driver_->release_pinned(memory);
      return nullptr;
    }
  }

  void release(std::byte* memory) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      sizes_.erase(memory);
    }
    driver_->release_pinned(memory);
  }

  bool holds(const std::byte* memory, std::size_t bytes) const noexcept override {
    const std::lock_guard lock(mutex_);
    auto after = sizes_.upper_bound(memory);
    if (after == sizes_.begin()) return false;
    const auto& [begin, size] = *--after;
    const auto offset = static_cast<std::size_t>(memory - begin);
    return offset <= size && bytes <= size - offset;
  }

 private:
  std::shared_ptr<device::Driver> driver_;
  mutable std::mutex mutex_;
  std::map<const std::byte*, std::size_t, std::less<>> sizes_;
};

}  // namespace

Result<std::shared_ptr<FrameMemory>> make_frame_memory(std::string_view backend,
                                                       std::string_view device) {
  return guarded([&]() -> Result<std::shared_ptr<FrameMemory>> {
    auto driver = engine::choose_device(backend, device, {});
    if (!driver) return driver.error();
    if (!*driver) return std::shared_ptr<FrameMemory>();
    return std::shared_ptr<FrameMemory>(std::make_shared<PinnedMemory>(*std::move(driver)));
  });
}

}  // namespace vmafx
