// Detail loss metric and additive impairment in integers (S. Li, F. Zhang, L. Ma, K. N. Ngan,
// "Image quality assessment by separately evaluating detail losses and additive impairments", IEEE
// Trans. Multimedia 13(5), 2011), with the fixed-point arithmetic of libvmaf's metric "adm".
// docs/metrics/adm.md gives the formulas.
#ifndef VMAFX_METRICS_ADM_ADM_H_
#define VMAFX_METRICS_ADM_ADM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/crew.h"
#include "base/scratch.h"
#include "metrics/adm/csf.h"
#include "metrics/adm_report.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "vmafx/picture.h"

namespace vmafx {

const Metric& adm_metric();

namespace adm {

// Four scales leave at least 2x2 coefficients.
inline constexpr int kMinSize = 17;

// Sums of cubes over the coefficients of one band, before the cube root.
struct BandSums {
  std::uint64_t original = 0;  // reference picture; not weighted
  std::uint64_t restored = 0;  // detail that the distorted picture keeps, weighted and masked
  std::uint64_t additive = 0;  // what it has beyond that, weighted and masked
  friend bool operator==(const BandSums&, const BandSums&) = default;

  void add(const BandSums& part) {
    original += part.original;
    restored += part.restored;
    additive += part.additive;
  }
};

// The raw record of one variant.
struct Sums {
  std::array<std::array<BandSums, kBands>, kScales> scale;
  friend bool operator==(const Sums&, const Sums&) = default;

  void add(const Sums& part) {
    for (std::size_t s = 0; s < kScales; ++s)
      for (std::size_t band = 0; band < kBands; ++band) scale[s][band].add(part.scale[s][band]);
  }
};

// What depends on the options, for one Sums.
struct Variant {
  double gain_limit = 100;  // how much stronger than the original a restored detail may be
  std::array<Weights, kScales> weights{};
  bool scale0 = true;    // else its sums stay zero
  bool additive = true;  // else those sums stay zero
  friend bool operator==(const Variant&, const Variant&) = default;
};

// The definition, in scalar code.
void measure_reference(const Picture& reference, const Picture& distorted,
                       std::span<const Variant> variants, std::span<Sums> sums);
// The same bits, fast: dispatched to the best instruction set.
void measure_cpu(const Picture& reference, const Picture& distorted,
                 std::span<const Variant> variants, Scratch& scratch, std::span<Sums> sums,
                 Crew* crew = nullptr);
// The record of all variants that were added.
std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format,
                                                     const DistinctVariants<Variant>& variants);

}  // namespace adm
}  // namespace vmafx

#endif  // VMAFX_METRICS_ADM_ADM_H_
