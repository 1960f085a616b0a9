#include "media/team.h"

#include <exception>

namespace vmafx {

Team::Team(int helpers) {
  helpers_.reserve(static_cast<std::size_t>(helpers));
  try {
    for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this] { help(); });
  } catch (const std::exception&) {
    return;  // those that there are do
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_ready_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::run(int parts, const std::function<void(int)>& part) {
  std::unique_lock lock(mutex_);
  part_ = &part;
  next_ = 0;
  parts_ = parts;
  work_ready_.notify_all();
  take_parts(lock);
  done_.wait(lock, [this] { return running_ == 0; });
}

void Team::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_ready_.wait(lock, [this] { return stopping_ || next_ < parts_; });
    if (stopping_) return;
    take_parts(lock);
  }
}

void Team::take_parts(std::unique_lock<std::mutex>& lock) {
  while (next_ < parts_) {
    const int mine = next_++;
    ++running_;
    lock.unlock();
    (*part_)(mine);
    lock.lock();
    if (--running_ == 0) done_.notify_all();
  }
}

}  // namespace vmafx
