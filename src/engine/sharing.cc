#include "engine/sharing.h"

namespace vmafx::engine {

void Sharing::run_next(std::unique_lock<std::mutex>& lock, Scratch& scratch) {
  const int part = next_++;
  ++running_;
  lock.unlock();
  std::exception_ptr failure;
  try {
    const Scratch::Frame frame(scratch);
    run_(part, scratch);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  --running_;
  if (failure && !failure_) failure_ = failure;
  if (failure) next_ = parts_;
  // With the lock held: as soon as it is open, the owner may be gone.
  if (running_ == 0) ended_.notify_one();
}

void Sharing::wait(std::unique_lock<std::mutex>& lock) {
  ended_.wait(lock, [&] { return running_ == 0; });
}

void Sharing::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace vmafx::engine
