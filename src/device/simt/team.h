// Teams of CUDA and HIP. The including file has included the backend's runtime.h before.
#ifndef VMAFX_DEVICE_SIMT_TEAM_H_
#define VMAFX_DEVICE_SIMT_TEAM_H_

#include <cstdint>

#include "device/kernel.h"

namespace vmafx::device::simt {

// A reduction writes one half of the scratch memory; the next one, the other. So nobody overwrites
// what another thread still reads, though each has one barrier only.
template <class K>
struct Scratch {
  std::uint64_t half[2][K::kThreads / kGroup];
};

template <class K>
class Team {
 public:
  template <class T>
  struct Values {
    T value{};
    __device__ __forceinline__ T& operator[](int /*thread*/) { return value; }
    __device__ __forceinline__ const T& operator[](int /*thread*/) const { return value; }
  };

  __device__ __forceinline__ Team(PlainShared<K>& shared, Scratch<K>& scratch)
      : shared_(shared), scratch_(scratch) {}

  __device__ __forceinline__ Grid block() const {
    return {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
            static_cast<int>(blockIdx.z)};
  }
  __device__ __forceinline__ Grid blocks() const {
    return {static_cast<int>(gridDim.x), static_cast<int>(gridDim.y), static_cast<int>(gridDim.z)};
  }
  __device__ __forceinline__ PlainShared<K>& shared() { return shared_; }

  template <class F>
  __device__ __forceinline__ void each(const F& f) {
    f(static_cast<int>(threadIdx.x));
    __syncthreads();
  }
  template <class F>
  __device__ __forceinline__ void each_last(const F& f) {
    f(static_cast<int>(threadIdx.x));
  }
  template <class F>
  __device__ __forceinline__ void leader(const F& f) {
    if (threadIdx.x == 0) f();
  }

  template <class T>
  __device__ __forceinline__ Values<T> values() const {
    return {};
  }
  template <class T>
  __device__ __forceinline__ void sum32(Values<T>& values) {
    combine_groups(values.value, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  __device__ __forceinline__ T sum(const Values<T>& values) {
    return combine_all(values.value, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  __device__ __forceinline__ T min(const Values<T>& values) {
    return combine_all(values.value, [](T a, T b) { return b < a ? b : a; });
  }
  template <class T>
  __device__ __forceinline__ T max(const Values<T>& values) {
    return combine_all(values.value, [](T a, T b) { return a < b ? b : a; });
  }

  template <class T>
  __device__ __forceinline__ void add(T* sum, T value) {
    if constexpr (sizeof(T) == 8) {
      atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
    } else {
      atomicAdd(sum, value);
    }
  }
  template <class T, int size>
  __device__ __forceinline__ void add(PlainArray<T, size>& array, int index, T value) {
    add(&array[index], value);
  }

 private:
  template <class T, class Combine>
  __device__ __forceinline__ void combine_groups(T& value, const Combine& combine) {
    VMAFX_UNROLL
    for (int distance = kGroup / 2; distance > 0; distance /= 2)
      value = combine(value, value_across(value, distance));
  }
  template <class T, class Combine>
  __device__ __forceinline__ T combine_all(T value, const Combine& combine) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    combine_groups(value, combine);
    T* const groups = reinterpret_cast<T*>(scratch_.half[turn_]);
    turn_ = 1 - turn_;
    if (threadIdx.x % kGroup == 0) groups[threadIdx.x / kGroup] = value;
    __syncthreads();
    T result = groups[0];
    VMAFX_UNROLL
    for (int group = 1; group < K::kThreads / kGroup; ++group)
      result = combine(result, groups[group]);
    return result;
  }

  PlainShared<K>& shared_;
  Scratch<K>& scratch_;
  int turn_ = 0;
};

}  // namespace vmafx::device::simt

#endif  // VMAFX_DEVICE_SIMT_TEAM_H_
