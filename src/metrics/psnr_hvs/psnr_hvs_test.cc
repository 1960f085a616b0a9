#include "metrics/psnr_hvs/psnr_hvs.h"

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;

template <class Sample>
void expect_parity(const Case& c, const std::string& target) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  for (int p = 0; p < c.format.planes(); ++p) {
    const auto r = plane_view<Sample>(reference, p);
    const auto d = plane_view<Sample>(distorted, p);
    const psnr_hvs::Weights& weights = psnr_hvs::kWeights[static_cast<std::size_t>(p)];
    ASSERT_EQ(std::bit_cast<std::uint32_t>(psnr_hvs::error(r, d, weights)),
              std::bit_cast<std::uint32_t>(psnr_hvs::reference_error(r, d, weights)))
        << target << ", plane " << p << ", " << c;
  }
}

void expect_parity_any_depth(const Case& c, const std::string& target) {
  if (c.format.bit_depth == 8) {
    expect_parity<std::uint8_t>(c, target);
  } else {
    expect_parity<std::uint16_t>(c, target);
  }
}

TEST(PsnrHvsParity, EverySizeAndDepth) {
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 12}) {
      for (const int width : parity::edge_sizes(8))
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(
            {{width, 15, depth, Chroma::k444}, Pattern::kTexture, Pattern::kRandom, width % 3},
            target));
      for (const int height : {8, 9, 14, 15, 16, 22, 23})
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(
            {{61, height, depth, Chroma::k400}, Pattern::kRandom, Pattern::kTexture, 1}, target));
    }
  });
}

TEST(PsnrHvsParity, EveryPattern) {
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 12}) {
      for (const Pattern reference : parity::kAllPatterns) {
        for (const Pattern distorted : parity::kAllPatterns)
          ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(
              {{93, 29, depth, Chroma::k420}, reference, distorted, 3}, target));
      }
    }
  });
}

using metric_testing::Features;

Options options_of(const OptionText& text) {
  return metric_testing::parse(psnr_hvs_metric(), text);
}

TEST(PsnrHvsFold, WeightsThePlanes) {
  // One block of 64 coefficients in each plane; 65025 = 255^2.
  const std::array<float, 3> errors = {65025.f * 64 / 10, 65025.f * 64 / 100, 65025.f * 64 / 100};
  Features features;
  psnr_hvs_metric()
      .fold(options_of({}), {8, 8, 8, Chroma::k444}, 0)
      ->push(0, std::as_bytes(std::span(errors)), features);
  // Means are floats.
  EXPECT_NEAR(features.values[0], 10, 1e-6);
  EXPECT_NEAR(features.values[1], 20, 1e-6);
  EXPECT_NEAR(features.values[2], 20, 1e-6);
  EXPECT_NEAR(features.values[3], -10 * std::log10(0.8 * 0.1 + 0.2 * 0.01), 1e-6);
}

TEST(PsnrHvsFold, EqualPlanesAreInfinite) {
  const std::array<float, 3> errors{};
  Features features;
  psnr_hvs_metric()
      .fold(options_of({}), {16, 16, 8, Chroma::k420}, 0)
      ->push(0, std::as_bytes(std::span(errors)), features);
  for (std::size_t key = 0; key < 4; ++key)
    EXPECT_EQ(features.values[key], std::numeric_limits<double>::infinity());
}

TEST(PsnrHvs, LumaAlone) {
  for (const auto& [text, chroma] : {std::pair(OptionText{}, Chroma::k400),
                                     {OptionText{{"enable_chroma", "0"}}, Chroma::k420}}) {
    const auto keys = psnr_hvs_metric().fold(options_of(text), {16, 16, 8, chroma}, 0)->keys();
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_EQ(keys[0].key, "psnr_hvs_y");
  }
}

TEST(PsnrHvs, SaysWhatItCannotMeasure) {
  const auto applies = [](const PictureFormat& format, const OptionText& text) {
    return psnr_hvs_metric().check(options_of(text), format).ok();
  };
  EXPECT_TRUE(applies({16, 16, 12, Chroma::k420}, {}));
  EXPECT_FALSE(applies({16, 16, 13, Chroma::k420}, {}));
  EXPECT_FALSE(applies({14, 16, 8, Chroma::k420}, {}));
  EXPECT_TRUE(applies({14, 16, 8, Chroma::k420}, {{"enable_chroma", "0"}}));
  EXPECT_FALSE(applies({7, 16, 8, Chroma::k400}, {}));
}

}  // namespace
}  // namespace vmafx
