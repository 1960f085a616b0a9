#include "metrics/speed/eigenvalues.h"

namespace vmafx::speed {

void diagonalize(std::span<float> diagonal, std::span<float> beside) {
  float* const on = diagonal.data();
  float* const next_to = beside.data();
  eigen::diagonalize(on, next_to, static_cast<int>(diagonal.size()));
}

}  // namespace vmafx::speed
