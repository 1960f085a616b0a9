// Bytes of a file or pipe, read in order, with a look ahead and a way to stop a read that waits.
#ifndef VMAFX_MEDIA_BYTE_SOURCE_H_
#define VMAFX_MEDIA_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "vmafx/status.h"

namespace vmafx {

// Every method is virtual because the libav module calls them and does not link the library.
class ByteSource {
 public:
  // The most that peek() can show.
  static constexpr std::size_t kMaxPeek = 65536;

  virtual ~ByteSource() = default;
  // Name for messages.
  virtual const std::string& name() const = 0;
  // The next bytes without consuming them: `count` of them (at most kMaxPeek), fewer at the end.
  // Valid until the next call.
  virtual Result<std::span<const std::byte>> peek(std::size_t count) = 0;
  // Reads `count` bytes; fewer only at the end.
  virtual Result<std::size_t> read(std::byte* to, std::size_t count) = 0;
  // Reads at least one byte and at most `count`, without waiting for more; 0 at the end.
  virtual Result<std::size_t> read_some(std::byte* to, std::size_t count) = 0;
  // Total bytes, if it is a regular file; only then seek() works.
  virtual std::optional<std::int64_t> size() const = 0;
  virtual Status seek(std::int64_t position) = 0;
  virtual std::int64_t position() const = 0;
  // Reads `count` bytes from a place of a regular file, fewer only at its end; several threads may
  // at once, and position() stays.
  virtual Result<std::size_t> read_at(std::int64_t place, std::byte* to,
                                      std::size_t count) const = 0;
  // From any thread: a read that waits for a pipe, and every later one, fails with kInterrupted.
  virtual void cancel() noexcept = 0;
};

// "-" is standard input, which is never closed.
Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_BYTE_SOURCE_H_
