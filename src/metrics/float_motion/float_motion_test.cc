#include "metrics/float_motion/float_motion.h"

#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;

template <class Sample>
void expect_parity(const Case& c, int filter_size, bool with_half, Scratch& scratch,
                   const std::string& target) {
  const Picture previous = c.make_reference();
  const Picture current = c.make_distorted();
  const auto p = plane_view<Sample>(previous, 0);
  const auto q = plane_view<Sample>(current, 0);
  const float step = separable::step_of(c.format);
  const separable::Window window = float_motion::blur_window(filter_size);
  std::optional<Scaler> half;
  if (with_half)
    half.emplace(Scaling::kBilinear, p.width, p.height, (p.width + 1) / 2, (p.height + 1) / 2);
  const Scaler* scaler = half ? &*half : nullptr;
  ASSERT_EQ(float_motion::difference(p, q, step, window, scaler, scratch),
            float_motion::reference_difference(p, q, step, window, scaler))
      << target << ", " << c << ", " << filter_size << " taps" << (with_half ? ", half" : "");
}

void expect_parity_any_depth(const Case& c, int filter_size, bool with_half, Scratch& scratch,
                             const std::string& target) {
  if (c.format.bit_depth == 8) {
    expect_parity<std::uint8_t>(c, filter_size, with_half, scratch, target);
  } else {
    expect_parity<std::uint16_t>(c, filter_size, with_half, scratch, target);
  }
}

TEST(FloatMotionParity, EverySizeDepthAndTarget) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 16}) {
      for (const int width : parity::edge_sizes(3)) {
        const Case c{
            {width, 7, depth, Chroma::k400}, Pattern::kRandom, Pattern::kExtremes, width % 3};
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(c, 5, width % 2 == 0, scratch, target));
      }
      for (const int height : {3, 4, 5, 6, 17, 64}) {
        const Case c{{37, height, depth, Chroma::k400}, Pattern::kTexture, Pattern::kRandom, 1};
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(c, 5, height % 2 == 0, scratch, target));
      }
    }
  });
}

TEST(FloatMotionParity, EveryBlurAndPattern) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int filter_size : {1, 3, 5}) {
      for (const Pattern previous : parity::kAllPatterns) {
        for (const Pattern current : parity::kAllPatterns) {
          for (const bool half : {false, true}) {
            const Case c{{67, 21, 8, Chroma::k400}, previous, current, 5};
            ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(c, filter_size, half, scratch, target));
          }
        }
      }
    }
  });
}

struct Features final : FeatureSink {
  std::map<std::pair<std::int64_t, std::string>, double> values;
  std::vector<OutputKey> keys;
  void feature(std::int64_t frame, std::size_t key, double value) override {
    const bool added = values.emplace(std::pair(frame, keys.at(key).key), value).second;
    EXPECT_TRUE(added) << "frame " << frame << " " << keys[key].key << " written twice";
  }
  void aggregate(std::size_t, double) override { FAIL() << "float_motion has no aggregates"; }
};

Options options_of(const OptionText& text) {
  return *Options::parse(float_motion_metric().options(), text, "float_motion");
}

constexpr PictureFormat kFormat{32, 24, 8, Chroma::k420};

Features fold_scores(const OptionText& text, const std::vector<double>& scores) {
  Features features;
  const auto fold = float_motion_metric().fold(options_of(text), kFormat, 0);
  features.keys = fold->keys();
  for (std::size_t i = 0; i < scores.size(); ++i)
    fold->push(static_cast<std::int64_t>(i), std::as_bytes(std::span(&scores[i], 1)), features);
  fold->finish(features);
  return features;
}

TEST(FloatMotionFold, MinimumWithTheNextFrame) {
  const Features f = fold_scores({}, {0, 5, 3, 4});
  EXPECT_EQ(f.values.at({0, "motion2"}), 0);
  EXPECT_EQ(f.values.at({0, "motion3"}), 5);
  EXPECT_EQ(f.values.at({1, "motion2"}), 3);
  EXPECT_EQ(f.values.at({2, "motion"}), 3);
  EXPECT_EQ(f.values.at({3, "motion2"}), 4);
}

TEST(FloatMotionFold, ClipsAfterBlending) {
  const Features f =
      fold_scores({{"mbf", "0.5"}, {"mbo", "2"}, {"mmxv", "6"}, {"debug", "false"}}, {0, 8, 9});
  EXPECT_EQ(f.values.at({1, "motion2_mbf_0.5_mbo_2_mmxv_6"}), 6);
  EXPECT_EQ(f.values.at({1, "motion3_mbf_0.5_mbo_2_mmxv_6"}), 8 * 0.5 + 0.5 * 2);
  EXPECT_FALSE(f.values.contains({1, "motion_mbf_0.5_mbo_2_mmxv_6"}));
}

TEST(FloatMotion, KeysAreOrderedAsLibvmafWritesThem) {
  const auto keys = float_motion_metric().fold(options_of({{"mfs", "3"}}), kFormat, 0)->keys();
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0].key, "motion2_mfs_3");
  EXPECT_EQ(keys[1].key, "motion_mfs_3");
  EXPECT_EQ(keys[2].key, "motion3_mfs_3");
  EXPECT_TRUE(keys[2].after_all_frames);
}

TEST(FloatMotion, AddsChromaPlanes) {
  const Picture previous = parity::make_picture({kFormat, Pattern::kTexture, 1});
  const Picture current = parity::make_picture({kFormat, Pattern::kRandom, 2});
  const Picture pictures[] = {current, previous};
  const Options options = options_of({{"mau", "true"}});
  const auto measurement =
      std::move(float_motion_metric().measurement({&options, 1}, kFormat).value());
  double measured = 0;
  Scratch scratch;
  measurement->measure({1, pictures, pictures}, scratch,
                       std::as_writable_bytes(std::span(&measured, 1)));
  double expected = 0;
  for (int p = 0; p < 3; ++p) {
    expected += double{float_motion::reference_difference(plane_view<std::uint8_t>(previous, p),
                                                          plane_view<std::uint8_t>(current, p), 1,
                                                          float_motion::blur_window(5), nullptr)};
  }
  EXPECT_EQ(measured, expected);
}

TEST(FloatMotion, RefusesWhatItCannotMeasure) {
  const auto check = [](const OptionText& text, const PictureFormat& format) {
    return float_motion_metric().check(options_of(text), format);
  };
  EXPECT_TRUE(check({}, {3, 3, 8, Chroma::k400}).ok());
  EXPECT_FALSE(check({}, {2, 3, 8, Chroma::k400}).ok());
  EXPECT_TRUE(check({{"mau", "1"}}, {5, 5, 8, Chroma::k420}).ok());
  EXPECT_FALSE(check({{"mau", "1"}}, {4, 4, 8, Chroma::k420}).ok());
  const Status grey = check({{"mau", "1"}}, {64, 64, 8, Chroma::k400});
  ASSERT_FALSE(grey.ok());
  EXPECT_EQ(grey.error().code, ErrorCode::kNotApplicable);
}

TEST(FloatMotion, OneMeasurementForAllFolds) {
  const Metric& metric = float_motion_metric();
  EXPECT_EQ(metric.group(options_of({{"mmxv", "3"}, {"debug", "false"}})),
            metric.group(options_of({})));
  EXPECT_NE(metric.group(options_of({{"mfs", "3"}})), metric.group(options_of({})));
}

}  // namespace
}  // namespace vmafx
