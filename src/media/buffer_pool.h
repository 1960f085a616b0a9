// Buffers of one size that are used again when the last picture over them is gone, because the page
// faults of fresh memory cost more than reading a frame.
#ifndef VMAFX_MEDIA_BUFFER_POOL_H_
#define VMAFX_MEDIA_BUFFER_POOL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "vmafx/picture.h"

namespace vmafx {

// Holds as many buffers as were ever alive at once. Buffers may outlive the pool and come back on
// any thread; take() is for one thread.
class BufferPool {
 public:
  static constexpr std::size_t kAlignment = 64;

  explicit BufferPool(std::size_t bytes) : shelf_(std::make_shared<Shelf>()), bytes_(bytes) {}

  // Null if memory is short. Contents are unspecified.
  std::shared_ptr<std::byte> take();

 private:
  struct Release {
    void operator()(std::byte* p) const;
  };
  using Buffer = std::unique_ptr<std::byte, Release>;
  struct Shelf {
    std::mutex mutex;
    std::vector<Buffer> free;
  };

  std::shared_ptr<Shelf> shelf_;
  std::size_t bytes_;
};

// A picture over a buffer that holds its planes one after another without padding.
Picture tight_picture(const PictureFormat& format, std::shared_ptr<const std::byte> buffer);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_BUFFER_POOL_H_
