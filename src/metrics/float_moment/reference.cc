// The definition of the moment measurement.
#include "metrics/float_moment/float_moment.h"

namespace vmafx::float_moment {

template <class Sample>
Sums reference_sums(PlaneView<const Sample> plane) {
  Sums sums;
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x) {
      const std::uint64_t sample = plane.row(y)[x];
      sums.samples += sample;
      sums.squares += sample * sample;
    }
  }
  return sums;
}

template Sums reference_sums(PlaneView<const std::uint8_t>);
template Sums reference_sums(PlaneView<const std::uint16_t>);

}  // namespace vmafx::float_moment
