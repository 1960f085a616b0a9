#include "metrics/speed/eigenvalues.h"

namespace vmafx::speed {
namespace {

void drop_negligible(const float* diagonal, float* beside, int first, int last) {
  for (int i = first; i < last; ++i)
    beside[i] = eigen::unless_negligible(beside[i], diagonal[i], diagonal[i + 1]);
}

}  // namespace

void diagonalize(std::span<float> diagonal, std::span<float> beside) {
  float* const on = diagonal.data();
  float* const next_to = beside.data();
  int last = static_cast<int>(diagonal.size()) - 1;
  drop_negligible(on, next_to, 0, last);
  for (int step = 0; last > 0 && step < eigen::kMaxSteps;) {
    if (next_to[last - 1] == 0) {
      --last;
      continue;
    }
    int first = last - 1;
    while (first > 0 && next_to[first - 1] != 0) --first;
    eigen::qr_step(on, next_to, first, last, [](float x) { return eigen::reciprocal_root(x); });
    drop_negligible(on, next_to, first, last);
    ++step;
  }
}

}  // namespace vmafx::speed
