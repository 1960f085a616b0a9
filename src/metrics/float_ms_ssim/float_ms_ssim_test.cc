#include "metrics/float_ms_ssim/float_ms_ssim.h"

#include <array>
#include <cmath>
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

using ms_ssim::kScales;

using Floats = Grid<float>;

Floats random_floats(int width, int height, float smallest) {
  parity::Random random(7);
  Floats out(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      out.at(x, y) = smallest + static_cast<float>(random.below(1u << 24)) / 65536.f;
  }
  return out;
}

Floats half_of(const Floats& plane) {
  return Floats((plane.width() + 1) / 2, (plane.height() + 1) / 2);
}

void expect_parity(const Floats& plane, Scratch& scratch, const std::string& target) {
  Floats expected = half_of(plane);
  Floats got = half_of(plane);
  ms_ssim::reference_halve(plane.view(), expected.view());
  ms_ssim::halve(plane.view(), got.view(), scratch);
  ASSERT_EQ(got.values(), expected.values())
      << target << ", " << plane.width() << "x" << plane.height();
}

TEST(FloatMsSsimParity, EverySizeOfHalving) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int width : parity::edge_sizes(11)) {
      for (const int height : {11, 12, 19}) {
        for (const float smallest : {0.f, 1.f})
          ASSERT_NO_FATAL_FAILURE(
              expect_parity(random_floats(width, height, smallest), scratch, target));
      }
    }
    for (const int width : {254, 255, 256, 257, 258, 263, 264, 265, 520})
      ASSERT_NO_FATAL_FAILURE(expect_parity(random_floats(width, 45, 1), scratch, target));
  });
}

// Samples whose sums are not exact in double, so that their order matters: tiny ones, large ones
// and negative ones among the usual.
TEST(FloatMsSsimParity, HalvingInAnyRange) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const float unusual :
         {0x1p-8f, 0x1.8p-9f, 0x1p-40f, 0x1p-149f, 0x1p9f, 0x1.2p9f, 0x1p60f}) {
      for (const float sign : {1.f, -1.f}) {
        Floats plane = random_floats(61, 37, 1);
        for (int i = 0; i < 30; ++i) plane.at(2 * i, i) = sign * unusual;
        ASSERT_NO_FATAL_FAILURE(expect_parity(plane, scratch, target));
      }
    }
    for (const float value : {0.f, -0.f, -100.f, 255.f}) {
      Floats plane(61, 37);
      for (int y = 0; y < plane.height(); ++y) {
        for (int x = 0; x < plane.width(); ++x) plane.at(x, y) = value;
      }
      ASSERT_NO_FATAL_FAILURE(expect_parity(plane, scratch, target));
    }
  });
}

// Samples are halved and compared as if they had been made floats.
template <class Sample>
void expect_samples_parity(const parity::Case& c, Scratch& scratch, const std::string& target) {
  const Picture pictures[2] = {c.make_reference(), c.make_distorted()};
  const int depth = c.format.bit_depth;
  std::vector<Floats> planes;
  for (const Picture& picture : pictures) {
    const auto samples = plane_view<Sample>(picture, 0);
    planes.emplace_back(samples.width, samples.height);
    float_ssim::reference_decimate(samples, depth, 1, planes.back().view());
    Floats expected = half_of(planes.back());
    Floats got = half_of(planes.back());
    ms_ssim::reference_halve(planes.back().view(), expected.view());
    ms_ssim::halve(samples, depth, got.view(), scratch);
    ASSERT_EQ(got.values(), expected.values()) << target << ", " << c;
  }
  ASSERT_EQ(float_ssim::statistics(plane_view<Sample>(pictures[0], 0),
                                   plane_view<Sample>(pictures[1], 0), depth, scratch),
            float_ssim::reference_statistics(planes[0].view(), planes[1].view()))
      << target << ", " << c;
}

TEST(FloatMsSsimParity, Samples) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const parity::Pattern pattern : parity::kAllPatterns) {
      for (const int width : {45, 46, 267, 553}) {
        for (const int depth : {8, 10, 16}) {
          const parity::Case c{
              {width, 31, depth, Chroma::k400}, pattern, parity::Pattern::kRandom, width % 3};
          if (depth == 8) {
            ASSERT_NO_FATAL_FAILURE(expect_samples_parity<std::uint8_t>(c, scratch, target));
          } else {
            ASSERT_NO_FATAL_FAILURE(expect_samples_parity<std::uint16_t>(c, scratch, target));
          }
        }
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
