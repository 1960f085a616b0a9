// Gaussian windows of libvmaf: those of SpEED, and what they are made with.
#ifndef VMAFX_METRICS_SPEED_GAUSSIAN_H_
#define VMAFX_METRICS_SPEED_GAUSSIAN_H_

#include <vector>

namespace vmafx::speed {

// An odd number of taps, at least 3, for a window of that many at kernel scale 1.
int tap_count(int taps_at_unit_scale, double kernel_scale);

// Densities of a normal distribution at whole numbers around its mean, divided by their sum, all
// in float as in libvmaf.
std::vector<float> gaussian(int taps, float deviation);

// Taps of the filter in front of the decimation: 9 at kernel scale 1, deviation 3.6.
std::vector<float> antialias_window(double kernel_scale);

// Taps of the local mean of the decimated plane: 3 at kernel scale 1, deviation 0.6.
std::vector<float> local_mean_window(double kernel_scale);

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_GAUSSIAN_H_
