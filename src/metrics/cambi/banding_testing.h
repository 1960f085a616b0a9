// Pictures with banding, for tests.
#ifndef VMAFX_METRICS_CAMBI_BANDING_TESTING_H_
#define VMAFX_METRICS_CAMBI_BANDING_TESTING_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "metrics/parity_harness.h"
#include "vmafx/picture.h"

namespace vmafx::cambi {

// A smooth slope cut into bands of a few pixels, wavy so that runs have every length, with a little
// noise.
struct Banding {
  double bands_across = 20;
  double bands_down = 7;
  int step = 1;   // luma between bands, in units of the depth
  int base = 40;  // darkest band, in percent of the peak
  int noise = 0;  // of 1000 pixels, how many are one off
};

inline Picture make_banding(const PictureFormat& format, const Banding& banding, int row_gap) {
  const Picture canvas = parity::make_picture({format, parity::Pattern::kBlack, 5, row_gap});
  const int peak = (1 << format.bit_depth) - 1;
  parity::Random random(77);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const double wave = 0.4 * std::sin(x * 0.11) + 0.4 * std::sin(y * 0.07);
      const double slope =
          x * banding.bands_across / format.width + y * banding.bands_down / format.height + wave;
      int value = peak * banding.base / 100 + banding.step * static_cast<int>(std::floor(slope));
      if (random.below(1000) < static_cast<std::uint32_t>(banding.noise)) ++value;
      value = std::clamp(value, 0, peak);
      // The picture is not shared yet.
      if (format.bit_depth == 8) {
        const_cast<std::uint8_t*>(canvas.row<std::uint8_t>(0, y))[x] =
            static_cast<std::uint8_t>(value);
      } else {
        const_cast<std::uint16_t*>(canvas.row<std::uint16_t>(0, y))[x] =
            static_cast<std::uint16_t>(value);
      }
    }
  }
  return canvas;
}

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_BANDING_TESTING_H_
