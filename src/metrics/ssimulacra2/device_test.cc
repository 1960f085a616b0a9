#include "tests/device_parity.h"
#include "metrics/ssimulacra2/ssimulacra2.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::Pattern;

void expect_same(const Case& c, const OptionText& options = {}) {
  expect_same_on_devices(ssimulacra2_metric(), options, c);
}

// Tiles of colours are 32 pixels wide and high; the blur goes along rows in tiles of 32 that begin
// 4 columns before, in runs of 4, and down columns in steps of 10 rows that begin 4 rows before.
TEST(Ssimulacra2DeviceParity, Widths) {
  for (const int width : {8, 9, 10, 11, 15, 16, 17, 18, 19, 20, 27, 28, 29, 31, 32, 33, 60, 61, 97})
    expect_same({{width, 9, 8, Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 3});
}

TEST(Ssimulacra2DeviceParity, Heights) {
  for (const int height : {8, 9, 10, 11, 15, 16, 17, 26, 27, 31, 32, 33, 36, 37, 65})
    expect_same({{11, height, 10, Chroma::k420}, Pattern::kTexture, Pattern::kBars, 3});
}

TEST(Ssimulacra2DeviceParity, DepthsAndChroma) {
  for (const int depth : {8, 9, 10, 12, 16}) {
    for (const Chroma chroma :
         {Chroma::k400, Chroma::k411, Chroma::k420, Chroma::k422, Chroma::k440, Chroma::k444})
      expect_same({{37, 21, depth, chroma}, Pattern::kRandom, Pattern::kTexture, 1});
  }
}

TEST(Ssimulacra2DeviceParity, Matrices) {
  for (const char* matrix : {"0", "1", "2", "3"}) {
    for (const int depth : {8, 10})
      expect_same({{35, 34, depth, Chroma::k420}, Pattern::kRandom, Pattern::kTexture},
                  {{"yuv_matrix", matrix}});
  }
}

TEST(Ssimulacra2DeviceParity, Patterns) {
  for (const Pattern pattern : parity::kAllPatterns) {
    for (const Pattern other : {pattern, Pattern::kFlat, Pattern::kBlack, Pattern::kExtremes})
      expect_same({{41, 38, 8, Chroma::k420}, pattern, other});
  }
}

// More than one team of each kernel, and of the rows that a team sums.
TEST(Ssimulacra2DeviceParity, Picture) {
  expect_same({{177, 131, 8, Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 5});
  expect_same({{130, 277, 10, Chroma::k422}, Pattern::kRandom, Pattern::kTexture});
}

}  // namespace
}  // namespace vmafx
