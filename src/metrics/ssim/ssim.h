// SSIM with a 9x9 integer Gaussian window that is cut off at the borders. Source: Z. Wang, A. C.
// Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from error visibility to
// structural similarity", IEEE Transactions on Image Processing 13(4), 2004, in the form that
// Daala's tools and libvmaf compute it.
#ifndef VMAFX_METRICS_SSIM_SSIM_H_
#define VMAFX_METRICS_SSIM_SSIM_H_

#include <cstdint>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& ssim_metric();

namespace ssim {

inline constexpr int kTaps = 9;
inline constexpr int kRadius = kTaps / 2;
// Gaussian of standard deviation 1.5 in units of 1/256.
inline constexpr int kWindow[kTaps] = {2, 9, 28, 55, 68, 55, 28, 9, 2};

inline constexpr double kK1Squared = 0.01 * 0.01;
inline constexpr double kK2Squared = 0.03 * 0.03;

// Sum of the taps that fall on samples, for a window centred at `index` of `size` samples.
constexpr int window_weight(int index, int size) {
  int weight = 0;
  for (int k = 0; k < kTaps; ++k) {
    const int at = index - kRadius + k;
    if (at >= 0 && at < size) weight += kWindow[k];
  }
  return weight;
}

// Sum over all samples of SSIM times the weight of the window. Each column is summed from top to
// bottom, then the columns from left to right. Sample is uint8_t or uint16_t.
template <class Sample>
double reference_sum(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                     int bit_depth);

// Equal to reference_sum to the bit, for the instruction set in use.
template <class Sample>
double sum(PlaneView<const Sample> reference, PlaneView<const Sample> distorted, int bit_depth,
           Scratch& scratch);

}  // namespace ssim
}  // namespace vmafx

#endif  // VMAFX_METRICS_SSIM_SSIM_H_
