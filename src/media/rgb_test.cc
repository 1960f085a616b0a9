#include "media/rgb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace vmafx {
namespace {

struct Color {
  double r, g, b;  // 0..1
};

std::array<unsigned, 3> convert(const Color& color, int depth) {
  const double max = (1 << depth) - 1;
  const auto level = [&](double v) { return static_cast<std::uint16_t>(std::lround(v * max)); };
  const std::array<std::uint16_t, 3> rgb = {level(color.r), level(color.g), level(color.b)};
  std::array<std::uint16_t, 3> out{};
  std::array<std::uint8_t, 3> out8{};
  if (depth == 8) {
    rgb_to_ycbcr<std::uint8_t>({&rgb[0], &rgb[1], &rgb[2]}, {&out8[0], &out8[1], &out8[2]}, 1, 8);
    return {out8[0], out8[1], out8[2]};
  }
  rgb_to_ycbcr<std::uint16_t>({&rgb[0], &rgb[1], &rgb[2]}, {&out[0], &out[1], &out[2]}, 1, depth);
  return {out[0], out[1], out[2]};
}

TEST(RgbToYcbcr, BlackGreyAndWhiteAreWhereBt709PutsThem) {
  for (int depth = 8; depth <= 16; ++depth) {
    const unsigned scale = 1u << (depth - 8);
    EXPECT_EQ(convert({0, 0, 0}, depth), (std::array{16 * scale, 128 * scale, 128 * scale}));
    EXPECT_EQ(convert({1, 1, 1}, depth), (std::array{235 * scale, 128 * scale, 128 * scale}));
    EXPECT_EQ(convert({0, 0, 1}, depth)[1], 240 * scale) << "blue has the largest Cb";
    EXPECT_EQ(convert({1, 0, 0}, depth)[2], 240 * scale) << "red has the largest Cr";
    EXPECT_EQ(convert({1, 1, 0}, depth)[1], 16 * scale);
    EXPECT_EQ(convert({0, 1, 1}, depth)[2], 16 * scale);
  }
}

TEST(RgbToYcbcr, IsTheNearestIntegerToTheStandardsValue) {
  for (const int depth : {8, 10, 13, 16}) {
    const double scale = 1 << (depth - 8);
    const double max = (1 << depth) - 1;
    std::vector<std::uint16_t> levels;
    for (int i = 0; i <= 17; ++i) levels.push_back(static_cast<std::uint16_t>(max * i / 17));
    for (const double r : levels)
      for (const double g : levels)
        for (const double b : levels) {
          const auto got = convert({r / max, g / max, b / max}, depth);
          const double y = (0.2126 * r + 0.7152 * g + 0.0722 * b) / max;
          // Half a step, and the rounding of this test's own doubles.
          const double bound = 0.5 + 1e-9;
          EXPECT_NEAR(got[0], scale * (219 * y + 16), bound);
          EXPECT_NEAR(got[1], scale * (224 * (b / max - y) / 1.8556 + 128), bound);
          EXPECT_NEAR(got[2], scale * (224 * (r / max - y) / 1.5748 + 128), bound);
        }
  }
}

}  // namespace
}  // namespace vmafx
