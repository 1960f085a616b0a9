// Floating-point sums from the first value to the last, on devices. Additions wait for each other;
// reading does not have to.
#ifndef VMAFX_METRICS_ORDERED_SUM_H_
#define VMAFX_METRICS_ORDERED_SUM_H_

#include <cstddef>

#include "base/portable.h"

namespace vmafx {

// values[0] + values[stride] + ... by one thread, which reads kAhead values before it adds them.
template <int kAhead, class T>
VMAFX_PORTABLE T ordered_sum(const T* values, std::ptrdiff_t stride, int count) {
  T sum = 0;
  T ahead[kAhead];
  for (; count >= kAhead; count -= kAhead) {
    VMAFX_UNROLL
    for (int i = 0; i < kAhead; ++i) {
      ahead[i] = *values;
      values += stride;
    }
    VMAFX_UNROLL
    for (int i = 0; i < kAhead; ++i) sum += ahead[i];
  }
  VMAFX_UNROLL
  for (int i = 0; i < kAhead; ++i) {
    ahead[i] = i < count ? *values : 0;
    values += stride;
  }
  // Zeros change nothing: the sum is never -0.
  VMAFX_UNROLL
  for (int i = 0; i < kAhead; ++i) sum += ahead[i];
  return sum;
}

// Values that a team reads together.
inline constexpr int kOrderedChunk = 2048;

// values[0] + values[1] + ... to *out, by one thread of the team; all of them read. `chunk` is a
// shared array of kOrderedChunk.
template <class T, class Team, class Chunk>
VMAFX_PORTABLE void ordered_team_sum(Team& team, Chunk& chunk, int threads, const T* values,
                                     int count, T* out) {
  constexpr int kTogether = 32;
  static_assert(kOrderedChunk % kTogether == 0);
  auto sum = team.template values<T>();
  for (int first = 0; first < count; first += kOrderedChunk) {
    const int left = count - first;
    const int size = left < kOrderedChunk ? left : kOrderedChunk;
    const int padded = (size + kTogether - 1) / kTogether * kTogether;
    team.each([&](int thread) {
      for (int i = thread; i < padded; i += threads) chunk[i] = i < size ? values[first + i] : 0;
    });
    team.each([&](int thread) {
      if (thread != 0) return;
      for (int at = 0; at < padded; at += kTogether) {
        VMAFX_UNROLL
        for (int i = 0; i < kTogether; ++i) sum[thread] += chunk[at + i];
      }
    });
  }
  team.leader([&] { *out = sum[0]; });
}

}  // namespace vmafx

#endif  // VMAFX_METRICS_ORDERED_SUM_H_
