// The words that kernels are written in. A kernel is written once, in metrics/<metric>/kernels.h,
// and runs through CUDA, HIP, SYCL and on the host; it includes no vendor's header. It is a
// trivially copyable struct that holds its arguments:
//
//   struct RowSums {
//     static constexpr int kThreads = 128;      // of a team: a multiple of 32, up to 1024
//     template <template <class, int> class Array>
//     struct Shared {                           // what the threads of a team share
//       Array<std::int32_t, 128> line;          // uninitialised, as on every device
//     };
//     PlaneView<const std::uint8_t> plane;
//     std::uint64_t* sum;
//
//     template <class Team>
//     VMAFX_PORTABLE void operator()(Team& team) const {
//       const int y = team.block().y;           // code between phases is the same for all threads
//       auto count = team.template values<std::uint32_t>();  // one for each thread, zero at first
//       team.each([&](int thread) { ... count[thread] = ...; });  // a phase; a barrier ends it
//       const std::uint32_t total = team.sum(count);
//       team.leader([&] { team.add(sum, total); });
//     }
//   };
//
// A kernel with many values may say by a member kTeamsAtOnce that a processor should have room for
// so many teams of it; CUDA's compiler takes as many registers as it likes otherwise.
//
// The vocabulary of a team:
//   block(), blocks()       Grid of int: which team this is, of how many
//   shared()                Shared<...>&; elements are read (name the type, `auto` would not read)
//                           and assigned whole, their addresses not taken
//   each(f)                 f(thread) by every thread, then a barrier
//   each_last(f)            the same as the kernel's last phase, which needs no barrier
//   leader(f)               f() by one thread; no barrier
//   values<T>()             T for each thread that lives across phases, indexed by its own number
//   sum(v), min(v), max(v)  of all threads' values; every thread gets the result. Floating-point
//                           sums are those of sum32, then the groups of 32 from the first to the
//                           last: the same bits everywhere
//   sum32(v)                replaces each value by the sum of its group of 32 neighbours, pairwise
//                           over distances 16, 8, 4, 2 and 1
//   add(p, x)               *p += x in device memory, whoever else adds to it in this launch;
//   add(array, i, x)        array[i] += x of a shared array, whoever else adds to it in this
//                           phase; both for int32, uint32 and uint64
// A phase may read what earlier phases wrote to shared memory, and within a phase no thread
// touches an element that another one writes. Teams of one launch do not see each other's writes.
// So that bits are the same everywhere: + - * / and std::sqrt only, base/exact for the rest,
// integers where sums come from several teams.
#ifndef VMAFX_DEVICE_KERNEL_H_
#define VMAFX_DEVICE_KERNEL_H_

#include <cstddef>
#include <type_traits>

#include "base/portable.h"

namespace vmafx::device {

// Teams of a launch, or the place of one of them.
struct Grid {
  int x = 1;
  int y = 1;
  int z = 1;
};

// What every device can launch.
inline constexpr Grid kLargestGrid = {0x7fffffff, 65535, 65535};
inline constexpr int kGroup = 32;
inline constexpr int kMaxThreads = 1024;
// Of Shared with plain arrays.
inline constexpr std::size_t kMaxSharedBytes = 46 * 1024;

template <class T, int size>
struct PlainArray {
  T data[size];
  VMAFX_PORTABLE T& operator[](int index) { return data[index]; }
  VMAFX_PORTABLE const T& operator[](int index) const { return data[index]; }
};

// For kernels whose threads share nothing.
template <template <class, int> class Array>
struct NothingShared {};

template <class K>
using PlainShared = typename K::template Shared<PlainArray>;

template <class K>
constexpr void check_kernel() {
  static_assert(std::is_trivially_copyable_v<K>);
  static_assert(K::kThreads % kGroup == 0 && K::kThreads > 0 && K::kThreads <= kMaxThreads);
  static_assert(sizeof(PlainShared<K>) <= kMaxSharedBytes);
  static_assert(sizeof(K) <= 3584, "devices take so many bytes of arguments");
}

// The kernels of a metric: `using Kernels = device::KernelList<A, B>;` in its namespace, at the end
// of its kernels.h. Every backend compiles those that are listed.
template <class... K>
struct KernelList {};

// How many teams of `size` cover `count`.
constexpr int teams_for(int count, int size) { return (count + size - 1) / size; }

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_KERNEL_H_
