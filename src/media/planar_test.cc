#include "media/planar.h"

#include "media/media_testing.h"

namespace vmafx {
namespace {

using media_testing::Folder;
using media_testing::is_frame;
using media_testing::raw_frames;

// More than a megabyte a frame, so that helpers have parts to read.
const PictureFormat kFormats[] = {{1283, 701, 8, Chroma::k420}, {803, 601, 10, Chroma::k422}};

TEST(Planar, ReadsWithHelpersWhatOneThreadReads) {
  const Folder folder;
  for (const PictureFormat& format : kFormats) {
    const std::string path = folder.write("a.yuv", "offset" + raw_frames(format, 3));
    for (const int helpers : {0, 1, 3}) {
      auto bytes = open_bytes(path);
      ASSERT_TRUE(bytes.ok());
      std::byte skipped[6];
      ASSERT_TRUE((*bytes)->read(skipped, 6).ok());
      PlanarReader reader(format, nullptr, helpers);
      for (int frame = 0; frame < 3; ++frame) {
        const auto picture = reader.read(**bytes, frame);
        ASSERT_TRUE(picture.ok() && *picture) << frame;
        EXPECT_TRUE(is_frame(**picture, frame)) << to_string(format) << ", " << helpers;
      }
      const auto end = reader.read(**bytes, 3);
      EXPECT_TRUE(end.ok() && !*end);
    }
  }
}

TEST(Planar, HelpersChangeNoError) {
  const Folder folder;
  const PictureFormat format = kFormats[1];
  const std::string whole = raw_frames(format, 2);
  std::string outside = whole;
  outside[outside.size() - 1] = 0x7f;
  for (const std::string& file : {whole.substr(0, whole.size() - 5), outside}) {
    const std::string path = folder.write("a.yuv", file);
    std::string expected;
    for (const int helpers : {0, 3}) {
      auto bytes = open_bytes(path);
      ASSERT_TRUE(bytes.ok());
      PlanarReader reader(format, nullptr, helpers);
      EXPECT_TRUE(reader.read(**bytes, 0).ok());
      const auto broken = reader.read(**bytes, 1);
      ASSERT_FALSE(broken.ok());
      EXPECT_EQ(broken.error().code, ErrorCode::kBadInput);
      if (helpers == 0) expected = broken.error().message;
      EXPECT_EQ(broken.error().message, expected);
    }
  }
}

}  // namespace
}  // namespace vmafx
