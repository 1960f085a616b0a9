// A few threads that share the parts of one piece of work.
#ifndef VMAFX_MEDIA_TEAM_H_
#define VMAFX_MEDIA_TEAM_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace vmafx {

class Team {
 public:
  // With fewer helpers, or none, where no more threads can be had.
  explicit Team(int helpers);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // part(0) to part(parts - 1), on the helpers and in the caller; returns when all are done. `part`
  // must not throw. For one thread at a time.
  void run(int parts, const std::function<void(int)>& part);

 private:
  void help();
  // With the lock held, which is given up while a part runs.
  void take_parts(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable work_ready_;
  std::condition_variable done_;
  const std::function<void(int)>* part_ = nullptr;
  int next_ = 0;
  int parts_ = 0;
  int running_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace vmafx

#endif  // VMAFX_MEDIA_TEAM_H_
