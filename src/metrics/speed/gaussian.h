// The Gaussian windows of SpEED.
#ifndef VMAFX_METRICS_SPEED_GAUSSIAN_H_
#define VMAFX_METRICS_SPEED_GAUSSIAN_H_

#include <vector>

namespace vmafx::speed {

// Taps of the filter in front of the decimation: 9 at kernel scale 1, deviation 3.6.
std::vector<float> antialias_window(double kernel_scale);

// Taps of the local mean of the decimated plane: 3 at kernel scale 1, deviation 0.6.
std::vector<float> local_mean_window(double kernel_scale);

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_GAUSSIAN_H_
