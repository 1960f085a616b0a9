// Runs the pure measurements of frames on worker threads and hands the records on in frame order.
#ifndef VMAFX_ENGINE_MEASURER_H_
#define VMAFX_ENGINE_MEASURER_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/scratch.h"
#include "engine/plan.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// The raw sums of a frame: group g's record is at MeasurePlan::groups[g].offset. Groups that are
// not measured for this frame hold zeros.
struct FrameRecords {
  std::int64_t frame = 0;
  bool identical = false;
  std::vector<std::byte> bytes;
};

class Measurer {
 public:
  // `deliver` gets each frame's records exactly once, in frame order, from one thread at a time; it
  // may be any worker's or the caller's. One thread: everything runs in the caller of submit().
  Measurer(std::shared_ptr<const MeasurePlan> plan, int threads,
           std::function<void(FrameRecords)> deliver);
  // Waits for what is in flight.
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  // Blocks while max_in_flight() frames are being measured. Returns its own error or that of an
  // earlier frame, after which nothing more is measured.
  Status submit(const Picture& reference, const Picture& distorted);
  // Waits until everything that was submitted is delivered.
  Status drain();

  static int max_in_flight(int threads) { return threads == 1 ? 1 : threads + 1; }

 private:
  struct Frame;
  struct Task {
    std::shared_ptr<Frame> frame;
    std::size_t group = 0;
  };

  Status take(const Picture& reference, const Picture& distorted);
  std::shared_ptr<Frame> make_frame(const Picture& reference, const Picture& distorted);
  Status measure(const Task& task, Scratch& scratch) const;
  void work();
  void finish_task(const Task& task, const Status& status);
  void fail(const Error& error);
  void deliver_ready(std::unique_lock<std::mutex>& lock);

  std::shared_ptr<const MeasurePlan> plan_;
  const int threads_;
  const std::function<void(FrameRecords)> deliver_;

  std::int64_t next_frame_ = 0;
  std::deque<Picture> reference_history_;  // newest first
  std::deque<Picture> distorted_history_;
  Scratch caller_scratch_;

  std::mutex mutex_;
  std::condition_variable work_ready_;
  std::condition_variable progress_;
  std::deque<Task> queue_;
  std::map<std::int64_t, std::shared_ptr<Frame>> measured_;  // waiting for their turn
  std::int64_t next_delivery_ = 0;
  bool delivering_ = false;
  bool stopping_ = false;
  Status failure_;
  std::vector<std::thread> workers_;
};

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_MEASURER_H_
