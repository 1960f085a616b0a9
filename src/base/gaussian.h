// Gaussian windows in libvmaf's arithmetic.
#ifndef VMAFX_BASE_GAUSSIAN_H_
#define VMAFX_BASE_GAUSSIAN_H_

#include <vector>

namespace vmafx {

// An odd number of taps, at least 3, for a window of that many at kernel scale 1.
int tap_count(int taps_at_unit_scale, double kernel_scale);

// Densities of a normal distribution at whole numbers around its mean, divided by their sum, all
// in float as in libvmaf.
std::vector<float> gaussian(int taps, float deviation);

}  // namespace vmafx

#endif  // VMAFX_BASE_GAUSSIAN_H_
