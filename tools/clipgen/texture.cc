#include "tools/clipgen/texture.h"

#include <algorithm>
#include <utility>

#include "tools/clipgen/integer_math.h"

namespace vmafx::clipgen {
namespace {

using Field = std::vector<std::int32_t>;

// One octave, -32768..32767 times weight / 256, added to the field.
void add_octave(Field& field, int log2_size, int log2_cell, std::uint32_t seed,
                std::int32_t weight) {
  const int size = 1 << log2_size;
  const int cell = 1 << log2_cell;
  const std::uint32_t lattice_mask = (1U << (log2_size - log2_cell)) - 1U;
  const auto lattice = [&](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::int32_t>(hash(seed, (y & lattice_mask) << 16 | (x & lattice_mask)) >>
                                     16) -
           32768;
  };
  // 3 t^2 - 2 t^3 in 1/4096.
  std::vector<std::int32_t> ease(static_cast<std::size_t>(cell));
  for (int i = 0; i < cell; ++i) {
    const std::int64_t t = (i * 4096) >> log2_cell;
    ease[static_cast<std::size_t>(i)] =
        static_cast<std::int32_t>((t * t * (3 * 4096 - 2 * t)) >> 24);
  }
  std::vector<std::int32_t> column(static_cast<std::size_t>(size >> log2_cell) + 1);
  for (int y = 0; y < size; ++y) {
    const auto cell_y = static_cast<std::uint32_t>(y >> log2_cell);
    const std::int32_t fy = ease[static_cast<std::size_t>(y & (cell - 1))];
    for (std::size_t i = 0; i < column.size(); ++i) {
      const auto cell_x = static_cast<std::uint32_t>(i);
      const std::int32_t top = lattice(cell_x, cell_y);
      column[i] = top + (((lattice(cell_x, cell_y + 1) - top) * (fy >> 1)) >> 11);
    }
    std::int32_t* row = &field[static_cast<std::size_t>(y) << log2_size];
    for (int x = 0; x < size; ++x) {
      const auto i = static_cast<std::size_t>(x >> log2_cell);
      const std::int32_t fx = ease[static_cast<std::size_t>(x & (cell - 1))] >> 1;
      const std::int32_t value = column[i] + (((column[i + 1] - column[i]) * fx) >> 11);
      row[x] += (value * weight) >> 8;
    }
  }
}

Field octaves(int log2_size, std::uint32_t seed, int coarsest, int finest) {
  Field field(std::size_t{1} << (2 * log2_size));
  std::int32_t weight = 160;
  for (int cell = std::min(coarsest, log2_size - 1); cell >= finest; --cell) {
    add_octave(field, log2_size, cell, hash(seed, static_cast<std::uint32_t>(cell)), weight);
    weight = weight * 3 / 4;
  }
  return field;
}

std::uint16_t to_texel(std::int32_t value) {
  return static_cast<std::uint16_t>(std::clamp(value + 32768, 0, 65535));
}

}  // namespace

Texture::Texture(int log2_size, std::vector<std::uint16_t> texels)
    : log2_size_(log2_size), mask_((1U << log2_size) - 1U), texels_(std::move(texels)) {}

Texture fractal_noise(int log2_size, std::uint32_t seed, int coarsest, int finest) {
  const Field field = octaves(log2_size, seed, coarsest, finest);
  std::vector<std::uint16_t> texels(field.size());
  std::transform(field.begin(), field.end(), texels.begin(), to_texel);
  return {log2_size, std::move(texels)};
}

Texture natural_luma(int log2_size, std::uint32_t seed) {
  const Field shapes = octaves(log2_size, hash(seed, 1), log2_size - 2, 4);
  const Field detail = octaves(log2_size, hash(seed, 2), 4, 0);
  const Field shading = octaves(log2_size, hash(seed, 3), log2_size - 1, 6);
  std::vector<std::uint16_t> texels(shapes.size());
  for (std::size_t i = 0; i < texels.size(); ++i) {
    // Contours of the shapes become borders; each region has a brightness and a roughness of its
    // own.
    const std::uint32_t region =
        hash(seed, static_cast<std::uint32_t>((shapes[i] + (1 << 20)) / 9000));
    const auto brightness = static_cast<std::int32_t>(region >> 17) - 16384;
    const auto roughness = static_cast<std::int32_t>(region & 255U);
    const std::int32_t fine = (detail[i] * ((roughness * roughness) >> 8)) >> 8;
    texels[i] = to_texel(brightness + shading[i] / 2 + shapes[i] / 4 + fine / 2);
  }
  return {log2_size, std::move(texels)};
}

}  // namespace vmafx::clipgen
