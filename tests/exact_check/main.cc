// exact_check: are the float functions of base/exact correctly rounded for every positive float?
// Prints a line for each and exits with 1 if one is not.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/core.h>

#include "base/exact/rounding_check.h"

namespace {

using vmafx::exact::kFirstFloat;
using vmafx::exact::kLastFloat;

template <class IsRounded>
bool check(std::string_view function, IsRounded is_rounded) {
  const std::uint32_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::uint64_t> wrong(threads);
  std::vector<std::thread> workers;
  workers.reserve(threads);
  for (std::uint32_t i = 0; i < threads; ++i) {
    workers.emplace_back([&, i] {
      wrong[i] = vmafx::exact::count_misrounded(kFirstFloat + i, kLastFloat, threads, is_rounded);
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::uint64_t total = 0;
  for (const std::uint64_t count : wrong) total += count;
  fmt::print("{}: {} of {} positive floats misrounded\n", function, total, kLastFloat);
  return total == 0;
}

}  // namespace

int main() {
  bool good = check("cbrt", [](float x) { return vmafx::exact::cbrt_is_rounded(x); });
  good = check("log2", [](float x) { return vmafx::exact::log2_is_rounded(x); }) && good;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
