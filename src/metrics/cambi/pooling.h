// Spatial pooling: the mean of the largest contrasts of a scale.
#ifndef VMAFX_METRICS_CAMBI_POOLING_H_
#define VMAFX_METRICS_CAMBI_POOLING_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/scratch.h"

namespace vmafx::cambi {

// A sum of contrasts without rounding, whatever the order. A contrast is 0 or lies in [0.5, 2^14),
// so as a float it is a multiple of 2^-24.
struct ExactSum {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;  // in 2^-24, below 1

  void add(double multiple_of_unit);
  double value() const;

  friend bool operator==(const ExactSum&, const ExactSum&) = default;
};

// How many of the pixels are pooled.
std::size_t pooled_count(double share, int width, int height);

// The sum of the `count` largest contrasts (of all, if there are fewer). count > 0.
ExactSum sum_of_largest(std::span<const float> contrasts, std::size_t count, Scratch& scratch);

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_POOLING_H_
