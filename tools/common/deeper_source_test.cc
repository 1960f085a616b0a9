#include "common/deeper_source.h"

#include <gtest/gtest.h>

namespace vmafx::tools {
namespace {

// One 3x3 4:2:0 picture whose samples count up.
class OnePicture : public FrameSource {
 public:
  OnePicture() { info_.format = {3, 3, 8, Chroma::k420}; }
  const StreamInfo& info() const override { return info_; }
  Result<std::optional<Picture>> read() override {
    if (std::exchange(done_, true)) return std::optional<Picture>();
    auto samples = std::make_shared<std::vector<std::uint8_t>>();
    for (int i = 0; i < 17; ++i) samples->push_back(static_cast<std::uint8_t>(i * 15));
    const auto* data = reinterpret_cast<const std::byte*>(samples->data());
    return std::optional(
        Picture(info_.format, {Picture::Plane{data, 3}, {data + 9, 2}, {data + 13, 2}}, samples));
  }

 private:
  StreamInfo info_;
  bool done_ = false;
};

TEST(DeeperSource, ScalesEverySample) {
  const auto source = with_bit_depth(std::make_unique<OnePicture>(), 10);
  EXPECT_EQ(source->info().format, (PictureFormat{3, 3, 10, Chroma::k420}));
  EXPECT_EQ(source->info().notes, std::vector<std::string>{"brought from 8 to 10 bit"});
  const auto picture = source->read();
  ASSERT_TRUE(picture.ok() && picture->has_value());
  int expected = 0;
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < (*picture)->height(plane); ++y)
      for (int x = 0; x < (*picture)->width(plane); ++x, expected += 15)
        EXPECT_EQ((*picture)->row<std::uint16_t>(plane, y)[x], expected * 4);
  EXPECT_FALSE(source->read()->has_value());
}

TEST(DeeperSource, SameDepthIsTheSourceItself) {
  auto source = std::make_unique<OnePicture>();
  const FrameSource* const original = source.get();
  EXPECT_EQ(with_bit_depth(std::move(source), 8).get(), original);
}

}  // namespace
}  // namespace vmafx::tools
