// Teams of SYCL, in standard SYCL 2020 and with as little of it as possible: local memory, barriers
// of a work-group, atomic additions. Sub-groups are left alone, since their size differs between
// devices and sums must not.
#ifndef VMAFX_DEVICE_SYCL_TEAM_H_
#define VMAFX_DEVICE_SYCL_TEAM_H_

#include <cstddef>
#include <cstdint>
#include <sycl/sycl.hpp>

#include "device/kernel.h"

namespace vmafx::device::sycl_backend {

// What values pass through from one thread to another; holds any type of up to 8 bytes.
struct alignas(8) Word {
  std::byte bytes[8];
};

// Local memory of a team.
template <class K>
struct Local {
  PlainShared<K> shared;
  Word words[K::kThreads];
};

template <class K>
class Team {
 public:
  template <class T>
  struct Values {
    T value{};
    T& operator[](int /*thread*/) { return value; }
    const T& operator[](int /*thread*/) const { return value; }
  };

  Team(const sycl::nd_item<3>& item, Local<K>& local)
      : group_(item.get_group()),
        thread_(static_cast<int>(item.get_local_linear_id())),
        local_(local) {}

  // SYCL's last dimension is the one whose neighbours lie together.
  Grid block() const {
    return {static_cast<int>(group_.get_group_id(2)), static_cast<int>(group_.get_group_id(1)),
            static_cast<int>(group_.get_group_id(0))};
  }
  Grid blocks() const {
    return {static_cast<int>(group_.get_group_range(2)),
            static_cast<int>(group_.get_group_range(1)),
            static_cast<int>(group_.get_group_range(0))};
  }
  PlainShared<K>& shared() { return local_.shared; }

  template <class F>
  void each(const F& f) {
    f(thread_);
    barrier();
  }
  template <class F>
  void each_last(const F& f) {
    f(thread_);
  }
  template <class F>
  void leader(const F& f) {
    if (thread_ == 0) f();
  }

  template <class T>
  Values<T> values() const {
    return {};
  }
  template <class T>
  void sum32(Values<T>& values) {
    combine_groups(values.value, [](T a, T b) { return static_cast<T>(a + b); });
    values.value = result<T>(thread_ / kGroup);
  }
  template <class T>
  T sum(const Values<T>& values) {
    return combine_all(values.value, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  T min(const Values<T>& values) {
    return combine_all(values.value, [](T a, T b) { return b < a ? b : a; });
  }
  template <class T>
  T max(const Values<T>& values) {
    return combine_all(values.value, [](T a, T b) { return a < b ? b : a; });
  }

  template <class T>
  void add(T* sum, T value) {
    sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device,
                     sycl::access::address_space::global_space>(*sum)
        .fetch_add(value);
  }
  template <class T, int size>
  void add(PlainArray<T, size>& array, int index, T value) {
    sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                     sycl::access::address_space::local_space>(array[index])
        .fetch_add(value);
  }

 private:
  void barrier() { sycl::group_barrier(group_); }

  template <class T>
  T& word(int group, int index) {
    static_assert(sizeof(T) <= sizeof(Word));
    return *reinterpret_cast<T*>(local_.words[group * kGroup + index].bytes);
  }
  template <class T>
  T& result(int group) {
    return word<T>(group, kGroup - 1);
  }

  // Leaves the result() of each group to all threads of the team. At each distance the upper
  // threads hand their values to the lower ones, through words that no other step uses: so one
  // barrier a step is enough, and before the next reduction writes a word again, the barriers of
  // the other steps have passed since it was read.
  template <class T, class Combine>
  void combine_groups(T value, const Combine& combine) {
    const int group = thread_ / kGroup;
    const int lane = thread_ % kGroup;
    int used = 0;
    for (int distance = kGroup / 2; distance > 0; distance /= 2) {
      if (lane >= distance && lane < 2 * distance) word<T>(group, used + lane - distance) = value;
      barrier();
      if (lane < distance) value = combine(value, word<T>(group, used + lane));
      used += distance;
    }
    if (lane == 0) result<T>(group) = value;
    barrier();
  }
  template <class T, class Combine>
  T combine_all(T value, const Combine& combine) {
    combine_groups(value, combine);
    T all = result<T>(0);
    for (int group = 1; group < K::kThreads / kGroup; ++group) all = combine(all, result<T>(group));
    return all;
  }

  const sycl::group<3> group_;
  const int thread_;
  Local<K>& local_;
};

}  // namespace vmafx::device::sycl_backend

#endif  // VMAFX_DEVICE_SYCL_TEAM_H_
