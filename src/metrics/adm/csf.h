// The weights of the wavelet bands in fixed point.
#ifndef VMAFX_METRICS_ADM_CSF_H_
#define VMAFX_METRICS_ADM_CSF_H_

#include <array>
#include <cstdint>

#include "metrics/adm_sensitivity.h"
#include "vmafx/status.h"

namespace vmafx::adm {

// Weights of the bands of one scale.
struct Weights {
  std::array<float, kBands> real{};
  // real / 2^exponent in fixed point: units of 2^-21 (diagonal 2^-23) at scale 0, where it has 16
  // bits, and of 2^-32 at the others, where it has 28.
  std::array<std::uint32_t, kBands> fixed{};
  int exponent = 0;
  friend bool operator==(const Weights&, const Weights&) = default;
};

// kUsage if the function is not defined for the viewing conditions.
Status check(const Csf& csf);
// Precondition: check() passed.
std::array<Weights, kScales> csf_weights(const Csf& csf);

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_CSF_H_
