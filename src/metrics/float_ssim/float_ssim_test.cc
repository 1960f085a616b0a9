#include "metrics/float_ssim/float_ssim.h"

#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/grid.h"
#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;

using Floats = Grid<float>;

template <class Sample>
Floats expect_decimation_parity(const Picture& picture, int factor, Scratch& scratch,
                                const std::string& where) {
  const auto plane = plane_view<Sample>(picture, 0);
  const int depth = picture.format().bit_depth;
  const int width = float_ssim::decimated(plane.width, factor);
  const int height = float_ssim::decimated(plane.height, factor);
  Floats expected(width, height);
  Floats got(width, height);
  float_ssim::reference_decimate(plane, depth, factor, expected.view());
  float_ssim::decimate(plane, depth, factor, got.view(), scratch);
  EXPECT_EQ(got.values(), expected.values()) << where << ", factor " << factor;
  return got;
}

Floats decimate_any(const Picture& picture, int factor, Scratch& scratch,
                    const std::string& where) {
  return picture.format().bit_depth == 8
             ? expect_decimation_parity<std::uint8_t>(picture, factor, scratch, where)
             : expect_decimation_parity<std::uint16_t>(picture, factor, scratch, where);
}

void expect_parity(const Case& c, int factor, Scratch& scratch, const std::string& target) {
  const Floats r = decimate_any(c.make_reference(), factor, scratch, target);
  const Floats d = decimate_any(c.make_distorted(), factor, scratch, target);
  if (r.width() < float_ssim::kTaps || r.height() < float_ssim::kTaps) return;
  const float_ssim::Sums expected = float_ssim::reference_statistics(r.view(), d.view());
  const float_ssim::Sums got = float_ssim::statistics(r.view(), d.view(), scratch);
  ASSERT_EQ(got, expected) << target << ", factor " << factor << ", " << c;
}

TEST(FloatSsimParity, EverySizeAndDepth) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 16}) {
      for (const int width : parity::edge_sizes(11))
        ASSERT_NO_FATAL_FAILURE(expect_parity(
            {{width, 13, depth, Chroma::k400}, Pattern::kTexture, Pattern::kRandom, width % 3}, 1,
            scratch, target));
    }
    for (const int width : {138, 139, 266, 267})
      ASSERT_NO_FATAL_FAILURE(
          expect_parity({{width, 23, 8, Chroma::k400}, Pattern::kTexture, Pattern::kRandom, 1}, 1,
                        scratch, target));
  });
}

TEST(FloatSsimParity, EveryDecimation) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 12, 16}) {
      for (int factor = 1; factor <= 10; ++factor) {
        for (const int size : {110, 111, 117, 119, 121})
          ASSERT_NO_FATAL_FAILURE(expect_parity(
              {{size, 231 - size, depth, Chroma::k420}, Pattern::kRandom, Pattern::kTexture, 3},
              factor, scratch, target));
      }
    }
  });
}

TEST(FloatSsimParity, EveryPattern) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 16}) {
      for (const Pattern reference : parity::kAllPatterns) {
        for (const Pattern distorted : parity::kAllPatterns)
          ASSERT_NO_FATAL_FAILURE(expect_parity(
              {{45, 29, depth, Chroma::k400}, reference, distorted, 3}, 1, scratch, target));
      }
    }
  });
}

using metric_testing::Features;

Options options_of(const OptionText& text) {
  return metric_testing::parse(float_ssim_metric(), text);
}

std::map<std::size_t, double> fold_one(const OptionText& text, const PictureFormat& format,
                                       const float_ssim::Sums& sums) {
  Features features;
  float_ssim_metric()
      .fold(options_of(text), format, 0)
      ->push(0, std::as_bytes(std::span(&sums, 1)), features);
  return features.values;
}

TEST(FloatSsimFold, MeansAndDecibels) {
  const PictureFormat format{20, 15, 8, Chroma::k420};  // 10 x 5 windows
  const auto parts = fold_one({{"enable_lcs", "1"}}, format, {45, 50, 25, 12.5});
  EXPECT_EQ(parts, (std::map<std::size_t, double>{{0, 0.9f}, {1, 1}, {2, 0.5}, {3, 0.25}}));
  // The mean is a float next to 0.9: 10 log10(1 / 0.1) within 4.34 * 3e-8 / 0.1.
  EXPECT_NEAR(fold_one({{"enable_db", "1"}}, format, {45, 0, 0, 0})[0], 10, 2e-6);
  EXPECT_EQ(fold_one({{"enable_db", "1"}}, format, {50, 0, 0, 0})[0],
            std::numeric_limits<double>::infinity());
  // ceil(10 log10(255^2 * 2 * 300)) = ceil(75.91)
  EXPECT_EQ(fold_one({{"enable_db", "1"}, {"clip_db", "1"}}, format, {50, 0, 0, 0})[0], 76);
  // A score of more than 1.
  EXPECT_EQ(fold_one({{"enable_db", "1"}, {"clip_db", "1"}}, format, {50.00001, 0, 0, 0})[0], 76);
}

TEST(FloatSsim, NeedsOneWindow) {
  const auto smallest = [](int width, int height, const OptionText& text) {
    return float_ssim_metric().check(options_of(text), {width, height, 8, Chroma::k420}).ok();
  };
  EXPECT_TRUE(smallest(11, 11, {}));
  EXPECT_FALSE(smallest(10, 300, {}));
  EXPECT_TRUE(smallest(110, 110, {{"scale", "10"}}));
  EXPECT_TRUE(smallest(101, 101, {{"scale", "10"}}));
  EXPECT_FALSE(smallest(108, 108, {{"scale", "10"}}));
}

TEST(FloatSsim, OneMeasurementForAllReports) {
  const Metric& metric = float_ssim_metric();
  EXPECT_EQ(metric.group(options_of({{"enable_db", "1"}, {"enable_lcs", "1"}})),
            metric.group(options_of({})));
  EXPECT_NE(metric.group(options_of({{"scale", "2"}})), metric.group(options_of({})));
}

}  // namespace
}  // namespace vmafx
