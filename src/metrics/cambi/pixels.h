// Arithmetic of single pixels: what the definition and the kernels of devices share.
#ifndef VMAFX_METRICS_CAMBI_PIXELS_H_
#define VMAFX_METRICS_CAMBI_PIXELS_H_

#include <algorithm>

#include "metrics/cambi/visibility.h"

namespace vmafx::cambi {

// Rounds halves up.
constexpr int to_ten_bits(int sample, int bit_depth) {
  if (bit_depth < 10) return sample << (10 - bit_depth);
  const int shift = bit_depth - 10;
  const int rounded = (sample + (1 << shift >> 1)) >> shift;
  return rounded < kMaxLuma ? rounded : kMaxLuma;
}

// The value that two of three agree on, else the smallest.
constexpr int mode(int a, int b, int c) {
  if (a == b || a == c) return a;
  if (b == c) return b;
  return std::min(a, std::min(b, c));
}

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_PIXELS_H_
