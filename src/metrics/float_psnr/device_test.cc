#include "tests/device_parity.h"
#include "metrics/float_psnr/float_psnr.h"

namespace vmafx {
namespace {

using parity::expect_same_on_devices;
using parity::Pattern;

TEST(FloatPsnrDeviceParity, DepthsAndFormats) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420})
      expect_same_on_devices(float_psnr_metric(), {},
                             {{517, 35, depth, chroma}, Pattern::kRandom, Pattern::kExtremes, 3});
  }
}

}  // namespace
}  // namespace vmafx
