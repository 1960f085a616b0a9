#include "media/raw.h"

#include "media/container_signature.h"
#include "media/media_testing.h"

namespace vmafx {
namespace {

using media_testing::Folder;
using media_testing::Outcome;
using media_testing::raw_frames;
using media_testing::read_all;

TEST(Raw, ReadsEverySampleOfEveryLayout) {
  const Folder folder;
  for (const Chroma chroma :
       {Chroma::k400, Chroma::k411, Chroma::k420, Chroma::k422, Chroma::k440, Chroma::k444})
    for (const int depth : {8, 9, 10, 12, 16}) {
      const PictureFormat format{19, 7, depth, chroma};
      const auto source =
          media_testing::open_raw(folder.write("a.yuv", raw_frames(format, 3)), format);
      ASSERT_TRUE(source.ok()) << source.error().message;
      EXPECT_EQ((*source)->info().container, "raw");
      EXPECT_EQ((*source)->info().frame_count, 3);
      const Outcome outcome = read_all(**source);
      EXPECT_EQ(outcome.error, "");
      ASSERT_EQ(outcome.pictures.size(), 3u) << to_string(format);
      EXPECT_TRUE(media_testing::is_frame(outcome.pictures[2], 2)) << to_string(format);
    }
}

TEST(Raw, SkippedFramesAreNotCounted) {
  const Folder folder;
  const PictureFormat format{4, 4, 8, Chroma::k420};
  const std::string path = folder.write("a.yuv", raw_frames(format, 3));
  for (const int read_ahead : {0, 1})
    for (const auto& [skip, count] : {std::pair(0, 3), std::pair(2, 1), std::pair(5, 0)}) {
      const auto source =
          open_source({.path = path, .raw = format, .skip_frames = skip, .read_ahead = read_ahead});
      ASSERT_TRUE(source.ok());
      EXPECT_EQ((*source)->info().frame_count, count);
    }
}

TEST(Raw, GivesCompleteFramesThenAnError) {
  const Folder folder;
  const PictureFormat format{4, 4, 8, Chroma::k420};
  const std::string path = folder.write("a.yuv", raw_frames(format, 2) + "12345");
  const auto source = media_testing::open_raw(path, format);
  const Outcome outcome = read_all(**source);
  EXPECT_EQ(outcome.pictures.size(), 2u);
  EXPECT_EQ(outcome.error, path + " ends inside frame 2: 19 of its 24 bytes are missing");
}

TEST(Raw, ChecksSamplesBeyondTheFirstChunk) {
  const Folder folder;
  const PictureFormat format{512, 400, 12, Chroma::k400};
  std::string file = raw_frames(format, 1);
  const std::size_t index = 512 * 399 + 5;
  file[2 * index + 1] = 0x7F;
  file[2 * index] = 0;
  const std::string path = folder.write("a.yuv", file);
  EXPECT_EQ(read_all(**media_testing::open_raw(path, format)).error,
            path +
                ": frame 0, luma row 399, column 5 holds 32512, but the largest 12-bit sample is "
                "4095");
}

TEST(Raw, RefusesFormatsThatCannotBe) {
  const Folder folder;
  const std::string path = folder.write("a.yuv", "abc");
  for (const PictureFormat& format :
       {PictureFormat{0, 4, 8, Chroma::k420}, PictureFormat{4, 40000, 8, Chroma::k420},
        PictureFormat{4, 4, 7, Chroma::k420}, PictureFormat{4, 4, 17, Chroma::k420}}) {
    const auto source = media_testing::open_raw(path, format);
    ASSERT_FALSE(source.ok());
    EXPECT_EQ(source.error().code, ErrorCode::kBadInput);
    EXPECT_TRUE(source.error().message.starts_with(path + ": ")) << source.error().message;
  }
}

TEST(Raw, RefusesContainersAndSaysWhatTheyAre) {
  using namespace std::string_literals;
  const Folder folder;
  std::string transport;
  for (int n = 0; n < 12; ++n)
    transport += "\x47\x41"s + static_cast<char>(n) + "\x10" + std::string(184, 'x');
  const std::pair<std::string, std::string> files[] = {
      {"\0\0\0\x20"s + "ftypisom", "an MP4 or QuickTime file"},
      {"\x1A\x45\xDF\xA3\x01", "a Matroska or WebM file"},
      {"YUV4MPEG2 W4 H4\n", "a y4m file"},
      {"RIFF\x10\0\0\0AVI LIST"s, "an AVI file"},
      {"\x89PNG\r\n\x1A\n", "a PNG image"},
      {"\xFF\xD8\xFF\xE0\0\x10JFIF\0"s, "a JPEG image"},
      {transport, "an MPEG transport stream"},
  };
  for (const auto& [head, kind] : files) {
    const std::string path = folder.write("a.yuv", head + std::string(64, 'z'));
    const auto source = media_testing::open_raw(path, {4, 4, 8, Chroma::k420});
    ASSERT_FALSE(source.ok()) << kind;
    EXPECT_EQ(source.error().code, ErrorCode::kBadInput);
    EXPECT_EQ(source.error().message, path + " is " + kind + ", not raw video");
    EXPECT_NE(source.error().hint.find("no raw format"), std::string::npos);
  }
}

TEST(ContainerSignature, LeavesFlatVideoAlone) {
  for (int level = 0; level < 256; ++level) {
    const std::vector<std::byte> flat(kSignatureBytes, static_cast<std::byte>(level));
    EXPECT_EQ(container_signature(flat), "") << level;
    EXPECT_EQ(container_signature(std::span(flat).first(3)), "") << level;
  }
}

}  // namespace
}  // namespace vmafx
