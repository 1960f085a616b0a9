// The definition of the PSNR-HVS measurement; block.h has what it does with one block.
#include <algorithm>
#include <cstdint>

#include "metrics/psnr_hvs/block.h"
#include "metrics/psnr_hvs/psnr_hvs.h"

namespace vmafx::psnr_hvs {
namespace {

// Adds the block's terms to sum one by one.
template <class Sample>
void add_block(PlaneView<const Sample> reference, PlaneView<const Sample> distorted, int x, int y,
               const Weights& weights, float& sum) {
  Block r;
  Block d;
  const float reference_mask = measure_block(reference, x, y, weights, r);
  const float distorted_mask = measure_block(distorted, x, y, weights, d);
  const float mask = std::max(reference_mask, distorted_mask);
  for (int k = 0; k < kCoefficients; ++k) sum += squared_error(k, r[k] - d[k], mask, weights);
}

}  // namespace

template <class Sample>
float reference_error(PlaneView<const Sample> reference, PlaneView<const Sample> distorted,
                      const Weights& weights) {
  float sum = 0;
  for (int y = 0; y + kBlock <= reference.height; y += kStep) {
    for (int x = 0; x + kBlock <= reference.width; x += kStep)
      add_block(reference, distorted, x, y, weights, sum);
  }
  return sum;
}

template float reference_error(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>,
                               const Weights&);
template float reference_error(PlaneView<const std::uint16_t>, PlaneView<const std::uint16_t>,
                               const Weights&);

}  // namespace vmafx::psnr_hvs
