#include "errands.h"

#include <chrono>
#include <thread>
#include <utility>

#include <nanobind/nanobind.h>

namespace vmafx::python {
namespace {

namespace nb = nanobind;

// How late a signal may be seen.
constexpr std::chrono::milliseconds kSignalInterval{50};

void throw_if_signalled() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void Errands::run(const Handlers& handlers) {
  std::thread worker([&] {
    handlers.work();
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    changed_.notify_all();
  });
  while (!wait_for_work()) {
    if (failure_) continue;
    try {
      throw_if_signalled();
      serve(handlers);
    } catch (...) {
      failure_ = std::current_exception();
      handlers.stop();
    }
  }
  worker.join();
  if (failure_) std::rethrow_exception(failure_);
  // The last frame's.
  if (handlers.show_progress && progress_) handlers.show_progress(*progress_);
}

// True when the work is finished.
bool Errands::wait_for_work() {
  const nb::gil_scoped_release no_gil;
  std::unique_lock lock(mutex_);
  if (failure_) {
    progress_.reset();
    if (state_ == Errand::kAsked) state_ = Errand::kFailed;
    changed_.notify_all();
  }
  changed_.wait_for(lock, kSignalInterval,
                    [&] { return finished_ || state_ == Errand::kAsked || progress_; });
  return finished_;
}

void Errands::serve(const Handlers& handlers) {
  std::unique_lock lock(mutex_);
  const auto progress = std::exchange(progress_, std::nullopt);
  const bool asked = state_ == Errand::kAsked;
  lock.unlock();
  if (progress && handlers.show_progress) handlers.show_progress(*progress);
  if (!asked) return;
  (*errand_)();
  lock.lock();
  state_ = Errand::kDone;
  changed_.notify_all();
}

bool Errands::ask(const std::function<void()>& errand) {
  std::unique_lock lock(mutex_);
  errand_ = &errand;
  state_ = Errand::kAsked;
  changed_.notify_all();
  changed_.wait(lock, [&] { return state_ != Errand::kAsked; });
  return std::exchange(state_, Errand::kNone) == Errand::kDone;
}

void Errands::tell(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
  changed_.notify_all();
}

}  // namespace vmafx::python
