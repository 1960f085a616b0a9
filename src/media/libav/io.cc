#include "media/libav/io.h"

#include <cstdio>
#include <new>

namespace vmafx::libav {
namespace {

constexpr int kBufferBytes = 1 << 16;

}  // namespace

Input::Input(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {
  auto* const buffer = static_cast<unsigned char*>(av_malloc(kBufferBytes));
  if (buffer == nullptr) throw std::bad_alloc();
  context_.reset(avio_alloc_context(buffer, kBufferBytes, 0, this, &Input::read, nullptr,
                                    bytes_->size() ? &Input::seek : nullptr));
  if (!context_) {
    av_free(buffer);
    throw std::bad_alloc();
  }
}

int Input::read(void* self, std::uint8_t* to, int count) {
  auto& input = *static_cast<Input*>(self);
  Result<std::size_t> got =
      input.bytes_->read_some(reinterpret_cast<std::byte*>(to), static_cast<std::size_t>(count));
  if (!got.ok()) {
    input.error_ = got.error();
    return AVERROR_EXIT;
  }
  return *got == 0 ? AVERROR_EOF : static_cast<int>(*got);
}

std::int64_t Input::seek(void* self, std::int64_t offset, int whence) {
  ByteSource& bytes = *static_cast<Input*>(self)->bytes_;
  const std::int64_t size = bytes.size().value_or(0);
  if ((whence & AVSEEK_SIZE) != 0) return size;
  switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET:
      break;
    case SEEK_CUR:
      offset += bytes.position();
      break;
    case SEEK_END:
      offset += size;
      break;
    default:
      return AVERROR(EINVAL);
  }
  return bytes.seek(offset).ok() ? offset : AVERROR(EIO);
}

}  // namespace vmafx::libav
