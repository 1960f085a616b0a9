#include "media/y4m.h"

#include <fcntl.h>

#include <algorithm>

#include <fmt/format.h>

#include "media/media_testing.h"

namespace vmafx {
namespace {

using media_testing::Folder;
using media_testing::open;
using media_testing::Outcome;
using media_testing::raw_frame;
using media_testing::read_all;

std::string y4m(const PictureFormat& format, const std::string& layout, int frames,
                const std::string& frame_line = "FRAME\n") {
  std::string file = fmt::format("YUV4MPEG2 W{} H{} F25:1 Ip A1:1{}\n", format.width, format.height,
                                 layout.empty() ? "" : " C" + layout);
  for (int n = 0; n < frames; ++n) file += frame_line + raw_frame(format, n);
  return file;
}

struct LayoutCase {
  const char* tag;
  Chroma chroma;
  int bit_depth;
};

class Y4mLayout : public testing::TestWithParam<LayoutCase> {};

TEST_P(Y4mLayout, ReadsEverySampleOfOddAndEvenSizes) {
  const Folder folder;
  for (const auto& [width, height] : {std::pair(16, 8), std::pair(17, 9), std::pair(1, 1)}) {
    const PictureFormat format{width, height, GetParam().bit_depth, GetParam().chroma};
    const auto source = open(folder.write("a.y4m", y4m(format, GetParam().tag, 3)));
    ASSERT_TRUE(source.ok()) << source.error().message;
    EXPECT_EQ((*source)->info().format, format);
    EXPECT_EQ((*source)->info().frame_count, 3);
    const Outcome outcome = read_all(**source);
    EXPECT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.pictures.size(), 3u);
    for (int n = 0; n < 3; ++n)
      EXPECT_TRUE(media_testing::is_frame(outcome.pictures[static_cast<std::size_t>(n)], n));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Y4mLayout,
    testing::Values(LayoutCase{"", Chroma::k420, 8}, LayoutCase{"420", Chroma::k420, 8},
                    LayoutCase{"420jpeg", Chroma::k420, 8}, LayoutCase{"420mpeg2", Chroma::k420, 8},
                    LayoutCase{"420paldv", Chroma::k420, 8}, LayoutCase{"411", Chroma::k411, 8},
                    LayoutCase{"422", Chroma::k422, 8}, LayoutCase{"440", Chroma::k440, 8},
                    LayoutCase{"444", Chroma::k444, 8}, LayoutCase{"mono", Chroma::k400, 8},
                    LayoutCase{"420p9", Chroma::k420, 9}, LayoutCase{"420p10", Chroma::k420, 10},
                    LayoutCase{"422p10", Chroma::k422, 10}, LayoutCase{"440p12", Chroma::k440, 12},
                    LayoutCase{"444p12", Chroma::k444, 12}, LayoutCase{"420p14", Chroma::k420, 14},
                    LayoutCase{"420P16", Chroma::k420, 16}, LayoutCase{"444p16", Chroma::k444, 16},
                    LayoutCase{"mono9", Chroma::k400, 9}, LayoutCase{"mono12", Chroma::k400, 12},
                    LayoutCase{"mono16", Chroma::k400, 16}),
    [](const auto& test) {
      return std::string(*test.param.tag == 0 ? "none" : "C") + test.param.tag;
    });

TEST(Y4m, DropsAlphaAndSaysSo) {
  const Folder folder;
  const PictureFormat format{5, 3, 8, Chroma::k444};
  std::string file = "YUV4MPEG2 W5 H3 C444alpha\n";
  for (int n = 0; n < 2; ++n) file += "FRAME\n" + raw_frame(format, n) + std::string(15, 'a');
  auto source = open(folder.write("a.y4m", file));
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->info().notes, std::vector<std::string>{"alpha dropped"});
  EXPECT_EQ((*source)->info().frame_count, 2);
  const Outcome outcome = read_all(**source);
  ASSERT_EQ(outcome.pictures.size(), 2u);
  EXPECT_TRUE(media_testing::is_frame(outcome.pictures[1], 1));

  file.pop_back();
  source = open(folder.write("a.y4m", file));
  EXPECT_EQ(read_all(**source).error,
            folder.file("a.y4m") + " ends inside frame 1: 1 of its 60 bytes are missing");
}

TEST(Y4m, ReadsTheHeader) {
  const auto header = parse_y4m_header(
      "YUV4MPEG2  W1920 H1080 F30000:1001 It A4:3 XYSCSS=422P10 XCOLORRANGE=FULL XANY", "a");
  ASSERT_TRUE(header.ok()) << header.error().message;
  EXPECT_EQ(header->format, (PictureFormat{1920, 1080, 10, Chroma::k422}));
  EXPECT_EQ(header->frame_rate->num, 30000);
  EXPECT_EQ(header->frame_rate->den, 1001);
  EXPECT_TRUE(header->interlaced);
  EXPECT_EQ(header->color.range, ColorInfo::Range::kFull);

  const auto plain = parse_y4m_header("YUV4MPEG2 W2 H2 F0:0 I? C420jpeg XYSCSS=422", "a");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->format.chroma, Chroma::k420) << "C counts more than XYSCSS";
  EXPECT_FALSE(plain->frame_rate.has_value());
  EXPECT_FALSE(plain->interlaced);
  EXPECT_EQ(plain->color.range, ColorInfo::Range::kUnspecified);
  EXPECT_EQ(parse_y4m_header("YUV4MPEG2 W2 H2 XCOLORRANGE=LIMITED", "a")->color.range,
            ColorInfo::Range::kLimited);
}

TEST(Y4m, RefusesBadHeadersInOneLineThatNamesTheFile) {
  for (const char* const line : {"YUV4MPEG2",
                                 "YUV4MPEG2 W16",
                                 "YUV4MPEG2 H16",
                                 "YUV4MPEG2 W0 H16",
                                 "YUV4MPEG2 W16 H0",
                                 "YUV4MPEG2 W-16 H16",
                                 "YUV4MPEG2 W16 H32769",
                                 "YUV4MPEG2 W99999999999999999999 H16",
                                 "YUV4MPEG2 W4294967312 H16",
                                 "YUV4MPEG2 W16x H16",
                                 "YUV4MPEG2 W H16",
                                 "YUV4MPEG2 W1 6 H16x",
                                 "YUV4MPEG2 W16 H16 C999",
                                 "YUV4MPEG2 W16 H16 C420p",
                                 "YUV4MPEG2 W16 H16 C420p7",
                                 "YUV4MPEG2 W16 H16 C420p17",
                                 "YUV4MPEG2 W16 H16 C420p99999999999999999999",
                                 "YUV4MPEG2 W16 H16 Cmonop10",
                                 "YUV4MPEG2 W16 H16 C",
                                 "YUV4MPEG2 W16 H16 F25",
                                 "YUV4MPEG2 W16 H16 Fa:b",
                                 "YUV4MPEG2 W16 H16 F-25:1",
                                 "YUV4MPEG2 W16 H16 Ix",
                                 "YUV4MPEG2 W16 H16 I",
                                 "YUV4MPEG2 W16 H16 XCOLORRANGE=TV",
                                 "YUV4MPEG2W16 H16",
                                 "YUV4MPEG2 W16\x01\x02 H16"}) {
    const auto header = parse_y4m_header(line, "clip");
    ASSERT_FALSE(header.ok()) << line;
    EXPECT_EQ(header.error().code, ErrorCode::kBadInput) << line;
    EXPECT_TRUE(header.error().message.starts_with("clip: ")) << header.error().message;
    EXPECT_TRUE(std::ranges::all_of(header.error().message, [](unsigned char c) {
      return c >= ' ';
    })) << line;
  }
}

TEST(Y4m, TakesLongHeadersButNotEndlessOnes) {
  const Folder folder;
  const PictureFormat format{4, 2, 8, Chroma::k420};
  const std::string frame = "FRAME\n" + raw_frame(format, 0);
  const auto file = [&](std::size_t comment) {
    return folder.write("a.y4m", "YUV4MPEG2 W4 H2 X" + std::string(comment, 'c') + "\n" + frame);
  };
  for (const std::size_t comment : {100u, 200u, 5000u, 65000u}) {
    const auto source = open(file(comment));
    ASSERT_TRUE(source.ok()) << source.error().message;
    EXPECT_EQ(read_all(**source).pictures.size(), 1u);
  }
  const auto source = open(file(70000));
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().message,
            folder.file("a.y4m") + ": the y4m header has no end within 65536 bytes");
}

TEST(Y4m, TakesFrameLinesWithParameters) {
  const Folder folder;
  const PictureFormat format{4, 2, 8, Chroma::k420};
  const auto source = open(
      folder.write("a.y4m", y4m(format, "420", 3, "FRAME Ip X" + std::string(300, 'x') + "\n")));
  const Outcome outcome = read_all(**source);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.pictures.size(), 3u);
  EXPECT_TRUE(media_testing::is_frame(outcome.pictures[2], 2));
}

TEST(Y4m, RefusesWhatIsNotAFrameLine) {
  const Folder folder;
  const PictureFormat format{4, 2, 8, Chroma::k420};
  for (const char* const garbage : {"FRAMES\n", "frame\n", "\n", "YUV4MPEG2 W4 H2\n", "FRAM"}) {
    const auto source = open(folder.write("a.y4m", y4m(format, "420", 1) + garbage));
    const Outcome outcome = read_all(**source);
    EXPECT_EQ(outcome.pictures.size(), 1u);
    EXPECT_TRUE(outcome.error.starts_with(folder.file("a.y4m") + ": ")) << outcome.error;
    EXPECT_NE(outcome.error.find("frame 1"), std::string::npos) << outcome.error;
  }
}

TEST(Y4m, GivesCompleteFramesThenOneErrorWhereverItIsCut) {
  const Folder folder;
  for (const PictureFormat format :
       {PictureFormat{5, 3, 8, Chroma::k420}, PictureFormat{3, 3, 10, Chroma::k422}}) {
    const std::string tag = format.bit_depth == 8 ? "420" : "422p10";
    const std::string file = y4m(format, tag, 2);
    const std::size_t header = file.find('\n') + 1;
    const std::size_t frame = (file.size() - header) / 2;
    for (std::size_t length = 0; length < file.size(); ++length) {
      const auto source = open(folder.write("a.y4m", file.substr(0, length)));
      // A file cut within the first word is no y4m file, and the module may be there or not.
      if (length < header) {
        EXPECT_FALSE(source.ok()) << length;
        continue;
      }
      ASSERT_TRUE(source.ok()) << source.error().message;
      const Outcome outcome = read_all(**source);
      EXPECT_EQ(outcome.pictures.size(), (length - header) / frame);
      EXPECT_EQ(outcome.error.empty(), (length - header) % frame == 0) << outcome.error;
    }
  }
}

TEST(Y4m, NamesTheFrameAndTheMissingBytes) {
  const Folder folder;
  const std::string file = y4m({4, 2, 8, Chroma::k420}, "420", 2);
  const auto source = open(folder.write("a.y4m", file.substr(0, file.size() - 5)));
  EXPECT_EQ(read_all(**source).error,
            folder.file("a.y4m") + " ends inside frame 1: 5 of its 12 bytes are missing");
}

TEST(Y4m, WithoutFramesOpensAndEnds) {
  const Folder folder;
  const auto source = open(folder.write("a.y4m", "YUV4MPEG2 W4 H2\n"));
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->info().frame_count, 0);
  EXPECT_TRUE(read_all(**source).pictures.empty());
}

TEST(Y4m, RefusesHugeSizesWithoutTouchingTheirMemory) {
  const Folder folder;
  const auto source = open(folder.write("a.y4m", "YUV4MPEG2 W32768 H32768 C444p16\nFRAME\nabc"), 0);
  ASSERT_TRUE(source.ok());
  const auto picture = (*source)->read();
  ASSERT_FALSE(picture.ok());
  EXPECT_TRUE(picture.error().message.starts_with(folder.file("a.y4m"))) << picture.error().message;
}

TEST(Y4m, RefusesSamplesThatDoNotFitTheDepth) {
  const Folder folder;
  const PictureFormat format{6, 4, 10, Chroma::k420};
  std::string file = y4m(format, "420p10", 3);
  // Frame 1, Cr plane (3x2), row 1, column 2: the last sample of the frame.
  const std::size_t frame = 6 + format.tight_bytes();
  file[file.size() - frame - 1] = 4;
  file[file.size() - frame - 2] = 1;
  const auto source = open(folder.write("a.y4m", file));
  const Outcome outcome = read_all(**source);
  EXPECT_EQ(outcome.pictures.size(), 1u);
  EXPECT_EQ(outcome.error, folder.file("a.y4m") +
                               ": frame 1, Cr row 1, column 2 holds 1025, but the largest 10-bit "
                               "sample is 1023");
}

TEST(Y4m, ReadsStandardInput) {
  const Folder folder;
  const std::string path = folder.write("a.y4m", y4m({17, 9, 8, Chroma::k420}, "420", 3));
  const int kept = dup(STDIN_FILENO);
  for (const bool piped : {false, true}) {
    int end = -1;
    if (piped) {
      int ends[2];
      ASSERT_EQ(pipe(ends), 0);
      const std::string file = y4m({17, 9, 8, Chroma::k420}, "420", 3);
      ASSERT_EQ(write(ends[1], file.data(), file.size()), static_cast<ssize_t>(file.size()));
      close(ends[1]);
      end = ends[0];
    } else {
      end = ::open(path.c_str(), O_RDONLY);
    }
    dup2(end, STDIN_FILENO);
    close(end);
    const auto source = open("-");
    ASSERT_TRUE(source.ok()) << source.error().message;
    const Outcome outcome = read_all(**source);
    EXPECT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.pictures.size(), 3u);
    EXPECT_TRUE(media_testing::is_frame(outcome.pictures[2], 2));
    EXPECT_EQ((*source)->info().frame_count.has_value(), !piped);
  }
  dup2(kept, STDIN_FILENO);
  close(kept);
}

TEST(OpenSource, NamesWhatCannotBeOpened) {
  const Folder folder;
  for (const std::string& path : {folder.file("absent.y4m"), folder.file("")}) {
    const auto source = open(path);
    ASSERT_FALSE(source.ok());
    EXPECT_EQ(source.error().code, ErrorCode::kIo);
    EXPECT_NE(source.error().message.find(path), std::string::npos) << source.error().message;
  }
  const auto empty = open(folder.write("empty.y4m", ""));
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(empty.error().message, folder.file("empty.y4m") + " is empty");

  SourceOptions negative;
  negative.path = folder.file("empty.y4m");
  negative.skip_frames = -1;
  EXPECT_EQ(open_source(negative).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace vmafx
