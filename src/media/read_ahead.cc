#include "media/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace vmafx {
namespace {

using Read = Result<std::optional<Picture>>;

bool is_picture(const Read& read) { return read.ok() && read->has_value(); }

// Reads in the caller's thread.
class DirectSource final : public FrameSource {
 public:
  DirectSource(std::unique_ptr<FrameReader> reader, std::int64_t skip_frames)
      : reader_(std::move(reader)), info_(reader_->info()), skip_(skip_frames) {
    if (info_.frame_count)
      info_.frame_count = std::max<std::int64_t>(*info_.frame_count - skip_frames, 0);
  }

  const StreamInfo& info() const override { return info_; }

  Read read() override {
    if (ended_) return std::optional<Picture>();
    Read result = next();
    for (; skip_ > 0 && is_picture(result); --skip_) result = next();
    ended_ = !is_picture(result);
    return result;
  }

  void cancel() noexcept override { reader_->cancel(); }

 private:
  Read next() {
    try {
      return reader_->next();
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::kOutOfMemory, "out of memory while reading " + info().path, {}};
    }
  }

  std::unique_ptr<FrameReader> reader_;
  StreamInfo info_;
  std::int64_t skip_;
  bool ended_ = false;
};

class ReadAheadSource final : public FrameSource {
 public:
  ReadAheadSource(std::unique_ptr<FrameReader> reader, std::int64_t skip_frames, int read_ahead)
      : source_(std::move(reader), skip_frames),
        capacity_(static_cast<std::size_t>(read_ahead)),
        thread_([this] { run(); }) {}

  ~ReadAheadSource() override {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    source_.cancel();
    thread_.join();
  }
  ReadAheadSource(const ReadAheadSource&) = delete;
  ReadAheadSource& operator=(const ReadAheadSource&) = delete;

  const StreamInfo& info() const override { return source_.info(); }

  Read read() override {
    std::unique_lock lock(mutex_);
    if (ended_) return std::optional<Picture>();
    changed_.wait(lock, [this] { return !queue_.empty(); });
    Read result = std::move(queue_.front());
    queue_.pop_front();
    ended_ = !is_picture(result);
    lock.unlock();
    changed_.notify_all();
    return result;
  }

  void cancel() noexcept override { source_.cancel(); }

 private:
  void run() {
    for (bool more = true; more;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stopped_ || queue_.size() < capacity_; });
        if (stopped_) return;
      }
      Read result = source_.read();
      more = is_picture(result);
      {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(result));
      }
      changed_.notify_all();
    }
  }

  DirectSource source_;  // used by thread_ alone, but for info() and cancel()
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Read> queue_;
  bool stopped_ = false;
  bool ended_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

Result<std::unique_ptr<FrameSource>> frame_source(std::unique_ptr<FrameReader> reader,
                                                  std::int64_t skip_frames, int read_ahead) {
  if (read_ahead <= 0)
    return std::unique_ptr<FrameSource>(
        std::make_unique<DirectSource>(std::move(reader), skip_frames));
  try {
    return std::unique_ptr<FrameSource>(
        std::make_unique<ReadAheadSource>(std::move(reader), skip_frames, read_ahead));
  } catch (const std::system_error& e) {
    return Error{
        ErrorCode::kUnavailable, std::string("cannot start a reader thread: ") + e.what(), {}};
  }
}

}  // namespace vmafx
