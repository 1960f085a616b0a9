// Tileable pictures made of noise, with the spectrum and the edges of natural ones.
#ifndef VMAFX_TOOLS_CLIPGEN_TEXTURE_H_
#define VMAFX_TOOLS_CLIPGEN_TEXTURE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmafx::clipgen {

// A square of 2^log2_size texels of 16 bits that repeats in both directions.
class Texture {
 public:
  Texture(int log2_size, std::vector<std::uint16_t> texels);

  // Bilinear. Coordinates are in 1/65536 texel and wrap.
  std::int32_t sample(std::uint32_t u, std::uint32_t v) const {
    const std::uint32_t x = (u >> 16) & mask_;
    const std::uint32_t y = (v >> 16) & mask_;
    const std::uint32_t x1 = (x + 1) & mask_;
    const std::uint16_t* row0 = &texels_[std::size_t{y} << log2_size_];
    const std::uint16_t* row1 = &texels_[std::size_t{(y + 1) & mask_} << log2_size_];
    const std::uint32_t fx = (u >> 8) & 255U;
    const std::uint32_t fy = (v >> 8) & 255U;
    const std::uint32_t top = row0[x] * (256U - fx) + row0[x1] * fx;
    const std::uint32_t bottom = row1[x] * (256U - fx) + row1[x1] * fx;
    return static_cast<std::int32_t>(((top >> 8) * (256U - fy) + (bottom >> 8) * fy) >> 8);
  }

 private:
  int log2_size_;
  std::uint32_t mask_;
  std::vector<std::uint16_t> texels_;
};

// Value noise of octaves from cells of 2^coarsest texels down to 2^finest, each octave with 3/4 of
// the amplitude of the one before; the middle is 32768.
Texture fractal_noise(int log2_size, std::uint32_t seed, int coarsest, int finest);

// What a luma texture looks like: regions with hard borders, some smooth and some with fine detail.
Texture natural_luma(int log2_size, std::uint32_t seed);

}  // namespace vmafx::clipgen

#endif  // VMAFX_TOOLS_CLIPGEN_TEXTURE_H_
