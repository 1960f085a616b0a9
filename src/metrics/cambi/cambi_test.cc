#include "metrics/cambi/cambi.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/cambi/banding_testing.h"
#include "metrics/cambi/contrast.h"
#include "metrics/cambi/parameters.h"
#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using cambi::Banding;
using cambi::make_banding;
using cambi::Parameters;
using cambi::PictureSums;
using parity::Pattern;

std::shared_ptr<const cambi::Visibility> visibility(const cambi::VisibilityOptions& options = {}) {
  return std::make_shared<const cambi::Visibility>(cambi::make_visibility(options));
}

Parameters parameters_for(const PictureFormat& format, int window) {
  Parameters p;
  p.width = format.width;
  p.height = format.height;
  p.anti_dither = format.bit_depth < 10;
  p.window = window;
  p.pooled_share = 0.6;
  p.visibility = visibility();
  return p;
}

template <class Sample>
PictureSums expect_parity(const Picture& picture, const Parameters& p, const std::string& what) {
  const int depth = picture.format().bit_depth;
  const auto luma = plane_view<Sample>(picture, 0);
  cambi::ContrastMaps expected_maps;
  const PictureSums expected = cambi::reference_sums(luma, depth, p, &expected_maps);
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    // The second time the scratch memory is dirty, and maps are made.
    for (int round = 0; round < 2; ++round) {
      cambi::ContrastMaps maps;
      const PictureSums got = cambi::sums(luma, depth, p, scratch, round == 0 ? nullptr : &maps);
      for (std::size_t scale = 0; scale < expected.size(); ++scale) {
        EXPECT_EQ(got[scale].whole, expected[scale].whole)
            << what << ", scale " << scale << ", " << target;
        EXPECT_EQ(got[scale].fraction, expected[scale].fraction)
            << what << ", scale " << scale << ", " << target;
        if (round == 0) continue;
        EXPECT_EQ(maps[scale].width, expected_maps[scale].width);
        EXPECT_EQ(maps[scale].values, expected_maps[scale].values)
            << what << ", scale " << scale << ", " << target;
      }
    }
  });
  return expected;
}

PictureSums expect_parity_any_depth(const Picture& picture, const Parameters& p,
                                    const std::string& what) {
  const std::string text = to_string(picture.format()) + ", " + what;
  return picture.format().bit_depth == 8 ? expect_parity<std::uint8_t>(picture, p, text)
                                         : expect_parity<std::uint16_t>(picture, p, text);
}

TEST(CambiParity, EdgeSizes) {
  for (const int width : parity::edge_sizes(1)) {
    for (const int height : {1, 2, 3, 7, 24}) {
      const PictureFormat format{width, height, 8 + 2 * (width % 2), Chroma::k400};
      Banding banding;
      banding.bands_across = width / 8.0;
      banding.bands_down = height / 8.0;
      const Picture picture = make_banding(format, banding, width % 3);
      const auto p = parameters_for(format, 1 + 2 * (width % 9));
      expect_parity_any_depth(picture, p, "banding");
      if (HasFailure()) return;
    }
  }
}

TEST(CambiParity, EveryDepthAndPattern) {
  for (const int depth : {8, 9, 10, 11, 12, 14, 16}) {
    const PictureFormat format{131, 67, depth, Chroma::k400};
    for (const Pattern pattern : parity::kAllPatterns) {
      const Picture picture = parity::make_picture({format, pattern, 3, 1});
      expect_parity_any_depth(picture, parameters_for(format, 9),
                              "pattern " + std::to_string(static_cast<int>(pattern)));
    }
    Banding banding;
    banding.base = 10;  // where steps of 1 are visible
    banding.step = depth <= 10 ? 1 : 1 << (depth - 10);
    const auto sums = expect_parity_any_depth(make_banding(format, banding, 0),
                                              parameters_for(format, 9), "banding");
    EXPECT_GT(sums[0].value(), 0) << depth;
    if (HasFailure()) return;
  }
}

TEST(CambiParity, WindowsAndBlocksOfColumns) {
  // Wider than a block of columns, with every kind of window.
  const PictureFormat format{1100, 40, 10, Chroma::k400};
  Banding banding;
  banding.bands_across = 60;
  banding.base = 10;  // where steps of 1 are visible
  banding.noise = 10;
  const Picture picture = make_banding(format, banding, 0);
  for (const int window : {1, 3, 33, 65}) {
    const auto sums = expect_parity_any_depth(picture, parameters_for(format, window),
                                              "window " + std::to_string(window));
    EXPECT_EQ(sums[0].value() > 0, window > 1);
  }
}

TEST(CambiParity, Options) {
  const PictureFormat format{293, 217, 10, Chroma::k400};
  Banding banding;
  banding.bands_across = 37;
  banding.noise = 5;
  const Picture picture = make_banding(format, banding, 3);
  const Parameters base = parameters_for(format, 7);
  const auto expect = [&](const Parameters& p, const std::string& what) {
    expect_parity_any_depth(picture, p, what);
  };
  Parameters p = base;
  p.anti_dither = true;
  expect(p, "dither averaged");
  p = base;
  p.halve_first = true;
  expect(p, "halved first");
  p = base;
  p.width = 180;
  p.height = 151;
  expect(p, "scaled down");
  p.width = 331;
  p.height = 259;
  expect(p, "scaled up");
  for (const double share : {0.0001, 0.05, 0.3, 1.0}) {
    p = base;
    p.pooled_share = share;
    expect(p, "share " + std::to_string(share));
  }
  for (const int log : {0, 1, 3, 4, 5}) {
    p = base;
    p.visibility = visibility({.max_log_contrast = log});
    expect(p, "log contrast " + std::to_string(log));
  }
  p = base;
  p.visibility = visibility({.eotf = cambi::Eotf::kPq, .step_ratio = 0.05, .dark_threshold = 5});
  expect(p, "PQ");
  p = base;
  p.visibility = visibility({.dark_threshold = 300});
  const auto none = expect_parity_any_depth(picture, p, "nothing visible");
  EXPECT_EQ(none, PictureSums{});
}

TEST(CambiParity, SamplesAboveThePeakAreHarmless) {
  const PictureFormat format{67, 33, 16, Chroma::k400};
  const Picture picture = parity::make_picture({format, Pattern::kRandom, 9, 0});
  const auto luma = plane_view<std::uint16_t>(picture, 0);
  Scratch scratch;
  for (const int depth : {9, 10, 12}) {
    const auto p = parameters_for(format, 5);
    EXPECT_EQ(cambi::sums(luma, depth, p, scratch), cambi::reference_sums(luma, depth, p));
  }
}

TEST(CambiPooling, SumOfLargestIsExact) {
  parity::Random random(4);
  Scratch scratch;
  for (const std::size_t size : {1u, 5u, 100u, 70000u}) {
    for (const double share : {0.01, 0.5, 0.99}) {
      std::vector<float> values;
      for (std::size_t i = 0; i < size; ++i) {
        const float magnitude = std::ldexp(0.5f, static_cast<int>(random.below(14)));
        const bool zero = random.below(3) == 0;
        values.push_back(
            zero ? 0 : magnitude * (1 + static_cast<float>(random.below(1 << 20)) * 0x1p-20f));
      }
      std::vector<float> sorted = values;
      std::sort(sorted.rbegin(), sorted.rend());
      const auto count = static_cast<std::size_t>(share * static_cast<double>(size)) + 1;
      cambi::ExactSum expected;
      for (std::size_t i = 0; i < std::min(count, size); ++i) expected.add(sorted[i]);
      EXPECT_EQ(cambi::sum_of_largest(values, count, scratch), expected) << size << " " << share;
    }
  }
}

TEST(CambiVisibility, ThresholdsOfTheStandardDisplay) {
  // Values that libvmaf's own search gives.
  using cambi::Eotf;
  EXPECT_EQ(cambi::darkest_visible_luma(0, Eotf::kBt1886), 0);
  EXPECT_EQ(cambi::darkest_visible_luma(300, Eotf::kBt1886), 940);
  EXPECT_DOUBLE_EQ(cambi::luminance(940, Eotf::kBt1886), 300);
  EXPECT_DOUBLE_EQ(cambi::luminance(64, Eotf::kBt1886), 0.01);
  EXPECT_DOUBLE_EQ(cambi::luminance(940, Eotf::kPq), 10000);
  EXPECT_DOUBLE_EQ(cambi::luminance(64, Eotf::kPq), 0);
}

TEST(CambiContrast, ReciprocalsHaveNineDigits) {
  int differing = 0;
  for (std::size_t n = 1; n < cambi::kReciprocals.size(); ++n)
    differing += cambi::kReciprocals[n] != 1.0f / static_cast<float>(n);
  EXPECT_EQ(differing, 42);
  EXPECT_NE(cambi::kReciprocals[82], 1.0f / 82);
  EXPECT_EQ(cambi::kReciprocals[4225], 1.0f / 4225);
}

const Options& defaults() {
  static const Options options(cambi_metric().options());
  return options;
}

Options parse(const OptionText& text) {
  return *Options::parse(cambi_metric().options(), text, "cambi");
}

TEST(Cambi, KeysCarryOptions) {
  const PictureFormat format{1920, 1080, 8, Chroma::k420};
  const auto key = [&](const OptionText& text) {
    return cambi_metric().fold(parse(text), format, 0)->keys().at(0).key;
  };
  EXPECT_EQ(key({}), "cambi");
  EXPECT_EQ(key({{"hrs", "1080"}, {"vlt", "0.06"}, {"cmxv", "17"}}),
            "cambi_hrs_1080_cmxv_17_vlt_0.06");
  EXPECT_EQ(key({{"encbd", "8"}, {"ench", "324"}, {"encw", "576"}}),
            "cambi_encbd_8_ench_324_encw_576");
  EXPECT_EQ(key({{"topk", "0.1"}, {"ctpk", "0.3"}}), "cambi_ctpk_0.3_topk_0.1");
  EXPECT_EQ(key({{"eotf", "pq"}}), "cambi_eotf_pq");
  EXPECT_EQ(key({{"ceot", "pq"}}), "cambi_ceot_pq");
  EXPECT_EQ(key({{"ws", "31"}, {"mlc", "3"}, {"tvit", "0.05"}}), "cambi_mlc_3_tvit_0.05_ws_31");

  const auto keys =
      cambi_metric()
          .fold(parse({{"full_ref", "true"}, {"srcw", "320"}, {"srch", "200"}}), format, 0)
          ->keys();
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0].key, "cambi_srch_200_srcw_320");
  EXPECT_EQ(keys[1].key, "cambi_source");
  EXPECT_EQ(keys[2].key, "cambi_full_reference");
}

TEST(Cambi, ClippingAloneDoesNotMakeAGroup) {
  EXPECT_EQ(cambi_metric().group(parse({{"cmxv", "17"}})), cambi_metric().group(defaults()));
  EXPECT_NE(cambi_metric().group(parse({{"ws", "31"}})), cambi_metric().group(defaults()));
}

TEST(Cambi, RefusesWhatItCannotMeasure) {
  const auto check = [](const OptionText& text, int width, int height) {
    return cambi_metric().check(parse(text), {width, height, 8, Chroma::k420});
  };
  EXPECT_TRUE(check({}, 216, 1).ok());
  EXPECT_TRUE(check({}, 240, 180).ok());
  EXPECT_TRUE(check({}, 215, 216).ok());
  const Status small = check({}, 215, 215);
  ASSERT_FALSE(small.ok());
  EXPECT_EQ(small.error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(small.error().message,
            "cambi needs a width or height of at least 216, the encode has 215x215");
  EXPECT_TRUE(check({}, 3840, 2160).ok());
  const Status wide = check({}, 7680, 4320);
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.error().code, ErrorCode::kNotApplicable);
  EXPECT_TRUE(check({{"ws", "32"}}, 7680, 4320).ok());
  EXPECT_FALSE(check({{"hrs", "720"}}, 1920, 1080).ok());
  EXPECT_FALSE(
      check({{"full_ref", "1"}, {"encw", "600"}, {"ench", "600"}, {"srcw", "800"}, {"srch", "500"}},
            1920, 1080)
          .ok());
  const auto eotf = Options::parse(cambi_metric().options(), {{"eotf", "hlg"}}, "cambi");
  ASSERT_FALSE(eotf.ok());
  EXPECT_EQ(eotf.error().code, ErrorCode::kUsage);
}

using metric_testing::Features;

TEST(Cambi, HeatMapsAreOfTheDistortedPictureIn16Bits) {
  const PictureFormat format{320, 241, 8, Chroma::k420};
  const Picture picture = make_banding(format, {}, 0);
  const Options options = parse({{"heatmaps_path", "maps"}});
  const auto measurement = cambi_metric().measurement({&options, 1}, format);
  std::vector<std::byte> record((*measurement)->record_size());
  Scratch scratch;
  std::vector<Artifact> maps;
  (*measurement)->measure({0, {&picture, 1}, {&picture, 1}, &maps}, scratch, record);
  ASSERT_EQ(maps.size(), 5u);
  EXPECT_EQ(maps[0].folder, "maps");
  EXPECT_EQ(maps[0].file, "cambi_heatmap_scale_0_320x241_16b.gray");
  EXPECT_EQ(maps[4].file, "cambi_heatmap_scale_4_20x16_16b.gray");
  EXPECT_EQ(maps[4].bytes.size(), 2u * 20 * 16);

  Parameters p = cambi::plan_streams(options, format)->distorted;
  p.visibility = visibility();
  cambi::ContrastMaps contrasts;
  cambi::reference_sums(plane_view<std::uint8_t>(picture, 0), 8, p, &contrasts);
  const std::vector<float>& first = contrasts[0].values;
  const auto largest = std::max_element(first.begin(), first.end());
  ASSERT_GT(*largest, 0);
  // A step of 4 weighs most, 4; half of the window's pixels on each side of it make the largest.
  const auto expected = static_cast<unsigned>(double{*largest} * (65535.0 / (p.window * p.window)));
  const auto at = static_cast<std::size_t>(2 * (largest - first.begin()));
  EXPECT_EQ(std::to_integer<unsigned>(maps[0].bytes[at]) +
                256 * std::to_integer<unsigned>(maps[0].bytes[at + 1]),
            expected);
}

TEST(Cambi, FullReferenceReportsWhatTheDistortionAdds) {
  const PictureFormat format{320, 240, 10, Chroma::k420};
  Banding fine;
  fine.bands_across = 30;
  Banding coarse = fine;
  coarse.step = 4;
  const Picture source = make_banding(format, fine, 0);
  const Picture distorted = make_banding(format, coarse, 0);
  const auto measure = [&](const OptionText& text, const Picture& a, const Picture& b) {
    const Options options = parse(text);
    const auto measurement = cambi_metric().measurement({&options, 1}, format);
    std::vector<std::byte> record((*measurement)->record_size());
    Scratch scratch;
    (*measurement)->measure({0, {&a, 1}, {&b, 1}}, scratch, record);
    Features features;
    cambi_metric().fold(options, format, 0)->push(0, record, features);
    return features.values;
  };
  const auto forth = measure({{"full_ref", "1"}}, source, distorted);
  const auto back = measure({{"full_ref", "1"}}, distorted, source);
  EXPECT_EQ(forth.at(0), back.at(1));
  EXPECT_EQ(forth.at(1), back.at(0));
  ASSERT_GT(forth.at(0), forth.at(1));
  EXPECT_EQ(forth.at(2), forth.at(0) - forth.at(1));
  EXPECT_EQ(back.at(2), 0);

  const auto clipped = measure({{"full_ref", "1"}, {"cmxv", "0.5"}}, source, distorted);
  EXPECT_EQ(clipped.at(0), 0.5);
  EXPECT_EQ(clipped.at(2), std::min(0.5, forth.at(2)));
}

}  // namespace
}  // namespace vmafx
