#include "metrics/motion/motion.h"

#include <array>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;

template <class Sample>
void expect_parity(const Case& c, Scratch& scratch, const std::string& target) {
  const Picture previous = c.make_reference();
  const Picture current = c.make_distorted();
  const auto p = plane_view<Sample>(previous, 0);
  const auto q = plane_view<Sample>(current, 0);
  ASSERT_EQ(motion::sad(p, q, c.format.bit_depth, scratch),
            motion::reference_sad(p, q, c.format.bit_depth))
      << target << ", " << c;
}

void expect_parity_any_depth(const Case& c, Scratch& scratch, const std::string& target) {
  if (c.format.bit_depth == 8) {
    expect_parity<std::uint8_t>(c, scratch, target);
  } else {
    expect_parity<std::uint16_t>(c, scratch, target);
  }
}

TEST(MotionParity, EverySizeDepthAndTarget) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 12, 15, 16}) {
      for (const int width : parity::edge_sizes(3)) {
        const Case c{
            {width, 7, depth, Chroma::k400}, Pattern::kRandom, Pattern::kExtremes, width % 3};
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(c, scratch, target));
      }
      for (const int height : {3, 4, 5, 6, 17, 64}) {
        const Case c{{37, height, depth, Chroma::k400}, Pattern::kTexture, Pattern::kRandom, 1};
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(c, scratch, target));
      }
    }
  });
}

TEST(MotionParity, EveryPatternOfEveryDepth) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 14, 16}) {
      for (const Pattern previous : parity::kAllPatterns) {
        for (const Pattern current : parity::kAllPatterns) {
          const Case c{{67, 21, depth, Chroma::k400}, previous, current, 5};
          ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(c, scratch, target));
        }
      }
    }
  });
}

using Recorder = metric_testing::FrameFeatures;

constexpr PictureFormat kSixteen{16, 16, 8, Chroma::k420};
constexpr std::size_t kMotion2 = 1;
constexpr std::size_t kMotion3 = 2;

std::unique_ptr<Fold> make_fold(const OptionText& text) {
  return motion_metric().fold(*Options::parse(motion_metric().options(), text, "motion"), kSixteen,
                              0);
}

// A record whose score is `score` on a picture of 16x16.
void push(Fold& fold, std::int64_t frame, double score, FeatureSink& sink) {
  const auto sad = static_cast<std::uint64_t>(score * 256 * 256);
  std::array<std::byte, sizeof sad> record;
  std::memcpy(record.data(), &sad, sizeof sad);
  fold.push(frame, record, sink);
}

Recorder fold_scores(const OptionText& options, const std::vector<double>& scores) {
  Recorder recorder;
  const auto fold = make_fold(options);
  for (std::size_t i = 0; i < scores.size(); ++i)
    push(*fold, static_cast<std::int64_t>(i), scores[i], recorder);
  fold->finish(recorder);
  return recorder;
}

TEST(MotionFold, Motion2IsTheMinimumWithTheNextFrame) {
  const Recorder r = fold_scores({}, {0, 5, 3, 4});
  EXPECT_EQ(r.at(0, kMotion2), 0);
  EXPECT_EQ(r.at(1, kMotion2), 3);
  EXPECT_EQ(r.at(2, kMotion2), 3);
  EXPECT_EQ(r.at(3, kMotion2), 4);
  EXPECT_EQ(r.at(0, kMotion3), 5);  // takes frame 1's
}

TEST(MotionFold, ValuesAreFinalAfterTheLookahead) {
  Recorder recorder;
  const auto fold = make_fold({});
  push(*fold, 0, 0, recorder);
  EXPECT_FALSE(recorder.has(0, kMotion3));
  push(*fold, 1, 5, recorder);
  EXPECT_TRUE(recorder.has(0, kMotion3));
  EXPECT_FALSE(recorder.has(1, kMotion2));
  push(*fold, 2, 6, recorder);
  EXPECT_TRUE(recorder.has(1, kMotion2));
}

TEST(MotionFold, FiveFrameWindowLooksOneFurtherBack) {
  const Recorder r = fold_scores({{"mffw", "true"}}, {0, 0, 5, 7, 6, 9});
  EXPECT_EQ(r.at(1, kMotion2), 0);
  EXPECT_EQ(r.at(1, kMotion3), 5);
  EXPECT_EQ(r.at(2, kMotion2), 7);  // frame 1 has no score: only the next counts
  EXPECT_EQ(r.at(3, kMotion2), 5);  // min(S[2], S[4])
  EXPECT_EQ(r.at(4, kMotion2), 7);  // min(S[3], S[5])
  EXPECT_EQ(r.at(5, kMotion2), 9);
}

TEST(MotionFold, MovingAverageUsesTheUnaveragedPredecessor) {
  const Recorder r = fold_scores({{"mma", "true"}}, {0, 8, 4, 2});
  EXPECT_EQ(r.at(0, kMotion3), 8);
  EXPECT_EQ(r.at(1, kMotion3), (4.0 + 8.0) / 2);
  EXPECT_EQ(r.at(2, kMotion3), (2.0 + 4.0) / 2);
  EXPECT_EQ(r.at(3, kMotion3), (2.0 + 2.0) / 2);
}

TEST(MotionFold, BlendAndClip) {
  const Recorder r = fold_scores({{"mbf", "0.5"}, {"mbo", "2"}, {"mmxv", "6"}}, {0, 5, 9, 9});
  EXPECT_EQ(r.at(1, kMotion2), 5);
  EXPECT_EQ(r.at(1, kMotion3), 5 * 0.5 + 0.5 * 2);
  EXPECT_EQ(r.at(3, kMotion2), 6);
}

TEST(MotionFold, SingleFrameAndForcedZero) {
  const Recorder one = fold_scores({}, {0});
  EXPECT_EQ(one.at(0, kMotion2), 0);
  EXPECT_EQ(one.at(0, kMotion3), 0);
  const Recorder two = fold_scores({{"mffw", "true"}}, {0, 0});
  EXPECT_EQ(two.at(1, kMotion3), 0);
  const Recorder zero = fold_scores({{"motion_force_zero", "true"}}, {0, 5, 5});
  EXPECT_EQ(zero.at(1, kMotion2), 0);
  EXPECT_EQ(zero.at(2, kMotion3), 0);
}

TEST(Motion, KeysCarryOptions) {
  const auto fold = make_fold({{"mmxv", "18"}, {"mffw", "1"}, {"mma", "1"}, {"debug", "true"}});
  const auto keys = fold->keys();
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_EQ(keys[kMotion3].key, "integer_motion3_mffw_mmxv_18_mma");
  EXPECT_TRUE(keys[kMotion3].after_all_frames);
  EXPECT_EQ(keys[3].key, "integer_motion_mffw_mmxv_18_mma");
}

TEST(Motion, RefusesPicturesWithoutRoomForTheMirror) {
  const Options defaults(motion_metric().options());
  EXPECT_TRUE(motion_metric().check(defaults, {3, 3, 8, Chroma::k400}).ok());
  const Status refused = motion_metric().check(defaults, {2, 3, 8, Chroma::k400});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(refused.error().message, "motion needs pictures of at least 3x3, these are 2x3");
}

TEST(MotionV2, ReportsTheValuesOfMotionUnderItsOwnNames) {
  const auto values = [](const Metric& metric) {
    const auto fold = metric.fold(
        *Options::parse(metric.options(), {{"mmxv", "6"}, {"mbf", "0.5"}}, metric.name()), kSixteen,
        0);
    Recorder recorder;
    std::int64_t frame = 0;
    for (const double score : {0.0, 5.0, 3.0, 9.0, 4.0}) push(*fold, frame++, score, recorder);
    fold->finish(recorder);
    return std::pair(fold->keys(), std::move(recorder));
  };
  const auto [keys, first] = values(motion_metric());
  const auto [v2_keys, second] = values(motion_v2_metric());
  ASSERT_EQ(v2_keys.size(), 3u);
  EXPECT_EQ(v2_keys[0].key, "VMAF_integer_feature_motion_v2_sad_score_mbf_0.5_mmxv_6");
  EXPECT_EQ(v2_keys[2].key, "VMAF_integer_feature_motion3_v2_score_mbf_0.5_mmxv_6");
  for (int frame = 0; frame < 5; ++frame) {
    for (std::size_t key = 0; key < 3; ++key)
      EXPECT_EQ(first.at(frame, key), second.at(frame, key));
  }
}

TEST(MotionV2, IsMeasuredWithMotion) {
  const Options first(motion_metric().options());
  const Options second(motion_v2_metric().options());
  EXPECT_EQ(motion_v2_metric().measured_as(), motion_metric().measured_as());
  EXPECT_EQ(motion_v2_metric().group(second), motion_metric().group(first));
}

}  // namespace
}  // namespace vmafx
