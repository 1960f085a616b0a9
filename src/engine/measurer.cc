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

// The newest and those before it. Only as many as later ones look back at are kept.
template <class T>
std::vector<T> remember(std::deque<T>& history, const T& newest, int back) {
  std::vector<T> window = {newest};
  window.insert(window.end(), history.begin(), history.end());
  history.push_front(newest);
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

// Lets a metric share the parts of a task.
class Measurer::TaskCrew final : public Crew {
 public:
  // `scratch` is that of the thread that has the task.
  TaskCrew(Measurer& measurer, Scratch& scratch) : measurer_(measurer), scratch_(scratch) {}

  void share(int parts, const RunPart& run) override { measurer_.share(parts, run, scratch_); }

 private:
  Measurer& measurer_;
  Scratch& scratch_;
};

struct Measurer::Frame {
  FrameRecords records;
  std::vector<Picture> reference;
  std::vector<std::vector<Picture>> distorted;  // of each encode
  DeviceFrame on_device;
  std::size_t open_tasks = 0;
};

Measurer::Measurer(std::shared_ptr<const MeasurePlan> plan, int threads, FrameRange range,
                   std::function<Status(FrameRecords)> deliver, std::unique_ptr<DeviceLanes> lanes)
    : plan_(std::move(plan)),
      threads_(threads),
      lanes_(std::move(lanes)),
      deliver_(std::move(deliver)),
      first_measured_(range.first),
      next_frame_(range.first_submitted),
      next_delivery_(range.first) {
  // Growing them later could throw with threads running, whom nobody would join.
  workers_.reserve(static_cast<std::size_t>(threads_));
  lane_workers_.reserve(lanes_ ? static_cast<std::size_t>(lanes_->lanes()) : 0);
  if (threads_ > 1) start_threads(workers_, threads_, [this](int /*worker*/) { work_on_cpu(); });
  if (lanes_)
    start_threads(lane_workers_, lanes_->lanes(), [this](int lane) { work_on_device(lane); });
}

template <class Run>
void Measurer::start_threads(std::vector<std::thread>& threads, int count, const Run& run) {
  for (int i = 0; i < count; ++i) {
    try {
      threads.emplace_back(run, i);
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
  for (std::thread& worker : lane_workers_) worker.join();
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

Status Measurer::copy_to_device(Frame& frame, const Picture& reference,
                                std::span<const Picture> distorted) {
  frame.on_device.frame = frame.records.frame;
  auto copy = lanes_->copy_of(reference);
  if (!copy) return copy.error();
  frame.on_device.reference = remember(reference_copies_, *copy, plan_->window.reference_back);
  distorted_copies_.resize(distorted.size());
  for (std::size_t e = 0; e < distorted.size(); ++e) {
    copy = lanes_->copy_of(distorted[e]);
    if (!copy) return copy.error();
    frame.on_device.distorted.push_back(
        remember(distorted_copies_[e], *copy, plan_->window.distorted_back));
  }
  return {};
}

std::vector<Measurer::Task> Measurer::tasks_of(const std::shared_ptr<Frame>& frame) const {
  std::vector<Task> tasks;
  bool on_device = false;
  for (std::size_t g = 0; g < plan_->groups.size(); ++g) {
    if (!plan_->measures(plan_->groups[g], frame->records.frame)) continue;
    if (plan_->groups[g].on_device) {
      on_device = true;
    } else {
      tasks.push_back({frame, g});
    }
  }
  if (on_device) tasks.push_back({frame, std::nullopt});
  if (!tasks.empty()) tasks.back().compares = plan_->reported(frame->records.frame);
  return tasks;
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
  if (lanes_) {
    if (Status copied = copy_to_device(*frame, reference, distorted); !copied) {
      const std::lock_guard lock(mutex_);
      fail(copied);
      return failure_;
    }
  }
  if (frame->records.frame < first_measured_) return {};
  const std::vector<Task> tasks = tasks_of(frame);
  frame->open_tasks = tasks.size();

  std::unique_lock lock(mutex_);
  progress_.wait(lock, [&] {
    return !failure_.ok() || frame->records.frame - next_delivery_ < max_in_flight();
  });
  if (!failure_) return failure_;
  if (tasks.empty()) {
    measured_[frame->records.frame] = frame;
    deliver_ready(lock);
    return failure_;
  }
  std::vector<Task> for_caller;
  for (const Task& task : tasks) {
    if (!task.group && !lane_workers_.empty()) {
      device_queue_.push_back(task);
    } else if (task.group && !workers_.empty()) {
      queue_.push_back(task);
    } else {
      for_caller.push_back(task);
    }
  }
  work_ready_.notify_all();
  if (for_caller.empty()) return {};
  lock.unlock();
  for (const Task& task : for_caller)
    finish_task(task,
                task.group ? measure_on_cpu(task, caller_scratch_) : measure_on_device(task, 0),
                false);
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

template <class Measure>
Status Measurer::measure(const Task& task, const Measure& measure_groups) const {
  Frame& frame = *task.frame;
  try {
    for (std::size_t e = 0; task.compares && e < frame.distorted.size(); ++e)
      frame.records.encodes[e].identical = same_samples(frame.reference[0], frame.distorted[e][0]);
    return measure_groups(frame);
  } catch (const std::bad_alloc&) {
    return out_of_memory([&] {
      if (!task.group)
        return fmt::format("out of memory while measuring frame {}", frame.records.frame);
      return fmt::format("out of memory while measuring {} of frame {}",
                         plan_->groups[*task.group].metric, frame.records.frame);
    });
  } catch (const std::exception& e) {
    return unexpected(e);
  }
}

Status Measurer::measure_on_cpu(const Task& task, Scratch& scratch) {
  return measure(task, [&](Frame& frame) {
    const MeasurePlan::Group& group = plan_->groups[*task.group];
    std::vector<std::span<const Picture>> distorted(frame.distorted.begin(), frame.distorted.end());
    std::vector<std::span<std::byte>> records;
    std::vector<std::vector<Artifact>*> artifacts;
    for (EncodeRecord& encode : frame.records.encodes) {
      records.push_back(std::span(encode.bytes).subspan(group.offset, group.size));
      artifacts.push_back(&encode.artifacts[*task.group]);
    }
    const Scratch::Frame scope(scratch);
    TaskCrew crew(*this, scratch);
    group.measurement->measure_encodes(
        {frame.records.frame, frame.reference, distorted, artifacts, &crew}, scratch, records);
    return Status();
  });
}

Status Measurer::measure_on_device(const Task& task, int lane) const {
  return measure(task, [&](Frame& frame) {
    return lanes_->measure(lane, frame.on_device, frame.records.encodes);
  });
}

// Runs the parts of a worker's task on its thread and those that have no task of their own.
void Measurer::share(int parts, const Crew::RunPart& run, Scratch& scratch) {
  if (parts < 2 || workers_.empty()) return vmafx::share(nullptr, scratch, parts, run);
  Sharing sharing(parts, run);
  std::unique_lock lock(mutex_);
  sharings_.push_back(&sharing);
  work_ready_.notify_all();
  while (sharing.open()) sharing.run_next(lock, scratch);
  std::erase(sharings_, &sharing);
  sharing.wait(lock);
  lock.unlock();
  sharing.rethrow();
}

// With mutex_ held. The oldest that has parts left, or null.
Sharing* Measurer::open_sharing() const {
  const auto it = std::find_if(sharings_.begin(), sharings_.end(),
                               [](const Sharing* sharing) { return sharing->open(); });
  return it == sharings_.end() ? nullptr : *it;
}

// With mutex_ held.
Measurer::Task Measurer::take_first(Tasks& queue) {
  Task task = std::move(queue.front());
  queue.pop_front();
  ++running_;
  return task;
}

// Whole tasks come first: parts cost a little more, and only shorten the wait for a frame.
void Measurer::work_on_cpu() {
  Scratch scratch;
  std::unique_lock lock(mutex_);
  while (true) {
    if (!queue_.empty()) {
      {
        const Task task = take_first(queue_);
        lock.unlock();
        finish_task(task, measure_on_cpu(task, scratch), true);
      }  // a picture that goes with it may call its owner
      lock.lock();
    } else if (Sharing* const sharing = open_sharing()) {
      sharing->run_next(lock, scratch);
    } else if (stopping_) {
      return;
    } else {
      work_ready_.wait(lock);
    }
  }
}

void Measurer::work_on_device(int lane) {
  std::unique_lock lock(mutex_);
  while (true) {
    work_ready_.wait(lock, [&] { return stopping_ || !device_queue_.empty(); });
    if (device_queue_.empty()) return;
    {
      const Task task = take_first(device_queue_);
      lock.unlock();
      finish_task(task, measure_on_device(task, lane), true);
    }  // a picture that goes with it may call its owner
    lock.lock();
  }
}

// With mutex_ held. The first failure stands.
void Measurer::fail(Status failure) noexcept {
  if (!failure_.ok()) return;
  failure_ = std::move(failure);
  queue_.clear();
  device_queue_.clear();
  progress_.notify_all();
}

void Measurer::finish_task(const Task& task, Status status, bool of_worker) {
  std::unique_lock lock(mutex_);
  if (of_worker) --running_;
  if (!status) fail(std::move(status));
  if (!failure_) return progress_.notify_all();
  if (--task.frame->open_tasks > 0) return;
  // Pictures go back to their pools before the frame waits for its turn.
  task.frame->reference.clear();
  task.frame->distorted.clear();
  task.frame->on_device = {};
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
