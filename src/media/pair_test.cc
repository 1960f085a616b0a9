#include <gtest/gtest.h>

#include "vmafx/session.h"

namespace vmafx {
namespace {

StreamInfo stream(std::string path, int width, int height, int depth = 8,
                  Chroma chroma = Chroma::k420) {
  StreamInfo info;
  info.path = std::move(path);
  info.format = {width, height, depth, chroma};
  return info;
}

TEST(CheckPair, SameFormatIsFine) {
  EXPECT_TRUE(check_pair(stream("a", 64, 48), stream("b", 64, 48)).ok());
}

TEST(CheckPair, SizeNamesBothAndTheScaler) {
  const Status status = check_pair(stream("a.y4m", 1920, 1080), stream("b.mp4", 1280, 720));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kMismatch);
  EXPECT_EQ(status.error().message,
            "the streams differ in size: reference \"a.y4m\" is 1920x1080 4:2:0 8 bit, distorted "
            "\"b.mp4\" is 1280x720 4:2:0 8 bit");
  EXPECT_NE(status.error().hint.find("-vf scale=1920:1080:flags=bicubic -c:v"), std::string::npos);
}

TEST(CheckPair, DepthAndChromaNameThePixelFormat) {
  const Status status =
      check_pair(stream("a", 64, 48, 10, Chroma::k422), stream("b", 64, 48, 8, Chroma::k420));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("differ in chroma format and bit depth"),
            std::string::npos);
  EXPECT_NE(status.error().hint.find("-vf format=yuv422p10le "), std::string::npos);
  const Status gray =
      check_pair(stream("a", 64, 48, 8, Chroma::k400), stream("b", 32, 48, 8, Chroma::k420));
  EXPECT_NE(gray.error().hint.find("-vf scale=64:48:flags=bicubic,format=gray "),
            std::string::npos);
}

TEST(PairWarnings, UnspecifiedAgreesWithEverything) {
  StreamInfo tagged = stream("a", 64, 48);
  tagged.color = {ColorInfo::Range::kLimited, 1, 1, 1};
  tagged.frame_rate = Rational{25, 1};
  EXPECT_TRUE(pair_warnings(tagged, stream("b", 64, 48)).empty());
}

TEST(PairWarnings, TagsThatDiffer) {
  StreamInfo a = stream("a", 64, 48);
  a.color = {ColorInfo::Range::kFull, 1, 1, 1};
  a.frame_rate = Rational{30, 1};
  StreamInfo b = stream("b", 64, 48);
  b.color = {ColorInfo::Range::kLimited, 9, 4, 9};
  b.frame_rate = Rational{30000, 1001};
  const auto warnings = pair_warnings(a, b);
  ASSERT_EQ(warnings.size(), 5u);
  EXPECT_EQ(warnings[0],
            "the colour ranges differ: reference full, distorted limited; samples are compared as "
            "they are");
  EXPECT_EQ(warnings[1],
            "the colour matrices differ: reference BT.709, distorted BT.2020; samples are compared "
            "as they are");
  EXPECT_EQ(warnings[4],
            "the frame rates differ: reference 30, distorted 29.97; frames are paired by their "
            "number");
}

TEST(PairWarnings, EqualCurvesUnderOtherNumbersAgree) {
  StreamInfo a = stream("a", 64, 48);
  a.color.transfer = 1;
  a.color.matrix = 5;
  StreamInfo b = stream("b", 64, 48);
  b.color.transfer = 14;
  b.color.matrix = 6;
  a.frame_rate = Rational{2997, 100};
  b.frame_rate = Rational{30000, 1001};
  EXPECT_TRUE(pair_warnings(a, b).empty());
}

TEST(PairWarnings, HdrAndInterlaced) {
  StreamInfo a = stream("a", 64, 48);
  a.color.transfer = 16;
  StreamInfo b = a;
  b.interlaced = true;
  const auto warnings = pair_warnings(a, b);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_NE(warnings[0].find("the reference is HDR (PQ)"), std::string::npos);
  EXPECT_NE(warnings[1].find("the distorted stream is HDR (PQ)"), std::string::npos);
  EXPECT_NE(warnings[2].find("the distorted stream is interlaced"), std::string::npos);
}

}  // namespace
}  // namespace vmafx
