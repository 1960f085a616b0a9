#include "metrics/ciede/ciede.h"
#include "tests/device_parity.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::Pattern;

void expect_same(const Case& c) { expect_same_on_devices(ciede_metric(), {}, c); }

TEST(CiedeDeviceParity, SizesDepthsAndFormats) {
  for (const int depth : {8, 9, 10, 12, 16}) {
    for (const Chroma chroma :
         {Chroma::k411, Chroma::k420, Chroma::k422, Chroma::k440, Chroma::k444}) {
      for (const int width : {1, 2, 15, 16, 33, 255, 256, 257, 530})
        expect_same({{width, width % 3 + 1, depth, chroma},
                     Pattern::kTexture,
                     Pattern::kExtremes,
                     width % 4});
    }
  }
}

TEST(CiedeDeviceParity, Patterns) {
  for (const int depth : {8, 10}) {
    for (const Pattern pattern : parity::kAllPatterns) {
      for (const Pattern other : {pattern, Pattern::kFlat, Pattern::kRandom})
        expect_same({{67, 9, depth, Chroma::k444}, pattern, other});
    }
  }
}

TEST(CiedeDeviceParity, Picture) {
  expect_same({{560, 360, 8, Chroma::k420}, Pattern::kRandom, Pattern::kRandom});
}

}  // namespace
}  // namespace vmafx
