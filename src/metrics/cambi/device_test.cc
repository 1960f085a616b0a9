#include <string>
#include <vector>

#include "metrics/cambi/banding_testing.h"
#include "metrics/cambi/cambi.h"
#include "tests/device_parity.h"

namespace vmafx {
namespace {

using cambi::Banding;
using cambi::make_banding;
using parity::Clip;
using parity::expect_same_on_devices;
using parity::Pattern;

void expect_same(const PictureFormat& format, const Banding& banding,
                 const OptionText& options = {}, const Banding& source = {}) {
  std::string text = to_string(format);
  for (const auto& [name, value] : options) text.append(" ").append(name).append("=").append(value);
  SCOPED_TRACE(text);
  expect_same_on_devices(
      cambi_metric(), std::vector<OptionText>{options},
      Clip{{make_banding(format, source, 1)}, {make_banding(format, banding, 2)}});
}

// Dark enough for steps of 1 to be visible.
constexpr Banding kDark = {.bands_across = 9, .bands_down = 9, .base = 10, .noise = 3};

TEST(CambiDeviceParity, Sizes) {
  for (const int width : {1, 2, 3, 17, 33, 64, 65, 66, 130})
    expect_same({width, 217, 10, Chroma::k400}, kDark);
  for (const int height : {1, 2, 3, 31, 32, 33, 36})
    expect_same({230, height, 10, Chroma::k400}, kDark);
}

TEST(CambiDeviceParity, DepthsAndPatterns) {
  for (const int depth : {8, 9, 10, 12, 16}) {
    Banding banding = kDark;
    if (depth > 10) banding.step = 1 << (depth - 10);
    expect_same({217, 70, depth, Chroma::k420}, banding);
  }
  for (const Pattern pattern : parity::kAllPatterns)
    expect_same_on_devices(cambi_metric(), {}, {{219, 47, 8, Chroma::k400}, pattern, pattern, 3});
}

TEST(CambiDeviceParity, Windows) {
  // From 1 pixel to the widest window, 33 and 65 across.
  expect_same({240, 40, 10, Chroma::k400}, kDark, {{"window_size", "15"}});
  expect_same({700, 40, 10, Chroma::k400}, kDark, {{"window_size", "127"}});
  Banding wide = kDark;
  wide.bands_across = 60;
  expect_same({3040, 36, 10, Chroma::k400}, wide, {{"window_size", "65"}});
  expect_same({3040, 36, 10, Chroma::k400}, wide, {{"window_size", "127"}});
}

TEST(CambiDeviceParity, SizeOfTheEncode) {
  const PictureFormat format{293, 217, 10, Chroma::k400};
  expect_same(format, kDark, {{"enc_width", "218"}, {"enc_height", "151"}});
  expect_same(format, kDark, {{"enc_width", "293"}, {"enc_height", "216"}});
  expect_same(format, kDark, {{"enc_bitdepth", "8"}});
}

TEST(CambiDeviceParity, BothStreams) {
  const PictureFormat format{323, 231, 8, Chroma::k420};
  expect_same(format, kDark, {{"full_ref", "true"}});
  expect_same(format, kDark,
              {{"full_ref", "true"},
               {"enc_width", "230"},
               {"enc_height", "190"},
               {"src_width", "330"},
               {"src_height", "240"}});
}

TEST(CambiDeviceParity, StepsAndTheirVisibility) {
  const PictureFormat format{291, 70, 10, Chroma::k400};
  Banding banding = kDark;
  banding.bands_across = 40;
  banding.step = 2;
  for (const char* log : {"0", "1", "3", "4", "5"})
    expect_same(format, banding, {{"max_log_contrast", log}});
  expect_same(format, banding, {{"eotf", "pq"}, {"tvi_threshold", "0.05"}});
  expect_same(format, banding, {{"cambi_vis_lum_threshold", "0.2"}});
  expect_same(format, banding, {{"cambi_vis_lum_threshold", "300"}});
}

TEST(CambiDeviceParity, Selection) {
  const PictureFormat format{230, 100, 10, Chroma::k400};
  for (const char* share : {"0.0001", "0.01", "0.1", "0.5", "1"})
    expect_same(format, kDark, {{"topk", share}, {"window_size", "127"}});
  // Many equal contrasts.
  Banding stripes = {.bands_across = 40, .bands_down = 0, .base = 10};
  expect_same(format, stripes, {{"topk", "0.05"}});
}

// A tile whose values do not fit into the table at once.
TEST(CambiDeviceParity, ManyValues) {
  Banding steep = kDark;
  steep.bands_across = 100;
  steep.step = 17;
  for (const char* log : {"2", "5"})
    expect_same({400, 64, 10, Chroma::k400}, steep,
                {{"max_log_contrast", log}, {"window_size", "127"}, {"eotf", "pq"}});
}

TEST(CambiDeviceParity, HalvedFirst) {
  Banding wide = kDark;
  wide.bands_across = 100;
  for (const int depth : {8, 10})
    expect_same({6401, 324, depth, Chroma::k400}, wide,
                {{"cambi_high_res_speedup", "1080"}, {"window_size", "15"}});
}

TEST(CambiDevice, HeatMapsAreTheCpus) {
  const PictureFormat format{320, 240, 8, Chroma::k420};
  const Options options =
      *Options::parse(cambi_metric().options(), {{"heatmaps_path", "maps"}}, "cambi");
  const auto measurement = cambi_metric().measurement({&options, 1}, format);
  ASSERT_TRUE(measurement.ok());
  EXPECT_EQ((*measurement)->on_device(format), nullptr);
}

}  // namespace
}  // namespace vmafx
