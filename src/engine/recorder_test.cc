// Recordings of parts of a pair fold into the scores of the whole, whatever the parts.
#include <gtest/gtest.h>

#include "metrics/parity_harness.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

constexpr PictureFormat kFormat{192, 176, 8, Chroma::k420};
constexpr std::int64_t kFrames = 23;

Picture picture(std::uint64_t seed) {
  return parity::make_picture({kFormat, parity::Pattern::kTexture, seed, 0});
}
Picture reference(std::int64_t frame) { return picture(static_cast<std::uint64_t>(frame)); }
Picture distorted(std::int64_t frame) { return picture(1000 + static_cast<std::uint64_t>(frame)); }

// Temporal metrics of every window, one that counts in frame order, and one that holds doubles.
Session make_session(SessionConfig config) {
  Session session(config);
  EXPECT_TRUE(session.add_metric("motion", {}).ok());
  EXPECT_TRUE(session.add_metric("motion", {{"mffw", "1"}, {"mma", "1"}}).ok());
  EXPECT_TRUE(session.add_metric("speed_temporal", {}).ok());
  EXPECT_TRUE(session.add_metric("psnr", {{"enable_apsnr", "1"}}).ok());
  EXPECT_TRUE(session.add_metric("vif", {}).ok());
  EXPECT_TRUE(session.add_metric("ciede", {}).ok());
  return session;
}

Recording record(std::int64_t first, std::int64_t count, int subsample = 1) {
  Session session = make_session({.threads = 2, .subsample = subsample, .record_from = first});
  for (std::int64_t n = std::max<std::int64_t>(0, first - kLookBack); n < first + count; ++n)
    EXPECT_TRUE(session.submit(reference(n), distorted(n)).ok());
  EXPECT_TRUE(session.finish().ok());
  Recording recording = session.take_recording();
  recording.source = "part" + std::to_string(first);
  return recording;
}

std::vector<Recording> record_in_parts(std::int64_t size, int subsample = 1) {
  std::vector<Recording> parts;
  for (std::int64_t first = 0; first < kFrames; first += size)
    parts.push_back(record(first, std::min(size, kFrames - first), subsample));
  return parts;
}

Scores whole(int subsample = 1) {
  Session session = make_session({.threads = 1, .subsample = subsample});
  for (std::int64_t n = 0; n < kFrames; ++n)
    EXPECT_TRUE(session.submit(reference(n), distorted(n)).ok());
  EXPECT_TRUE(session.finish().ok());
  return session.scores();
}

Scores merged(const std::vector<Recording>& parts, int subsample = 1) {
  Session session = make_session({.subsample = subsample});
  EXPECT_TRUE(session.replay(kFormat, parts).ok());
  EXPECT_TRUE(session.finish().ok());
  return session.scores();
}

Error refusal(const std::vector<Recording>& parts) {
  Session session = make_session({});
  const Status status = session.replay(kFormat, parts);
  EXPECT_FALSE(status.ok());
  return status.ok() ? Error{} : status.error();
}

void expect_same(const Scores& a, const Scores& b) {
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.identical, b.identical);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    EXPECT_EQ(a.columns[c].key, b.columns[c].key);
    EXPECT_EQ(a.columns[c].values, b.columns[c].values) << a.columns[c].key;
  }
  EXPECT_EQ(a.aggregates, b.aggregates);
}

TEST(Recorder, PartsOfAnySizeMergeIntoTheWhole) {
  const Scores expected = whole();
  for (const std::int64_t size : {1, 2, 3, 7, 64}) {
    SCOPED_TRACE(size);
    std::vector<Recording> parts = record_in_parts(size);
    expect_same(merged(parts), expected);
    std::reverse(parts.begin(), parts.end());
    expect_same(merged(parts), expected);
  }
}

TEST(Recorder, SubsampledPartsMergeToo) { expect_same(merged(record_in_parts(7, 3), 3), whole(3)); }

TEST(Recorder, OverlapsThatAgreeAreTaken) {
  std::vector<Recording> parts = record_in_parts(7);
  parts.push_back(record(3, 9));
  parts.push_back(record(0, 23));
  expect_same(merged(parts), whole());
}

TEST(Recorder, GapsAreNamed) {
  std::vector<Recording> parts = record_in_parts(7);
  parts.erase(parts.begin() + 1);
  EXPECT_EQ(refusal(parts).message, "no recording holds frames 7 to 13");
  EXPECT_EQ(refusal({record(2, 3)}).message, "no recording holds frames 0 to 1");
}

TEST(Recorder, OverlapsThatDisagreeAreNamed) {
  std::vector<Recording> parts = record_in_parts(7);
  Recording other = record(5, 4);
  other.records.back() ^= std::byte{1};
  other.source = "other";
  parts.push_back(other);
  EXPECT_EQ(refusal(parts).message, "other and part7 hold different measurements of frame 8");
}

TEST(Recorder, OtherPlansAreRefused) {
  Recording recording = record(0, 4);
  recording.plan += ", more";
  EXPECT_EQ(refusal({recording}).code, ErrorCode::kMismatch);
  EXPECT_EQ(refusal({record(0, 4, 2)}).code, ErrorCode::kMismatch);
}

TEST(Recorder, ShortRecordsAreRefused) {
  Recording recording = record(0, 4);
  recording.records.pop_back();
  EXPECT_EQ(refusal({recording}).message, "part0 is damaged");
}

TEST(Recorder, NoRecordingIsNoFrame) {
  Session session = make_session({});
  EXPECT_EQ(session.replay(kFormat, {}).error().code, ErrorCode::kNoFrames);
}

TEST(Recorder, ASessionReplaysOnceAndNothingElse) {
  Session session = make_session({});
  ASSERT_TRUE(session.replay(kFormat, {record(0, 4)}).ok());
  EXPECT_EQ(session.replay(kFormat, {record(0, 4)}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(session.submit(reference(0), distorted(0)).error().code, ErrorCode::kUsage);
  EXPECT_TRUE(session.finish().ok());
  EXPECT_EQ(session.scores().frames.size(), 4u);

  Session failed = make_session({});
  EXPECT_FALSE(failed.replay(kFormat, {record(2, 2)}).ok());
  EXPECT_EQ(failed.finish().error().code, ErrorCode::kNoFrames);
  EXPECT_EQ(failed.replay(kFormat, {record(0, 4)}).error().code, ErrorCode::kUsage);
}

TEST(Recorder, FramesAreCountedFromZero) {
  Session session = make_session({.record_from = -1});
  EXPECT_EQ(session.submit(reference(0), distorted(0)).error().code, ErrorCode::kUsage);
}

TEST(Session, EncodesSideBySideScoreAsTheyDoAlone) {
  constexpr int kEncodes = 3;
  const auto encode = [](std::int64_t frame, int e) {
    return picture(1000 * static_cast<std::uint64_t>(e + 1) + static_cast<std::uint64_t>(frame));
  };
  for (const int threads : {1, 3}) {
    Session together = make_session({.threads = threads, .encodes = kEncodes});
    for (std::int64_t n = 0; n < kFrames; ++n) {
      std::vector<Picture> pictures;
      for (int e = 0; e < kEncodes; ++e) pictures.push_back(encode(n, e));
      ASSERT_TRUE(together.submit(reference(n), pictures).ok());
    }
    ASSERT_TRUE(together.finish().ok());
    for (int e = 0; e < kEncodes; ++e) {
      Session alone = make_session({.threads = 1});
      for (std::int64_t n = 0; n < kFrames; ++n)
        ASSERT_TRUE(alone.submit(reference(n), encode(n, e)).ok());
      ASSERT_TRUE(alone.finish().ok());
      expect_same(together.scores(e), alone.scores());
      EXPECT_EQ(together.score("psnr_y", 3, e).value(), alone.score("psnr_y", 3).value());
    }
    EXPECT_EQ(together.frames_done(), kFrames);
  }
}

TEST(Session, AsManyPicturesAsEncodes) {
  Session session = make_session({.encodes = 2});
  EXPECT_EQ(session.submit(reference(0), distorted(0)).error().message,
            "1 pictures in a session of 2 encodes");
}

}  // namespace
}  // namespace vmafx
