#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tools/clipgen/distort.h"
#include "tools/clipgen/integer_math.h"
#include "tools/clipgen/scene.h"
#include "tools/clipgen/y4m_writer.h"

namespace vmafx::clipgen {
namespace {

std::uint64_t fnv1a(const Frame& frame) {
  std::uint64_t digest = 0xCBF29CE484222325U;
  for (const auto& plane : frame.planes) {
    for (const std::uint16_t sample : plane) digest = (digest ^ sample) * 0x100000001B3U;
  }
  return digest;
}

SceneOptions small_scene(Motion motion, int depth = 8, Chroma chroma = Chroma::k420) {
  return {.format = {.width = 67, .height = 45, .bit_depth = depth, .chroma = chroma},
          .motion = motion};
}

// Frames 0 and 13, one behind a cut, of each motion. A change here changes every generated clip,
// the sample pair's expected scores and old benchmarks.
TEST(Clipgen, BytesAreThoseOfEveryMachine) {
  std::uint64_t digest = 0;
  for (const Motion motion : {Motion::kStill, Motion::kPan, Motion::kZoom, Motion::kRotate,
                              Motion::kObjects, Motion::kCuts}) {
    Scene scene(small_scene(motion));
    for (const int n : {0, 13}) {
      Frame frame = scene.render(n);
      digest = digest * 31 + fnv1a(frame);
    }
  }
  EXPECT_EQ(digest, 9138893795695192087U);
}

TEST(Clipgen, FramesDependOnTheirNumberAlone) {
  Scene forward(small_scene(Motion::kCuts));
  const auto first = forward.render(3).planes;
  const auto later = forward.render(30).planes;
  Scene backward(small_scene(Motion::kCuts));
  EXPECT_EQ(backward.render(30).planes, later);
  EXPECT_EQ(backward.render(3).planes, first);
  EXPECT_NE(first, later);
}

TEST(Clipgen, EveryFormatHasItsPlanesAndRange) {
  for (const Chroma chroma :
       {Chroma::k400, Chroma::k411, Chroma::k420, Chroma::k422, Chroma::k440, Chroma::k444}) {
    for (int depth = 8; depth <= 16; ++depth) {
      const SceneOptions options = small_scene(Motion::kObjects, depth, chroma);
      const Frame frame = Scene(options).render(1);
      for (int plane = 0; plane < 3; ++plane) {
        const auto& samples = frame.planes[static_cast<std::size_t>(plane)];
        if (plane >= options.format.planes()) {
          EXPECT_TRUE(samples.empty());
          continue;
        }
        ASSERT_EQ(samples.size(), static_cast<std::size_t>(options.format.plane_width(plane) *
                                                           options.format.plane_height(plane)));
        for (const std::uint16_t sample : samples) ASSERT_LT(sample, 1U << depth);
      }
    }
  }
}

TEST(Clipgen, DistortionsChangeThePictureAndStrengthZeroDoesNot) {
  const Frame original = Scene(small_scene(Motion::kPan, 10)).render(0);
  for (const Distortion kind : {Distortion::kBlur, Distortion::kBlocks, Distortion::kNoise}) {
    Frame frame = original;
    distort(frame, kind, 0, 0, 1);
    EXPECT_EQ(frame.planes, original.planes);
    distort(frame, kind, 4, 0, 1);
    EXPECT_NE(frame.planes, original.planes);
    for (const std::uint16_t sample : frame.planes[0]) ASSERT_LT(sample, 1024U);
  }
}

TEST(Clipgen, SineHitsItsQuadrants) {
  EXPECT_EQ(sine(0), 0);
  EXPECT_NEAR(sine(16384), 16384, 8);
  EXPECT_NEAR(sine(8192), 11585, 8);  // sqrt(1/2)
  EXPECT_EQ(sine(8192 + 32768), -sine(8192));
  EXPECT_NEAR(cosine(0), 16384, 8);
}

TEST(Clipgen, TagsNameChromaAndDepth) {
  EXPECT_EQ(y4m_chroma_tag({.bit_depth = 8, .chroma = Chroma::k420}), "C420");
  EXPECT_EQ(y4m_chroma_tag({.bit_depth = 10, .chroma = Chroma::k422}), "C422p10");
  EXPECT_EQ(y4m_chroma_tag({.bit_depth = 8, .chroma = Chroma::k400}), "Cmono");
  EXPECT_EQ(y4m_chroma_tag({.bit_depth = 16, .chroma = Chroma::k400}), "Cmono16");
}

}  // namespace
}  // namespace vmafx::clipgen
