// Visual information fidelity in integers (H. R. Sheikh, A. C. Bovik, "Image information and visual
// quality", IEEE Trans. Image Processing 15(2), 2006, in the pixel domain and in four scales), with
// the fixed-point arithmetic of libvmaf's metric "vif". docs/metrics/vif.md gives the formulas.
#ifndef VMAFX_METRICS_VIF_VIF_H_
#define VMAFX_METRICS_VIF_VIF_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "base/crew.h"
#include "base/scratch.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "metrics/vif/constants.h"
#include "vmafx/picture.h"

namespace vmafx {

const Metric& vif_metric();

namespace vif {

// The mirrored border of each scale needs 9, 5, 3 and 2 samples, and scale s has size / 2^s.
inline constexpr int kMinSize = 16;

// Sums over the samples of one scale. A sample whose reference variance is below the noise counts
// as non-log: its term in the paper is taken to first order.
struct ScaleSums {
  std::int64_t num_log = 0;      // 1/2048 bit: information that the distorted picture keeps
  std::int64_t den_log = 0;      // 1/2048 bit: information in the reference
  std::int64_t num_non_log = 0;  // distorted variance, 1/65536
  std::int64_t den_non_log = 0;  // samples
  friend bool operator==(const ScaleSums&, const ScaleSums&) = default;

  void add(const ScaleSums& part) {
    num_log += part.num_log;
    den_log += part.den_log;
    num_non_log += part.num_non_log;
    den_non_log += part.den_non_log;
  }
};

// The raw record of one variant.
struct Sums {
  std::array<ScaleSums, kScales> scale;
  friend bool operator==(const Sums&, const Sums&) = default;
};

// What to measure: one Sums for each gain limit. Without scale 0 its sums stay zero.
struct Task {
  std::span<const double> gain_limits;
  bool scale0 = true;
};

// The definition, in scalar code.
void measure_reference(const Picture& reference, const Picture& distorted, const Task& task,
                       std::span<Sums> sums);
// The same bits of several encodes, fast: dispatched to the best instruction set.
void measure_cpu(const Picture& reference, std::span<const Picture* const> distorted,
                 const Task& task, Scratch& scratch, Crew* crew,
                 std::span<const std::span<Sums>> sums);
// log2_fixed() of a number from 2^16 to 2^31, less that of the noise, in both ways in which
// measure_cpu() takes it: of integers and of doubles. For tests.
std::array<std::int64_t, 2> log2_cpu(std::int32_t number, Scratch& scratch);
// The sums on devices: the record is a Sums for each gain limit.
std::unique_ptr<DeviceMeasurement> measure_on_device(const Task& task, const PictureFormat& format);

}  // namespace vif
}  // namespace vmafx

#endif  // VMAFX_METRICS_VIF_VIF_H_
