#include "engine/measurer.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace vmafx::engine {
namespace {

bool same_samples(const Picture& a, const Picture& b) {
  for (int p = 0; p < a.format().planes(); ++p) {
    const auto row_bytes = static_cast<std::size_t>(a.width(p)) *
                           static_cast<std::size_t>(a.format().bytes_per_sample());
    for (int y = 0; y < a.height(p); ++y)
      if (std::memcmp(a.row<std::byte>(p, y), b.row<std::byte>(p, y), row_bytes) != 0) return false;
  }
  return true;
}

// The picture and those before it. Only as many as later ones look back at are kept.
std::vector<Picture> remember(std::deque<Picture>& history, const Picture& picture, int back) {
  std::vector<Picture> window = {picture};
  window.insert(window.end(), history.begin(), history.end());
  history.push_front(picture);
  while (history.size() > static_cast<std::size_t>(back)) history.pop_back();
  return window;
}

// In words, if there is memory for them.
template <class Describe>
Error out_of_memory(const Describe& describe) noexcept {
  try {
    return {ErrorCode::kOutOfMemory, describe(), "use fewer threads"};
  } catch (const std::exception&) {
    return {ErrorCode::kOutOfMemory, "out of memory", {}};
  }
}

Error unexpected(const std::exception& exception) noexcept {
  try {
    return {ErrorCode::kInternal, exception.what(), {}};
  } catch (const std::exception&) {
    return {ErrorCode::kInternal, "internal error", {}};
  }
}

}  // namespace

struct Measurer::Frame {
  FrameRecords records;
  std::vector<Picture> reference;
  std::vector<std::vector<Picture>> distorted;  // of each encode
  std::size_t open_tasks = 0;
};

Measurer::Measurer(std::shared_ptr<const MeasurePlan> plan, int threads, FrameRange range,
                   std::function<Status(FrameRecords)> deliver)
    : plan_(std::move(plan)),
      threads_(threads),
      deliver_(std::move(deliver)),
      first_measured_(range.first),
      next_frame_(range.first_submitted),
      next_delivery_(range.first) {
  if (threads_ == 1) return;
  // Growing it later could throw with threads running, whom nobody would join.
  workers_.reserve(static_cast<std::size_t>(threads_));
  for (int i = 0; i < threads_; ++i) {
    try {
      workers_.emplace_back([this] { work(); });
    } catch (const std::exception&) {
      break;  // no more threads or memory: fewer workers, or none, do the same work
    }
  }
}

Measurer::~Measurer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    fail(Error{ErrorCode::kInterrupted, "cancelled", {}});
  }
  work_ready_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

std::shared_ptr<Measurer::Frame> Measurer::make_frame(const Picture& reference,
                                                      std::span<const Picture> distorted) {
  auto frame = std::make_shared<Frame>();
  frame->records.frame = next_frame_++;
  frame->reference = remember(reference_history_, reference, plan_->window.reference_back);
  distorted_history_.resize(distorted.size());
  for (std::size_t e = 0; e < distorted.size(); ++e) {
    frame->records.encodes.push_back({false, std::vector<std::byte>(plan_->record_bytes),
                                      std::vector<std::vector<Artifact>>(plan_->groups.size())});
    frame->distorted.push_back(
        remember(distorted_history_[e], distorted[e], plan_->window.distorted_back));
  }
  return frame;
}

Status Measurer::submit(const Picture& reference, std::span<const Picture> distorted) {
  try {
    return take(reference, distorted);
  } catch (const std::bad_alloc&) {
    // The frame is lost: unless the whole run fails, drain() would wait for it for ever.
    const std::lock_guard lock(mutex_);
    fail(Error{ErrorCode::kOutOfMemory, "out of memory", {}});
    return failure_;
  }
}

Status Measurer::take(const Picture& reference, std::span<const Picture> distorted) {
  const std::shared_ptr<Frame> frame = make_frame(reference, distorted);
  if (frame->records.frame < first_measured_) return {};
  std::vector<Task> tasks;
  for (std::size_t g = 0; g < plan_->groups.size(); ++g)
    if (plan_->measures(plan_->groups[g], frame->records.frame)) tasks.push_back({frame, g});
  frame->open_tasks = tasks.size();

  std::unique_lock lock(mutex_);
  progress_.wait(lock, [&] {
    return !failure_.ok() || frame->records.frame - next_delivery_ < max_in_flight(threads_);
  });
  if (!failure_) return failure_;
  if (tasks.empty()) {
    measured_[frame->records.frame] = frame;
    deliver_ready(lock);
    return failure_;
  }
  if (!workers_.empty()) {
    queue_.insert(queue_.end(), tasks.begin(), tasks.end());
    work_ready_.notify_all();
    return {};
  }
  lock.unlock();
  for (const Task& task : tasks) finish_task(task, measure(task, caller_scratch_));
  lock.lock();
  return failure_;
}

Status Measurer::drain() { return wait_for(next_frame_ - 1); }

Status Measurer::wait_for(std::int64_t frame) {
  const std::int64_t last = std::min(frame, next_frame_ - 1);
  std::unique_lock lock(mutex_);
  progress_.wait(lock, [&] {
    const bool stopped = !failure_.ok() && running_ == 0 && !delivering_;
    return stopped || (failure_.ok() && next_delivery_ > last);
  });
  return failure_;
}

void Measurer::cancel() {
  const std::lock_guard lock(mutex_);
  fail(Error{ErrorCode::kInterrupted, "cancelled", {}});
}

Status Measurer::measure(const Task& task, Scratch& scratch) const {
  const MeasurePlan::Group& group = plan_->groups[task.group];
  Frame& frame = *task.frame;
  try {
    std::vector<std::span<const Picture>> distorted(frame.distorted.begin(), frame.distorted.end());
    std::vector<std::span<std::byte>> records;
    std::vector<std::vector<Artifact>*> artifacts;
    for (EncodeRecord& encode : frame.records.encodes) {
      records.push_back(std::span(encode.bytes).subspan(group.offset, group.size));
      artifacts.push_back(&encode.artifacts[task.group]);
    }
    if (task.group == 0) {
      for (std::size_t e = 0; e < distorted.size(); ++e)
        frame.records.encodes[e].identical = same_samples(frame.reference[0], distorted[e][0]);
    }
    const Scratch::Frame scope(scratch);
    group.measurement->measure_encodes({frame.records.frame, frame.reference, distorted, artifacts},
                                       scratch, records);
  } catch (const std::bad_alloc&) {
    return out_of_memory([&] {
      return fmt::format("out of memory while measuring {} of frame {}", group.metric,
                         frame.records.frame);
    });
  } catch (const std::exception& e) {
    return unexpected(e);
  }
  return {};
}

void Measurer::work() {
  Scratch scratch;
  while (true) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      work_ready_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
      ++running_;
    }
    finish_task(task, measure(task, scratch));
  }
}

// With mutex_ held. The first failure stands.
void Measurer::fail(Status failure) noexcept {
  if (!failure_.ok()) return;
  failure_ = std::move(failure);
  queue_.clear();
  progress_.notify_all();
}

void Measurer::finish_task(const Task& task, Status status) {
  std::unique_lock lock(mutex_);
  if (!workers_.empty()) --running_;
  if (!status) fail(std::move(status));
  if (!failure_) return progress_.notify_all();
  if (--task.frame->open_tasks > 0) return;
  // Pictures go back to their pools before the frame waits for its turn.
  task.frame->reference.clear();
  task.frame->distorted.clear();
  try {
    measured_[task.frame->records.frame] = task.frame;
  } catch (const std::bad_alloc&) {
    return fail(Error{ErrorCode::kOutOfMemory, "out of memory", {}});
  }
  deliver_ready(lock);
}

// Only one thread delivers at a time; others leave their frames to it.
void Measurer::deliver_ready(std::unique_lock<std::mutex>& lock) {
  if (delivering_) return;
  delivering_ = true;
  while (failure_.ok() && !measured_.empty() && measured_.begin()->first == next_delivery_) {
    const auto frame = std::move(measured_.begin()->second);
    measured_.erase(measured_.begin());
    lock.unlock();
    Status status;
    try {
      status = deliver_(std::move(frame->records));
    } catch (const std::bad_alloc&) {
      status = Error{ErrorCode::kOutOfMemory, "out of memory", {}};
    } catch (const std::exception& e) {
      status = unexpected(e);
    }
    lock.lock();
    if (!status) fail(std::move(status));
    ++next_delivery_;
    progress_.notify_all();
  }
  delivering_ = false;
  progress_.notify_all();
}

}  // namespace vmafx::engine
