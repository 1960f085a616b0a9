// The vocabulary of kernels means the same on every device, and the checked host finds what is
// wrong with a kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "device/backends.h"
#include "device/device.h"
#include "device/faults.h"
#include "device/host/checked_team.h"
#include "device/host/driver.h"
#include "device/host/team.h"
#include "metrics/null/kernels.h"
#include "tests/devices.h"

namespace vmafx::device {
namespace {

using null::Answers;
using null::EveryWord;

constexpr int kThreads = EveryWord::kThreads;
constexpr Grid kTeams = {3, 2, 2};
constexpr int kTeamCount = 12;

std::vector<std::int32_t> make_values() {
  std::vector<std::int32_t> values(static_cast<std::size_t>(kTeamCount * kThreads));
  std::uint32_t state = 12345;
  for (std::int32_t& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<std::int32_t>(state) >> 4;
  }
  return values;
}

// As kernel.h defines it.
float pairwise_sum_of_32(const float* values) {
  std::array<float, kGroup> now{};
  std::copy_n(values, kGroup, now.begin());
  for (std::size_t distance = 16; distance > 0; distance /= 2) {
    const std::array<float, kGroup> before = now;
    for (std::size_t t = 0; t < now.size(); ++t) now[t] = before[t] + before[t ^ distance];
  }
  return now[kGroup - 1];
}

Answers expected_answers(const std::int32_t* values, int team) {
  Answers answers;
  std::array<float, kThreads> real{};
  answers.min = *std::min_element(values, values + kThreads);
  answers.max = *std::max_element(values, values + kThreads);
  for (int t = 0; t < kThreads; ++t) {
    answers.sum += values[t];
    ++answers.remainders[values[t] & 3];
    answers.turned[t] = values[(t + 1) % kThreads];
    real[static_cast<std::size_t>(t)] = static_cast<float>(values[t]) * 0.1F;
  }
  const float sums[3] = {pairwise_sum_of_32(real.data()), pairwise_sum_of_32(real.data() + 32),
                         pairwise_sum_of_32(real.data() + 64)};
  answers.float_sum = sums[0] + sums[1] + sums[2];
  answers.last_group_sum = sums[2];
  answers.block[0] = team % kTeams.x;
  answers.block[1] = team / kTeams.x % kTeams.y;
  answers.block[2] = team / kTeams.x / kTeams.y;
  return answers;
}

template <class T>
T* part(Buffer& buffer, std::size_t offset) {
  return reinterpret_cast<T*>(buffer.data() + offset);
}

TEST(Device, EveryWordMeansTheSame) {
  const std::vector<std::int32_t> values = make_values();
  for (const tests::TestDevice& device : tests::test_devices()) {
    SCOPED_TRACE(device.name);
    constexpr std::size_t kAnswers = 8192;
    constexpr std::size_t kSums = kAnswers + kTeamCount * sizeof(Answers);
    auto memory = Buffer::make(device.driver, kSums + 16, Buffer::Place::kDevice);
    auto queue = Queue::make(device.driver);
    ASSERT_TRUE(memory.ok() && queue.ok());
    ASSERT_LE(values.size() * sizeof(values[0]), kAnswers);
    queue->upload(memory->data(), values.data(), values.size() * sizeof(values[0]));
    queue->zero(memory->data() + kSums, 16);
    queue->launch(
        kTeams,
        EveryWord{part<const std::int32_t>(*memory, 0), part<Answers>(*memory, kAnswers),
                  part<std::uint64_t>(*memory, kSums), part<std::uint32_t>(*memory, kSums + 8)});
    std::vector<Answers> answers(kTeamCount);
    std::uint64_t total = 0;
    std::uint32_t teams = 0;
    queue->download(answers.data(), memory->data() + kAnswers, kTeamCount * sizeof(Answers));
    queue->download(&total, memory->data() + kSums, sizeof total);
    queue->download(&teams, memory->data() + kSums + 8, sizeof teams);
    const Status done = queue->finish();
    ASSERT_TRUE(done.ok()) << done.error().message;

    std::int64_t expected_total = 0;
    for (int team = 0; team < kTeamCount; ++team) {
      const Answers expected = expected_answers(values.data() + team * kThreads, team);
      const Answers& got = answers[static_cast<std::size_t>(team)];
      expected_total += expected.sum;
      EXPECT_EQ(got.sum, expected.sum);
      EXPECT_EQ(got.min, expected.min);
      EXPECT_EQ(got.max, expected.max);
      EXPECT_EQ(got.float_sum, expected.float_sum);
      EXPECT_EQ(got.last_group_sum, expected.last_group_sum);
      EXPECT_TRUE(std::ranges::equal(got.remainders, expected.remainders));
      EXPECT_TRUE(std::ranges::equal(got.turned, expected.turned));
      EXPECT_TRUE(std::ranges::equal(got.block, expected.block));
    }
    EXPECT_EQ(total, static_cast<std::uint64_t>(expected_total));
    EXPECT_EQ(teams, std::uint32_t{kTeamCount});
  }
}

TEST(Device, AGridThatCannotBeLaunchedIsAnError) {
  for (const tests::TestDevice& device : tests::test_devices()) {
    for (const Grid grid : {Grid{0, 1, 1}, Grid{1, -1, 1}, Grid{1, 65536, 1}, Grid{1, 1, 65536}}) {
      auto queue = Queue::make(device.driver);
      ASSERT_TRUE(queue.ok());
      queue->launch(grid, EveryWord{});
      const Status status = queue->finish();
      ASSERT_FALSE(status.ok()) << device.name;
      EXPECT_NE(status.error().message.find("vmafx::null::EveryWord"), std::string::npos)
          << status.error().message;
    }
  }
}

TEST(Device, AModuleOfOtherSourcesIsRefused) {
  setenv("VMAFX_MODULES", VMAFX_OTHER_MODULES, 1);
  const auto driver = open("sycl", {});
  unsetenv("VMAFX_MODULES");
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(driver.error().message, "vmafx_sycl.so belongs to another version of VMAFx");
}

TEST(Device, AQueueKeepsItsFirstErrorAndGoesOnAfterIt) {
  auto queue = Queue::make(with_fault(host::open(host::kernels()), 2));
  ASSERT_TRUE(queue.ok());
  std::uint64_t word = 1;
  queue->zero(&word, sizeof word);  // the second call, after the stream's
  queue->zero(&word, sizeof word);
  EXPECT_EQ(word, 1U) << "nothing is done after an error";
  const Status status = queue->finish();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kDevice);
  EXPECT_EQ(status.error().message, "host: clearing: injected failure");
  queue->zero(&word, sizeof word);
  EXPECT_TRUE(queue->finish().ok());
  EXPECT_EQ(word, 0U);
}

// --- kernels with a mistake each

struct Base {
  static constexpr int kThreads = 64;
  template <template <class, int> class Array>
  struct Shared {
    Array<int, 64> a;
  };
  int* out;
};

struct Clean : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int t) { shared.a[t] = t; });
    team.each_last([&](int t) { out[t] = shared.a[63 - t]; });
  }
};

struct ReadsWhatAnotherWrites : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int t) { shared.a[t] = t; });
    team.each([&](int t) { shared.a[t] = shared.a[(t + 1) % 64] + 1; });
  }
};

struct TwoWriteOne : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int t) { shared.a[t / 2] = t; });
  }
};

struct LeaderOvertakes : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int t) { shared.a[t] = t; });
    team.leader([&] { shared.a[5] = 7; });
    team.each([&](int t) { out[t] = shared.a[t]; });
  }
};

struct BeyondTheEnd : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int t) { shared.a[t + 1] = t; });
  }
};

struct ReadsWhatNobodyWrote : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    team.each([&](int t) {
      if (t < 63) shared.a[t] = t;
    });
    team.each([&](int t) { out[t] = shared.a[t]; });
  }
};

struct BarrierInAPhase : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto sums = team.template values<int>();
    team.each([&](int t) {
      if (t < 32) out[t] = team.sum(sums);
    });
  }
};

struct PhaseAfterTheLast : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    team.each_last([&](int t) { shared.a[t] = t; });
    team.each([&](int t) { out[t] = shared.a[t]; });
  }
};

struct AnothersValue : Base {
  template <class Team>
  void operator()(Team& team) const {
    auto values = team.template values<int>();
    team.each([&](int t) { values[63 - t] = t; });
  }
};

struct AddsByEveryThread : Base {
  template <class Team>
  void operator()(Team& team) const {
    team.add(out, 1);
  }
};

template <class K>
std::string problem_of(host::Order order = host::Order::kForward) {
  std::array<int, 64> out{};
  const K kernel{{out.data()}};
  return host::run_checked<K>({1, 1, 1}, &kernel, order);
}

bool mentions(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

TEST(CheckedHost, PassesAKernelWithoutMistakes) {
  for (const auto order : {host::Order::kForward, host::Order::kReverse, host::Order::kShuffled})
    EXPECT_EQ(problem_of<Clean>(order), "");
}

TEST(CheckedHost, FindsRaces) {
  for (const auto order : {host::Order::kForward, host::Order::kReverse, host::Order::kShuffled}) {
    EXPECT_TRUE(mentions(problem_of<ReadsWhatAnotherWrites>(order), "race"));
    EXPECT_TRUE(mentions(problem_of<TwoWriteOne>(order), "race"));
    EXPECT_TRUE(mentions(problem_of<LeaderOvertakes>(order), "race"));
  }
}

TEST(CheckedHost, FindsAccessesBeyondTheEnd) {
  EXPECT_TRUE(mentions(problem_of<BeyondTheEnd>(), "element 64 of a shared array of 64"));
}

TEST(CheckedHost, FindsReadsOfWhatNobodyWrote) {
  EXPECT_TRUE(mentions(problem_of<ReadsWhatNobodyWrote>(), "which nobody wrote"));
}

TEST(CheckedHost, FindsDivergentBarriers) {
  EXPECT_TRUE(mentions(problem_of<BarrierInAPhase>(), "diverge"));
  EXPECT_TRUE(mentions(problem_of<PhaseAfterTheLast>(), "after each_last"));
}

TEST(CheckedHost, FindsMisusedWords) {
  EXPECT_TRUE(mentions(problem_of<AnothersValue>(), "the value of thread"));
  EXPECT_TRUE(mentions(problem_of<AddsByEveryThread>(), "by every thread"));
}

}  // namespace
}  // namespace vmafx::device
