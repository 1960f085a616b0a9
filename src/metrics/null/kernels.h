// A kernel that says every word of the vocabulary once; a test compares what devices answer.
#ifndef VMAFX_METRICS_NULL_KERNELS_H_
#define VMAFX_METRICS_NULL_KERNELS_H_

#include <cstdint>

#include "device/kernel.h"

namespace vmafx::null {

// What a team writes.
struct Answers {
  std::int64_t sum = 0;
  std::int32_t min = 0;
  std::int32_t max = 0;
  float float_sum = 0;
  float last_group_sum = 0;
  std::uint32_t remainders[4] = {};
  std::int32_t turned[96] = {};  // each thread's successor's value
  std::int32_t block[3] = {};
};

struct EveryWord {
  static constexpr int kThreads = 96;
  template <template <class, int> class Array>
  struct Shared {
    Array<std::int32_t, kThreads> ring;
    Array<std::uint32_t, 4> counts;
  };

  const std::int32_t* values;  // kThreads for each team
  Answers* answers;            // one for each team
  std::uint64_t* total;        // of all teams
  std::uint32_t* teams;

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const device::Grid block = team.block();
    const device::Grid blocks = team.blocks();
    const int index = (block.z * blocks.y + block.y) * blocks.x + block.x;
    const std::int32_t* const own = values + index * kThreads;
    Answers& answer = answers[index];

    auto wide = team.template values<std::int64_t>();
    auto value = team.template values<std::int32_t>();
    auto real = team.template values<float>();
    team.each([&](int thread) {
      value[thread] = own[thread];
      wide[thread] = own[thread];
      real[thread] = static_cast<float>(own[thread]) * 0.1F;
      shared.ring[thread] = own[thread];
      if (thread < 4) shared.counts[thread] = 0;
    });
    team.each([&](int thread) {
      answer.turned[thread] = shared.ring[(thread + 1) % kThreads];
      team.add(shared.counts, value[thread] & 3, std::uint32_t{1});
    });
    const std::int64_t sum = team.sum(wide);
    const std::int32_t min = team.min(value);
    const std::int32_t max = team.max(value);
    const float float_sum = team.sum(real);
    team.sum32(real);
    team.each_last([&](int thread) {
      if (thread < 4) answer.remainders[thread] = shared.counts[thread];
      if (thread == kThreads - 1) answer.last_group_sum = real[thread];
    });
    team.leader([&] {
      answer.sum = sum;
      answer.min = min;
      answer.max = max;
      answer.float_sum = float_sum;
      answer.block[0] = block.x;
      answer.block[1] = block.y;
      answer.block[2] = block.z;
      team.add(total, static_cast<std::uint64_t>(sum));
      team.add(teams, std::uint32_t{1});
    });
  }
};

using Kernels = device::KernelList<EveryWord>;

}  // namespace vmafx::null

#endif  // VMAFX_METRICS_NULL_KERNELS_H_
