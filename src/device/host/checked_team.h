// Teams on the host that watch what kernels do: races within a phase, accesses beyond a shared
// array, reads of shared memory that nobody wrote, barriers that not all threads reach.
#ifndef VMAFX_DEVICE_HOST_CHECKED_TEAM_H_
#define VMAFX_DEVICE_HOST_CHECKED_TEAM_H_

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device/host/order.h"
#include "device/host/team.h"
#include "device/kernel.h"

namespace vmafx::device::host {

// What is running, for the proxies of shared memory. The first problem stands.
class Check {
 public:
  static constexpr int kAllThreads = -1;  // code between phases

  static Check& current() {
    thread_local Check check;
    return check;
  }

  void start(Grid block) {
    block_ = block;
    phase_ = 1;
    thread = kAllThreads;
    last_phase_ = false;
  }
  void problem(const std::string& what) {
    if (problem_.empty())
      problem_ = fmt::format("team {},{},{}, phase {}, thread {}: {}", block_.x, block_.y, block_.z,
                             phase_, thread, what);
  }
  std::string take_problem() { return std::exchange(problem_, {}); }

  // Before something that has a barrier.
  void expect_uniform() {
    if (thread != kAllThreads) problem("a barrier inside a phase: threads diverge");
    if (last_phase_) problem("a phase after each_last()");
  }
  void barrier() { ++phase_; }
  void end() { last_phase_ = true; }
  int phase() const { return phase_; }

  int thread = kAllThreads;

 private:
  Grid block_;
  int phase_ = 1;
  bool last_phase_ = false;
  std::string problem_;
};

// An element remembers who touched it last.
template <class T, int size>
class CheckedArray {
 public:
  class Element {
   public:
    Element(CheckedArray& array, int index) : array_(array), index_(index) {}
    operator T() const {  // NOLINT(google-explicit-constructor)
      array_.read(index_);
      return array_.data_[index_];
    }
    const Element& operator=(T value) const {
      array_.write(index_);
      array_.data_[index_] = value;
      return *this;
    }
    const Element& operator=(const Element& other) const { return *this = static_cast<T>(other); }
    const Element& operator+=(T value) const {
      return *this = static_cast<T>(static_cast<T>(*this) + value);
    }

   private:
    CheckedArray& array_;
    int index_;
  };

  Element operator[](int index) {
    if (index >= 0 && index < size) return {*this, index};
    Check::current().problem(fmt::format("element {} of a shared array of {}", index, size));
    return {*this, 0};
  }
  void add(int index, T value) {
    if (index < 0 || index >= size) return static_cast<void>((*this)[index]);
    Access& access = access_[index];
    const Check& check = Check::current();
    if (!access.written) Check::current().problem("adds to a shared element that nobody wrote");
    if (access.in_phase(check) &&
        (access.readers != kNobody || (access.writer != kNobody && !access.added)))
      race(index);
    access.enter(check);
    access.writer = kSeveral;
    access.added = true;
    data_[index] += value;
  }

 private:
  static constexpr int kNobody = -2;
  static constexpr int kSeveral = -3;

  struct Access {
    int phase = 0;
    int readers = kNobody;
    int writer = kNobody;
    bool added = false;  // all writes of the phase are add()
    bool written = false;

    bool in_phase(const Check& check) const { return phase == check.phase(); }
    void enter(const Check& check) {
      written = true;
      if (in_phase(check)) return;
      phase = check.phase();
      readers = kNobody;
      writer = kNobody;
      added = false;
    }
  };

  void race(int index) {
    Check::current().problem(
        fmt::format("a race on element {} of a shared array of {}", index, size));
  }
  void read(int index) {
    Access& access = access_[index];
    const Check& check = Check::current();
    if (!access.written) {
      Check::current().problem(
          fmt::format("reads element {} of a shared array of {}, which nobody wrote", index, size));
      access.written = true;
    }
    access.enter(check);
    if (access.writer != kNobody && access.writer != check.thread) race(index);
    access.readers =
        access.readers == kNobody || access.readers == check.thread ? check.thread : kSeveral;
  }
  void write(int index) {
    Access& access = access_[index];
    const Check& check = Check::current();
    if (check.thread == Check::kAllThreads) race(index);
    access.enter(check);
    if (access.writer != kNobody && access.writer != check.thread) race(index);
    if (access.readers != kNobody && access.readers != check.thread) race(index);
    access.writer = check.thread;
    access.added = false;
  }

  T data_[size] = {};
  Access access_[size] = {};
};

template <class K>
class CheckedTeam {
 public:
  using Shared = typename K::template Shared<CheckedArray>;
  static constexpr std::size_t kThreads = K::kThreads;

  template <class T>
  struct Values {
    std::array<T, kThreads> all{};
    T& operator[](int thread) {
      if (thread == Check::current().thread && thread >= 0)
        return all[static_cast<std::size_t>(thread)];
      Check::current().problem(fmt::format("the value of thread {}", thread));
      return all[0];
    }
  };

  CheckedTeam(Shared& shared, Grid block, Grid blocks, const std::vector<int>& order)
      : shared_(shared), block_(block), blocks_(blocks), order_(order) {}

  Grid block() const { return block_; }
  Grid blocks() const { return blocks_; }
  Shared& shared() { return shared_; }

  template <class F>
  void each(const F& f) {
    phase(f);
    check_.barrier();
  }
  template <class F>
  void each_last(const F& f) {
    phase(f);
    check_.end();
  }
  template <class F>
  void leader(const F& f) {
    if (check_.thread != Check::kAllThreads) check_.problem("leader() inside a phase");
    check_.thread = 0;
    f();
    check_.thread = Check::kAllThreads;
  }

  template <class T>
  Values<T> values() const {
    return {};
  }
  template <class T>
  void sum32(Values<T>& values) {
    check_.expect_uniform();
    combine_groups(values.all, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  T sum(const Values<T>& values) {
    return combine(values, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  T min(const Values<T>& values) {
    return combine(values, [](T a, T b) { return std::min(a, b); });
  }
  template <class T>
  T max(const Values<T>& values) {
    return combine(values, [](T a, T b) { return std::max(a, b); });
  }

  template <class T>
  void add(T* sum, T value) {
    if (check_.thread == Check::kAllThreads)
      check_.problem("add() between phases, by every thread");
    *sum += value;
  }
  template <class T, int size>
  void add(CheckedArray<T, size>& array, int index, T value) {
    array.add(index, value);
  }

 private:
  template <class F>
  void phase(const F& f) {
    check_.expect_uniform();
    for (const int thread : order_) {
      check_.thread = thread;
      f(thread);
    }
    check_.thread = Check::kAllThreads;
  }
  template <class T, class Combine>
  T combine(const Values<T>& values, const Combine& combine) {
    check_.expect_uniform();
    check_.barrier();
    return combine_all(values.all, combine);
  }

  Check& check_ = Check::current();
  Shared& shared_;
  const Grid block_;
  const Grid blocks_;
  const std::vector<int>& order_;
};

// Runs teams and threads in one of several orders, and returns the first problem, or nothing.
template <class K>
std::string run_checked(Grid blocks, const void* arguments, Order order) {
  const K& kernel = *static_cast<const K*>(arguments);
  const std::vector<int> threads = ordered(K::kThreads, order);
  for (const int z : ordered(blocks.z, order)) {
    for (const int y : ordered(blocks.y, order)) {
      for (const int x : ordered(blocks.x, order)) {
        const auto shared = std::make_unique<typename CheckedTeam<K>::Shared>();
        Check::current().start({x, y, z});
        CheckedTeam<K> team(*shared, {x, y, z}, blocks, threads);
        kernel(team);
        if (std::string problem = Check::current().take_problem(); !problem.empty()) return problem;
      }
    }
  }
  return {};
}

}  // namespace vmafx::device::host

#endif  // VMAFX_DEVICE_HOST_CHECKED_TEAM_H_
