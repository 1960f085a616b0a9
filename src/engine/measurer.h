// Runs the pure measurements of frames on worker threads and on a device, and hands the records on
// in frame order.
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
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/crew.h"
#include "base/scratch.h"
#include "engine/device_lanes.h"
#include "engine/plan.h"
#include "engine/records.h"
#include "engine/sharing.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// The frames of a run. Those before `first` are looked back at and not measured.
struct FrameRange {
  std::int64_t first_submitted = 0;
  std::int64_t first = 0;
};

class Measurer {
 public:
  // `deliver` gets each frame's records exactly once, in frame order, from one thread at a time; it
  // may be any worker's or the caller's. Its error ends the run like that of a measurement. One
  // thread: what the CPU measures is measured in the caller of submit(). `lanes` is there if the
  // plan has groups that a device measures; each lane has a thread of its own.
  Measurer(std::shared_ptr<const MeasurePlan> plan, int threads, FrameRange range,
           std::function<Status(FrameRecords)> deliver,
           std::unique_ptr<DeviceLanes> lanes = nullptr);
  // Waits for what is being measured; what waits for its turn is dropped.
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  // A frame of the reference and of each encode, of which there are always as many. Blocks while
  // max_in_flight() frames are being measured. Returns its own error or that of an earlier frame,
  // after which nothing more is measured.
  Status submit(const Picture& reference, std::span<const Picture> distorted);
  // Waits until everything that was submitted is delivered, or after a failure until nothing is
  // measured any more: no picture is looked at after that.
  Status drain();
  // The same up to this frame, or to the last one that was submitted.
  Status wait_for(std::int64_t frame);
  // From any thread: nothing more is measured, submit() and drain() return kInterrupted.
  void cancel();

  static int max_in_flight(int threads) { return threads == 1 ? 1 : threads + 1; }
  int max_in_flight() const { return lanes_ ? lanes_->max_in_flight() : max_in_flight(threads_); }

 private:
  class TaskCrew;
  struct Frame;
  struct Task {
    std::shared_ptr<Frame> frame;
    // None: all those that the device measures.
    std::optional<std::size_t> group;
    bool compares = false;  // finds out whether the pictures are identical, too
  };
  using Tasks = std::deque<Task>;

  Status take(const Picture& reference, std::span<const Picture> distorted);
  std::shared_ptr<Frame> make_frame(const Picture& reference, std::span<const Picture> distorted);
  Status copy_to_device(Frame& frame, const Picture& reference, std::span<const Picture> distorted);
  std::vector<Task> tasks_of(const std::shared_ptr<Frame>& frame) const;
  template <class Run>
  void start_threads(std::vector<std::thread>& threads, int count, const Run& run);
  template <class Measure>
  Status measure(const Task& task, const Measure& measure_groups) const;
  Status measure_on_cpu(const Task& task, Scratch& scratch);
  Status measure_on_device(const Task& task, int lane) const;
  void share(int parts, const Crew::RunPart& run, Scratch& scratch);
  Sharing* open_sharing() const;
  Task take_first(Tasks& queue);
  void work_on_cpu();
  void work_on_device(int lane);
  void finish_task(const Task& task, Status status, bool of_worker);
  void fail(Status failure) noexcept;
  void deliver_ready(std::unique_lock<std::mutex>& lock);

  std::shared_ptr<const MeasurePlan> plan_;
  const int threads_;
  std::unique_ptr<DeviceLanes> lanes_;
  const std::function<Status(FrameRecords)> deliver_;

  const std::int64_t first_measured_;
  std::int64_t next_frame_;
  std::deque<Picture> reference_history_;               // newest first
  std::vector<std::deque<Picture>> distorted_history_;  // of each encode
  std::deque<std::shared_ptr<DeviceCopy>> reference_copies_;
  std::vector<std::deque<std::shared_ptr<DeviceCopy>>> distorted_copies_;
  Scratch caller_scratch_;

  std::mutex mutex_;
  std::condition_variable work_ready_;
  std::condition_variable progress_;
  Tasks queue_;
  Tasks device_queue_;
  std::vector<Sharing*> sharings_;                           // of tasks that workers have begun
  int running_ = 0;                                          // tasks of workers
  std::map<std::int64_t, std::shared_ptr<Frame>> measured_;  // waiting for their turn
  std::int64_t next_delivery_;
  bool delivering_ = false;
  bool stopping_ = false;
  Status failure_;
  std::vector<std::thread> workers_;
  std::vector<std::thread> lane_workers_;
};

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_MEASURER_H_
