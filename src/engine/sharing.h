// The parts of one task, run by the thread that has the task and by whoever helps it.
#ifndef VMAFX_ENGINE_SHARING_H_
#define VMAFX_ENGINE_SHARING_H_

#include <condition_variable>
#include <exception>
#include <mutex>

#include "base/crew.h"
#include "base/scratch.h"

namespace vmafx::engine {

// One mutex guards all of it; who calls holds it by `lock`, which is open while a part runs.
class Sharing {
 public:
  // `run` outlives this.
  Sharing(int parts, const Crew::RunPart& run) : parts_(parts), run_(run) {}

  // True if there are parts that nobody has begun.
  bool open() const { return next_ < parts_; }
  // Precondition: open().
  void run_next(std::unique_lock<std::mutex>& lock, Scratch& scratch);
  // Waits for the parts in progress. Precondition: !open(), so nobody can begin another.
  void wait(std::unique_lock<std::mutex>& lock);
  // Throws what the first part threw that did. Precondition: wait() has returned.
  void rethrow() const;

 private:
  int parts_;
  const Crew::RunPart& run_;
  int next_ = 0;
  int running_ = 0;
  std::exception_ptr failure_;
  std::condition_variable ended_;
};

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_SHARING_H_
