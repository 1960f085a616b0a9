// What other engines got wrong in public, each with the right behaviour. The ids are those of the
// project's list of known bugs; N#123 is issue or pull request 123 of Netflix/vmaf.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "media/media_testing.h"
#include "metrics/parity_harness.h"
#include "vmafx/catalog.h"
#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/report.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using media_testing::Folder;
using parity::Pattern;

Picture textured(const PictureFormat& format, std::uint64_t seed) {
  return parity::make_picture({format, Pattern::kTexture, seed, 0});
}

// A picture of one value, with a square of another in its middle that covers a fraction of it.
Picture flat_with_square(const PictureFormat& format, std::uint32_t value, std::uint32_t inside,
                         int side) {
  std::array<Picture::Plane, 3> planes{};
  const auto bytes = std::make_shared<std::vector<std::byte>>(format.tight_bytes());
  std::size_t at = 0;
  for (int p = 0; p < format.planes(); ++p) {
    const int width = format.plane_width(p);
    const int height = format.plane_height(p);
    const int sample_bytes = format.bytes_per_sample();
    planes[static_cast<std::size_t>(p)] = {bytes->data() + at,
                                           static_cast<std::ptrdiff_t>(width) * sample_bytes};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool in = p == 0 && x < side && y < side;
        const std::uint32_t sample = in ? inside : value;
        for (int b = 0; b < sample_bytes; ++b)
          (*bytes)[at++] = static_cast<std::byte>(sample >> (8 * b));
      }
  }
  return Picture(format, planes, bytes);
}

std::optional<double> value(const Scores& scores, const std::string& key, std::size_t row) {
  for (const Column& column : scores.columns)
    if (column.key == key && row < column.values.size()) return column.values[row];
  return std::nullopt;
}

Model model(const std::string& version) {
  auto loaded = load_model({.version = version});
  EXPECT_TRUE(loaded.ok()) << version;
  return *std::move(loaded);
}

// Scores of a model and of PSNR over two files.
Result<Scores> score_files(const SourceOptions& reference_options,
                           const SourceOptions& distorted_options,
                           const std::vector<std::string>& metrics, bool with_model) {
  auto reference = open_source(reference_options);
  if (!reference) return reference.error();
  auto distorted = open_source(distorted_options);
  if (!distorted) return distorted.error();
  Session session({.threads = 2});
  for (const std::string& metric : metrics) EXPECT_TRUE(session.add_metric(metric, {}).ok());
  if (with_model) {
    EXPECT_TRUE(session.add_model(model("vmaf_v0.6.1")).ok());
  }
  const auto summary = run(**reference, **distorted, session, {});
  if (!summary) return summary.error();
  return session.scores();
}

std::string y4m(const PictureFormat& format, const std::string& tag, int frames, int first = 0) {
  std::string bytes = "YUV4MPEG2 W" + std::to_string(format.width) + " H" +
                      std::to_string(format.height) + " F25:1 " + tag + "\n";
  for (int n = 0; n < frames; ++n) bytes += "FRAME\n" + media_testing::raw_frame(format, first + n);
  return bytes;
}

void expect_finite(const Scores& scores) {
  for (const Column& column : scores.columns)
    for (const std::optional<double>& score : column.values)
      EXPECT_TRUE(std::isfinite(score.value_or(0))) << column.key;
}

// Sizes below ADM's smallest: it crashed there (N#1035, N#1098).
TEST(KnownBugs, A1_PicturesTooSmallForAModelKeepTheirOtherMetrics) {
  for (const auto& [width, height] : {std::pair{8, 8}, {16, 16}, {28, 16}}) {
    const PictureFormat format{width, height, 8, Chroma::k420};
    Session session({.threads = 2});
    ASSERT_TRUE(session.add_model(model("vmaf_v0.6.1")).ok());
    for (const char* metric : {"psnr", "float_adm"})
      ASSERT_TRUE(session.add_metric(metric, {}).ok());
    for (std::uint64_t n = 0; n < 3; ++n)
      ASSERT_TRUE(session.submit(textured(format, n), textured(format, 9 + n)).ok());
    ASSERT_TRUE(session.finish().ok());
    const Scores scores = session.scores();
    for (const char* key : {"vmaf", "adm2"})
      EXPECT_FALSE(value(scores, key, 0).has_value()) << to_string(format);
    for (const char* name : {"vmaf", "float_adm"}) {
      bool is_skipped = false;
      for (const Skipped& skipped : scores.skipped)
        is_skipped |= skipped.name == name && !skipped.reason.empty();
      EXPECT_TRUE(is_skipped) << name << " " << to_string(format);
    }
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_TRUE(value(scores, "psnr_y", row).has_value()) << to_string(format);
      EXPECT_TRUE(value(scores, "integer_motion2", row).has_value()) << to_string(format);
    }
    expect_finite(scores);
  }
}

class KnownBugsOddSizes : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  PictureFormat format() const { return {GetParam().first, GetParam().second, 8, Chroma::k420}; }
  void expect_scores(const SourceOptions& reference, const SourceOptions& distorted) const {
    const auto scores = score_files(reference, distorted, {"psnr", "float_adm"}, true);
    ASSERT_TRUE(scores.ok()) << scores.error().message;
    EXPECT_EQ(scores->frames.size(), 3u);
    EXPECT_TRUE(scores->skipped.empty());
    for (const char* key : {"vmaf", "adm2", "psnr_y", "psnr_cb", "psnr_cr"})
      EXPECT_TRUE(value(*scores, key, 2).has_value()) << key;
    expect_finite(*scores);
  }
};

TEST_P(KnownBugsOddSizes, A2_Y4mScores) {
  const Folder folder;
  expect_scores({.path = folder.write("r.y4m", y4m(format(), "C420jpeg", 3))},
                {.path = folder.write("d.y4m", y4m(format(), "C420jpeg", 3, 5))});
}

TEST_P(KnownBugsOddSizes, A3_RawScores) {
  const Folder folder;
  std::string distorted;
  for (int n = 0; n < 3; ++n) distorted += media_testing::raw_frame(format(), 5 + n);
  expect_scores(
      {.path = folder.write("r.yuv", media_testing::raw_frames(format(), 3)), .raw = format()},
      {.path = folder.write("d.yuv", distorted), .raw = format()});
}

INSTANTIATE_TEST_SUITE_P(Sizes, KnownBugsOddSizes,
                         testing::Values(std::pair{17, 17}, std::pair{33, 35}, std::pair{177, 145},
                                         std::pair{177, 144}, std::pair{176, 145}),
                         [](const auto& size) {
                           return std::to_string(size.param.first) + "x" +
                                  std::to_string(size.param.second);
                         });

// N#863 and its family; also raw video without chroma, which the command line refused.
TEST(KnownBugs, A4_GrayVideoHasLumaMetrics) {
  const PictureFormat format{48, 40, 8, Chroma::k400};
  const Folder folder;
  const SourceOptions files[][2] = {
      {{.path = folder.write("r.y4m", y4m(format, "Cmono", 2))},
       {.path = folder.write("d.y4m", y4m(format, "Cmono", 2, 5))}},
      {{.path = folder.write("r.yuv", media_testing::raw_frames(format, 2)), .raw = format},
       {.path = folder.write(
            "d.yuv", media_testing::raw_frame(format, 5) + media_testing::raw_frame(format, 6)),
        .raw = format}}};
  for (const auto& [reference, distorted] : files) {
    const auto scores = score_files(reference, distorted, {"psnr"}, true);
    ASSERT_TRUE(scores.ok()) << scores.error().message;
    EXPECT_TRUE(value(*scores, "vmaf", 1).has_value());
    EXPECT_TRUE(value(*scores, "psnr_y", 1).has_value());
    EXPECT_FALSE(value(*scores, "psnr_cb", 1).has_value());
  }
}

TEST(KnownBugs, A5_Chroma411OfWidthTwoScores) {
  const PictureFormat format{2, 6, 8, Chroma::k411};
  const Folder folder;
  const auto scores =
      score_files({.path = folder.write("r.y4m", y4m(format, "C411", 2))},
                  {.path = folder.write("d.y4m", y4m(format, "C411", 2, 5))}, {"psnr"}, false);
  ASSERT_TRUE(scores.ok()) << scores.error().message;
  EXPECT_TRUE(value(*scores, "psnr_cr", 1).has_value());
}

TEST(KnownBugs, A7_Y4mCutInsideAFrameIsAnError) {
  const PictureFormat format{176, 144, 8, Chroma::k420};
  const Folder folder;
  const std::string whole = y4m(format, "C420jpeg", 4);
  const auto scores =
      score_files({.path = folder.write("r.y4m", whole)},
                  {.path = folder.write("d.y4m", whole.substr(0, 60000))}, {"psnr"}, false);
  ASSERT_FALSE(scores.ok());
  EXPECT_EQ(scores.error().code, ErrorCode::kBadInput);
  EXPECT_NE(scores.error().message.find("d.y4m"), std::string::npos) << scores.error().message;
}

// N#35.
TEST(KnownBugs, A8_ContainerGivenAsRawVideoIsRefused) {
  const Folder folder;
  std::string file = std::string(
      "\0\0\0\x20"
      "ftypisom\0\0\2\0isomiso2avc1mp41",
      32);
  file += std::string(8192, '\x55');
  const auto source =
      media_testing::open_raw(folder.write("clip.yuv", file), {16, 16, 8, Chroma::k420});
  ASSERT_FALSE(source.ok());
  EXPECT_NE(source.error().message.find("clip.yuv"), std::string::npos);
}

TEST(KnownBugs, A14_UnknownOptionsOfAMetricAreErrors) {
  Session session({});
  for (const char* metric : {"vif", "adm", "float_adm", "motion", "psnr"}) {
    const Status status = session.add_metric(metric, {{"bogus", "1"}});
    ASSERT_FALSE(status.ok()) << metric;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_NE(status.error().message.find("bogus"), std::string::npos) << status.error().message;
  }
}

// N#1560: encoders ask for the score of a frame while they go on.
TEST(KnownBugs, A17_ScoreOfAFrameIsThereOnceTheNextOneIsIn) {
  const PictureFormat format{32, 32, 8, Chroma::k420};
  Session session({.threads = 3});
  ASSERT_TRUE(session.add_model(model("vmaf_v0.6.1")).ok());
  std::vector<double> live;
  for (std::uint64_t n = 0; n < 6; ++n) {
    ASSERT_TRUE(session.submit(textured(format, n), textured(format, 50 + n)).ok());
    if (n == 0) continue;
    const auto score = session.score("vmaf", static_cast<std::int64_t>(n) - 1);
    ASSERT_TRUE(score.ok()) << "frame " << n - 1 << ": " << score.error().message;
    live.push_back(*score);
  }
  ASSERT_TRUE(session.finish().ok());
  const Scores scores = session.scores();
  for (std::size_t row = 0; row < live.size(); ++row)
    EXPECT_EQ(value(scores, "vmaf", row), live[row]);
}

// N#371 and others: the first frame has no motion, so a clip against itself is not at 100 there.
// That is the model; the mark says that the samples are the same.
TEST(KnownBugs, A20_AClipAgainstItselfIsMarkedIdentical) {
  const PictureFormat format{64, 64, 8, Chroma::k420};
  Session session({.threads = 2});
  ASSERT_TRUE(session.add_model(model("vmaf_v0.6.1")).ok());
  for (std::uint64_t n = 0; n < 4; ++n)
    ASSERT_TRUE(session.submit(textured(format, n), textured(format, n)).ok());
  ASSERT_TRUE(session.finish().ok());
  const Scores scores = session.scores();
  EXPECT_EQ(scores.identical, std::vector<bool>(4, true));
  EXPECT_LT(value(scores, "vmaf", 0).value(), value(scores, "vmaf", 1).value());
  EXPECT_EQ(value(scores, "vmaf", 1), 100.0);
}

// N#1084: the summary pooled other frames than the file.
TEST(KnownBugs, B11_SubsampledFramesAreThoseThatArePooled) {
  const PictureFormat format{24, 24, 8, Chroma::k420};
  Session session({.threads = 2, .subsample = 10});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  for (std::uint64_t n = 0; n < 75; ++n)
    ASSERT_TRUE(session.submit(textured(format, n), textured(format, 100 + n)).ok());
  ASSERT_TRUE(session.finish().ok());
  const Scores scores = session.scores();
  ASSERT_EQ(scores.frames.size(), 8u);
  double sum = 0;
  for (std::size_t row = 0; row < 8; ++row) sum += value(scores, "psnr_y", row).value();
  for (const Column& column : scores.columns) {
    if (column.key != "psnr_y") continue;
    EXPECT_EQ(pool(column)->mean, sum / 8);
  }
}

// N#712: reads and pooling while frames come in left later reads failing.
TEST(KnownBugs, B16_ReadingAndPoolingDoNotDisturbTheRun) {
  const PictureFormat format{32, 24, 8, Chroma::k420};
  Session disturbed({.threads = 2});
  Session quiet({.threads = 2});
  for (Session* session : {&disturbed, &quiet}) {
    ASSERT_TRUE(session->add_metric("motion", {}).ok());
    ASSERT_TRUE(session->add_metric("psnr", {}).ok());
  }
  for (std::uint64_t n = 0; n < 12; ++n) {
    for (Session* session : {&disturbed, &quiet})
      ASSERT_TRUE(session->submit(textured(format, n), textured(format, 50 + n)).ok());
    for (const Column& column : disturbed.scores().columns) static_cast<void>(pool(column));
    if (n == 0) continue;
    EXPECT_TRUE(disturbed.score("integer_motion2", static_cast<std::int64_t>(n) - 1).ok());
  }
  ASSERT_TRUE(disturbed.finish().ok());
  ASSERT_TRUE(quiet.finish().ok());
  const Scores a = disturbed.scores();
  const Scores b = quiet.scores();
  EXPECT_EQ(a.frames, b.frames);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    EXPECT_EQ(a.columns[c].key, b.columns[c].key);
    EXPECT_EQ(a.columns[c].values, b.columns[c].values);
  }
}

// N#892 failed now and then ("cannot be overwritten"), and a table that the first frames filled
// raced (B29): many short runs are many first frames.
TEST(KnownBugs, B17_B29_ManyThreadsFromTheFirstFrameOn) {
  const PictureFormat format{32, 32, 8, Chroma::k420};
  std::vector<std::optional<double>> first;
  for (int round = 0; round < 20; ++round) {
    Session session({.threads = 8});
    ASSERT_TRUE(session.add_model(model("vmaf_v0.6.1neg")).ok());
    for (std::uint64_t n = 0; n < 10; ++n)
      ASSERT_TRUE(session.submit(textured(format, n), textured(format, 50 + n)).ok());
    ASSERT_TRUE(session.finish().ok());
    std::vector<std::optional<double>> scores;
    for (std::size_t row = 0; row < 10; ++row)
      scores.push_back(value(session.scores(), "vmaf", row));
    if (round == 0) first = scores;
    EXPECT_EQ(scores, first);
  }
}

// N#579: more frames than libvmaf's buffers expected, on very many threads, hung.
TEST(KnownBugs, B19_ManyFramesOnManyThreadsFinish) {
  const PictureFormat format{4, 4, 8, Chroma::k400};
  const Picture reference = textured(format, 1);
  const Picture distorted = textured(format, 2);
  Session session({.threads = 128});
  ASSERT_TRUE(session.add_metric("motion", {}).ok());
  constexpr std::int64_t kFrames = 10100;
  for (std::int64_t n = 0; n < kFrames; ++n) ASSERT_TRUE(session.submit(reference, distorted).ok());
  ASSERT_TRUE(session.finish().ok());
  EXPECT_EQ(session.frames_done(), kFrames);
}

// The definition, from the number of samples that differ by `difference`.
double psnr_of_square(const PictureFormat& format, int side, double difference) {
  const double peak = (1 << format.bit_depth) - 1;
  const double mse = difference * difference * side * side / format.width / format.height;
  return 10 * std::log10(peak * peak / mse);
}

// N#1109: a logo on black was reported as PSNR 72.
TEST(KnownBugs, B20_ALogoOnBlackIsSeen) {
  const PictureFormat format{160, 90, 8, Chroma::k420};
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  ASSERT_TRUE(
      session.submit(flat_with_square(format, 16, 16, 20), flat_with_square(format, 16, 76, 20))
          .ok());
  ASSERT_TRUE(session.finish().ok());
  // Two orders of the same few operations in double precision.
  EXPECT_NEAR(value(session.scores(), "psnr_y", 0).value(), psnr_of_square(format, 20, 60), 1e-9);
}

// N#211: 10-bit samples against an 8-bit peak lost 12 dB.
TEST(KnownBugs, B21_TenBitPsnrHasATenBitPeak) {
  const PictureFormat format{64, 64, 10, Chroma::k422};
  Session session({.threads = 1});
  ASSERT_TRUE(session.add_metric("psnr", {}).ok());
  ASSERT_TRUE(
      session.submit(flat_with_square(format, 512, 512, 32), flat_with_square(format, 512, 560, 32))
          .ok());
  ASSERT_TRUE(session.finish().ok());
  // Two orders of the same few operations in double precision.
  EXPECT_NEAR(value(session.scores(), "psnr_y", 0).value(), psnr_of_square(format, 32, 48), 1e-9);
}

TEST(KnownBugs, B26_FramesWithoutRoomForTheMirrorAreRefused) {
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 64}, {64, 2}, {1, 64}}) {
    const PictureFormat format{width, height, 8, Chroma::k420};
    Session session({.threads = 1});
    ASSERT_TRUE(session.add_metric("motion", {}).ok());
    const Status status = session.submit(textured(format, 1), textured(format, 2));
    ASSERT_FALSE(status.ok()) << to_string(format);
    EXPECT_EQ(status.error().code, ErrorCode::kNotApplicable);
  }
}

TEST(KnownBugs, B31_TheMaskOfInstructionSetsIsApplied) {
  struct Restore {
    ~Restore() { disable_instruction_sets(0); }
  } restore;
  disable_instruction_sets(0);
  const CpuInfo all = cpu_info();
  if (all.supported.size() < 2) GTEST_SKIP() << "this machine has one instruction set";
  disable_instruction_sets(0xff);
  EXPECT_NE(cpu_info().target, all.target);
}

// The option was ignored on GPUs, and chroma planes of odd sizes were cut.
TEST(KnownBugs, B34_PsnrOfOddChromaPlanesAndWithoutChroma) {
  const PictureFormat format{5, 5, 8, Chroma::k420};
  std::array<std::byte, 25 + 9 + 9> samples{};
  const auto bytes = std::make_shared<std::array<std::byte, 43>>(samples);
  // The last sample of Cb: a plane of floor(5 / 2) would not have it.
  (*bytes)[25 + 8] = std::byte{12};
  const auto picture = [&](const std::shared_ptr<std::array<std::byte, 43>>& memory) {
    return Picture(format,
                   {{{memory->data(), 5}, {memory->data() + 25, 3}, {memory->data() + 34, 3}}},
                   memory);
  };
  const auto black = std::make_shared<std::array<std::byte, 43>>(samples);
  for (const bool chroma : {true, false}) {
    Session session({.threads = 1});
    ASSERT_TRUE(session.add_metric("psnr", {{"enable_chroma", chroma ? "true" : "false"}}).ok());
    ASSERT_TRUE(session.submit(picture(black), picture(bytes)).ok());
    ASSERT_TRUE(session.finish().ok());
    const double expected = 10 * std::log10(255.0 * 255.0 / (144.0 / 9));
    const auto cb = value(session.scores(), "psnr_cb", 0);
    EXPECT_EQ(cb.has_value(), chroma);
    // Two orders of the same few operations in double precision.
    EXPECT_NEAR(cb.value_or(expected), expected, 1e-9);
  }
}

}  // namespace
}  // namespace vmafx
