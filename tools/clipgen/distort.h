// Simple degradations, for pairs that need no encoder.
#ifndef VMAFX_TOOLS_CLIPGEN_DISTORT_H_
#define VMAFX_TOOLS_CLIPGEN_DISTORT_H_

#include <cstdint>

#include "tools/clipgen/scene.h"

namespace vmafx::clipgen {

enum class Distortion : std::uint8_t {
  kNone,
  kBlur,    // 1-2-1 in both directions, `strength` times
  kBlocks,  // samples move towards the mean of their 8x8 block by `strength` of 16
  kNoise,   // uniform noise up to `strength` 8-bit steps
};

// Strength 0 changes nothing. `frame_number` and `seed` choose the noise.
void distort(Frame& frame, Distortion distortion, int strength, int frame_number,
             std::uint32_t seed);

}  // namespace vmafx::clipgen

#endif  // VMAFX_TOOLS_CLIPGEN_DISTORT_H_
