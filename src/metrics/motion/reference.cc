// The definition of the motion measurement, in plain integer arithmetic.
#include <cstdlib>
#include <vector>

#include "metrics/motion/motion.h"

namespace vmafx::motion {
template <class Sample>
std::uint64_t reference_sad(PlaneView<const Sample> previous, PlaneView<const Sample> current,
                            int bit_depth) {
  const int width = current.width;
  const int height = current.height;
  std::vector<std::int64_t> blurred(static_cast<std::size_t>(width));
  std::uint64_t sum = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::int64_t vertical = 0;
      for (int k = 0; k < kTaps; ++k) {
        const int row = mirror(y + k - kRadius, height);
        vertical += kFilter[k] * (std::int64_t{previous.row(row)[x]} - current.row(row)[x]);
      }
      blurred[static_cast<std::size_t>(x)] = rounded_shift(vertical, bit_depth);
    }
    for (int x = 0; x < width; ++x) {
      std::int64_t horizontal = 0;
      for (int k = 0; k < kTaps; ++k)
        horizontal +=
            kFilter[k] * blurred[static_cast<std::size_t>(mirror(x + k - kRadius, width))];
      sum += static_cast<std::uint64_t>(std::llabs(rounded_shift(horizontal, 16)));
    }
  }
  return sum;
}

template std::uint64_t reference_sad(PlaneView<const std::uint8_t>, PlaneView<const std::uint8_t>,
                                     int);
template std::uint64_t reference_sad(PlaneView<const std::uint16_t>, PlaneView<const std::uint16_t>,
                                     int);

}  // namespace vmafx::motion
