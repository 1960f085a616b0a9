// Work on another thread that now and then needs Python.
#ifndef VMAFX_PYTHON_ERRANDS_H_
#define VMAFX_PYTHON_ERRANDS_H_

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "vmafx/session.h"

namespace vmafx::python {

// A thread scores, without the GIL, while the one that called waits for signals and does what only
// Python can: it asks iterators for frames and reports the progress. So all Python code runs in the
// caller's thread, and Ctrl-C is seen at once however long a frame takes.
class Errands {
 public:
  struct Handlers {
    std::function<void()> work;                          // on the new thread; must not throw
    std::function<void()> stop;                          // makes work() return early
    std::function<void(const Progress&)> show_progress;  // may be empty; may throw
  };

  // Returns when work() has. Throws what an errand or the progress threw, or the exception of a
  // signal, after it has stopped the work. Called with the GIL, which it lets go of to wait.
  void run(const Handlers& handlers);

  // For the working thread. Waits until the caller's thread has done the errand; false if it was
  // not done or threw.
  bool ask(const std::function<void()>& errand);
  // Does not wait; only the newest is shown.
  void tell(const Progress& progress);

 private:
  enum class Errand { kNone, kAsked, kDone, kFailed };

  bool wait_for_work();
  void serve(const Handlers& handlers);

  std::mutex mutex_;
  std::condition_variable changed_;
  Errand state_ = Errand::kNone;
  const std::function<void()>* errand_ = nullptr;
  std::optional<Progress> progress_;
  bool finished_ = false;
  std::exception_ptr failure_;  // of the caller's thread alone
};

}  // namespace vmafx::python

#endif  // VMAFX_PYTHON_ERRANDS_H_
