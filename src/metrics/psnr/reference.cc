// The definition of the PSNR measurement.
#include "metrics/psnr/psnr.h"

namespace vmafx::psnr {

template <class Sample>
std::uint64_t reference_sse(PlaneView<const Sample> reference, PlaneView<const Sample> distorted) {
  std::uint64_t sum = 0;
  for (int y = 0; y < reference.height; ++y) {
    for (int x = 0; x < reference.width; ++x) {
      const std::int64_t error = std::int64_t{reference.row(y)[x]} - distorted.row(y)[x];
      sum += static_cast<std::uint64_t>(error * error);
    }
  }
  return sum;
}

template std::uint64_t reference_sse(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>);
template std::uint64_t reference_sse(PlaneView<const std::uint16_t>,
                                     PlaneView<const std::uint16_t>);

}  // namespace vmafx::psnr
