// How visible a coefficient of each wavelet band is: the contrast sensitivity functions of ADM.
#ifndef VMAFX_METRICS_ADM_CSF_H_
#define VMAFX_METRICS_ADM_CSF_H_

#include <array>
#include <cstdint>

#include "vmafx/status.h"

namespace vmafx::adm {

inline constexpr int kScales = 4;
inline constexpr int kBands = 3;  // horizontal, vertical, diagonal edges

enum class CsfMode : std::uint8_t {
  kWatson,    // wavelet noise thresholds (Watson et al. 1997)
  kBarten,    // Barten's function with the constants of HDR-VDP-2 (Mantiuk et al. 2011)
  kBlend,     // a tabulated mean of both
  kBlendMae,  // the same, fitted by mean absolute error
};

struct Csf {
  CsfMode mode = CsfMode::kWatson;
  double view_distance = 3;   // in display heights
  int display_height = 1080;  // rows
  double axis_scale = 1;      // kBarten only: factor of the horizontal and vertical bands
  double diagonal_scale = 1;  // kBarten only: factor of the diagonal band
  friend bool operator==(const Csf&, const Csf&) = default;
};

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
