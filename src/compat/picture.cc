#include "compat/picture.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "compat/handles.h"

namespace vmafx::compat {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t row_bytes(const PictureFormat& format, int plane) {
  const auto samples = static_cast<std::size_t>(format.plane_width(plane));
  const std::size_t bytes = samples * static_cast<std::size_t>(format.bytes_per_sample());
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t plane_bytes(const PictureFormat& format, int plane) {
  return row_bytes(format, plane) * static_cast<std::size_t>(format.plane_height(plane));
}

VmafPixelFormat pixel_format(Chroma chroma) {
  switch (chroma) {
    case Chroma::k420:
      return VMAF_PIX_FMT_YUV420P;
    case Chroma::k422:
      return VMAF_PIX_FMT_YUV422P;
    case Chroma::k444:
      return VMAF_PIX_FMT_YUV444P;
    case Chroma::k400:
      return VMAF_PIX_FMT_YUV400P;
    case Chroma::k411:
    case Chroma::k440:
      break;
  }
  return VMAF_PIX_FMT_UNKNOWN;
}

// What a caller who only wrote samples left as it was.
bool is_untouched(const VmafPicture& picture, const PictureMemory& memory) {
  const PictureFormat& format = memory.format();
  bool same = number_of(picture.pix_fmt) == pixel_format(format.chroma) &&
              picture.bpc == static_cast<unsigned>(format.bit_depth);
  for (int p = 0; p < 3; ++p) {
    const bool there = p < format.planes();
    same = same && picture.w[p] == static_cast<unsigned>(there ? format.plane_width(p) : 0) &&
           picture.h[p] == static_cast<unsigned>(there ? format.plane_height(p) : 0) &&
           picture.data[p] == memory.data(p) && picture.stride[p] == memory.stride(p);
  }
  return same;
}

}  // namespace

void PictureMemory::Free::operator()(void* block) const noexcept { std::free(block); }

PictureMemory::PictureMemory(const PictureFormat& format) : format_(format) {
  std::size_t bytes = kAlignment;
  for (int p = 0; p < format.planes(); ++p) bytes += plane_bytes(format, p);
  block_.reset(std::calloc(bytes, 1));  // pages that are fresh from the system need no zeroing
  if (!block_) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(block_.get());
  first_ = static_cast<std::byte*>(block_.get()) + (kAlignment - address % kAlignment);
}

std::ptrdiff_t PictureMemory::stride(int plane) const {
  return plane < format_.planes() ? static_cast<std::ptrdiff_t>(row_bytes(format_, plane)) : 0;
}

std::byte* PictureMemory::data(int plane) const {
  if (plane >= format_.planes()) return nullptr;
  std::byte* data = first_;
  for (int p = 0; p < plane; ++p) data += plane_bytes(format_, p);
  return data;
}

PicturePool::PicturePool(const PictureFormat& format, unsigned count) : count_(count) {
  free_.reserve(count);
  while (free_.size() < count) free_.push_back(std::make_unique<PictureMemory>(format));
}

std::shared_ptr<PictureMemory> PicturePool::take() {
  std::unique_lock lock(mutex_);
  available_.wait(lock, [&] { return !free_.empty(); });
  std::unique_ptr<PictureMemory> memory = std::move(free_.back());
  free_.pop_back();
  lock.unlock();
  // If the shared pointer cannot be made, its deleter is called all the same.
  return {memory.release(), [pool = shared_from_this()](PictureMemory* back) {
            pool->put_back(std::unique_ptr<PictureMemory>(back));
          }};
}

void PicturePool::put_back(std::unique_ptr<PictureMemory> memory) noexcept {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(memory));  // within what the constructor reserved
  }
  available_.notify_one();
}

Result<PictureFormat> picture_format(const VmafPixelFormat& pix_fmt, unsigned bpc, unsigned width,
                                     unsigned height) {
  PictureFormat format;
  switch (number_of(pix_fmt)) {
    case VMAF_PIX_FMT_YUV420P:
      format.chroma = Chroma::k420;
      break;
    case VMAF_PIX_FMT_YUV422P:
      format.chroma = Chroma::k422;
      break;
    case VMAF_PIX_FMT_YUV444P:
      format.chroma = Chroma::k444;
      break;
    case VMAF_PIX_FMT_YUV400P:
      format.chroma = Chroma::k400;
      break;
    default:
      return Error{
          ErrorCode::kUsage, fmt::format("there is no pixel format {}", number_of(pix_fmt)), {}};
  }
  constexpr unsigned kLimit = std::numeric_limits<int>::max();
  if (bpc > kLimit || width > kLimit || height > kLimit)
    return Error{ErrorCode::kUsage,
                 fmt::format("there is no picture of {}x{} with {} bits", width, height, bpc),
                 {}};
  format.bit_depth = static_cast<int>(bpc);
  format.width = static_cast<int>(width);
  format.height = static_cast<int>(height);
  if (const Status status = validate(format); !status) return status.error();
  return format;
}

void hand_out(std::shared_ptr<PictureMemory> memory, VmafPicture* picture) {
  const PictureFormat& format = memory->format();
  VmafPicture filled = {};
  filled.pix_fmt = pixel_format(format.chroma);
  filled.bpc = static_cast<unsigned>(format.bit_depth);
  for (int p = 0; p < format.planes(); ++p) {
    filled.w[p] = static_cast<unsigned>(format.plane_width(p));
    filled.h[p] = static_cast<unsigned>(format.plane_height(p));
    filled.stride[p] = memory->stride(p);
    filled.data[p] = memory->data(p);
  }
  filled.ref = Handles<VmafRef>::add(std::make_shared<VmafRef>(VmafRef{std::move(memory)}));
  *picture = filled;
}

TakenPicture take_back(VmafPicture* picture) noexcept {
  TakenPicture taken;
  if (picture == nullptr) return taken;
  taken.fields = std::exchange(*picture, VmafPicture{});
  if (const auto ref = Handles<VmafRef>::take(taken.fields.ref))
    taken.memory = std::move(ref->memory);
  return taken;
}

Result<Picture> to_picture(const TakenPicture& taken) {
  const PictureMemory* const memory = taken.memory.get();
  if (memory == nullptr)
    return Error{ErrorCode::kUsage,
                 "the picture is not from vmaf_picture_alloc() or a pool, or was given back before",
                 {}};
  if (!is_untouched(taken.fields, *memory))
    return Error{ErrorCode::kUsage,
                 "size, format, strides or planes of the picture are not those that it was "
                 "allocated with",
                 {}};
  std::array<Picture::Plane, 3> planes;
  for (int p = 0; p < memory->format().planes(); ++p)
    planes[static_cast<std::size_t>(p)] = {memory->data(p), memory->stride(p)};
  return Picture(memory->format(), planes, taken.memory);
}

}  // namespace vmafx::compat
