#include "tests/device_parity.h"
#include "metrics/ssim/ssim.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::luma;
using parity::Pattern;

void expect_same(const Case& c) { expect_same_on_devices(ssim_metric(), {}, c); }

// Tiles have 248 columns and 8 rows, or 4 of depths above 12.
TEST(SsimDeviceParity, SizesAndDepths) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const int width : {1, 2, 5, 8, 9, 10, 17})
      for (const int height : {1, 3, 8, 9, 13})
        expect_same({luma(width, height, depth), Pattern::kTexture, Pattern::kRandom, 3});
    for (const int width : {247, 248, 249, 252, 499})
      expect_same({luma(width, 19, depth), Pattern::kTexture, Pattern::kExtremes, 1});
  }
}

TEST(SsimDeviceParity, Patterns) {
  for (const int depth : {8, 12, 14, 16}) {
    for (const Pattern pattern : parity::kAllPatterns) {
      expect_same({luma(37, 26, depth), Pattern::kTexture, pattern, 1});
      expect_same({luma(37, 26, depth), pattern, Pattern::kExtremes, 1});
      expect_same({luma(37, 26, depth), pattern, pattern, 1});
    }
  }
}

// More rows than are read ahead, and more columns than are summed at once.
TEST(SsimDeviceParity, TallAndWide) {
  expect_same({luma(70, 333, 8), Pattern::kTexture, Pattern::kRandom});
  expect_same({luma(2100, 20, 10), Pattern::kTexture, Pattern::kRandom});
}

TEST(SsimDeviceParity, ChromaIsNotLookedAt) {
  expect_same({{131, 75, 8, Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 5});
}

}  // namespace
}  // namespace vmafx
