// A ByteSource as libavformat's input, so that it opens no file or address by itself.
#ifndef VMAFX_MEDIA_LIBAV_IO_H_
#define VMAFX_MEDIA_LIBAV_IO_H_

#include <memory>
#include <optional>

#include "media/byte_source.h"
#include "media/libav/av.h"

namespace vmafx::libav {

class Input {
 public:
  explicit Input(std::unique_ptr<ByteSource> bytes);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  AVIOContext* context() const { return context_.get(); }
  ByteSource& bytes() const { return *bytes_; }
  // Why reading failed, which libavformat may pass off as the end.
  const std::optional<Error>& error() const { return error_; }

 private:
  static int read(void* self, std::uint8_t* to, int count);
  static std::int64_t seek(void* self, std::int64_t offset, int whence);

  std::unique_ptr<ByteSource> bytes_;
  std::optional<Error> error_;
  Owned<AVIOContext> context_;
};

}  // namespace vmafx::libav

#endif  // VMAFX_MEDIA_LIBAV_IO_H_
