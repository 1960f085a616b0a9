#include "metrics/float_vif/float_vif.h"

#include <cmath>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include "metrics/float_vif/definition.h"
#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using float_vif::Sums;
using float_vif::Task;
using parity::Case;
using parity::Pattern;

TEST(FloatVifLog2, IsNearTheLogarithm) {
  for (float x = 1; x < 1e6f; x *= 1.0007f)
    ASSERT_NEAR(float_vif::log2_approximate(x), std::log2(x), 3e-5) << x;
  EXPECT_EQ(float_vif::log2_approximate(1), 0);
  EXPECT_EQ(float_vif::log2_approximate(std::numeric_limits<float>::infinity()), 128);
}

TEST(FloatVifWindows, AreGaussiansOfAFifthOfTheirWidth) {
  const auto windows = float_vif::make_windows(1);
  for (const auto& window : windows) {
    float sum = 0;
    for (int k = 0; k < window.size(); ++k) {
      sum += window.taps()[k];
      EXPECT_EQ(window.taps()[k], window.taps()[window.size() - 1 - k]);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    const double sigma = window.size() / 5.0;
    EXPECT_NEAR(window.taps()[0] / window.taps()[window.radius()],
                std::exp(-0.5 * std::pow(window.radius() / sigma, 2)), 1e-6);
  }
  EXPECT_EQ(windows[0].size(), 17);
  EXPECT_EQ(windows[3].size(), 3);
  EXPECT_EQ(float_vif::make_windows(360.0 / 97)[0].size(), 65);
}

Task default_task() {
  Task task;
  task.windows = float_vif::make_windows(1);
  task.gain_limits = {100, 1, 1.5};
  return task;
}

// Compares measure_cpu on every instruction set with the definition.
void expect_parity(const Case& c, const Task& task = default_task()) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  std::vector<Sums> expected(task.gain_limits.size());
  float_vif::measure_reference(reference, distorted, task, expected);
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    std::vector<Sums> actual(task.gain_limits.size());
    float_vif::measure_cpu(reference, distorted, task, scratch, actual);
    for (std::size_t v = 0; v < actual.size(); ++v) {
      for (std::size_t s = 0; s < float_vif::kScales; ++s) {
        const float_vif::ScaleSums& a = actual[v].scale[s];
        const float_vif::ScaleSums& e = expected[v].scale[s];
        EXPECT_TRUE(a == e) << target << ", " << c << ", limit " << task.gain_limits[v]
                            << ", scale " << s << ": num " << a.num << " " << e.num << ", den "
                            << a.den << " " << e.den;
      }
    }
  });
}

PictureFormat luma(int width, int height, int depth) {
  return {width, height, depth, Chroma::k400};
}

class FloatVifParity : public testing::TestWithParam<int> {};

TEST_P(FloatVifParity, EveryWidth) {
  for (const int width : parity::edge_sizes(16)) {
    expect_parity({luma(width, 18, GetParam()), Pattern::kTexture, Pattern::kTexture, 3});
    if (HasFailure()) break;
  }
}

TEST_P(FloatVifParity, EveryHeight) {
  for (const int height : parity::edge_sizes(16)) {
    expect_parity({luma(19, height, GetParam()), Pattern::kTexture, Pattern::kBars, 0});
    if (HasFailure()) break;
  }
}

TEST_P(FloatVifParity, EveryPairOfPatterns) {
  for (const Pattern reference : parity::kAllPatterns) {
    for (const Pattern distorted : parity::kAllPatterns)
      expect_parity({luma(53, 37, GetParam()), reference, distorted, 1});
  }
}

TEST_P(FloatVifParity, WithoutScale0) {
  Task task = default_task();
  task.scale0 = false;
  expect_parity({luma(75, 44, GetParam()), Pattern::kRandom, Pattern::kTexture, 2}, task);
}

TEST_P(FloatVifParity, EveryNoise) {
  // Powers of two take another way than others; without noise there are infinite ratios.
  for (const double noise : {0.0, 0.3, 0.5, 1.0, 3.0, 4.0, 5.0}) {
    Task task = default_task();
    task.noise = noise;
    expect_parity({luma(43, 29, GetParam()), Pattern::kRamp, Pattern::kTexture, 0}, task);
    expect_parity({luma(43, 29, GetParam()), Pattern::kFlat, Pattern::kTexture, 0}, task);
  }
}

TEST_P(FloatVifParity, EveryKindOfWindow) {
  for (const double scale : {0.5, 2.0 / 3, 1.5, 2.4, 360.0 / 97}) {
    Task task = default_task();
    task.windows = float_vif::make_windows(scale);
    for (const int size : {56, 67, 94}) {  // the widest window needs 56
      expect_parity({luma(size, 150 - size, GetParam()), Pattern::kTexture, Pattern::kRandom, 1},
                    task);
    }
  }
}

TEST_P(FloatVifParity, EveryPrescaling) {
  for (const Scaling scaling :
       {Scaling::kNearest, Scaling::kBilinear, Scaling::kBicubic, Scaling::kLanczos4}) {
    for (const double factor : {0.5, 0.7, 1.5}) {
      Task task = default_task();
      task.prescaler.emplace(scaling, 61, 47, static_cast<int>(61 * factor),
                             static_cast<int>(47 * factor));
      expect_parity({luma(61, 47, GetParam()), Pattern::kTexture, Pattern::kRandom, 1}, task);
    }
  }
}

TEST_P(FloatVifParity, TheSmallestPictureThatIsScaled) {
  for (const Scaling scaling :
       {Scaling::kNearest, Scaling::kBilinear, Scaling::kBicubic, Scaling::kLanczos4}) {
    Task task = default_task();
    task.prescaler.emplace(scaling, kSmallestScaled, kSmallestScaled, 4 * kSmallestScaled,
                           4 * kSmallestScaled);
    expect_parity({luma(kSmallestScaled, kSmallestScaled, GetParam()), Pattern::kTexture,
                   Pattern::kRandom, 1},
                  task);
  }
}

TEST_P(FloatVifParity, ChromaIsNotLookedAt) {
  expect_parity({{35, 33, GetParam(), Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 5});
}

INSTANTIATE_TEST_SUITE_P(Depth, FloatVifParity, testing::Values(8, 10, 16),
                         [](const auto& param) { return std::to_string(param.param) + "bit"; });

Options parse(const OptionText& text) { return metric_testing::parse(float_vif_metric(), text); }

std::map<std::string, double> measure(const std::vector<Options>& variants, std::size_t which,
                                      const Picture& reference, const Picture& distorted) {
  return metric_testing::features_of(float_vif_metric(), variants, which, reference, distorted);
}

TEST(FloatVif, IdenticalPicturesScoreOne) {
  const Picture picture = parity::make_picture({luma(64, 48, 8), Pattern::kTexture});
  // What a gain of variance / (variance + 1e-10) and the approximate logarithm leave.
  for (const auto& [key, value] : measure({parse({})}, 0, picture, picture))
    EXPECT_NEAR(value, 1.0, 1e-5) << key;
}

TEST(FloatVif, FlatPicturesScoreExactlyOne) {
  const Picture picture = parity::make_picture({luma(64, 48, 10), Pattern::kFlat});
  for (const auto& [key, value] : measure({parse({})}, 0, picture, picture))
    EXPECT_EQ(value, 1.0) << key;
}

TEST(FloatVif, KeysCarryTheOptions) {
  const auto keys =
      float_vif_metric()
          .fold(parse({{"egl", "1"}, {"s1miv", "0.5"}, {"pm", "bicubic"}, {"debug", "true"}}),
                luma(64, 64, 8), 0)
          ->keys();
  ASSERT_EQ(keys.size(), 15u);
  EXPECT_EQ(keys[0].key, "vif_scale0_egl_1_pm_bicubic_s1miv_0.5");
  EXPECT_EQ(keys[0].name, "VMAF_feature_vif_scale0_score");
  EXPECT_EQ(keys[4].key, "vif_egl_1_pm_bicubic_s1miv_0.5");
  EXPECT_EQ(keys[14].key, "vif_den_scale3_egl_1_pm_bicubic_s1miv_0.5");
}

TEST(FloatVif, VariantsOfOneMeasurementScoreAsIfAlone) {
  const PictureFormat format = luma(80, 60, 8);
  const Picture reference = parity::make_picture({format, Pattern::kTexture, 1});
  const Picture distorted = parity::make_picture({format, Pattern::kBars, 2});
  const std::vector<Options> variants = {
      parse({{"debug", "true"}}), parse({{"egl", "1"}}),
      parse({{"ssclz", "true"}, {"s2miv", "1"}, {"debug", "true"}})};
  for (std::size_t v = 0; v < variants.size(); ++v) {
    EXPECT_EQ(float_vif_metric().group(variants[v]), float_vif_metric().group(variants[0]));
    EXPECT_EQ(measure(variants, v, reference, distorted),
              measure({variants[v]}, 0, reference, distorted));
  }
  const auto skipped = measure(variants, 2, reference, distorted);
  EXPECT_EQ(skipped.at("vif_scale0_s2miv_1_ssclz"), 0.0);
  EXPECT_EQ(skipped.at("vif_num_scale0_s2miv_1_ssclz"), 0.0);
  EXPECT_EQ(skipped.at("vif_den_scale0_s2miv_1_ssclz"), -1.0);
  EXPECT_EQ(skipped.at("vif_scale2_s2miv_1_ssclz"), 1.0);
}

TEST(FloatVif, RefusesSmallPicturesAndOtherKernelScales) {
  const auto check = [](const OptionText& text, int width, int height) {
    return float_vif_metric().check(parse(text), luma(width, height, 8));
  };
  EXPECT_TRUE(check({}, 16, 16).ok());
  const Status small = check({}, 16, 15);
  ASSERT_FALSE(small.ok());
  EXPECT_EQ(small.error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(small.error().message,
            "float_vif: pictures of 16x15 are too small, it needs 16x16 or more");
  EXPECT_TRUE(check({{"ps", "0.5"}}, 32, 31).ok());  // 31 * 0.5 is rounded up
  EXPECT_FALSE(check({{"ps", "0.5"}}, 32, 30).ok());
  EXPECT_FALSE(check({{"ps", "4"}}, 5, 64).ok());  // scaling itself looks further
  EXPECT_TRUE(check({{"ps", "4"}}, 6, 6).ok());
  EXPECT_FALSE(check({{"ks", "2"}}, 17, 17).ok());
  EXPECT_TRUE(check({{"ks", "0.6667"}}, 64, 64).ok());
  const Status scale = check({{"ks", "4"}}, 640, 480);
  ASSERT_FALSE(scale.ok());
  EXPECT_EQ(scale.error().code, ErrorCode::kUsage);
}

TEST(FloatVif, IsRegistered) {
  EXPECT_EQ(find_metric("float_vif"), &float_vif_metric());
  EXPECT_EQ(find_metric_by_output("VMAF_feature_vif_scale2_score"), &float_vif_metric());
}

}  // namespace
}  // namespace vmafx
