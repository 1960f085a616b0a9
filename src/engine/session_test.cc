#include "vmafx/session.h"

#include <atomic>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Pattern;

constexpr PictureFormat kFormat{64, 48, 8, Chroma::k420};

Picture picture(std::uint64_t seed, const PictureFormat& format = kFormat) {
  return parity::make_picture({format, Pattern::kTexture, seed, 0});
}

// Reference frame i has seed i, distorted frame i seed 1000 + i.
Scores score(const SessionConfig& config, int frames,
             const std::map<std::string, std::string>& motion = {},
             const std::map<std::string, std::string>& psnr = {}) {
  Session session(config);
  EXPECT_TRUE(session.add_metric("motion", motion).ok());
  EXPECT_TRUE(session.add_metric("psnr", psnr).ok());
  for (int i = 0; i < frames; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    EXPECT_TRUE(session.submit(picture(seed), picture(1000 + seed)).ok());
  }
  EXPECT_TRUE(session.finish().ok());
  return session.scores();
}

std::optional<double> value(const Scores& scores, const std::string& key, std::int64_t frame) {
  for (const Column& column : scores.columns) {
    if (column.key != key) continue;
    for (std::size_t row = 0; row < scores.frames.size(); ++row)
      if (scores.frames[row] == frame) return column.values[row];
  }
  return std::nullopt;
}

void expect_equal(const Scores& a, const Scores& b) {
  ASSERT_EQ(a.frames, b.frames);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    EXPECT_EQ(a.columns[c].key, b.columns[c].key);
    EXPECT_EQ(a.columns[c].values, b.columns[c].values);
  }
  EXPECT_EQ(a.aggregates, b.aggregates);
}

TEST(Session, ThreadsDoNotChangeABit) {
  const Scores serial =
      score({.threads = 1}, 40, {{"mffw", "1"}, {"mma", "1"}}, {{"enable_apsnr", "1"}});
  for (const int threads : {2, 3, 8})
    expect_equal(serial, score({.threads = threads}, 40, {{"mffw", "1"}, {"mma", "1"}},
                               {{"enable_apsnr", "1"}}));
}

TEST(Session, SubsamplingLeavesTemporalMetricsAndAggregatesAlone) {
  const Scores all = score({.threads = 2}, 20, {}, {{"enable_apsnr", "1"}});
  const Scores some = score({.threads = 2, .subsample = 3}, 20, {}, {{"enable_apsnr", "1"}});
  EXPECT_EQ(some.frames, (std::vector<std::int64_t>{0, 3, 6, 9, 12, 15, 18}));
  for (const std::int64_t frame : some.frames) {
    EXPECT_EQ(value(some, "integer_motion2", frame), value(all, "integer_motion2", frame));
    EXPECT_EQ(value(some, "psnr_y", frame), value(all, "psnr_y", frame));
  }
  EXPECT_EQ(some.aggregates, all.aggregates);
}

TEST(Session, ColumnsStandInRegistrationOrderWithFlushedOnesLast) {
  const Scores scores = score({.threads = 1}, 3);
  std::vector<std::string> keys;
  for (const Column& column : scores.columns) keys.push_back(column.key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"VMAF_integer_feature_motion_sad_score", "psnr_y", "psnr_cb",
                                      "psnr_cr", "integer_motion2", "integer_motion3"}));
}

TEST(Session, ScoresAreThereOnceTheLookaheadIsIn) {
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("motion", {}).ok());
  ASSERT_TRUE(session.submit(picture(0), picture(0)).ok());
  EXPECT_EQ(session.score("integer_motion2", 0).error().code, ErrorCode::kNotYet);
  EXPECT_TRUE(session.score("VMAF_integer_feature_motion_sad_score", 0).ok());
  ASSERT_TRUE(session.submit(picture(1), picture(1)).ok());
  EXPECT_TRUE(session.score("integer_motion2", 0).ok());
  EXPECT_EQ(session.frames_done(), 1);
  EXPECT_EQ(session.score("integer_motion2", 1).error().code, ErrorCode::kNotYet);
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(session.frames_done(), 2);
  EXPECT_EQ(session.score("no_such_key", 0).error().code, ErrorCode::kUsage);
}

TEST(Session, MetricsThatDoNotApplyAreSkippedAndOthersGoOn) {
  const PictureFormat tiny{2, 2, 8, Chroma::k420};
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("motion", {}).ok());
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  ASSERT_TRUE(session.submit(picture(0, tiny), picture(1, tiny)).ok());
  ASSERT_TRUE(session.finish().ok());
  const Scores scores = session.scores();
  ASSERT_EQ(scores.skipped.size(), 1u);
  EXPECT_EQ(scores.skipped[0].name, "motion");
  EXPECT_EQ(scores.skipped[0].reason, "motion needs pictures of at least 3x3, these are 2x2");
  EXPECT_TRUE(value(scores, "psnr_y", 0).has_value());
}

TEST(Session, NothingApplicableIsAnError) {
  const PictureFormat tiny{2, 2, 8, Chroma::k420};
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("motion", {}).ok());
  EXPECT_EQ(session.submit(picture(0, tiny), picture(1, tiny)).error().code,
            ErrorCode::kNotApplicable);
}

TEST(Session, SameMetricTwiceIsOneAndSharedKeysAreWrittenOnce) {
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  ASSERT_TRUE(session.add_metric("psnr", {{"enable_chroma", "true"}}).ok());
  ASSERT_TRUE(session.add_metric("psnr", {{"enable_mse", "true"}}).ok());
  ASSERT_TRUE(session.submit(picture(0), picture(1)).ok());
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(session.scores().columns.size(), 6u);
}

TEST(Session, ErrorsOfUse) {
  Session session({.threads = 1});
  EXPECT_EQ(session.add_metric("psnrr", {}).error().message, "there is no metric \"psnrr\"");
  EXPECT_EQ(session.add_metric("psnr", {{"bogus", "1"}}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(session.submit(picture(0), picture(1)).error().message,
            "no metric and no model was asked for");
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  ASSERT_TRUE(session.submit(picture(0), picture(1)).ok());
  EXPECT_EQ(session.add_metric("motion", {}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(session.submit(picture(0), picture(1, {64, 50, 8, Chroma::k420})).error().code,
            ErrorCode::kMismatch);
  EXPECT_TRUE(session.finish().ok());
  EXPECT_FALSE(session.submit(picture(0), picture(1)).ok());

  Session empty({});
  ASSERT_TRUE(empty.add_metric("psnr", {}).ok());
  EXPECT_EQ(empty.finish().error().code, ErrorCode::kNoFrames);
}

TEST(Session, IdenticalFramesAreMarked) {
  Session session({.threads = 2});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  ASSERT_TRUE(session.submit(picture(0), picture(0)).ok());
  ASSERT_TRUE(session.submit(picture(1), picture(2)).ok());
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(session.scores().identical, (std::vector<bool>{true, false}));
}

TEST(Session, SubmittingHoldsNoMoreThanTheStatedNumberOfFrames) {
  // A picture counts itself alive through its owner.
  std::atomic<int> alive{0};
  int most = 0;
  Session session({.threads = 2});
  ASSERT_TRUE(session.add_metric("motion", {}).ok());
  for (int i = 0; i < 60; ++i) {
    const auto counted = [&](std::uint64_t seed) {
      const Picture p = picture(seed);
      ++alive;
      const std::shared_ptr<const void> owner(new Picture(p), [&](const Picture* held) {
        delete held;
        --alive;
      });
      return Picture(p.format(), {p.plane(0), p.plane(1), p.plane(2)}, owner);
    };
    ASSERT_TRUE(session.submit(counted(static_cast<std::uint64_t>(i)), counted(1)).ok());
    most = std::max(most, alive.load());
  }
  ASSERT_TRUE(session.finish().ok());
  // Pairs in flight, and the history that the next measurement needs (2 frames of the reference, 1
  // of the distorted stream).
  EXPECT_LE(most, 2 * session.max_in_flight() + 3);
}

// A model whose score depends on adm3 alone.
Model adm3_model() {
  const std::string path = testing::TempDir() + "/adm3_model.json";
  std::ofstream(path) << R"({"model_dict": {"model_type": "LIBSVMNUSVR", "norm_type": "none",
      "feature_names": ["VMAF_integer_feature_adm3_score"],
      "model": "svm_type nu_svr\nkernel_type rbf\ngamma 1\nrho 0\ntotal_sv 1\nSV\n1 1:0\n"}})";
  auto model = load_model({.path = path});
  EXPECT_TRUE(model.ok());
  return *std::move(model);
}

TEST(Session, AModelReadsItsOwnMetricWhereAnotherHasTheSameKey) {
  const auto score = [](bool with_other) {
    Session session({.threads = 1});
    // Without aim, adm3 has another value under the same key.
    if (with_other) {
      EXPECT_TRUE(session.add_metric("adm", {{"adm_skip_aim", "true"}}).ok());
    }
    EXPECT_TRUE(session.add_model(adm3_model()).ok());
    EXPECT_TRUE(session.submit(picture(0), picture(1)).ok());
    EXPECT_TRUE(session.finish().ok());
    return session.scores();
  };
  const Scores alone = score(false);
  const Scores both = score(true);
  ASSERT_NE(value(alone, "integer_adm3", 0), value(both, "integer_adm3", 0));
  EXPECT_EQ(value(alone, "vmaf", 0), value(both, "vmaf", 0));
}

TEST(Session, AnyNumberOfThreadsIsTaken) {
  const Session all({.threads = -1});
  EXPECT_GE(all.threads(), 1);
  const Session most({.threads = std::numeric_limits<int>::max()});
  EXPECT_EQ(most.threads(), kMaxThreads);
  EXPECT_GT(most.max_in_flight(), kMaxThreads);
}

TEST(Session, FinishingAgainGivesTheSameError) {
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  EXPECT_EQ(session.finish().error().code, ErrorCode::kNoFrames);
  EXPECT_EQ(session.finish().error().code, ErrorCode::kNoFrames);
}

TEST(Session, PicturesThatCannotBeReadAreRefused) {
  const PictureFormat deep{64, 48, 10, Chroma::k420};
  const Picture good = picture(0, deep);
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  const Picture no_chroma(deep, {good.plane(0), Picture::Plane{}, good.plane(2)}, nullptr);
  EXPECT_EQ(session.submit(good, no_chroma).error().message,
            "the distorted picture has no samples in plane 1");
  const Picture::Plane odd{good.plane(0).data, 129};
  const Picture odd_stride(deep, {odd, good.plane(1), good.plane(2)}, nullptr);
  EXPECT_EQ(session.submit(odd_stride, good).error().message,
            "the reference has a stride of 129 bytes in plane 0, but samples of 2");
  EXPECT_TRUE(session.submit(good, good).ok());
}

TEST(Session, DestroyedEarlyItNeitherHangsNorCrashes) {
  for (int i = 0; i < 20; ++i) {
    Session session({.threads = 3});
    ASSERT_TRUE(session.add_metric("motion", {}).ok());
    ASSERT_TRUE(session.submit(picture(0), picture(1)).ok());
    ASSERT_TRUE(session.submit(picture(2), picture(3)).ok());
  }
}

TEST(Session, FramesAreHandedOnInOrderAndNoLaterThanPromised) {
  for (const int threads : {1, 3}) {
    std::vector<std::int64_t> frames;
    std::vector<double> motion2;
    SessionConfig config{.threads = threads};
    config.on_frame = [&](const FrameScores& scores) {
      ASSERT_EQ(scores.keys.size(), scores.values.size());
      frames.push_back(scores.frame);
      for (std::size_t k = 0; k < scores.keys.size(); ++k)
        if (scores.keys[k] == "integer_motion2_mffw") motion2.push_back(scores.values[k]);
    };
    Session session(config);
    ASSERT_TRUE(session.add_metric("motion", {{"mffw", "true"}}).ok());
    ASSERT_TRUE(session.add_metric("psnr", {}).ok());
    for (int i = 0; i < 12; ++i) {
      ASSERT_TRUE(session.submit(picture(static_cast<std::uint64_t>(i)), picture(50)).ok());
      if (threads > 1) continue;
      EXPECT_EQ(session.delay(), 2);
      EXPECT_GE(static_cast<int>(frames.size()), i + 1 - session.delay());
    }
    ASSERT_TRUE(session.finish().ok());
    ASSERT_EQ(frames.size(), 12u);
    ASSERT_EQ(motion2.size(), 12u);
    for (int i = 0; i < 12; ++i) {
      EXPECT_EQ(frames[static_cast<std::size_t>(i)], i);
      EXPECT_EQ(value(session.scores(), "integer_motion2_mffw", i),
                motion2[static_cast<std::size_t>(i)]);
    }
  }
}

TEST(Session, EncodesAreHandedOnSeparately) {
  std::vector<std::pair<int, std::int64_t>> handed;
  SessionConfig config{.threads = 2, .subsample = 2, .encodes = 2};
  config.on_frame = [&](const FrameScores& scores) {
    handed.emplace_back(scores.encode, scores.frame);
    EXPECT_EQ(scores.identical, scores.encode == 0);
  };
  Session session(config);
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  for (std::uint64_t i = 0; i < 4; ++i) {
    const std::vector<Picture> encodes = {picture(i), picture(100 + i)};
    ASSERT_TRUE(session.submit(picture(i), encodes).ok());
  }
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(handed, (std::vector<std::pair<int, std::int64_t>>{{0, 0}, {1, 0}, {0, 2}, {1, 2}}));
}

TEST(Session, CancelEndsItAndKeepsWhatIsDone) {
  Session session({.threads = 1});
  session.cancel();
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  EXPECT_EQ(session.submit(picture(0), picture(1)).error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(session.finish().error().code, ErrorCode::kInterrupted);

  Session later({.threads = 2});
  ASSERT_TRUE(later.add_metric("psnr", {}).ok());
  ASSERT_TRUE(later.submit(picture(0), picture(1)).ok());
  ASSERT_TRUE(later.score("psnr_y", 0).ok());
  std::thread other([&] { later.cancel(); });
  other.join();
  EXPECT_EQ(later.submit(picture(0), picture(1)).error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(later.finish().error().code, ErrorCode::kInterrupted);
  EXPECT_TRUE(later.score("psnr_y", 0).ok());
  EXPECT_EQ(later.frames_done(), 1);
}

TEST(Session, CancelFromTheFrameCallback) {
  Session* running = nullptr;
  SessionConfig config{.threads = 2};
  config.on_frame = [&](const FrameScores& scores) {
    if (scores.frame == 2) running->cancel();
  };
  Session session(config);
  running = &session;
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  Status status;
  for (std::uint64_t i = 0; i < 100 && status; ++i) status = session.submit(picture(i), picture(1));
  EXPECT_EQ(session.finish().error().code, ErrorCode::kInterrupted);
  EXPECT_GE(session.frames_done(), 3);
}

TEST(Session, SamplesAboveTheDepthAreRefusedAndDoNotCountAsAFrame) {
  const PictureFormat deep{16, 16, 10, Chroma::k420};
  std::vector<std::uint16_t> samples(16 * 16 * 3, 1023);
  const auto wrap = [&] {
    const auto* bytes = reinterpret_cast<const std::byte*>(samples.data());
    return Picture(deep, {{{bytes, 32}, {bytes, 16}, {bytes, 16}}}, nullptr);
  };
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  ASSERT_TRUE(session.submit(wrap(), wrap()).ok());
  const Picture good = picture(1, deep);
  samples[17] = 1024;
  const Status status = session.submit(good, wrap());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(status.error().message,
            "the distorted picture: frame 1, luma row 1, column 1 holds 1024, but the largest "
            "10-bit sample is 1023");
  ASSERT_TRUE(session.submit(good, good).ok());
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(session.frames_done(), 2);
}

TEST(Session, SaysWhichMetricsValuesAreLeftOut) {
  std::vector<std::string> lines;
  SessionConfig config{.threads = 1};
  config.log = [&](LogLevel level, std::string_view line) {
    EXPECT_EQ(level, LogLevel::kWarning);
    lines.emplace_back(line);
  };
  Session session(config);
  ASSERT_TRUE(session.add_metric("psnr", {{"enable_chroma", "false"}}).ok());
  ASSERT_TRUE(session.add_metric("psnr", {{"enable_chroma", "false"}, {"min_sse", "1"}}).ok());
  ASSERT_TRUE(session.submit(picture(0), picture(1)).ok());
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "psnr is left out: an earlier request has values of the same key, psnr_y"}));
}

TEST(Session, KeepsOnlyThePicturesThatMetricsLookBackAt) {
  const auto kept = [](const std::map<std::string, std::string>& motion, bool temporal) {
    Session session({.threads = 1});
    EXPECT_TRUE(session.add_metric("psnr", {}).ok());
    if (temporal) {
      EXPECT_TRUE(session.add_metric("motion", motion).ok());
    }
    std::vector<std::weak_ptr<int>> owners;
    const auto watched = [&](std::uint64_t seed) {
      const Picture content = picture(seed);
      const auto owner = std::shared_ptr<int>(new int(0), [content](const int* p) { delete p; });
      owners.push_back(owner);
      return Picture(kFormat, {content.plane(0), content.plane(1), content.plane(2)}, owner);
    };
    for (std::uint64_t i = 0; i < 6; ++i)
      EXPECT_TRUE(session.submit(watched(2 * i), watched(2 * i + 1)).ok());
    int alive = 0;
    for (const auto& owner : owners) alive += owner.expired() ? 0 : 1;
    EXPECT_EQ(alive, session.pictures_kept());
    return alive;
  };
  EXPECT_EQ(kept({}, false), 0);
  EXPECT_EQ(kept({}, true), 1);
  EXPECT_EQ(kept({{"mffw", "1"}}, true), 2);
}

TEST(Session, AFirstPairThatIsRefusedLeavesItOpen) {
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  const Picture other = picture(0, {64, 48, 10, Chroma::k420});
  EXPECT_EQ(session.submit(picture(0), other).error().code, ErrorCode::kMismatch);
  ASSERT_TRUE(session.add_metric("motion", {}).ok());
  ASSERT_TRUE(session.submit(other, other).ok());
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(session.frames_done(), 1);

  Session empty({.threads = 2});
  ASSERT_TRUE(empty.add_metric("psnr", {{"enable_apsnr", "true"}}).ok());
  EXPECT_FALSE(empty.submit(picture(0), other).ok());
  EXPECT_EQ(empty.finish().error().code, ErrorCode::kNoFrames);
}

TEST(Session, PrepareSaysWhatWillBeMeasured) {
  Session session({.threads = 2});
  EXPECT_EQ(session.prepare(kFormat).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(session.add_metric("motion", {{"mffw", "1"}}).ok());
  EXPECT_TRUE(session.keys().empty());
  ASSERT_TRUE(session.prepare(kFormat).ok());
  ASSERT_TRUE(session.prepare(kFormat).ok());
  EXPECT_EQ(session.delay(), 2);
  EXPECT_EQ(session.pictures_kept(), 2);
  EXPECT_EQ(session.keys().back(), "integer_motion3_mffw");
  EXPECT_EQ(session.prepare({64, 48, 10, Chroma::k420}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(session.add_metric("psnr", {}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(session.finish().error().code, ErrorCode::kNoFrames);
}

TEST(Session, NoPictureIsLookedAtOnceItIsFinishedByCancel) {
  for (int round = 0; round < 20; ++round) {
    auto samples = std::make_unique<std::vector<std::byte>>(PictureFormat{640, 360}.tight_bytes());
    const std::byte* const luma = samples->data();
    const Picture unowned({640, 360}, {{{luma, 640}, {luma + 230400, 320}, {luma + 288000, 320}}},
                          nullptr);
    Session session({.threads = 3});
    ASSERT_TRUE(session.add_model(*load_model({.version = "vmaf_v0.6.1"})).ok());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(session.submit(unowned, unowned).ok());
    session.cancel();
    EXPECT_EQ(session.finish().error().code, ErrorCode::kInterrupted);
    samples.reset();  // asan would see a worker that still reads
  }
}

TEST(Session, CancelIsTheSameFromOutsideOfRun) {
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  session.cancel();
  EXPECT_EQ(session.finish().error().code, ErrorCode::kInterrupted);
}

TEST(Session, MotionThatIsForcedToZeroWaitsForNoFrame) {
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("motion", {{"motion_force_zero", "true"}}).ok());
  ASSERT_TRUE(session.submit(picture(0), picture(1)).ok());
  EXPECT_EQ(session.delay(), 0);
  EXPECT_EQ(session.frames_done(), 1);
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(value(session.scores(), "integer_motion3_force_0", 0), 0);
}

}  // namespace
}  // namespace vmafx
