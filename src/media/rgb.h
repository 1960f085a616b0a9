// R'G'B' to Y'CbCr, exactly rounded.
#ifndef VMAFX_MEDIA_RGB_H_
#define VMAFX_MEDIA_RGB_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace vmafx {

// A row of full-range R'G'B' of `depth` bits (8..16) to limited-range Y'CbCr of the same depth by
// the equations of ITU-T H.273 with the coefficients of BT.709 (Kr 0.2126, Kb 0.0722), in integers;
// halves round up. Sample is uint8_t for a depth of 8, else uint16_t.
template <class Sample>
void rgb_to_ycbcr(const std::array<const std::uint16_t*, 3>& rgb,
                  const std::array<Sample*, 3>& ycbcr, std::size_t count, int depth);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_RGB_H_
