#include "metrics/vif/vif.h"

#include <cmath>
#include <sstream>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"
#include "metrics/vif/log2_table.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;
using vif::Sums;

constexpr std::array<double, 3> kGainLimits = {1.0, 1.5, 100.0};

TEST(VifLog2, EqualsTheRoundedFloatLogarithm) {
  for (unsigned i = 32768; i < 65536; ++i) {
    // The reference takes a float logarithm; a double one rounded to float is the correctly rounded
    // float.
    const float log = static_cast<float>(std::log2(static_cast<double>(i)));
    ASSERT_EQ(vif::log2_fixed(i), static_cast<int>(std::round(double{log} * 2048))) << i;
  }
}

TEST(VifLog2, LooksAtTheSixteenLeadingBits) {
  EXPECT_EQ(vif::log2_fixed(1 << 17), 17 * 2048);
  EXPECT_EQ(vif::log2_fixed(std::uint64_t{40000} << 27 | 0x7ffffff),
            vif::log2_fixed(40000) + 27 * 2048);
}

TEST(VifLog2Parity, OfAllMantissas) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (std::int32_t mantissa = 32768; mantissa < 65536; ++mantissa) {
      // With an exponent of 16 or 30; the bits behind the first 16 do not count.
      const std::int32_t number = mantissa % 2 == 0 ? mantissa << 1 : (mantissa << 15) + 0x7fff;
      const int expected =
          vif::log2_fixed(static_cast<std::uint64_t>(number)) - vif::log2_fixed(vif::kNoise);
      const auto actual = vif::log2_cpu(number, scratch);
      ASSERT_EQ(actual[0], expected) << target << ", " << number;
      ASSERT_EQ(actual[1], expected) << target << ", " << number;
    }
  });
}

using Variants = std::array<Sums, kGainLimits.size()>;

void expect_equal(const Variants& actual, const Variants& expected, const std::string& what) {
  for (std::size_t v = 0; v < kGainLimits.size(); ++v) {
    for (std::size_t s = 0; s < vif::kScales; ++s) {
      const vif::ScaleSums& a = actual[v].scale[s];
      const vif::ScaleSums& e = expected[v].scale[s];
      EXPECT_TRUE(a == e) << what << ", limit " << kGainLimits[v] << ", scale " << s << ": num_log "
                          << a.num_log << " " << e.num_log << ", den_log " << a.den_log << " "
                          << e.den_log << ", num_non_log " << a.num_non_log << " " << e.num_non_log
                          << ", den_non_log " << a.den_non_log << " " << e.den_non_log;
    }
  }
}

// Compares measure_cpu on every instruction set with the definition: two encodes, of which the
// second is the reference itself.
void expect_parity(const Case& c, bool scale0 = true) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  const vif::Task task{kGainLimits, scale0};
  const std::array<const Picture*, 2> encodes = {&distorted, &reference};
  std::array<Variants, 2> expected;
  for (std::size_t e = 0; e < encodes.size(); ++e)
    vif::measure_reference(reference, *encodes[e], task, expected[e]);
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    std::array<Variants, 2> actual;
    const std::array<std::span<Sums>, 2> sums = {actual[0], actual[1]};
    vif::measure_cpu(reference, encodes, task, scratch, nullptr, sums);
    std::ostringstream what;
    what << target << ", " << c;
    for (std::size_t e = 0; e < encodes.size(); ++e)
      expect_equal(actual[e], expected[e], what.str() + ", encode " + std::to_string(e));
  });
}

PictureFormat luma(int width, int height, int depth) {
  return {width, height, depth, Chroma::k400};
}

class VifParity : public testing::TestWithParam<int> {};

TEST_P(VifParity, EveryWidth) {
  for (const int width : parity::edge_sizes(vif::kMinSize)) {
    expect_parity({luma(width, 18, GetParam()), Pattern::kTexture, Pattern::kTexture, 3});
    if (HasFailure()) break;
  }
}

TEST_P(VifParity, EveryHeight) {
  for (const int height : parity::edge_sizes(vif::kMinSize)) {
    expect_parity({luma(19, height, GetParam()), Pattern::kTexture, Pattern::kBars, 0});
    if (HasFailure()) break;
  }
}

TEST_P(VifParity, EveryPairOfPatterns) {
  for (const Pattern reference : parity::kAllPatterns) {
    for (const Pattern distorted : parity::kAllPatterns)
      expect_parity({luma(53, 37, GetParam()), reference, distorted, 1});
  }
}

TEST_P(VifParity, WideStrip) {
  expect_parity({luma(1920, 17, GetParam()), Pattern::kTexture, Pattern::kRandom, 7});
  expect_parity({luma(4099, 16, GetParam()), Pattern::kExtremes, Pattern::kTexture, 0});
}

TEST_P(VifParity, WithoutScale0) {
  expect_parity({luma(75, 44, GetParam()), Pattern::kRandom, Pattern::kTexture, 2}, false);
}

TEST_P(VifParity, ChromaIsNotLookedAt) {
  expect_parity({{35, 33, GetParam(), Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 5});
}

INSTANTIATE_TEST_SUITE_P(Depth, VifParity, testing::Values(8, 9, 10, 12, 16),
                         [](const auto& param) { return std::to_string(param.param) + "bit"; });

Options parse(const OptionText& text) { return metric_testing::parse(vif_metric(), text); }

std::map<std::string, double> measure(const std::vector<Options>& variants, std::size_t which,
                                      const Picture& reference, const Picture& distorted) {
  return metric_testing::features_of(vif_metric(), variants, which, reference, distorted);
}

TEST(Vif, IdenticalPicturesScoreOne) {
  const Picture picture = parity::make_picture({luma(64, 48, 8), Pattern::kTexture});
  for (const auto& [key, value] : measure({parse({})}, 0, picture, picture))
    EXPECT_NEAR(value, 1.0, 1e-3) << key;  // the fixed-point variances differ by a unit at times
}

TEST(Vif, FlatReferenceWithFlatDistortionScoresExactlyOne) {
  const Picture picture = parity::make_picture({luma(64, 48, 10), Pattern::kBlack});
  for (const auto& [key, value] : measure({parse({})}, 0, picture, picture))
    EXPECT_EQ(value, 1.0) << key;
}

TEST(Vif, KeysCarryTheOptions) {
  const auto keys =
      vif_metric()
          .fold(parse({{"egl", "1"}, {"ssclz", "true"}, {"debug", "true"}}), luma(64, 64, 8), 0)
          ->keys();
  ASSERT_EQ(keys.size(), 15u);
  EXPECT_EQ(keys[0].key, "integer_vif_scale0_egl_1_ssclz");
  EXPECT_EQ(keys[0].name, "VMAF_integer_feature_vif_scale0_score");
  EXPECT_EQ(keys[4].key, "integer_vif_egl_1_ssclz");
  EXPECT_EQ(keys[14].key, "integer_vif_den_scale3_egl_1_ssclz");
}

TEST(Vif, VariantsOfOneMeasurementScoreAsIfAlone) {
  const PictureFormat format = luma(80, 60, 8);
  const Picture reference = parity::make_picture({format, Pattern::kTexture, 1});
  const Picture distorted = parity::make_picture({format, Pattern::kBars, 2});
  const std::vector<Options> variants = {parse({{"debug", "true"}}), parse({{"egl", "1"}}),
                                         parse({{"ssclz", "true"}, {"debug", "true"}})};
  for (std::size_t v = 0; v < variants.size(); ++v) {
    EXPECT_EQ(vif_metric().group(variants[v]), vif_metric().group(variants[0]));
    EXPECT_EQ(measure(variants, v, reference, distorted),
              measure({variants[v]}, 0, reference, distorted));
  }
  const auto skipped = measure(variants, 2, reference, distorted);
  EXPECT_EQ(skipped.at("integer_vif_scale0_ssclz"), 0.0);
  EXPECT_EQ(skipped.at("integer_vif_num_scale0_ssclz"), 0.0);
  EXPECT_EQ(skipped.at("integer_vif_den_scale0_ssclz"), -1.0);
}

TEST(Vif, RefusesSmallPictures) {
  const Options options(vif_metric().options());
  EXPECT_TRUE(vif_metric().check(options, luma(16, 16, 8)).ok());
  const Status status = vif_metric().check(options, luma(16, 15, 8));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(status.error().message, "vif: pictures of 16x15 are too small, it needs 16x16 or more");
}

TEST(Vif, IsRegistered) {
  EXPECT_EQ(find_metric("vif"), &vif_metric());
  EXPECT_EQ(find_metric_by_output("VMAF_integer_feature_vif_scale2_score"), &vif_metric());
}

}  // namespace
}  // namespace vmafx
