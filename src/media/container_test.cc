// Files of real encoders: made with ffmpeg from samples that the test knows, so skipped without it.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/module_loader.h"
#include "media/libav_module.h"
#include "media/media_testing.h"

namespace vmafx {
namespace {

using media_testing::Folder;
using media_testing::Outcome;
using media_testing::raw_frames;
using media_testing::read_all;

bool module_is_there() { return load_libav_module(module_folders(), "").ok(); }

int run(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()); }

bool ffmpeg_is_there() {
  static const bool kThere = run("ffmpeg -version") == 0;
  return kThere;
}

#define NEEDS_FFMPEG()                                                     \
  if (!module_is_there()) GTEST_SKIP() << "the libav module is not built"; \
  if (!ffmpeg_is_there()) GTEST_SKIP() << "ffmpeg, which makes the files, is not on PATH"

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Encodes raw frames of this format; false if this ffmpeg cannot.
bool encode(const Folder& folder, const PictureFormat& format, const std::string& pixels,
            int frames, const std::string& encoder, const std::string& to) {
  const std::string from = folder.write("in.yuv", raw_frames(format, frames));
  return run(fmt::format(
             "ffmpeg -nostdin -y -f rawvideo -r 25 -pix_fmt {} -s {}x{} -i {} -strict -1 {} {}",
             pixels, format.width, format.height, from, encoder, folder.file(to))) == 0;
}

struct ContainerCase {
  const char* name;
  PictureFormat format;
  const char* pixels;
  const char* encoder;
  const char* file;
  const char* codec;
};

class Container : public testing::TestWithParam<ContainerCase> {};

TEST_P(Container, GivesTheEncodersSamples) {
  NEEDS_FFMPEG();
  const ContainerCase& c = GetParam();
  const Folder folder;
  if (!encode(folder, c.format, c.pixels, 5, c.encoder, c.file))
    GTEST_SKIP() << "this ffmpeg cannot encode with " << c.encoder;
  const auto source = media_testing::open(folder.file(c.file));
  ASSERT_TRUE(source.ok()) << source.error().message;
  const StreamInfo& info = (*source)->info();
  EXPECT_EQ(info.format, c.format) << to_string(info.format);
  EXPECT_EQ(info.codec, c.codec);
  EXPECT_TRUE(info.notes.empty());
  ASSERT_TRUE(info.frame_rate.has_value());
  EXPECT_EQ(info.frame_rate->num, 25 * info.frame_rate->den);
  const Outcome outcome = read_all(**source);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.pictures.size(), 5u);
  for (int n = 0; n < 5; ++n)
    EXPECT_TRUE(media_testing::is_frame(outcome.pictures[static_cast<std::size_t>(n)], n)) << n;
}

constexpr PictureFormat odd(int depth, Chroma chroma) { return {53, 35, depth, chroma}; }
constexpr PictureFormat even(int depth, Chroma chroma) { return {48, 32, depth, chroma}; }

INSTANTIATE_TEST_SUITE_P(
    Lossless, Container,
    testing::Values(
        ContainerCase{"ffv1_420", odd(8, Chroma::k420), "yuv420p", "-c:v ffv1", "a.mkv", "ffv1"},
        ContainerCase{"ffv1_420_10", odd(10, Chroma::k420), "yuv420p10le", "-c:v ffv1", "a.mkv",
                      "ffv1"},
        ContainerCase{"ffv1_422_12", odd(12, Chroma::k422), "yuv422p12le", "-c:v ffv1", "a.mkv",
                      "ffv1"},
        ContainerCase{"ffv1_444_16", odd(16, Chroma::k444), "yuv444p16le", "-c:v ffv1", "a.mkv",
                      "ffv1"},
        ContainerCase{"ffv1_440", odd(8, Chroma::k440), "yuv440p", "-c:v ffv1", "a.mkv", "ffv1"},
        ContainerCase{"ffv1_411", odd(8, Chroma::k411), "yuv411p", "-c:v ffv1", "a.mkv", "ffv1"},
        ContainerCase{"ffv1_grey", odd(8, Chroma::k400), "gray", "-c:v ffv1", "a.mkv", "ffv1"},
        ContainerCase{"ffv1_grey_12", odd(12, Chroma::k400), "gray12le", "-c:v ffv1", "a.avi",
                      "ffv1"},
        ContainerCase{"h264_420", even(8, Chroma::k420), "yuv420p", "-c:v libx264 -qp 0", "a.mp4",
                      "h264"},
        ContainerCase{"h264_422_10", even(10, Chroma::k422), "yuv422p10le", "-c:v libx264 -qp 0",
                      "a.ts", "h264"},
        ContainerCase{"hevc_420_12", even(12, Chroma::k420), "yuv420p12le",
                      "-c:v libx265 -x265-params lossless=1:log-level=none", "a.mov", "hevc"},
        ContainerCase{"hevc_cropped",
                      {50, 34, 8, Chroma::k420},
                      "yuv420p",
                      "-c:v libx265 -x265-params lossless=1:log-level=none",
                      "a.mkv",
                      "hevc"},
        ContainerCase{"vp9_420", odd(8, Chroma::k420), "yuv420p",
                      "-c:v libvpx-vp9 -lossless 1 -deadline realtime", "a.webm", "vp9"},
        ContainerCase{"vp9_444_10", odd(10, Chroma::k444), "yuv444p10le",
                      "-c:v libvpx-vp9 -lossless 1 -deadline realtime", "a.ivf", "vp9"},
        ContainerCase{"semi_planar", even(8, Chroma::k420), "yuv420p",
                      "-c:v rawvideo -pix_fmt nv12", "a.nut", "rawvideo"},
        ContainerCase{"packed_422", even(8, Chroma::k422), "yuv422p",
                      "-c:v rawvideo -pix_fmt uyvy422", "a.nut", "rawvideo"},
        ContainerCase{"big_endian", odd(10, Chroma::k420), "yuv420p10le",
                      "-c:v rawvideo -pix_fmt yuv420p10be", "a.nut", "rawvideo"}),
    [](const auto& test) { return test.param.name; });

// Our own files again, so that nobody else's conversion is between.
TEST(ContainerFile, ConvertsRgbAndSaysSo) {
  NEEDS_FFMPEG();
  const Folder folder;
  const PictureFormat grey{16, 8, 8, Chroma::k400};
  ASSERT_TRUE(
      encode(folder, grey, "gray", 1, "-pix_fmt rgb24 -c:v png -frames:v 1 -update 1", "a.png"));
  const auto source = media_testing::open(folder.file("a.png"));
  ASSERT_TRUE(source.ok()) << source.error().message;
  const StreamInfo& info = (*source)->info();
  EXPECT_EQ(info.format, (PictureFormat{16, 8, 8, Chroma::k444}));
  EXPECT_EQ(info.color.range, ColorInfo::Range::kLimited);
  EXPECT_EQ(info.color.matrix, 1);
  EXPECT_FALSE(info.frame_rate.has_value()) << "a still image has none";
  EXPECT_EQ(info.notes, std::vector<std::string>{"RGB converted to 4:4:4 BT.709 limited range"});
  const Outcome outcome = read_all(**source);
  ASSERT_EQ(outcome.pictures.size(), 1u);
  // The samples made here count as full range: R = G = B = v, so luma is 16 + 219 v / 255.
  const auto is_right = [&](const Picture& picture, int x, int y) {
    const unsigned v = media_testing::sample(grey, 0, 0, x, y);
    return media_testing::sample_of(picture, 0, x, y) == 16 + (2 * 219 * v + 255) / 510 &&
           media_testing::sample_of(picture, 1, x, y) == 128 &&
           media_testing::sample_of(picture, 2, x, y) == 128;
  };
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 16; ++x) EXPECT_TRUE(is_right(outcome.pictures[0], x, y)) << x << ' ' << y;
}

TEST(ContainerFile, TellsRangeAndColour) {
  NEEDS_FFMPEG();
  const Folder folder;
  ASSERT_TRUE(
      encode(folder, even(8, Chroma::k420), "yuvj420p", 2,
             "-c:v ffv1 -color_range pc -colorspace bt709 -color_trc bt709 -color_primaries bt709",
             "a.mkv"));
  const auto source = media_testing::open(folder.file("a.mkv"));
  ASSERT_TRUE(source.ok());
  const ColorInfo& color = (*source)->info().color;
  EXPECT_EQ(color, (ColorInfo{ColorInfo::Range::kFull, 1, 1, 1}));
}

TEST(ContainerFile, TellsTheBitRateOfAFileWithOneStream) {
  NEEDS_FFMPEG();
  const Folder folder;
  ASSERT_TRUE(encode(folder, even(8, Chroma::k420), "yuv420p", 5, "-c:v ffv1 -r 25", "a.mkv"));
  const auto source = media_testing::open(folder.file("a.mkv"));
  ASSERT_TRUE(source.ok());
  const double seconds = 5 / 25.0;
  const double bits = 8 * static_cast<double>(std::filesystem::file_size(folder.file("a.mkv")));
  ASSERT_TRUE((*source)->info().bit_rate.has_value());
  EXPECT_NEAR(static_cast<double>(*(*source)->info().bit_rate), bits / seconds, 1);
}

TEST(ContainerFile, PicturesOutliveTheSource) {
  NEEDS_FFMPEG();
  const Folder folder;
  const PictureFormat format = odd(10, Chroma::k420);
  ASSERT_TRUE(encode(folder, format, "yuv420p10le", 5, "-c:v ffv1", "a.mkv"));
  Outcome outcome = read_all(**media_testing::open(folder.file("a.mkv")));
  ASSERT_EQ(outcome.pictures.size(), 5u);
  for (int n = 0; n < 5; ++n)
    EXPECT_TRUE(media_testing::is_frame(outcome.pictures[static_cast<std::size_t>(n)], n));
}

TEST(ContainerFile, ReadsStandardInput) {
  NEEDS_FFMPEG();
  const Folder folder;
  const PictureFormat format = odd(8, Chroma::k420);
  ASSERT_TRUE(encode(folder, format, "yuv420p", 3, "-c:v ffv1", "a.mkv"));
  const std::string file = content(folder.file("a.mkv"));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_LT(file.size(), 65536u) << "must fit the pipe";
  ASSERT_EQ(write(ends[1], file.data(), file.size()), static_cast<ssize_t>(file.size()));
  close(ends[1]);
  const int kept = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  const auto source = media_testing::open("-");
  ASSERT_TRUE(source.ok()) << source.error().message;
  const Outcome outcome = read_all(**source);
  dup2(kept, STDIN_FILENO);
  close(kept);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.pictures.size(), 3u);
  EXPECT_TRUE(media_testing::is_frame(outcome.pictures[2], 2));
}

// Wherever a file is cut, all pictures that come out are right, and then there is an error.
TEST(ContainerFile, NeverLosesFramesInSilence) {
  NEEDS_FFMPEG();
  const std::pair<const char*, const char*> kinds[] = {
      {"-c:v ffv1", "a.mkv"},
      {"-c:v libx264 -qp 0 -bf 2", "a.mkv"},
      {"-c:v libx264 -qp 0 -bf 2 -movflags +faststart", "a.mp4"},
      {"-c:v libx264 -qp 0 -bf 2", "a.ts"},
      {"-c:v ffv1", "a.avi"},
  };
  const PictureFormat format = even(8, Chroma::k420);
  for (const auto& [encoder, name] : kinds) {
    const Folder folder;
    if (!encode(folder, format, "yuv420p", 8, encoder, name)) continue;
    const std::string file = content(folder.file(name));
    for (const double part : {0.2, 0.45, 0.7, 0.9}) {
      // Odd, so that it is inside a transport packet.
      const auto length = static_cast<std::size_t>(static_cast<double>(file.size()) * part) | 1;
      const auto source =
          media_testing::open(folder.write(std::string("cut_") + name, file.substr(0, length)));
      if (!source.ok()) {
        EXPECT_EQ(source.error().code, ErrorCode::kBadInput) << source.error().message;
        EXPECT_TRUE(source.error().message.starts_with(folder.file("cut_")))
            << source.error().message;
        continue;
      }
      const Outcome outcome = read_all(**source);
      EXPECT_LT(outcome.pictures.size(), 8u);
      EXPECT_TRUE(outcome.error.starts_with(folder.file("cut_")))
          << name << ' ' << part << outcome.error;
      for (std::size_t n = 0; n < outcome.pictures.size(); ++n)
        EXPECT_TRUE(media_testing::is_frame(outcome.pictures[n], static_cast<int>(n)))
            << encoder << ' ' << name << ' ' << part << " frame " << n;
    }
  }
}

TEST(ContainerFile, RefusesAChangeOfSize) {
  NEEDS_FFMPEG();
  const Folder folder;
  std::string joined;
  for (const int width : {48, 64}) {
    const PictureFormat format{width, 32, 8, Chroma::k420};
    if (!encode(folder, format, "yuv420p", 3, "-c:v libx264 -qp 0 -f h264", "part.h264"))
      GTEST_SKIP() << "this ffmpeg has no H.264 encoder";
    joined += content(folder.file("part.h264"));
  }
  const auto source = media_testing::open(folder.write("a.h264", joined));
  ASSERT_TRUE(source.ok()) << source.error().message;
  const Outcome outcome = read_all(**source);
  EXPECT_EQ(outcome.pictures.size(), 3u);
  EXPECT_EQ(outcome.error,
            folder.file("a.h264") + ": frame 3 changes from 48x32 yuv420p to 64x32 yuv420p");
}

TEST(ContainerFile, RefusesLayoutsWithoutCounterpart) {
  NEEDS_FFMPEG();
  const Folder folder;
  ASSERT_TRUE(encode(folder, even(8, Chroma::k420), "yuv420p", 2, "-c:v rawvideo -pix_fmt yuv410p",
                     "a.nut"));
  const auto source = media_testing::open(folder.file("a.nut"));
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(source.error().message,
            folder.file("a.nut") + ": the pixel layout yuv410p is not supported");
}

TEST(ContainerFile, RefusesWhatIsNoVideo) {
  if (!module_is_there()) GTEST_SKIP() << "the libav module is not built";
  const Folder folder;
  std::string text;
  for (int n = 0; n < 500; ++n) text += "This is a text, not a video.\n";
  for (const char* const name : {"a.mp4", "a.txt", "a.yuv", "a.bin", "a.y4m", "a"}) {
    testing::internal::CaptureStderr();
    const auto source = media_testing::open(folder.write(name, text));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "libav's own lines stay inside";
    ASSERT_FALSE(source.ok()) << name;
    EXPECT_EQ(source.error().code, ErrorCode::kBadInput) << source.error().message;
    EXPECT_TRUE(source.error().message.starts_with(
        folder.file(name) + ": neither y4m nor a container that libav can read"))
        << source.error().message;
  }
}

TEST(LibavModule, TellsWhenItIsAbsent) {
  const Folder folder;
  const auto module = load_libav_module({folder.file("nowhere"), folder.file("")}, "clip.mp4");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(
      module.error().message,
      "clip.mp4 is not y4m; reading containers needs the libav module, which is not installed");
  EXPECT_NE(module.error().hint.find(folder.file("nowhere")), std::string::npos);
}

TEST(LibavModule, IsRefusedIfItDoesNotFit) {
  const Folder folder;
  folder.write(kLibavModuleFile, "not a library");
  auto module = load_libav_module({folder.file("")}, "clip.mp4");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(module.error().message.find("cannot be loaded"), std::string::npos)
      << module.error().message;

  // Some library that is certainly there, but none of ours.
  Dl_info info{};
  void* const abort = dlsym(RTLD_DEFAULT, "abort");
  if (abort == nullptr || dladdr(abort, &info) == 0) GTEST_SKIP() << "no library to try with";
  const std::string other = info.dli_fname;
  std::filesystem::remove(folder.file(kLibavModuleFile));
  std::filesystem::create_symlink(other, folder.file(kLibavModuleFile));
  module = load_libav_module({folder.file("")}, "clip.mp4");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(module.error().message.find("belongs to another version"), std::string::npos)
      << module.error().message;
}

TEST(LibavModule, IsLookedForWhereTheEnvironmentSaysFirst) {
  setenv("VMAFX_MODULES", "/somewhere/else", 1);
  EXPECT_EQ(module_folders().front(), "/somewhere/else");
  unsetenv("VMAFX_MODULES");
  EXPECT_NE(module_folders().front(), "/somewhere/else");
}

}  // namespace
}  // namespace vmafx
