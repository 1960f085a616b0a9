// 10-bit luma whose flat areas are marked: what the instruction-set code works on.
#ifndef VMAFX_METRICS_CAMBI_MARKED_LUMA_H_
#define VMAFX_METRICS_CAMBI_MARKED_LUMA_H_

#include <cstddef>
#include <cstdint>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/cambi/cambi.h"

namespace vmafx::cambi {

// A pixel: its value, and a bit that says whether it lies in a flat area.
inline constexpr std::uint16_t kFlatBit = 0x8000;
inline constexpr std::uint16_t kValueBits = 0x7FFF;

// The longest vectors used, and the pixels before and after each row that vector loops may touch.
inline constexpr int kMaxLanes = 32;
inline constexpr int kMargin = 32;

inline PlaneView<std::uint16_t> take_plane(Scratch& scratch, int width, int height) {
  const int stride = (width + kMargin - 1) / kMargin * kMargin + 2 * kMargin;
  auto* memory = scratch.take<std::uint16_t>(static_cast<std::size_t>(stride) *
                                             static_cast<std::size_t>(height));
  return {memory + kMargin, stride, width, height};
}

inline std::uint16_t* take_row(Scratch& scratch, int width) {
  return take_plane(scratch, width, 1).data;
}

// Fills a plane of the working size. Sample is uint8_t or uint16_t.
template <class Sample>
void mark_luma(PlaneView<const Sample> plane, int bit_depth, const Parameters& parameters,
               Scratch& scratch, PlaneView<std::uint16_t> out);

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_MARKED_LUMA_H_
