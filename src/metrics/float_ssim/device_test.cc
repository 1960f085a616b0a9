#include <string>

#include "tests/device_parity.h"
#include "metrics/float_ssim/float_ssim.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::luma;
using parity::Pattern;

void expect_same(const Case& c, int factor = 1) {
  expect_same_on_devices(float_ssim_metric(), {{"scale", std::to_string(factor)}}, c);
}

// Tiles have 128 columns of windows and 16 rows, which come in groups of 8 rows of samples.
TEST(FloatSsimDeviceParity, SizesAndDepths) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const int height : {11, 12, 18, 26, 27, 43})
      expect_same({luma(13, height, depth), Pattern::kTexture, Pattern::kRandom, 3});
    for (const int width : {11, 12, 137, 138, 139, 267})
      expect_same({luma(width, 29, depth), Pattern::kTexture, Pattern::kExtremes, 1});
  }
}

TEST(FloatSsimDeviceParity, Decimation) {
  for (const int depth : {8, 10, 16}) {
    for (int factor = 2; factor <= 10; ++factor) {
      const int width = 12 * factor + factor / 2;
      const int height = 11 * factor + 1;
      expect_same({luma(width, height, depth), Pattern::kTexture, Pattern::kRandom, 3}, factor);
    }
  }
}

TEST(FloatSsimDeviceParity, Patterns) {
  for (const int depth : {8, 12}) {
    for (const Pattern pattern : parity::kAllPatterns) {
      expect_same({luma(37, 26, depth), Pattern::kTexture, pattern, 1});
      expect_same({luma(47, 56, depth), pattern, Pattern::kExtremes, 1}, 3);
      expect_same({luma(37, 26, depth), pattern, pattern, 1});
    }
  }
}

// More rows than are read ahead, and the factor that the size decides.
TEST(FloatSsimDeviceParity, Picture) {
  expect_same({luma(300, 170, 8), Pattern::kTexture, Pattern::kTexture});
  expect_same({{640, 400, 10, Chroma::k420}, Pattern::kTexture, Pattern::kRandom}, 0);
}

}  // namespace
}  // namespace vmafx
