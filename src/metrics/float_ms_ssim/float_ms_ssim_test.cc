#include "metrics/float_ms_ssim/float_ms_ssim.h"

#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using ms_ssim::kScales;

std::vector<float> random_floats(std::size_t count) {
  parity::Random random(7);
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(random.below(1u << 24)) / 65536.f;
  return values;
}

TEST(FloatMsSsimParity, EverySizeOfHalving) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int width : parity::edge_sizes(11)) {
      for (const int height : {11, 12, 19}) {
        const int stride = width + 3;
        const auto samples =
            random_floats(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height));
        const PlaneView<const float> plane{samples.data(), stride, width, height};
        const int half_width = (width + 1) / 2;
        const int half_height = (height + 1) / 2;
        std::vector<float> expected(static_cast<std::size_t>(half_width * half_height));
        std::vector<float> got(expected.size());
        ms_ssim::reference_halve(plane, {expected.data(), half_width, half_width, half_height});
        ms_ssim::halve(plane, {got.data(), half_width, half_width, half_height}, scratch);
        ASSERT_EQ(got, expected) << target << ", " << width << "x" << height;
      }
    }
  });
}

using metric_testing::Features;

Options options_of(const OptionText& text) {
  return metric_testing::parse(float_ms_ssim_metric(), text);
}

// Sums of luma that give these means at every scale of a picture of 176x176.
std::map<std::size_t, double> fold_means(const OptionText& text, double luminance, double contrast,
                                         double structure) {
  std::array<std::array<float_ssim::Sums, kScales>, 3> record{};
  for (int scale = 0; scale < kScales; ++scale) {
    const int windows = (176 >> scale) - float_ssim::kTaps + 1;
    const double n = static_cast<double>(windows) * windows;
    record[0][static_cast<std::size_t>(scale)] = {0, n * luminance, n * contrast, n * structure};
  }
  Features features;
  float_ms_ssim_metric()
      .fold(options_of(text), {176, 176, 8, Chroma::k420}, 0)
      ->push(0, std::as_bytes(std::span(record)), features);
  return features.values;
}

TEST(FloatMsSsimFold, ProductOfPowers) {
  EXPECT_EQ(fold_means({}, 1, 1, 1)[0], 1);
  // The exponents of contrast sum to 1.0001, that of luminance counts once: 0.1333. All are floats.
  EXPECT_NEAR(fold_means({}, 1, 0.5, 1)[0], std::pow(0.5, 1.0001), 1e-7);
  EXPECT_NEAR(fold_means({}, 1, 1, 0.25)[0], std::pow(0.25, 1.0001), 1e-7);
  EXPECT_NEAR(fold_means({}, 0.5, 1, 1)[0], std::pow(0.5, 0.1333), 1e-7);
  EXPECT_EQ(fold_means({}, 1, 1, -0.25)[0], 0);
}

TEST(FloatMsSsimFold, Decibels) {
  // ceil(10 log10(255^2 * 2 * 176^2)) = ceil(96.05)
  EXPECT_EQ(fold_means({{"enable_db", "1"}, {"clip_db", "1"}}, 1, 1, 1)[0], 97);
  EXPECT_TRUE(std::isinf(fold_means({{"enable_db", "1"}}, 1, 1, 1)[0]));
}

TEST(FloatMsSsimFold, KeysInOrder) {
  const auto keys = float_ms_ssim_metric()
                        .fold(options_of({{"enable_lcs", "1"}, {"enable_chroma", "1"}}),
                              {352, 352, 8, Chroma::k420}, 0)
                        ->keys();
  ASSERT_EQ(keys.size(), 18u);
  EXPECT_EQ(keys[0].key, "float_ms_ssim");
  EXPECT_EQ(keys[1].key, "float_ms_ssim_l_scale0");
  EXPECT_EQ(keys[6].key, "float_ms_ssim_c_scale0");
  EXPECT_EQ(keys[15].key, "float_ms_ssim_s_scale4");
  EXPECT_EQ(keys[17].key, "float_ms_ssim_cr");
  const auto values = fold_means({{"enable_lcs", "1"}}, 0.5, 0.25, 0.125);
  EXPECT_EQ(values.at(5), 0.5);
  EXPECT_EQ(values.at(6), 0.25);
  EXPECT_EQ(values.at(15), 0.125);
}

TEST(FloatMsSsim, NeedsOneWindowAtTheLastScale) {
  const auto applies = [](int width, int height, const OptionText& text) {
    return float_ms_ssim_metric().check(options_of(text), {width, height, 8, Chroma::k420}).ok();
  };
  EXPECT_TRUE(applies(176, 176, {}));
  EXPECT_FALSE(applies(175, 176, {}));
  EXPECT_FALSE(applies(176, 144, {}));
  EXPECT_FALSE(applies(350, 352, {{"enable_chroma", "1"}}));
  EXPECT_TRUE(applies(351, 352, {{"enable_chroma", "1"}}));
}

TEST(FloatMsSsim, EqualPicturesScoreOneInEveryPlane) {
  const Metric& metric = float_ms_ssim_metric();
  const PictureFormat format{352, 353, 10, Chroma::k420};
  const Options options = options_of({{"enable_chroma", "1"}});
  const Picture picture = parity::make_picture({format, parity::Pattern::kTexture});
  const auto measurement = metric.measurement(std::span(&options, 1), format);
  Scratch scratch;
  std::vector<std::byte> record((*measurement)->record_size());
  (*measurement)->measure({0, std::span(&picture, 1), std::span(&picture, 1)}, scratch, record);
  Features features;
  metric.fold(options, format, 0)->push(0, record, features);
  ASSERT_EQ(features.values.size(), 3u);
  // Luminance divides double by float and so may miss 1 by half a float's last place.
  for (const auto& [key, value] : features.values) EXPECT_NEAR(value, 1, 1e-6) << key;
}

}  // namespace
}  // namespace vmafx
