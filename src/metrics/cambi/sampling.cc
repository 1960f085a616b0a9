#include "metrics/cambi/sampling.h"

#include <algorithm>

namespace vmafx::cambi {

std::vector<int> nearest_positions(int from, int to) {
  std::vector<int> positions;
  positions.reserve(static_cast<std::size_t>(to));
  const float ratio = static_cast<float>(from) / static_cast<float>(to);
  auto position = static_cast<float>(ratio / 2 - 0.5);
  for (int i = 0; i < to; ++i) {
    positions.push_back(std::min(static_cast<int>(position + 0.5), from - 1));
    position += ratio;
  }
  return positions;
}

}  // namespace vmafx::cambi
