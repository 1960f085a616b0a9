// Multi-scale SSIM. Source: Z. Wang, E. P. Simoncelli, A. C. Bovik, "Multi-scale structural
// similarity for image quality assessment", Asilomar 2003; low-pass filter and rounding as in
// libvmaf 3.2.
#ifndef VMAFX_METRICS_FLOAT_MS_SSIM_FLOAT_MS_SSIM_H_
#define VMAFX_METRICS_FLOAT_MS_SSIM_FLOAT_MS_SSIM_H_

#include <array>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& float_ms_ssim_metric();

namespace ms_ssim {

inline constexpr int kScales = 5;
inline constexpr int kTaps = 9;
inline constexpr int kRadius = kTaps / 2;

// Low-pass filter of the 9/7 biorthogonal wavelet, as a table of its two-dimensional taps rounded
// to six digits: by the larger and the smaller distance from the centre along one axis.
inline constexpr std::array<std::array<float, kRadius + 1>, kRadius + 1> kLowPass = {{
    {0.363505f},
    {0.160885f, 0.071207f},
    {-0.047149f, -0.020867f, 0.006115f},
    {-0.010146f, -0.004490f, 0.001316f, 0.000283f},
    {0.016114f, 0.007132f, -0.002090f, -0.000450f, 0.000714f},
}};

// Of the tap `down` rows and `across` columns from the upper left corner of the filter.
constexpr float low_pass(int down, int across) {
  const int y = down < kRadius ? kRadius - down : down - kRadius;
  const int x = across < kRadius ? kRadius - across : across - kRadius;
  return kLowPass[static_cast<std::size_t>(y > x ? y : x)][static_cast<std::size_t>(y > x ? x : y)];
}

// The low-passed plane at its even columns and rows; (width + 1) / 2 x (height + 1) / 2. Beyond the
// border the plane is mirrored, border samples repeated.
void reference_halve(PlaneView<const float> plane, PlaneView<float> out);

// Equal to reference_halve to the bit, for the instruction set in use.
void halve(PlaneView<const float> plane, PlaneView<float> out, Scratch& scratch);

}  // namespace ms_ssim
}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_MS_SSIM_FLOAT_MS_SSIM_H_
