#include "tests/device_parity.h"
#include "metrics/vif/vif.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::luma;
using parity::Pattern;

void expect_same(const Case& c, const OptionText& options = {}) {
  expect_same_on_devices(vif_metric(), options, c);
}

// Tiles of the four scales begin at multiples of 240, 496, 496 and 992 columns and of 8, 16 and 32
// rows of the picture.
TEST(VifDeviceParity, Widths) {
  for (const int width : {16, 17, 18, 31, 239, 240, 241, 248, 249, 497, 993})
    expect_same({luma(width, 17, 8), Pattern::kTexture, Pattern::kRandom, 3});
}

TEST(VifDeviceParity, Heights) {
  for (const int height : {16, 18, 23, 24, 25, 33, 40})
    expect_same({luma(19, height, 10), Pattern::kTexture, Pattern::kBars, 3});
}

TEST(VifDeviceParity, DepthsAndPatterns) {
  for (const int depth : {8, 9, 10, 12, 16}) {
    for (const Pattern pattern : parity::kAllPatterns) {
      expect_same({luma(37, 26, depth), Pattern::kTexture, pattern, 1});
      expect_same({luma(37, 26, depth), pattern, Pattern::kExtremes, 1});
      expect_same({luma(37, 26, depth), pattern, pattern, 1});
    }
  }
}

TEST(VifDeviceParity, ChromaIsNotLookedAt) {
  expect_same({{67, 45, 8, Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 5});
}

TEST(VifDeviceParity, WithoutScale0) {
  expect_same({luma(75, 44, 10), Pattern::kRandom, Pattern::kTexture}, {{"ssclz", "true"}});
}

// More than the kernels take at once.
TEST(VifDeviceParity, GainLimits) {
  std::vector<OptionText> variants;
  for (const char* limit : {"1", "1.2", "2", "5", "30", "100"})
    variants.push_back({{"egl", limit}});
  variants.push_back({{"egl", "1"}, {"ssclz", "true"}});
  const Case c = {luma(70, 52, 8), Pattern::kRandom, Pattern::kTexture};
  for (std::size_t count = 1; count <= variants.size(); ++count)
    expect_same_on_devices(
        vif_metric(), {variants.begin(), variants.begin() + static_cast<std::ptrdiff_t>(count)},
        parity::make_clip(c, 1));
}

TEST(VifDeviceParity, Picture) {
  for (const int depth : {8, 10})
    expect_same({luma(560, 360, depth), Pattern::kTexture, Pattern::kTexture});
}

}  // namespace
}  // namespace vmafx
