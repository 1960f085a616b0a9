// The same inputs give the same bits for every number of threads, instruction set, read-ahead and
// repeat.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/clipgen/distort.h"
#include "tools/clipgen/scene.h"
#include "tools/clipgen/y4m_writer.h"
#include "vmafx/catalog.h"
#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using clipgen::Distortion;

constexpr int kFrames = 9;

struct Clip {
  std::vector<Picture> reference;
  std::vector<Picture> distorted;
};

Picture to_picture(const clipgen::Frame& frame) {
  const PictureFormat& format = frame.format;
  auto samples = std::make_shared<std::vector<std::byte>>(format.tight_bytes());
  std::array<Picture::Plane, 3> planes{};
  std::byte* out = samples->data();
  const int size = format.bytes_per_sample();
  for (int plane = 0; plane < format.planes(); ++plane) {
    planes[static_cast<std::size_t>(plane)] = {out,
                                               std::ptrdiff_t{format.plane_width(plane)} * size};
    for (const std::uint16_t sample : frame.planes[static_cast<std::size_t>(plane)]) {
      if (size == 1) {
        *out = static_cast<std::byte>(sample);
      } else {
        std::memcpy(out, &sample, sizeof(sample));
      }
      out += size;
    }
  }
  return {format, planes, samples};
}

Clip make_clip(const PictureFormat& format) {
  clipgen::Scene scene({.format = format, .motion = clipgen::Motion::kCuts, .cut_interval = 4});
  Clip clip;
  for (int n = 0; n < kFrames; ++n) {
    clipgen::Frame frame = scene.render(n);
    clip.reference.push_back(to_picture(frame));
    distort(frame, n % 2 == 0 ? Distortion::kBlur : Distortion::kBlocks, 3, n, 1);
    clip.distorted.push_back(to_picture(frame));
  }
  return clip;
}

void add_everything(Session& session) {
  for (const MetricInfo& metric : list_metrics()) {
    const Status status = session.add_metric(metric.name, {});
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
  for (const std::string_view version : builtin_models()) {
    const auto model = load_model({.version = std::string(version), .name = std::string(version)});
    ASSERT_TRUE(model.ok()) << model.error().message;
    const Status status = session.add_model(*model);
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
}

Scores score(const Clip& clip, int threads) {
  Session session({.threads = threads});
  add_everything(session);
  for (std::size_t n = 0; n < clip.reference.size(); ++n) {
    const Status status = session.submit(clip.reference[n], clip.distorted[n]);
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
  const Status status = session.finish();
  EXPECT_TRUE(status.ok()) << status.error().message;
  return session.scores();
}

void expect_same_bits(const Scores& a, const Scores& b, const std::string& what) {
  ASSERT_EQ(a.frames, b.frames) << what;
  ASSERT_EQ(a.columns.size(), b.columns.size()) << what;
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    ASSERT_EQ(a.columns[c].key, b.columns[c].key) << what;
    for (std::size_t i = 0; i < a.columns[c].values.size(); ++i) {
      const auto& x = a.columns[c].values[i];
      const auto& y = b.columns[c].values[i];
      ASSERT_EQ(x.has_value(), y.has_value()) << what << " " << a.columns[c].key << " frame " << i;
      if (!x) continue;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(*x), std::bit_cast<std::uint64_t>(*y))
          << what << " " << a.columns[c].key << " frame " << i << ": " << *x << " and " << *y;
    }
  }
  EXPECT_EQ(a.aggregates, b.aggregates) << what;
}

const PictureFormat kFormats[] = {
    {.width = 322, .height = 182, .bit_depth = 8, .chroma = Chroma::k420},
    {.width = 241, .height = 135, .bit_depth = 10, .chroma = Chroma::k422},
    {.width = 192, .height = 109, .bit_depth = 16, .chroma = Chroma::k444},
};

class SameBits : public ::testing::TestWithParam<PictureFormat> {};

TEST_P(SameBits, ForEveryNumberOfThreadsAndOnARepeat) {
  const Clip clip = make_clip(GetParam());
  const Scores one = score(clip, 1);
  EXPECT_FALSE(one.columns.empty());
  for (const int threads : {1, 2, 3, 8}) {
    expect_same_bits(one, score(clip, threads), std::to_string(threads) + " threads");
  }
}

TEST_P(SameBits, ForEveryInstructionSet) {
  const Clip clip = make_clip(GetParam());
  const Scores best = score(clip, 2);
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
    expect_same_bits(best, score(clip, 2), target);
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
