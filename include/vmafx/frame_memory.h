// Memory for pictures that a device fetches without another copy.
#ifndef VMAFX_FRAME_MEMORY_H_
#define VMAFX_FRAME_MEMORY_H_

#include <cstddef>
#include <memory>
#include <string_view>

#include "vmafx/status.h"

namespace vmafx {

// Thread-safe. Kept alive by whoever has memory of it.
class FrameMemory {
 public:
  virtual ~FrameMemory() = default;
  // Aligned to 256 bytes; null if memory is short.
  virtual std::byte* allocate(std::size_t bytes) noexcept = 0;
  virtual void release(std::byte* memory) noexcept = 0;
  // Whether all of these bytes are of one allocate().
  virtual bool holds(const std::byte* memory, std::size_t bytes) const noexcept = 0;
};

// Pinned memory of the device that a session with this backend and device measures on; null for
// "cpu", and for "auto" where that means the CPU. For SourceOptions::memory,
// SessionConfig::frame_memory, and pictures of your own. Errors are those of Session::prepare().
Result<std::shared_ptr<FrameMemory>> make_frame_memory(std::string_view backend,
                                                       std::string_view device);

}  // namespace vmafx

#endif  // VMAFX_FRAME_MEMORY_H_
