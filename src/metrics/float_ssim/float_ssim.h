// SSIM with an 11x11 Gaussian window, on luma that is reduced for the viewing distance. Source:
// Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from error
// visibility to structural similarity", IEEE Transactions on Image Processing 13(4), 2004;
// constants and rounding as in libvmaf 3.2.
#ifndef VMAFX_METRICS_FLOAT_SSIM_FLOAT_SSIM_H_
#define VMAFX_METRICS_FLOAT_SSIM_FLOAT_SSIM_H_

#include <cstdint>
#include <memory>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/device_measurement.h"
#include "metrics/float_ssim/window.h"
#include "metrics/metric.h"

namespace vmafx {

const Metric& float_ssim_metric();

// The parts that float_ms_ssim uses too.
namespace float_ssim {

// Sums over all windows that lie inside the plane.
struct Sums {
  double ssim = 0;  // luminance * contrast * structure
  double luminance = 0;
  double contrast = 0;
  double structure = 0;

  bool operator==(const Sums&) const = default;
};

// Means of Sums. Floats as members, not doubles that were rounded: g++ 12 drops the rounding when
// it makes a vector of four of them.
struct Means {
  float ssim = 0;
  float luminance = 0;
  float contrast = 0;
  float structure = 0;
};
Means means_of(const Sums& sums, int width, int height);

// -10 log10(1 - score), at most cap.
double to_decibels(double score, double cap);
// The value of an error of half a step in one sample, rounded up; infinite if not clipped.
double decibel_cap(bool clip, int bit_depth, int width, int height);

// Samples or rows that remain of `size` after decimation; one more than there are boxes if size is
// odd.
constexpr int decimated(int size, int factor) {
  return factor == 1 ? size : size / factor + size % 2;
}

// Means of factor x factor boxes, on the 8-bit scale; box (x, y) starts factor / 2 left of and
// above sample (factor * x, factor * y). Beyond the border the plane is mirrored, border samples
// repeated. With factor 1 a conversion to float. Sample is uint8_t or uint16_t; out has decimated()
// sizes.
template <class Sample>
void reference_decimate(PlaneView<const Sample> plane, int bit_depth, int factor,
                        PlaneView<float> out);

// Windowed statistics of two planes of equal size, at least 11x11. Each column of windows is summed
// from top to bottom, then the columns from left to right.
Sums reference_statistics(PlaneView<const float> reference, PlaneView<const float> distorted);

// Equal to the two above to the bit, for the instruction set in use.
template <class Sample>
void decimate(PlaneView<const Sample> plane, int bit_depth, int factor, PlaneView<float> out,
              Scratch& scratch);
Sums statistics(PlaneView<const float> reference, PlaneView<const float> distorted,
                Scratch& scratch);

// Of samples, as if decimate() by 1 had made floats of them.
Sums statistics(PlaneView<const std::uint8_t> reference, PlaneView<const std::uint8_t> distorted,
                int bit_depth, Scratch& scratch);
Sums statistics(PlaneView<const std::uint16_t> reference, PlaneView<const std::uint16_t> distorted,
                int bit_depth, Scratch& scratch);
// A step of samples on the 8-bit scale: a power of two, so that multiplying by it is exact.
constexpr float step_of(int bit_depth) { return 1.f / static_cast<float>(1 << (bit_depth - 8)); }

// Of luma decimated by `factor`.
std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format, int factor);

}  // namespace float_ssim
}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_SSIM_FLOAT_SSIM_H_
