// Pictures that callers fill: their memory, pools of it, and their way into a session.
#ifndef VMAFX_COMPAT_PICTURE_H_
#define VMAFX_COMPAT_PICTURE_H_

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "libvmaf/picture.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx::compat {

// The planes of one picture in one zeroed block.
class PictureMemory {
 public:
  // Precondition: validate(format). Throws std::bad_alloc.
  explicit PictureMemory(const PictureFormat& format);

  const PictureFormat& format() const { return format_; }
  std::ptrdiff_t stride(int plane) const;  // bytes
  std::byte* data(int plane) const;        // nullptr for a plane that the format lacks

 private:
  struct Free {
    void operator()(void* block) const noexcept;
  };

  PictureFormat format_;
  std::unique_ptr<void, Free> block_;
  std::byte* first_ = nullptr;
};

// A fixed number of pictures that come back when their last user lets them go, also after the
// pool's owner has gone. Thread-safe.
class PicturePool : public std::enable_shared_from_this<PicturePool> {
 public:
  // Throws std::bad_alloc.
  PicturePool(const PictureFormat& format, unsigned count);

  unsigned count() const { return count_; }
  // The one that came back last; waits while all are in use.
  std::shared_ptr<PictureMemory> take();

 private:
  void put_back(std::unique_ptr<PictureMemory> memory) noexcept;

  const unsigned count_;
  std::mutex mutex_;
  std::condition_variable available_;
  std::vector<std::unique_ptr<PictureMemory>> free_;
};

// kUsage for a format, depth or size that there is not.
Result<PictureFormat> picture_format(const VmafPixelFormat& pix_fmt, unsigned bpc, unsigned width,
                                     unsigned height);

// Fills *picture, which then owns its share of the memory.
void hand_out(std::shared_ptr<PictureMemory> memory, VmafPicture* picture);

// What a VmafPicture was, with the memory that it owned; none if it is not one of hand_out().
struct TakenPicture {
  VmafPicture fields = {};
  std::shared_ptr<PictureMemory> memory;
};

// Zeroes *picture, which may be NULL.
TakenPicture take_back(VmafPicture* picture) noexcept;

// kUsage if there is no memory, or size, format or planes are not those that were handed out.
Result<Picture> to_picture(const TakenPicture& taken);

}  // namespace vmafx::compat

// The share in the memory that a VmafPicture holds.
struct VmafRef {
  std::shared_ptr<vmafx::compat::PictureMemory> memory;
};

#endif  // VMAFX_COMPAT_PICTURE_H_
