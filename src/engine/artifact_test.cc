// Maps reach their taker in frame order, whatever the threads.
#include <gtest/gtest.h>

#include "metrics/parity_harness.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

constexpr PictureFormat kFormat{216, 216, 8, Chroma::k420};
constexpr int kFrames = 6;

Picture picture(int seed) {
  return parity::make_picture(
      {kFormat, parity::Pattern::kBars, static_cast<std::uint64_t>(seed), 0});
}

struct Taken {
  int encode;
  std::string file;
  std::vector<std::byte> bytes;
  bool operator==(const Taken&) const = default;
};

std::vector<Taken> take_maps(int threads) {
  std::vector<Taken> taken;
  SessionConfig config{.threads = threads, .encodes = 2};
  config.on_artifact = [&](const Artifact& artifact, int encode) {
    taken.push_back({encode, artifact.file, artifact.bytes});
    return Status();
  };
  Session session(config);
  EXPECT_TRUE(session.add_metric("cambi", {{"heatmaps_path", "maps"}}).ok());
  EXPECT_TRUE(session.add_metric("psnr", {}).ok());
  for (int n = 0; n < kFrames; ++n) {
    const Picture distorted[] = {picture(n), picture(100 + n)};
    EXPECT_TRUE(session.submit(picture(n), distorted).ok());
  }
  EXPECT_TRUE(session.finish().ok());
  return taken;
}

TEST(Artifacts, ComeInOrderFromAnyNumberOfThreads) {
  const std::vector<Taken> serial = take_maps(1);
  ASSERT_EQ(serial.size(), static_cast<std::size_t>(kFrames * 2 * 5));
  EXPECT_EQ(serial[0].encode, 0);
  EXPECT_EQ(serial[5].encode, 1);
  EXPECT_EQ(serial[5].file, serial[0].file);
  for (const int threads : {2, 5}) EXPECT_EQ(take_maps(threads), serial);
}

TEST(Artifacts, ThatNobodyTakesEndTheRun) {
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("cambi", {{"heatmaps_path", "maps"}}).ok());
  EXPECT_EQ(session.submit(picture(1), picture(2)).error().code, ErrorCode::kUsage);
}

TEST(Artifacts, ThatCannotBeTakenEndTheRun) {
  SessionConfig config{.threads = 2};
  config.on_artifact = [](const Artifact&, int) {
    return Status(Error{ErrorCode::kIo, "the disk is full", {}});
  };
  Session session(config);
  ASSERT_TRUE(session.add_metric("cambi", {{"heatmaps_path", "maps"}}).ok());
  for (int n = 0; n < kFrames; ++n)
    if (!session.submit(picture(n), picture(n))) break;
  EXPECT_EQ(session.finish().error().message, "the disk is full");
}

}  // namespace
}  // namespace vmafx
