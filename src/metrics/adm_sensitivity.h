// What the two forms of ADM share: scales, bands and how visible a coefficient of each band is.
#ifndef VMAFX_METRICS_ADM_SENSITIVITY_H_
#define VMAFX_METRICS_ADM_SENSITIVITY_H_

#include <cstdint>

namespace vmafx::adm {

inline constexpr int kScales = 4;
inline constexpr int kBands = 3;  // horizontal, vertical, diagonal edges

enum class CsfMode : std::uint8_t {
  kWatson,    // wavelet noise thresholds (Watson et al. 1997)
  kBarten,    // Barten's function with the constants of HDR-VDP-2 (Mantiuk et al. 2011)
  kBlend,     // a tabulated mean of both
  kBlendMae,  // the same, fitted by mean absolute error
  kPaper,     // the function of the metric's paper
};

struct Csf {
  CsfMode mode = CsfMode::kWatson;
  double view_distance = 3;   // in display heights
  int display_height = 1080;  // rows
  double axis_scale = 1;      // kBarten only: factor of the horizontal and vertical bands
  double diagonal_scale = 1;  // kBarten only: factor of the diagonal band
  friend bool operator==(const Csf&, const Csf&) = default;
};

// False if the function has no weights for the viewing conditions.
bool has_weights(const Csf& csf);
// The contrast sensitivity for the horizontal and vertical bands of a scale, or for the diagonal
// one. Precondition: has_weights().
float csf_weight(const Csf& csf, int scale, bool diagonal);

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_SENSITIVITY_H_
