#include "media/read_ahead.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "media/media_testing.h"

namespace vmafx {
namespace {

using media_testing::Folder;
using media_testing::raw_frames;

constexpr PictureFormat kFormat{16, 16, 8, Chroma::k420};

// Gives `frames` pictures whose luma stride is their number, then an error or the end.
class CountingReader final : public FrameReader {
 public:
  CountingReader(int frames, bool fails, std::atomic<int>& reads)
      : frames_(frames), fails_(fails), reads_(reads) {}
  const StreamInfo& info() const override { return info_; }
  void cancel() noexcept override {}
  Result<std::optional<Picture>> next() override {
    const int n = reads_++;
    if (n < frames_) return std::optional(Picture(kFormat, {{{nullptr, n}, {}, {}}}, nullptr));
    if (n == frames_ && fails_) return Error{ErrorCode::kBadInput, "broken", {}};
    EXPECT_EQ(n, frames_) << "read after the end";
    return std::optional<Picture>();
  }

 private:
  StreamInfo info_;
  int frames_;
  bool fails_;
  std::atomic<int>& reads_;
};

TEST(FrameSource, GivesPicturesInOrderThenTheErrorThenTheEnd) {
  for (const int read_ahead : {0, 1, 2, 7})
    for (const bool fails : {false, true})
      for (const int skip : {0, 3, 10, 12}) {
        std::atomic<int> reads = 0;
        auto source =
            frame_source(std::make_unique<CountingReader>(10, fails, reads), skip, read_ahead);
        ASSERT_TRUE(source.ok());
        for (int n = skip; n < 10; ++n) {
          const auto picture = (*source)->read();
          ASSERT_TRUE(picture.ok() && picture->has_value());
          EXPECT_EQ((*picture)->plane(0).stride, n);
        }
        const auto last = (*source)->read();
        EXPECT_EQ(last.ok(), !fails);
        for (int again = 0; again < 3; ++again) {
          const auto end = (*source)->read();
          EXPECT_TRUE(end.ok() && !end->has_value());
        }
      }
}

TEST(FrameSource, ReadsNoFurtherAheadThanAsked) {
  std::atomic<int> reads = 0;
  auto source = frame_source(std::make_unique<CountingReader>(100, false, reads), 0, 3);
  for (int n = 1; n <= 5; ++n) {
    ASSERT_TRUE((*source)->read().ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_LE(reads, n + 3);
  }
}

TEST(FrameSource, MayBeDestroyedAtAnyTime) {
  for (int taken = 0; taken < 6; ++taken) {
    std::atomic<int> reads = 0;
    auto source = frame_source(std::make_unique<CountingReader>(4, true, reads), 0, 2);
    for (int n = 0; n < taken; ++n) (void)(*source)->read();
  }
}

TEST(FrameSource, IsNotHeldUpByAPipeThatWaits) {
  const Folder folder;
  const std::string path = folder.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int writer = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(writer, 0);
  const std::string head = "YUV4MPEG2 W16 H16\nFRAME\n" + raw_frames(kFormat, 1) + "FRAME\nabc";
  ASSERT_EQ(write(writer, head.data(), head.size()), static_cast<ssize_t>(head.size()));
  {
    auto source = media_testing::open(path);
    ASSERT_TRUE(source.ok()) << source.error().message;
    const auto first = (*source)->read();
    ASSERT_TRUE(first.ok() && first->has_value());
    EXPECT_TRUE(media_testing::is_frame(**first, 0));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  close(writer);
}

TEST(FrameSource, AReadThatWaitsCanBeCancelled) {
  const Folder folder;
  const std::string path = folder.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int writer = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(writer, 0);
  // A part of a frame, longer than what is looked at to find the end of a line.
  const std::string head = "YUV4MPEG2 W64 H64\nFRAME\n" + std::string(1000, 'a');
  for (const int read_ahead : {0, 2}) {
    ASSERT_EQ(write(writer, head.data(), head.size()), static_cast<ssize_t>(head.size()));
    auto source = media_testing::open(path, read_ahead);
    ASSERT_TRUE(source.ok()) << source.error().message;
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      (*source)->cancel();
    });
    EXPECT_EQ((*source)->read().error().code, ErrorCode::kInterrupted);
    canceller.join();
  }
  close(writer);
}

TEST(FrameSource, UsesBuffersAgain) {
  const Folder folder;
  const std::string path = folder.write("a.yuv", raw_frames(kFormat, 50));
  std::set<const std::byte*> buffers;
  std::vector<Picture> kept;
  {
    const auto source = media_testing::open_raw(path, kFormat);
    for (int n = 0; n < 50; ++n) {
      const auto picture = (*source)->read();
      ASSERT_TRUE(picture.ok() && picture->has_value());
      EXPECT_TRUE(media_testing::is_frame(**picture, n));
      buffers.insert((*picture)->plane(0).data);
      if (n % 20 == 0) kept.push_back(**picture);
    }
  }
  // Two ahead, one being read, one in the loop, three kept.
  EXPECT_LE(buffers.size(), 7u);
  for (std::size_t n = 0; n < kept.size(); ++n)
    EXPECT_TRUE(media_testing::is_frame(kept[n], static_cast<int>(20 * n)))
        << "pictures outlive the source";
}

TEST(FrameSource, SkipsFrames) {
  const Folder folder;
  SourceOptions options;
  options.path = folder.write("a.yuv", raw_frames(kFormat, 5));
  options.raw = kFormat;
  options.skip_frames = 3;
  const auto source = open_source(options);
  const auto outcome = media_testing::read_all(**source);
  ASSERT_EQ(outcome.pictures.size(), 2u);
  EXPECT_TRUE(media_testing::is_frame(outcome.pictures[0], 3));
}

}  // namespace
}  // namespace vmafx
