// The definition of the step from one scale of MS-SSIM to the next. Scales are compared as
// float_ssim's reference.cc defines.
#include "metrics/float_ms_ssim/float_ms_ssim.h"

namespace vmafx::ms_ssim {
using float_ssim::mirror_repeating;

void reference_halve(PlaneView<const float> plane, PlaneView<float> out) {
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      // Products are rounded to float; the sum is double.
      double sum = 0;
      for (int i = 0; i < kTaps; ++i) {
        const float* row = plane.row(mirror_repeating(2 * y - kRadius + i, plane.height));
        for (int j = 0; j < kTaps; ++j)
          sum += row[mirror_repeating(2 * x - kRadius + j, plane.width)] * low_pass(i, j);
      }
      out.row(y)[x] = static_cast<float>(sum);
    }
  }
}

}  // namespace vmafx::ms_ssim
