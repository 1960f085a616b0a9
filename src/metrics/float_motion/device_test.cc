#include "tests/device_parity.h"
#include "metrics/float_motion/float_motion.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::luma;
using parity::Pattern;

void expect_same(const Case& c, const OptionText& options = {}, int frames = 2) {
  expect_same_on_devices(float_motion_metric(), options, c, frames);
}

// Tiles have 60 columns and 32 rows.
TEST(FloatMotionDeviceParity, SizesAndDepths) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const int width : {3, 4, 59, 60, 61, 64, 130}) {
      for (const int height : {3, 5, 31, 32, 33, 70})
        expect_same({luma(width, height, depth), Pattern::kExtremes, Pattern::kFlat, 5});
    }
  }
}

TEST(FloatMotionDeviceParity, Patterns) {
  for (const Pattern pattern : parity::kAllPatterns)
    expect_same({luma(75, 50, 8), pattern, Pattern::kFlat});
}

TEST(FloatMotionDeviceParity, FilterSizesAndHalfSize) {
  for (const int depth : {8, 10}) {
    for (const char* taps : {"0", "1", "3", "5", "9"}) {
      for (const char* half : {"false", "true"}) {
        for (const int width : {3, 4, 66, 131})
          expect_same({luma(width, width / 2 + 3, depth), Pattern::kTexture, Pattern::kFlat, 2},
                      {{"motion_filter_size", taps}, {"motion_add_scale1", half}});
      }
    }
  }
}

TEST(FloatMotionDeviceParity, Chroma) {
  for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444}) {
    for (const char* half : {"false", "true"})
      expect_same({{133, 71, 8, chroma}, Pattern::kTexture, Pattern::kFlat, 2},
                  {{"motion_add_uv", "true"}, {"motion_add_scale1", half}});
  }
}

TEST(FloatMotionDeviceParity, FirstFrameAndFiveFrameWindow) {
  const Case c = {{70, 40, 10, Chroma::k420}, Pattern::kRandom, Pattern::kRandom};
  for (int frames = 1; frames <= 4; ++frames) {
    expect_same(c, {}, frames);
    expect_same(c, {{"motion_five_frame_window", "true"}}, frames);
  }
}

// More columns than are read ahead, and more rows than are summed at once.
TEST(FloatMotionDeviceParity, TallAndWide) {
  expect_same({luma(500, 300, 8), Pattern::kTexture, Pattern::kFlat});
  expect_same({luma(40, 2100, 8), Pattern::kTexture, Pattern::kFlat});
}

}  // namespace
}  // namespace vmafx
