// Floating-point sums from the first value to the last, on devices. Additions wait for each other;
// reading does not have to.
#ifndef VMAFX_METRICS_ORDERED_SUM_H_
#define VMAFX_METRICS_ORDERED_SUM_H_

#include "base/portable.h"

namespace vmafx {

// sum + value(0) + value(1) + ... by one thread, which reads kAhead values before it adds them.
template <class T, int kAhead, class Value>
VMAFX_PORTABLE T ordered_sum(int count, const Value& value, T sum = 0) {
  for (int first = 0; first < count; first += kAhead) {
    T ahead[kAhead];
    VMAFX_UNROLL
    for (int i = 0; i < kAhead; ++i) ahead[i] = first + i < count ? value(first + i) : T{0};
    // Zeros change nothing: the sum is never -0.
    VMAFX_UNROLL
    for (int i = 0; i < kAhead; ++i) sum += ahead[i];
  }
  return sum;
}

// Values that a team reads together.
inline constexpr int kOrderedChunk = 2048;

// value(0) + value(1) + ... to *out, by one thread of the team; all of them read. `chunk` is a
// shared array of kOrderedChunk.
template <class T, class Team, class Chunk, class Value>
VMAFX_PORTABLE void ordered_team_sum(Team& team, Chunk& chunk, int threads, int count,
                                     const Value& value, T* out) {
  auto sum = team.template values<T>();
  for (int first = 0; first < count; first += kOrderedChunk) {
    const int left = count - first;
    const int size = left < kOrderedChunk ? left : kOrderedChunk;
    team.each([&](int thread) {
      for (int i = thread; i < size; i += threads) chunk[i] = value(first + i);
    });
    team.each([&](int thread) {
      if (thread != 0) return;
      sum[thread] = ordered_sum<T, 32>(size, [&](int i) -> T { return chunk[i]; }, sum[thread]);
    });
  }
  team.leader([&] { *out = sum[0]; });
}

}  // namespace vmafx

#endif  // VMAFX_METRICS_ORDERED_SUM_H_
