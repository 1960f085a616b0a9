#include "media/buffer_pool.h"

#include <new>

namespace vmafx {

void BufferPool::Release::operator()(std::byte* p) const {
  if (memory) {
    memory->release(p);
  } else {
    ::operator delete(p, std::align_val_t{kAlignment});
  }
}

BufferPool::Buffer BufferPool::allocate() const {
  if (memory_) return {memory_->allocate(bytes_), Release{memory_}};
  void* const memory = ::operator new(bytes_, std::align_val_t{kAlignment}, std::nothrow);
  return {static_cast<std::byte*>(memory), Release{}};
}

std::shared_ptr<std::byte> BufferPool::take() {
  Buffer buffer;
  {
    const std::lock_guard lock(shelf_->mutex);
    if (!shelf_->free.empty()) {
      buffer = std::move(shelf_->free.back());
      shelf_->free.pop_back();
    } else {
      // Room for one more, so that giving back never allocates.
      shelf_->free.reserve(shelf_->free.capacity() + 1);
    }
  }
  if (!buffer) buffer = allocate();
  if (!buffer) return nullptr;

  return {buffer.release(), [shelf = std::weak_ptr<Shelf>(shelf_), memory = memory_](std::byte* p) {
            Buffer returned(p, Release{memory});
            if (const std::shared_ptr<Shelf> home = shelf.lock()) {
              const std::lock_guard lock(home->mutex);
              home->free.push_back(std::move(returned));
            }
          }};
}

Picture tight_picture(const PictureFormat& format, std::shared_ptr<const std::byte> buffer) {
  std::array<Picture::Plane, 3> planes{};
  const std::byte* at = buffer.get();
  for (int p = 0; p < format.planes(); ++p) {
    const std::ptrdiff_t stride = std::ptrdiff_t{format.plane_width(p)} * format.bytes_per_sample();
    planes[static_cast<std::size_t>(p)] = {at, stride};
    at += stride * format.plane_height(p);
  }
  return {format, planes, std::move(buffer)};
}

}  // namespace vmafx
