#include "metrics/adm/csf.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace vmafx::adm {
namespace {

constexpr double kDefaultRows = 3.0 * 1080;  // view distance x display height of the default

// Truncated, after halving all weights of the scale together until they fit.
void to_fixed_point(int scale, Weights& weights) {
  const double limit = scale == 0 ? 65536 : 268435456;
  std::array<double, kBands> scaled{};
  for (std::size_t band = 0; band < kBands; ++band) {
    const double unit = scale > 0 ? 4294967296 : band == 2 ? 8388608 : 2097152;
    scaled[band] = weights.real[band] * unit;
  }
  while (*std::max_element(scaled.begin(), scaled.end()) >= limit) {
    for (double& value : scaled) value /= 2;
    ++weights.exponent;
  }
  for (std::size_t band = 0; band < kBands; ++band)
    weights.fixed[band] = static_cast<std::uint32_t>(scaled[band]);
}

}  // namespace

Status check(const Csf& csf) {
  // The fixed-point weights have no room for a display seen at fewer pixels a degree.
  if (csf.view_distance * csf.display_height < kDefaultRows) {
    return Error{
        ErrorCode::kUsage,
        fmt::format(
            "adm: adm_norm_view_dist={:g} x adm_ref_display_height={} is {:g}, it must be at "
            "least {:g}",
            csf.view_distance, csf.display_height, csf.view_distance * csf.display_height,
            kDefaultRows),
        "give a greater viewing distance or a higher display"};
  }
  if (!has_weights(csf)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("adm: adm_csf_mode={} has no weights for adm_norm_view_dist={:g} and "
                             "adm_ref_display_height={}",
                             static_cast<int>(csf.mode), csf.view_distance, csf.display_height),
                 "it has them for 1080 at 3 and 5, 2160 at 1.5, 3 and 5, and 720 at 5"};
  }
  return {};
}

std::array<Weights, kScales> csf_weights(const Csf& csf) {
  std::array<Weights, kScales> all;
  for (int scale = 0; scale < kScales; ++scale) {
    Weights& weights = all[static_cast<std::size_t>(scale)];
    const float axis = csf_weight(csf, scale, false);
    weights.real = {axis, axis, csf_weight(csf, scale, true)};
    to_fixed_point(scale, weights);
  }
  // libvmaf's constants for the default, which differ from its formula in the last place.
  const bool default_rows = std::abs(csf.view_distance * csf.display_height - kDefaultRows) < 1e-8;
  if (csf.mode == CsfMode::kWatson && default_rows) all[0].fixed = {36453, 36453, 49417};
  return all;
}

}  // namespace vmafx::adm
