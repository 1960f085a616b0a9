#include "tests/device_parity.h"
#include "metrics/float_ms_ssim/float_ms_ssim.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::luma;
using parity::Pattern;

void expect_same(const Case& c, const OptionText& options = {}) {
  expect_same_on_devices(float_ms_ssim_metric(), options, c);
}

// Halved planes come in tiles of 32 x 16.
TEST(FloatMsSsimDeviceParity, Sizes) {
  for (const int width : {176, 177, 191, 193, 255})
    expect_same({luma(width, 176, 8), Pattern::kTexture, Pattern::kRandom, 3});
  for (const int height : {177, 183, 193})
    expect_same({luma(179, height, 10), Pattern::kTexture, Pattern::kExtremes, 1});
}

TEST(FloatMsSsimDeviceParity, DepthsAndPatterns) {
  for (const int depth : {8, 16}) {
    for (const Pattern pattern : parity::kAllPatterns)
      expect_same({luma(178, 176, depth), Pattern::kTexture, pattern, 1});
  }
  expect_same({luma(178, 177, 12), Pattern::kExtremes, Pattern::kBars, 1});
}

TEST(FloatMsSsimDeviceParity, Chroma) {
  expect_same({{353, 352, 8, Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 3},
              {{"enable_chroma", "true"}});
  expect_same({{352, 177, 10, Chroma::k422}, Pattern::kRandom, Pattern::kTexture, 3},
              {{"enable_chroma", "true"}});
}

TEST(FloatMsSsimDeviceParity, OneMeasurementServesAllOptions) {
  const Case c = {{180, 190, 8, Chroma::k444}, Pattern::kTexture, Pattern::kExtremes};
  expect_same_on_devices(float_ms_ssim_metric(),
                         {{{"enable_db", "true"}}, {{"enable_chroma", "true"}}, {}},
                         parity::make_clip(c, 1));
}

}  // namespace
}  // namespace vmafx
