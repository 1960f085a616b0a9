// The same inputs give the same bits for every number of threads, instruction set, read-ahead and
// repeat.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/scored_clip.h"
#include "tools/clipgen/distort.h"
#include "tools/clipgen/scene.h"
#include "tools/clipgen/y4m_writer.h"
#include "vmafx/catalog.h"
#include "vmafx/media.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using clipgen::Distortion;
using tests::add_everything;
using tests::Clip;
using tests::expect_same_bits;
using tests::make_clip;
using tests::score;

constexpr int kFrames = 9;

const PictureFormat kFormats[] = {
    {.width = 322, .height = 182, .bit_depth = 8, .chroma = Chroma::k420},
    {.width = 241, .height = 135, .bit_depth = 10, .chroma = Chroma::k422},
    {.width = 192, .height = 109, .bit_depth = 16, .chroma = Chroma::k444},
};

class SameBits : public ::testing::TestWithParam<PictureFormat> {};

TEST_P(SameBits, ForEveryNumberOfThreadsAndOnARepeat) {
  const Clip clip = make_clip(GetParam(), kFrames);
  const Scores one = score(clip, {.threads = 1});
  EXPECT_FALSE(one.columns.empty());
  for (const int threads : {1, 2, 3, 8}) {
    expect_same_bits(one, score(clip, {.threads = threads}), std::to_string(threads) + " threads");
  }
}

TEST_P(SameBits, ForEveryInstructionSet) {
  const Clip clip = make_clip(GetParam(), kFrames);
  const Scores best = score(clip, {.threads = 2});
  // libvmaf's bits from the newest instruction set to the oldest; each step also drops those
  // before.
  std::uint64_t mask = 0;
  std::string last = cpu_info().target;
  int steps = 0;
  for (const std::uint64_t bit : {32U, 16U, 8U, 4U, 2U, 1U}) {
    mask |= bit;
    disable_instruction_sets(mask);
    const std::string target = cpu_info().target;
    if (target == last) continue;
    last = target;
    ++steps;
    expect_same_bits(best, score(clip, {.threads = 2}), target);
  }
  disable_instruction_sets(0);
  if (steps == 0) GTEST_SKIP() << "this machine has no instruction set beyond " << last;
}

INSTANTIATE_TEST_SUITE_P(Formats, SameBits, ::testing::ValuesIn(kFormats), [](const auto& format) {
  return to_string(format.param.chroma) + "At" + std::to_string(format.param.bit_depth);
});

TEST(SameBitsReadAhead, OfFilesReadAheadOrNot) {
  std::string name = ::testing::TempDir() + "vmafx_read_ahead_XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const std::filesystem::path folder = name;
  const std::string reference = (folder / "reference.y4m").string();
  const std::string distorted = (folder / "distorted.y4m").string();
  clipgen::Scene scene({.format = kFormats[0]});
  auto r = clipgen::Y4mWriter::open(reference, kFormats[0], 25, true);
  auto d = clipgen::Y4mWriter::open(distorted, kFormats[0], 25, true);
  ASSERT_TRUE(r.ok() && d.ok());
  for (int n = 0; n < kFrames; ++n) {
    clipgen::Frame frame = scene.render(n);
    ASSERT_TRUE(r->write(frame).ok());
    distort(frame, Distortion::kNoise, 6, n, 1);
    ASSERT_TRUE(d->write(frame).ok());
  }
  ASSERT_TRUE(r->close().ok() && d->close().ok());
  Scores first;
  for (const int read_ahead : {0, 1, 2, 7}) {
    auto a = open_source({.path = reference, .read_ahead = read_ahead});
    auto b = open_source({.path = distorted, .read_ahead = read_ahead});
    ASSERT_TRUE(a.ok() && b.ok());
    Session session({.threads = 2});
    add_everything(session);
    const auto summary = run(**a, **b, session, {});
    ASSERT_TRUE(summary.ok()) << summary.error().message;
    EXPECT_EQ(summary->frames, kFrames);
    if (read_ahead == 0) {
      first = session.scores();
    } else {
      expect_same_bits(first, session.scores(), "read-ahead " + std::to_string(read_ahead));
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vmafx
