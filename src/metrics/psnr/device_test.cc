#include "tests/device_parity.h"
#include "metrics/psnr/psnr.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::Pattern;

TEST(PsnrDeviceParity, SizesDepthsAndFormats) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444}) {
      for (const int width : {1, 15, 16, 17, 513, 1030})
        expect_same_on_devices(
            psnr_metric(), {},
            {{width, width % 50 + 33, depth, chroma}, Pattern::kRandom, Pattern::kExtremes, 3});
    }
  }
}

TEST(PsnrDeviceParity, LumaAlone) {
  expect_same_on_devices(psnr_metric(), {{"enable_chroma", "false"}},
                         {{64, 64, 8, Chroma::k420}, Pattern::kRandom, Pattern::kTexture});
}

}  // namespace
}  // namespace vmafx
