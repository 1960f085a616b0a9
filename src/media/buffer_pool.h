// Buffers of one size that are used again when the last picture over them is gone, because the page
// faults of fresh memory cost more than reading a frame.
#ifndef VMAFX_MEDIA_BUFFER_POOL_H_
#define VMAFX_MEDIA_BUFFER_POOL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "vmafx/frame_memory.h"
#include "vmafx/picture.h"

namespace vmafx {

// Holds as many buffers as were ever alive at once. Buffers may outlive the pool and come back on
// any thread; take() is for one thread.
class BufferPool {
 public:
  static constexpr std::size_t kAlignment = 64;

  // Of `memory`, or if that is null ordinary memory.
  explicit BufferPool(std::size_t bytes, std::shared_ptr<FrameMemory> memory = nullptr)
      : shelf_(std::make_shared<Shelf>()), memory_(std::move(memory)), bytes_(bytes) {}

  // Null if memory is short. Contents are unspecified.
  std::shared_ptr<std::byte> take();

 private:
  struct Release {
    std::shared_ptr<FrameMemory> memory;
    void operator()(std::byte* p) const;
  };
  using Buffer = std::unique_ptr<std::byte, Release>;
  struct Shelf {
    std::mutex mutex;
    std::vector<Buffer> free;
  };

  Buffer allocate() const;

  std::shared_ptr<Shelf> shelf_;
  std::shared_ptr<FrameMemory> memory_;
  std::size_t bytes_;
};

// A picture over a buffer that holds its planes one after another without padding.
Picture tight_picture(const PictureFormat& format, std::shared_ptr<const std::byte> buffer);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_BUFFER_POOL_H_
