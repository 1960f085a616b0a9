// The definition of the step from one scale of MS-SSIM to the next. Scales are compared as
// float_ssim's reference.cc defines.
#include "metrics/float_ms_ssim/float_ms_ssim.h"

namespace vmafx::ms_ssim {
namespace {

int mirror_repeating(int index, int size) {
  if (index < 0) return -1 - index;
  if (index >= size) return 2 * size - 1 - index;
  return index;
}

}  // namespace

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
