// Visual information fidelity in floating point (H. R. Sheikh, A. C. Bovik, "Image information and
// visual quality", IEEE Trans. Image Processing 15(2), 2006, in the pixel domain and in four
// scales): libvmaf's metric "float_vif", bit for bit. docs/metrics/float_vif.md gives the formulas.
#ifndef VMAFX_METRICS_FLOAT_VIF_FLOAT_VIF_H_
#define VMAFX_METRICS_FLOAT_VIF_FLOAT_VIF_H_

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/scaling.h"
#include "base/scratch.h"
#include "base/separable.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "vmafx/picture.h"

namespace vmafx {

const Metric& float_vif_metric();

namespace float_vif {

using separable::Window;

inline constexpr int kScales = 4;

// Sums over the samples of one scale, in bits: information that the distorted picture keeps, and
// information in the reference.
struct ScaleSums {
  float num = 0;
  float den = 0;
  friend bool operator==(const ScaleSums&, const ScaleSums&) = default;
};

// The raw record of one variant.
struct Sums {
  std::array<ScaleSums, kScales> scale;
  friend bool operator==(const Sums&, const Sums&) = default;
};

// What to measure: one Sums for each gain limit. Without scale 0 its sums stay zero.
struct Task {
  std::array<Window, kScales> windows;
  double noise = 2;  // variance of the visual noise, in squares of 8-bit steps
  std::vector<float> gain_limits;
  bool scale0 = true;
  std::optional<Scaler> prescaler;
};

// The Gaussian windows of 17, 9, 5 and 3 taps at kernel scale 1.
std::array<Window, kScales> make_windows(double kernel_scale);

// The definition, in scalar code. Pictures are at least as large as the metric's check() demands.
void measure_reference(const Picture& reference, const Picture& distorted, const Task& task,
                       std::span<Sums> sums);
// The same bits, fast: dispatched to the best instruction set.
void measure_cpu(const Picture& reference, const Picture& distorted, const Task& task,
                 Scratch& scratch, std::span<Sums> sums);
// The record holds the Sums of each gain limit.
std::unique_ptr<DeviceMeasurement> measure_on_device(const Task& task, const PictureFormat& format);

}  // namespace float_vif
}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_VIF_FLOAT_VIF_H_
