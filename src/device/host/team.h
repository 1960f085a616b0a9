// Teams on the host: the threads of a phase run one after another.
#ifndef VMAFX_DEVICE_HOST_TEAM_H_
#define VMAFX_DEVICE_HOST_TEAM_H_

#include <algorithm>
#include <array>
#include <memory>

#include "device/kernel.h"

namespace vmafx::device::host {

// Pairwise within groups of 32, see kernel.h.
template <std::size_t threads, class T, class Combine>
void combine_groups(std::array<T, threads>& values, const Combine& combine) {
  for (std::size_t distance = kGroup / 2; distance > 0; distance /= 2) {
    const std::array<T, threads> before = values;
    for (std::size_t t = 0; t < threads; ++t) values[t] = combine(before[t], before[t ^ distance]);
  }
}

// Of all threads.
template <std::size_t threads, class T, class Combine>
T combine_all(std::array<T, threads> values, const Combine& combine) {
  combine_groups(values, combine);
  T result = values[0];
  for (std::size_t t = kGroup; t < threads; t += kGroup) result = combine(result, values[t]);
  return result;
}

template <class K>
class Team {
 public:
  static constexpr std::size_t kThreads = K::kThreads;

  template <class T>
  struct Values {
    std::array<T, kThreads> all{};
    T& operator[](int thread) { return all[static_cast<std::size_t>(thread)]; }
    const T& operator[](int thread) const { return all[static_cast<std::size_t>(thread)]; }
  };

  Team(PlainShared<K>& shared, Grid block, Grid blocks)
      : shared_(shared), block_(block), blocks_(blocks) {}

  Grid block() const { return block_; }
  Grid blocks() const { return blocks_; }
  PlainShared<K>& shared() { return shared_; }

  template <class F>
  void each(const F& f) {
    for (int thread = 0; thread < K::kThreads; ++thread) f(thread);
  }
  template <class F>
  void each_last(const F& f) {
    each(f);
  }
  template <class F>
  void leader(const F& f) {
    f();
  }

  template <class T>
  Values<T> values() const {
    return {};
  }
  template <class T>
  void sum32(Values<T>& values) {
    combine_groups(values.all, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  T sum(const Values<T>& values) {
    return combine_all(values.all, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  T min(const Values<T>& values) {
    return combine_all(values.all, [](T a, T b) { return std::min(a, b); });
  }
  template <class T>
  T max(const Values<T>& values) {
    return combine_all(values.all, [](T a, T b) { return std::max(a, b); });
  }

  // Other teams may run in other threads of the host.
  template <class T>
  void add(T* sum, T value) {
    __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
  }
  template <class T, int size>
  void add(PlainArray<T, size>& array, int index, T value) {
    array[index] += value;
  }

 private:
  PlainShared<K>& shared_;
  const Grid block_;
  const Grid blocks_;
};

template <class K>
void run(Grid blocks, const void* arguments) {
  const K& kernel = *static_cast<const K*>(arguments);
  const auto shared = std::make_unique_for_overwrite<PlainShared<K>>();
  for (int z = 0; z < blocks.z; ++z) {
    for (int y = 0; y < blocks.y; ++y) {
      for (int x = 0; x < blocks.x; ++x) {
        Team<K> team(*shared, {x, y, z}, blocks);
        kernel(team);
      }
    }
  }
}

}  // namespace vmafx::device::host

#endif  // VMAFX_DEVICE_HOST_TEAM_H_
