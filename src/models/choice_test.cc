#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "vmafx/model.h"

namespace vmafx {
namespace {

std::string chosen(int width, int height, std::optional<Rational> rate = Rational{25, 1},
                   Chroma chroma = Chroma::k420) {
  return choose_model({width, height, 8, chroma}, rate).version;
}

TEST(ChooseModel, HeightDecidesTheScreen) {
  EXPECT_EQ(chosen(640, 360), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(1920, 1080), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(2560, 1440), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(2560, 1441), "vmaf_v1.0.16_1d5h_2160");
  EXPECT_EQ(chosen(3840, 2160), "vmaf_v1.0.16_1d5h_2160");
  EXPECT_EQ(chosen(7680, 4320), "vmaf_v1.0.16_1d5h_2160");
}

TEST(ChooseModel, FrameRateDecidesTheForm) {
  EXPECT_EQ(chosen(1920, 1080, Rational{44999, 1000}), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(1920, 1080, Rational{45, 1}), "vmaf_v1.0.16_hfr_3d0h");
  EXPECT_EQ(chosen(1920, 1080, Rational{60000, 1001}), "vmaf_v1.0.16_hfr_3d0h");
  EXPECT_EQ(chosen(3840, 2160, Rational{50, 1}), "vmaf_v1.0.16_hfr_1d5h_2160");
}

TEST(ChooseModel, UnknownFrameRateIsNotHigh) {
  EXPECT_EQ(chosen(1920, 1080, std::nullopt), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(1920, 1080, Rational{0, 1}), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(1920, 1080, Rational{60, 0}), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(1920, 1080, Rational{-60, -1}), "vmaf_v1.0.16_3d0h");
}

// CAMBI needs 216 samples in one direction, SpEED 80x80 of chroma.
TEST(ChooseModel, SmallPicturesHaveTheOldModel) {
  EXPECT_EQ(chosen(216, 160), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(160, 216), "vmaf_v1.0.16_3d0h");
  EXPECT_EQ(chosen(215, 215), "vmaf_v0.6.1");
  EXPECT_EQ(chosen(352, 158), "vmaf_v0.6.1");
  EXPECT_EQ(chosen(158, 352), "vmaf_v0.6.1");
  EXPECT_EQ(chosen(352, 158, Rational{25, 1}, Chroma::k444), "vmaf_v1.0.16_3d0h");
}

TEST(ChooseModel, GrayHasTheOldModel) {
  EXPECT_EQ(chosen(1920, 1080, Rational{25, 1}, Chroma::k400), "vmaf_v0.6.1");
}

TEST(ChooseModel, SaysWhy) {
  const auto reason = [](int width, int height, std::optional<Rational> rate,
                         Chroma chroma = Chroma::k420) {
    return choose_model({width, height, 8, chroma}, rate).reason;
  };
  EXPECT_EQ(reason(640, 360, Rational{25, 1}), "height up to 1440, below 45 fps");
  EXPECT_EQ(reason(3840, 2160, Rational{50, 1}), "height above 1440, 45 fps or more");
  EXPECT_EQ(reason(640, 360, std::nullopt), "height up to 1440, unknown frame rate");
  EXPECT_EQ(reason(640, 360, Rational{25, 1}, Chroma::k400),
            "for vmaf_v1.0.16_3d0h, speed_chroma needs chroma planes");
}

// Whatever is chosen can be loaded, and what is not v0.6.1 applies.
TEST(ChooseModel, ChoiceAppliesAtEverySize) {
  for (const int height : {1, 16, 17, 79, 80, 160, 216, 1440, 1441, 4320})
    for (const int width : {1, 17, 159, 160, 216, 8000})
      for (const Chroma chroma : {Chroma::k400, Chroma::k411, Chroma::k420, Chroma::k444}) {
        const PictureFormat format{width, height, 10, chroma};
        const auto model = load_model({.version = choose_model(format, Rational{60, 1}).version});
        ASSERT_TRUE(model.ok());
        if (model->version() != "vmaf_v0.6.1") {
          EXPECT_TRUE(model->check(format).ok());
        }
      }
}

TEST(ModelCheck, NamesWhatDoesNotApply) {
  const auto model = load_model({.version = "vmaf_v1.0.16_3d0h"});
  ASSERT_TRUE(model.ok());
  EXPECT_TRUE(model->check({1920, 1080, 8, Chroma::k420}).ok());
  const Status gray = model->check({1920, 1080, 8, Chroma::k400});
  ASSERT_FALSE(gray.ok());
  EXPECT_EQ(gray.error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(gray.error().message, "speed_chroma needs chroma planes");
}

}  // namespace
}  // namespace vmafx
