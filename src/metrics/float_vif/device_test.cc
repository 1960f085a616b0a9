#include <string>
#include <vector>

#include "metrics/float_vif/float_vif.h"
#include "tests/device_parity.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::luma;
using parity::Pattern;

void expect_same(const Case& c, const OptionText& options = {}) {
  expect_same_on_devices(float_vif_metric(), options, c);
}

// Tiles of the four scales are 240, 248, 252 and 252 columns wide, and all have four rows.
TEST(FloatVifDeviceParity, Widths) {
  for (const int width : {16, 17, 19, 31, 143, 239, 240, 241, 242, 243, 480, 495, 505})
    expect_same({luma(width, 17, 8), Pattern::kTexture, Pattern::kRandom, 3});
}

TEST(FloatVifDeviceParity, Heights) {
  for (const int height : {16, 17, 18, 19, 31, 32, 47})
    expect_same({luma(21, height, 10), Pattern::kTexture, Pattern::kBars, 3});
}

TEST(FloatVifDeviceParity, DepthsAndPatterns) {
  for (const int depth : {8, 9, 10, 12, 16}) {
    for (const Pattern pattern : parity::kAllPatterns) {
      expect_same({luma(37, 22, depth), Pattern::kTexture, pattern, 1});
      expect_same({luma(22, 37, depth), pattern, Pattern::kExtremes, 1});
    }
  }
}

TEST(FloatVifDeviceParity, ChromaIsNotLookedAt) {
  expect_same({{97, 75, 8, Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 5});
}

TEST(FloatVifDeviceParity, WithoutScale0) {
  expect_same({luma(35, 24, 10), Pattern::kRandom, Pattern::kTexture}, {{"ssclz", "true"}});
}

// Powers of two and others; with none there are quotients by zero.
TEST(FloatVifDeviceParity, Noise) {
  for (const char* noise : {"0", "0.1", "0.5", "3", "4", "5"}) {
    expect_same({luma(35, 24, 8), Pattern::kTexture, Pattern::kRandom}, {{"snsq", noise}});
    expect_same({luma(35, 24, 10), Pattern::kBars, Pattern::kBars}, {{"snsq", noise}});
    expect_same({luma(35, 24, 8), Pattern::kFlat, Pattern::kTexture}, {{"snsq", noise}});
  }
}

// More than the kernels take at once.
TEST(FloatVifDeviceParity, GainLimits) {
  std::vector<OptionText> variants;
  for (const char* limit : {"1", "1.2", "2", "5", "30", "100"})
    variants.push_back({{"egl", limit}});
  variants.push_back({{"egl", "1"}, {"ssclz", "true"}, {"s1miv", "0.5"}});
  const Case c = {luma(37, 30, 8), Pattern::kRandom, Pattern::kTexture};
  for (std::size_t count = 1; count <= variants.size(); ++count)
    expect_same_on_devices(
        float_vif_metric(),
        {variants.begin(), variants.begin() + static_cast<std::ptrdiff_t>(count)},
        parity::make_clip(c, 1));
}

TEST(FloatVifDeviceParity, KernelScales) {
  for (const char* scale : {"0.444444", "0.5", "0.711111", "1.06667", "1.5", "2", "2.4", "3.7113"})
    expect_same({luma(273, 265, 8), Pattern::kTexture, Pattern::kRandom}, {{"ks", scale}});
}

TEST(FloatVifDeviceParity, Prescaling) {
  for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
    for (const char* factor : {"0.55", "1.3", "2"}) {
      expect_same({luma(141, 133, 8), Pattern::kTexture, Pattern::kRandom},
                  {{"ps", factor}, {"pm", method}});
      expect_same({luma(133, 141, 12), Pattern::kRandom, Pattern::kTexture},
                  {{"ps", factor}, {"pm", method}, {"ks", "1.5"}, {"egl", "1"}});
    }
  }
}

TEST(FloatVifDeviceParity, Picture) {
  for (const int depth : {8, 10})
    expect_same({luma(560, 360, depth), Pattern::kTexture, Pattern::kTexture});
}

}  // namespace
}  // namespace vmafx
