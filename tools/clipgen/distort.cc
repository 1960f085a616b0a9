#include "tools/clipgen/distort.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tools/clipgen/integer_math.h"

namespace vmafx::clipgen {
namespace {

struct PlaneRef {
  std::vector<std::uint16_t>& samples;
  int width;
  int height;

  std::uint16_t& at(int x, int y) const {
    return samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(x)];
  }
};

// Border samples repeat outwards.
void blur(PlaneRef plane) {
  const std::vector<std::uint16_t> original = plane.samples;
  const auto at = [&](int x, int y) -> std::uint32_t {
    return original[static_cast<std::size_t>(y) * static_cast<std::size_t>(plane.width) +
                    static_cast<std::size_t>(x)];
  };
  for (int y = 0; y < plane.height; ++y) {
    const int above = std::max(y - 1, 0);
    const int below = std::min(y + 1, plane.height - 1);
    const auto column = [&](int x) { return at(x, above) + 2 * at(x, y) + at(x, below); };
    for (int x = 0; x < plane.width; ++x) {
      const std::uint32_t sum =
          column(std::max(x - 1, 0)) + 2 * column(x) + column(std::min(x + 1, plane.width - 1));
      plane.at(x, y) = static_cast<std::uint16_t>((sum + 8) >> 4);
    }
  }
}

void flatten_blocks(PlaneRef plane, int strength) {
  constexpr int kBlock = 8;
  for (int y0 = 0; y0 < plane.height; y0 += kBlock) {
    for (int x0 = 0; x0 < plane.width; x0 += kBlock) {
      const int y1 = std::min(y0 + kBlock, plane.height);
      const int x1 = std::min(x0 + kBlock, plane.width);
      std::int32_t sum = 0;
      for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) sum += plane.at(x, y);
      }
      const std::int32_t mean = sum / ((y1 - y0) * (x1 - x0));
      for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
          const std::int32_t value = plane.at(x, y);
          plane.at(x, y) =
              static_cast<std::uint16_t>((value * (16 - strength) + mean * strength) / 16);
        }
      }
    }
  }
}

void add_noise(PlaneRef plane, int strength, int depth, std::uint32_t seed) {
  const std::int32_t amplitude = strength << (depth - 8);
  const std::int32_t peak = (1 << depth) - 1;
  Random random(seed);
  for (std::uint16_t& sample : plane.samples) {
    const std::int32_t noise = random.below(2 * amplitude + 1) - amplitude;
    sample = static_cast<std::uint16_t>(std::clamp(sample + noise, 0, peak));
  }
}

}  // namespace

void distort(Frame& frame, Distortion distortion, int strength, int frame_number,
             std::uint32_t seed) {
  for (int p = 0; p < frame.format.planes(); ++p) {
    const PlaneRef plane{frame.planes[static_cast<std::size_t>(p)], frame.format.plane_width(p),
                         frame.format.plane_height(p)};
    switch (distortion) {
      case Distortion::kNone:
        break;
      case Distortion::kBlur:
        for (int i = 0; i < strength; ++i) blur(plane);
        break;
      case Distortion::kBlocks:
        flatten_blocks(plane, std::min(strength, 16));
        break;
      case Distortion::kNoise:
        add_noise(plane, strength, frame.format.bit_depth,
                  hash(hash(seed, static_cast<std::uint32_t>(frame_number)),
                       static_cast<std::uint32_t>(p)));
        break;
    }
  }
}

}  // namespace vmafx::clipgen
