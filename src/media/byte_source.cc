#include "media/byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace vmafx {
namespace {

// Reads smaller than this go through the buffer; larger ones straight to where they are wanted.
constexpr std::size_t kSmallRead = 4096;
// One system call moves at most this much, so that cancel() is noticed.
constexpr std::size_t kLargestRead = std::size_t{64} << 20;

Error io_error(const std::string& what, int code) {
  return {ErrorCode::kIo, fmt::format("{}: {}", what, std::generic_category().message(code)), {}};
}

class FileBytes final : public ByteSource {
 public:
  FileBytes(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  ~FileBytes() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
    for (const int end : wake_)
      if (end >= 0) close(end);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  Status prepare();

  const std::string& name() const override { return name_; }
  Result<std::span<const std::byte>> peek(std::size_t count) override;
  Result<std::size_t> read(std::byte* to, std::size_t count) override;
  Result<std::size_t> read_some(std::byte* to, std::size_t count) override;
  std::optional<std::int64_t> size() const override { return size_; }
  Status seek(std::int64_t position) override;
  std::int64_t position() const override {
    return fetched_ - static_cast<std::int64_t>(buffer_.size() - used_);
  }
  Result<std::size_t> read_at(std::int64_t place, std::byte* to, std::size_t count) const override;
  void cancel() noexcept override;

 private:
  Result<std::size_t> fetch(std::byte* to, std::size_t count);
  Status wait_until_readable();
  std::size_t take_buffered(std::byte* to, std::size_t count);

  int descriptor_;
  std::string name_;
  std::optional<std::int64_t> size_;
  std::int64_t start_ = 0;    // where the descriptor stood when it was opened
  std::int64_t fetched_ = 0;  // bytes taken from the descriptor since start_
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;  // bytes of buffer_ that were consumed
  std::atomic<bool> cancelled_ = false;
  int wake_[2] = {-1, -1};  // a pipe that ends the wait for a slow input
};

Status FileBytes::prepare() {
  struct stat status{};
  if (fstat(descriptor_, &status) != 0) return io_error("cannot open " + name_, errno);
  if (S_ISDIR(status.st_mode)) return io_error("cannot open " + name_, EISDIR);
  if (!S_ISREG(status.st_mode)) {
    if (pipe(wake_) != 0) return io_error("cannot open " + name_, errno);
    for (const int end : wake_) fcntl(end, F_SETFD, FD_CLOEXEC);
    return {};
  }
  start_ = std::max<std::int64_t>(0, lseek(descriptor_, 0, SEEK_CUR));
  size_ = std::max<std::int64_t>(0, status.st_size - start_);
#ifdef POSIX_FADV_SEQUENTIAL
  posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
  return {};
}

Status FileBytes::wait_until_readable() {
  if (wake_[0] < 0) return {};
  pollfd waits[2] = {{descriptor_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
  while (poll(waits, 2, -1) < 0)
    if (errno != EINTR) return io_error("cannot read " + name_, errno);
  return {};
}

Result<std::size_t> FileBytes::fetch(std::byte* to, std::size_t count) {
  for (;;) {
    if (Status status = wait_until_readable(); !status.ok()) return status.error();
    if (cancelled_) return Error{ErrorCode::kInterrupted, "reading " + name_ + " was stopped", {}};
    const ssize_t got = ::read(descriptor_, to, std::min(count, kLargestRead));
    if (got >= 0) {
      fetched_ += got;
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR && errno != EAGAIN) return io_error("cannot read " + name_, errno);
  }
}

Result<std::span<const std::byte>> FileBytes::peek(std::size_t count) {
  count = std::min(count, kMaxPeek);
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ = 0;
  while (buffer_.size() < count) {
    const std::size_t have = buffer_.size();
    buffer_.resize(std::max(count, kSmallRead));
    Result<std::size_t> got = fetch(buffer_.data() + have, buffer_.size() - have);
    buffer_.resize(have + (got.ok() ? *got : 0));
    if (!got.ok()) return got.error();
    if (*got == 0) break;
  }
  return std::span<const std::byte>(buffer_.data(), std::min(count, buffer_.size()));
}

std::size_t FileBytes::take_buffered(std::byte* to, std::size_t count) {
  count = std::min(count, buffer_.size() - used_);
  if (count > 0) std::memcpy(to, buffer_.data() + used_, count);
  used_ += count;
  return count;
}

Result<std::size_t> FileBytes::read(std::byte* to, std::size_t count) {
  std::size_t done = take_buffered(to, count);
  while (done < count) {
    Result<std::size_t> got = fetch(to + done, count - done);
    if (!got.ok()) return got.error();
    if (*got == 0) break;
    done += *got;
  }
  return done;
}

Result<std::size_t> FileBytes::read_some(std::byte* to, std::size_t count) {
  const std::size_t done = take_buffered(to, count);
  if (done > 0 || count == 0) return done;
  return fetch(to, count);
}

Status FileBytes::seek(std::int64_t position) {
  if (!size_ || position < 0 || lseek(descriptor_, start_ + position, SEEK_SET) < 0)
    return Error{ErrorCode::kIo, "cannot seek in " + name_, {}};
  buffer_.clear();
  used_ = 0;
  fetched_ = position;
  return {};
}

Result<std::size_t> FileBytes::read_at(std::int64_t place, std::byte* to, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const auto from = static_cast<off_t>(start_ + place + static_cast<std::int64_t>(done));
    const ssize_t got = pread(descriptor_, to + done, count - done, from);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return io_error("cannot read " + name_, errno);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return done;
}

void FileBytes::cancel() noexcept {
  cancelled_ = true;
  if (wake_[1] < 0) return;
  const char byte = 0;
  while (write(wake_[1], &byte, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) {
  int descriptor = STDIN_FILENO;
  if (path != "-") {
    do descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return io_error("cannot open " + path, errno);
  }
  auto bytes = std::make_unique<FileBytes>(descriptor, path == "-" ? "standard input" : path);
  if (Status status = bytes->prepare(); !status.ok()) return status.error();
  return std::unique_ptr<ByteSource>(std::move(bytes));
}

}  // namespace vmafx
