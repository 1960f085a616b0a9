#include "tests/device_parity.h"
#include "metrics/motion/motion.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::Pattern;

TEST(MotionDeviceParity, SizesAndDepths) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const int width : {3, 4, 17, 63, 64, 65, 67, 130}) {
      for (const int height : {3, 15, 16, 17, 40})
        expect_same_on_devices(
            motion_metric(), {},
            {{width, height, depth, Chroma::k400}, Pattern::kExtremes, Pattern::kFlat, 5}, 2);
    }
  }
}

TEST(MotionDeviceParity, FirstFrameAndFiveFrameWindow) {
  const Case c = {{70, 40, 10, Chroma::k420}, Pattern::kRandom, Pattern::kRandom};
  for (int frames = 1; frames <= 4; ++frames) {
    expect_same_on_devices(motion_metric(), {}, c, frames);
    expect_same_on_devices(motion_metric(), {{"motion_five_frame_window", "true"}}, c, frames);
  }
}

}  // namespace
}  // namespace vmafx
