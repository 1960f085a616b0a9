// The order in which the host runs what devices run at the same time.
#ifndef VMAFX_DEVICE_HOST_ORDER_H_
#define VMAFX_DEVICE_HOST_ORDER_H_

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace vmafx::device::host {

enum class Order : std::uint8_t { kForward, kReverse, kShuffled };

// 0 to count - 1; shuffled in the same way every time.
inline std::vector<int> ordered(int count, Order order) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  if (order == Order::kReverse) std::reverse(all.begin(), all.end());
  if (order == Order::kShuffled) {
    std::uint64_t state = 1;
    for (std::size_t i = all.size(); i > 1; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(all[i - 1], all[(state >> 33) % i]);
    }
  }
  return all;
}

}  // namespace vmafx::device::host

#endif  // VMAFX_DEVICE_HOST_ORDER_H_
