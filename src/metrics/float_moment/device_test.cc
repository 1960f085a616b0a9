#include "tests/device_parity.h"
#include "metrics/float_moment/float_moment.h"

namespace vmafx {
namespace {

using parity::expect_same_on_devices;
using parity::Pattern;

TEST(FloatMomentDeviceParity, SizesAndDepths) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const int width : {1, 15, 16, 17, 513, 1030})
      expect_same_on_devices(
          float_moment_metric(), {},
          {{width, width % 50 + 33, depth, Chroma::k420}, Pattern::kRandom, Pattern::kExtremes, 3});
  }
}

}  // namespace
}  // namespace vmafx
