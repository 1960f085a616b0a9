// The stand-in for SYCL finds mistakes, and teams of SYCL reduce as those of the host do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

#include "device/host/team.h"
#include "device/sycl/kernels.h"

namespace vmafx::device::sycl_backend {
namespace {

constexpr std::size_t kItems = 64;

// Runs f(item, local memory) in a group of kItems; what is wrong with it, or nothing.
template <class F>
std::string run_group(const F& f) {
  std::string problem;
  const sycl::async_handler keep = [&](const sycl::exception_list& errors) {
    for (const std::exception_ptr& error : errors) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& e) {
        problem += e.what();
      }
    }
  };
  const sycl::device device = sycl::device::get_devices().front();
  sycl::queue queue(sycl::context(device, keep), device, keep,
                    sycl::property_list(sycl::property::queue::in_order()));
  queue.submit([&](sycl::handler& handler) {
    const sycl::local_accessor<int, 1> local(sycl::range<1>(kItems), handler);
    const sycl::range<3> all(1, 1, kItems);
    handler.parallel_for(sycl::nd_range<3>(all, all),
                         [=](const sycl::nd_item<3>& item) { f(item, local); });
  });
  queue.wait_and_throw();
  return problem;
}

using Item = sycl::nd_item<3>;
using Memory = sycl::local_accessor<int, 1>;

TEST(SyclStandIn, BarriersHoldWorkItemsBack) {
  std::vector<int> neighbours(kItems);
  EXPECT_EQ(run_group([&](const Item& item, const Memory& memory) {
              const std::size_t i = item.get_local_linear_id();
              memory[i] = static_cast<int>(i);
              sycl::group_barrier(item.get_group());
              neighbours[i] = memory[i ^ 1];
            }),
            "");
  for (std::size_t i = 0; i < kItems; ++i) EXPECT_EQ(neighbours[i], static_cast<int>(i ^ 1));
}

TEST(SyclStandIn, ABarrierThatSomeDoNotReachIsReported) {
  EXPECT_EQ(run_group([](const Item& item, const Memory&) {
              if (item.get_local_linear_id() != 3) sycl::group_barrier(item.get_group());
            }),
            "work-item 0 waits at a barrier, but work-item 3 has ended");
}

TEST(SyclStandIn, AnIndexBeyondLocalMemoryIsReported) {
  EXPECT_EQ(run_group([](const Item& item, const Memory& memory) {
              memory[item.get_local_linear_id() + 1] = 0;
            }),
            "element 64 of a local_accessor of 64");
}

TEST(SyclStandIn, AMissingBarrierGivesAnotherResult) {
  // Reads the right neighbour in one step and the left one in the next: one of them is late in
  // either order of work-items.
  std::vector<int> stale(2);
  EXPECT_EQ(run_group([&](const Item& item, const Memory& memory) {
              const std::size_t i = item.get_local_linear_id();
              for (std::size_t step = 0; step < 2; ++step) {
                memory[i] = static_cast<int>(step);
                if (i > 0 && i + 1 < kItems) {
                  stale[0] += memory[i - 1] != static_cast<int>(step);
                  stale[1] += memory[i + 1] != static_cast<int>(step);
                }
                sycl::group_barrier(item.get_group());
              }
            }),
            "");
  EXPECT_GT(stale[0], 0);
  EXPECT_GT(stale[1], 0);
}

TEST(SyclStandIn, ThreadsHaveFibersOfTheirOwnAfterAnError) {
  EXPECT_NE(run_group([](const Item& item, const Memory&) {
              if (item.get_local_linear_id() == 0) sycl::group_barrier(item.get_group());
            }),
            "");
  EXPECT_EQ(
      run_group([](const Item& item, const Memory&) { sycl::group_barrier(item.get_group()); }),
      "");
}

// Every reduction, one right after another, so that the second finds the scratch memory of the
// first in use.
template <int threads>
struct Reductions {
  static constexpr int kThreads = threads;
  template <template <class, int> class Array>
  struct Shared {
    Array<std::uint32_t, 3> count;
  };
  static constexpr int kResults = 7;

  double* results;  // kResults for each thread
  std::uint64_t* total;

  // A rounding in every sum, so that the order shows.
  static double number(int thread, int block) { return 1.0 / (1 + thread * 7 % 61 + block); }

  template <class Team>
  void operator()(Team& team) const {
    auto& shared = team.shared();
    auto small = team.template values<std::uint32_t>();
    auto single = team.template values<float>();
    auto doubles = team.template values<double>();
    auto grouped = team.template values<double>();
    const int block = team.block().x + 2 * team.block().y + 6 * team.block().z;
    team.each([&](int t) {
      if (t < 3) shared.count[t] = 0;
      small[t] = static_cast<std::uint32_t>(t * 5 % 37);
      doubles[t] = number(t, block);
      grouped[t] = number(t, block + 1);
      single[t] = static_cast<float>(number(t, block + 2));
    });
    const std::uint32_t sum_of_small = team.sum(small);
    const double sum_of_doubles = team.sum(doubles);
    team.sum32(grouped);
    const float sum_of_singles = team.sum(single);
    const std::uint32_t smallest = team.min(small);
    const double largest = team.max(doubles);
    team.each([&](int t) { team.add(shared.count, t % 3, std::uint32_t{1}); });
    team.each_last([&](int t) {
      double* const mine = results + (block * kThreads + t) * kResults;
      mine[0] = sum_of_small;
      mine[1] = sum_of_doubles;
      mine[2] = grouped[t];
      mine[3] = sum_of_singles;
      mine[4] = smallest;
      mine[5] = largest;
      mine[6] = shared.count[t % 3];
    });
    team.leader([&] { team.add(total, std::uint64_t{sum_of_small}); });
  }
};

template <int threads>
void expect_same_reductions() {
  using K = Reductions<threads>;
  constexpr Grid kGrid{2, 3, 2};
  struct Output {
    std::vector<double> results = std::vector<double>(12 * threads * K::kResults);
    std::uint64_t total = 0;
  } expected, got;
  const K on_host{expected.results.data(), &expected.total};
  host::run<K>(kGrid, &on_host);
  const K on_fibers{got.results.data(), &got.total};
  sycl::handler handler;
  launch<K>(handler, kGrid, &on_fibers);
  EXPECT_EQ(got.results, expected.results) << threads;
  EXPECT_EQ(got.total, expected.total) << threads;
}

TEST(SyclTeam, ReducesAsTheHostDoes) {
  expect_same_reductions<32>();
  expect_same_reductions<64>();
  expect_same_reductions<256>();
  expect_same_reductions<1024>();
}

}  // namespace
}  // namespace vmafx::device::sycl_backend
