// Detail loss metric and additive impairment in floating point (S. Li, F. Zhang, L. Ma, K. N. Ngan,
// "Image quality assessment by separately evaluating detail losses and additive impairments", IEEE
// Trans. Multimedia 13(5), 2011), as libvmaf's metric "float_adm" has it.
// docs/metrics/float_adm.md gives the formulas.
#ifndef VMAFX_METRICS_FLOAT_ADM_FLOAT_ADM_H_
#define VMAFX_METRICS_FLOAT_ADM_FLOAT_ADM_H_

#include <array>
#include <memory>
#include <span>

#include "base/scratch.h"
#include "metrics/adm_report.h"
#include "metrics/adm_sensitivity.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "vmafx/picture.h"

namespace vmafx {

const Metric& float_adm_metric();

namespace float_adm {

using adm::kBands;
using adm::kScales;

// As for adm, so that both apply to the same pictures.
inline constexpr int kMinSize = 17;

// Sums of powers over the coefficients of one band, before the root.
struct BandSums {
  double original = 0;  // reference picture; not weighted
  double restored = 0;  // detail that the distorted picture keeps, weighted and masked
  double additive = 0;  // what it has beyond that, weighted and masked
  friend bool operator==(const BandSums&, const BandSums&) = default;
};

// The raw record of one variant.
struct Sums {
  std::array<std::array<BandSums, kBands>, kScales> scale;
  friend bool operator==(const Sums&, const Sums&) = default;
};

using Weights = std::array<float, kBands>;

// What depends on the options, for one Sums.
struct Variant {
  float gain_limit = 100;  // how much stronger than the original a restored detail may be
  std::array<Weights, kScales> weights{};
  bool masking = true;  // else every threshold is 0
  bool scale0 = true;   // else its sums stay zero
  friend bool operator==(const Variant&, const Variant&) = default;
};

// The power whose sums are taken; cubes have a quicker way.
inline constexpr float kCube = 3;

// The definition, in scalar code.
void measure_reference(const Picture& reference, const Picture& distorted, float power,
                       std::span<const Variant> variants, std::span<Sums> sums);
// The same bits, fast: dispatched to the best instruction set.
void measure_cpu(const Picture& reference, const Picture& distorted, float power,
                 std::span<const Variant> variants, Scratch& scratch, std::span<Sums> sums);
// The record holds the Sums of each variant.
std::unique_ptr<DeviceMeasurement> measure_on_device(
    const PictureFormat& format, float power, const adm::DistinctVariants<Variant>& variants);

}  // namespace float_adm
}  // namespace vmafx

#endif  // VMAFX_METRICS_FLOAT_ADM_FLOAT_ADM_H_
