#include "metrics/float_adm/float_adm.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/exact/power.h"
#include "metrics/float_adm/arithmetic.h"
#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx::float_adm {
namespace {

using parity::Case;
using parity::Pattern;

Variant variant(float gain_limit, Weights weights = {0.02f, 0.02f, 0.006f}) {
  Variant v = {.gain_limit = gain_limit};
  v.weights.fill(weights);
  return v;
}

Variant without_scale0(Variant v) {
  v.scale0 = false;
  return v;
}

Variant without_masking(Variant v) {
  v.masking = false;
  return v;
}

// Every kind of gain limit and of weights.
std::vector<Variant> all_variants() {
  return {
      variant(100),
      variant(1),
      variant(1.2f, {7.5f, 7.5f, 0.0f}),
      variant(100, {0.0f, 0.0f, 5000.0f}),
      without_scale0(variant(3.5f)),
      without_masking(variant(7)),
  };
}

void expect_parity(const Case& c, float power, const std::vector<Variant>& variants) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  std::vector<Sums> expected(variants.size());
  measure_reference(reference, distorted, power, variants, expected);
  parity::for_each_target([&](const std::string& target) {
    Scratch scratch;
    std::vector<Sums> sums(variants.size());
    measure_cpu(reference, distorted, power, variants, scratch, sums);
    for (std::size_t v = 0; v < variants.size(); ++v)
      EXPECT_EQ(sums[v], expected[v])
          << target << ": " << c << ", power " << power << ", variant " << v;
  });
}

PictureFormat luma(int width, int height, int depth = 8) {
  return {width, height, depth, Chroma::k400};
}

// Among them every width that mirrors its last column in another place of a vector (N#1564).
TEST(FloatAdmParity, EveryWidthAndHeight) {
  const std::vector<int> sizes = parity::edge_sizes(kMinSize);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int other = sizes[(i * 7 + 3) % sizes.size()];
    const Case wide = {luma(sizes[i], std::min(other, 65)), Pattern::kTexture, Pattern::kRandom, 5};
    expect_parity(wide, kCube, {variant(100), variant(1)});
    const Case high = {luma(std::min(other, 65), sizes[i], 10), Pattern::kTexture,
                       Pattern::kTexture, 1};
    expect_parity(high, kCube, {variant(100), variant(1.2f)});
  }
}

TEST(FloatAdmParity, EveryPatternAgainstEveryOther) {
  for (const Pattern reference : parity::kAllPatterns)
    for (const Pattern distorted : parity::kAllPatterns)
      expect_parity({luma(67, 43), reference, distorted, 3}, kCube, {variant(100), variant(1)});
}

TEST(FloatAdmParity, EveryDepth) {
  for (const int depth : {8, 9, 10, 12, 14, 16}) {
    for (const Pattern pattern : {Pattern::kRandom, Pattern::kExtremes, Pattern::kBars})
      expect_parity({luma(97, 51, depth), Pattern::kTexture, pattern, 7}, kCube,
                    {variant(100), variant(1)});
  }
}

TEST(FloatAdmParity, EveryKindOfOption) {
  for (const Pattern pattern : {Pattern::kTexture, Pattern::kRandom, Pattern::kExtremes}) {
    for (const float power : {kCube, 1.0f, 4.5f, 20.0f}) {
      expect_parity({luma(71, 53), Pattern::kTexture, pattern, 0}, power, all_variants());
      expect_parity({luma(53, 71, 10), pattern, Pattern::kBars, 0}, power, all_variants());
    }
  }
}

TEST(FloatAdmParity, StripOfAWideVideo) {
  const Case c = {luma(1920, 40), Pattern::kTexture, Pattern::kTexture, 64};
  expect_parity(c, kCube, {variant(100), variant(1)});
}

// Fast enough to use often, so that lines that run into the next are found by sanitizers.
TEST(FloatAdmMeasure, MemoryIsReusedFromOneSizeToTheNext) {
  Scratch scratch;
  for (const int width : {331, 17, 64, 130}) {
    const Case c = {luma(width, 37), Pattern::kTexture, Pattern::kRandom, 0};
    const std::vector<Variant> variants = {variant(100)};
    Sums expected;
    Sums sums;
    measure_reference(c.make_reference(), c.make_distorted(), kCube, variants, {&expected, 1});
    measure_cpu(c.make_reference(), c.make_distorted(), kCube, variants, scratch, {&sums, 1});
    EXPECT_EQ(sums, expected) << width;
  }
}

// Small pictures are where other code read what an earlier one had left behind (N#1564).
TEST(FloatAdmMeasure, SmallPicturesDoNotDependOnWhatMemoryHeld) {
  const std::vector<Variant> variants = {variant(100)};
  for (const auto& [width, height] : {std::pair{17, 17}, {32, 32}, {149, 33}, {33, 149}}) {
    const Case c = {luma(width, height), Pattern::kTexture, Pattern::kRandom, 0};
    Scratch fresh;
    Sums expected;
    measure_cpu(c.make_reference(), c.make_distorted(), kCube, variants, fresh, {&expected, 1});
    Scratch used;
    {
      constexpr std::size_t kMany = 1 << 20;
      const Scratch::Frame frame(used);
      float* const dirt = used.take<float>(kMany);
      std::fill(dirt, dirt + kMany, std::nanf(""));
    }
    Sums sums;
    measure_cpu(c.make_reference(), c.make_distorted(), kCube, variants, used, {&sums, 1});
    EXPECT_EQ(sums, expected) << width << "x" << height;
  }
}

TEST(FloatAdmMeasure, IdenticalPicturesLoseNothing) {
  const Case c = {luma(128, 96), Pattern::kTexture, Pattern::kTexture, 0};
  const Picture picture = c.make_reference();
  const std::vector<Variant> variants = {variant(1), without_masking(variant(1, {1, 1, 1}))};
  std::vector<Sums> sums(variants.size());
  Scratch scratch;
  measure_cpu(picture, picture, kCube, variants, scratch, sums);
  for (const Sums& s : sums)
    for (const auto& scale : s.scale)
      for (const BandSums& band : scale) EXPECT_EQ(band.additive, 0);
  for (const auto& scale : sums[1].scale)
    for (const BandSums& band : scale) EXPECT_EQ(band.restored, band.original);
}

TEST(FloatAdmPower, EqualsTheExactPower) {
  EXPECT_EQ(power_of(0, 4.5f), 0);
  parity::Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const float x = std::ldexp(1.0f + static_cast<float>(random.below(1 << 23)) * 0x1p-23f,
                               static_cast<int>(random.below(80)) - 50);
    for (const float power : {1.0f, 2.0f, 4.5f, 20.0f}) {
      const double expected = exact::pow(static_cast<double>(x), static_cast<double>(power));
      // 20 times the error of a logarithm of up to 35.
      EXPECT_NEAR(power_of(x, power) / expected, 1, 1e-12) << x << " " << power;
    }
  }
}

// ---- Options, keys and the fold ----

Options parse(const OptionText& text) { return metric_testing::parse(float_adm_metric(), text); }

using Features = std::map<std::string, double>;

// Of one frame by key. All requests have one adm_p_norm.
Features features_of(const Case& c, std::initializer_list<OptionText> texts) {
  return metric_testing::features_of(float_adm_metric(), c, texts);
}

TEST(FloatAdm, KeysAndTheirOrder) {
  const auto fold = float_adm_metric().fold(
      parse({{"debug", "true"}, {"sasc", "2"}, {"rdf", "2160"}, {"f1s3", "0.4"}, {"apn", "4.5"}}),
      luma(64, 64), 0);
  std::vector<std::string> keys;
  for (const OutputKey& key : fold->keys()) keys.push_back(key.key);
  const std::string suffix = "_f1s3_0.4_apn_4.5_rdf_2160_sasc_2";
  ASSERT_EQ(keys.size(), 18u);
  EXPECT_EQ(keys[0], "adm2" + suffix);
  EXPECT_EQ(keys[1], "aim" + suffix);
  EXPECT_EQ(keys[2], "adm3" + suffix);
  EXPECT_EQ(keys[6], "adm_scale3" + suffix);
  EXPECT_EQ(keys[7], "adm");
  EXPECT_EQ(keys[8], "adm_num" + suffix);
  EXPECT_EQ(keys[11], "adm_den_scale0" + suffix);
  EXPECT_EQ(fold->keys()[2].name, "VMAF_feature_adm3_score");
  EXPECT_EQ(fold->keys()[3].name, "VMAF_feature_adm_scale0_score");
  EXPECT_EQ(float_adm_metric().fold(parse({}), luma(64, 64), 0)->keys().size(), 7u);
}

TEST(FloatAdm, RefusesWhatItCannotMeasure) {
  const Metric& metric = float_adm_metric();
  EXPECT_EQ(metric.check(parse({}), luma(16, 64)).error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(metric.check(parse({}), luma(64, 16)).error().message,
            "float_adm: a picture of 64x16 is too small, it needs 17x17");
  EXPECT_TRUE(metric.check(parse({}), luma(17, 17)).ok());
  for (const OptionText& text :
       {OptionText{{"egl", "0.9"}}, OptionText{{"csf", "10"}}, OptionText{{"apn", "0.5"}},
        OptionText{{"sasc", "-1"}}, OptionText{{"f2s0", "10.5"}}, OptionText{{"rdh", "1080"}}})
    EXPECT_FALSE(Options::parse(metric.options(), text, "float_adm").ok()) << text.begin()->first;
}

TEST(FloatAdm, ValuesOfFlatPictures) {
  const Case c = {luma(64, 64), Pattern::kFlat, Pattern::kFlat, 0};
  Features values =
      features_of(c, {{}, {{"nw", "0"}}, {{"ssz", "true"}, {"debug", "true"}}, {{"aah", "true"}}});
  EXPECT_EQ(values["adm2"], 1);
  EXPECT_EQ(values["aim"], 0);
  EXPECT_EQ(values["adm3"], 1);
  // 0 / 0.
  EXPECT_EQ(values["adm2_nw_0"], 1);
  EXPECT_EQ(values["aim_nw_0"], 0);
  EXPECT_EQ(values["adm_scale2_nw_0"], 1);
  EXPECT_EQ(values["adm_scale0_ssz"], 0);
  EXPECT_EQ(values["adm_den_scale0_ssz"], static_cast<double>(1e-10f));
  // The harmonic mean of 1 and 0.
  EXPECT_EQ(values["adm3_aah"], 0);
}

// Whatever the options, and however hard the content, nothing is infinite or not a number.
TEST(FloatAdm, EverythingIsFinite) {
  for (const Pattern reference : parity::kAllPatterns) {
    for (const Pattern distorted : parity::kAllPatterns) {
      const Case c = {luma(97, 51), reference, distorted, 0};
      for (const auto& features :
           {features_of(c, {{{"csf", "1"}},
                            {{"csf", "1"}, {"scf", "50"}, {"scfd", "0"}},
                            {{"csf", "1"}, {"scf", "0"}, {"scfd", "0"}, {"nw", "0"}},
                            {{"csf", "2"}, {"nvd", "24"}, {"rdf", "4320"}, {"nw", "0"}},
                            {{"csf", "1"}, {"nvd", "0.75"}, {"rdf", "1"}, {"debug", "true"}},
                            {{"nw", "0"}, {"egl", "1.2"}, {"aah", "true"}}}),
            features_of(c, {{{"csf", "1"}, {"scf", "50"}, {"apn", "20"}},
                            {{"nw", "0"}, {"apn", "20"}, {"bcm", "1"}}}),
            features_of(c, {{{"csf", "1"}, {"scf", "50"}, {"apn", "1"}, {"nw", "1500"}}})}) {
        for (const auto& [key, value] : features)
          EXPECT_TRUE(std::isfinite(value)) << c << " " << key << " " << value;
      }
    }
  }
}

// aim is clipped, unlike that of adm.
TEST(FloatAdm, AimIsAtMostOne) {
  const Case c = {luma(97, 51), Pattern::kRamp, Pattern::kExtremes, 0};
  EXPECT_EQ(features_of(c, {{{"nw", "0"}}}).at("aim_nw_0"), 1);
}

// One measurement of many variants gives what each alone gives.
TEST(FloatAdm, VariantsDoNotDisturbEachOther) {
  const Case c = {luma(129, 65), Pattern::kTexture, Pattern::kRandom, 0};
  const std::initializer_list<OptionText> texts = {
      {}, {{"egl", "1"}}, {{"csf", "2"}, {"min", "0.5"}, {"dlmw", "0.7"}}, {{"ssz", "true"}}};
  const Features together = features_of(c, texts);
  for (const OptionText& text : texts)
    for (const auto& [key, value] : features_of(c, {text}))
      EXPECT_EQ(together.at(key), value) << key;
  EXPECT_EQ(together.size(), 28u);
}

TEST(FloatAdm, OptionsDoWhatTheySay) {
  const Case c = {luma(129, 65), Pattern::kTexture, Pattern::kTexture, 0};
  const Features plain = features_of(c, {{}});
  // From 3 on the modes are the first one again.
  EXPECT_EQ(features_of(c, {{{"csf", "7"}}}).at("adm2_csf_7"), plain.at("adm2"));
  EXPECT_NE(features_of(c, {{{"csf", "2"}}}).at("adm2_csf_2"), plain.at("adm2"));
  // Factors of the weights are for mode 1.
  EXPECT_EQ(features_of(c, {{{"scf", "2"}}}).at("adm2_scf_2"), plain.at("adm2"));
  // Without masking nothing is taken off.
  EXPECT_GT(features_of(c, {{{"bcm", "1"}}}).at("adm2_bcm_1"), plain.at("adm2"));
  EXPECT_GT(features_of(c, {{{"bcm", "1"}}}).at("aim_bcm_1"), plain.at("aim"));
  // A scale is left out of aim alone.
  const Features skipped = features_of(c, {{{"sasc", "0"}}});
  EXPECT_EQ(skipped.at("adm2_sasc_0"), plain.at("adm2"));
  EXPECT_NE(skipped.at("aim_sasc_0"), plain.at("aim"));
  const Features harmonic = features_of(c, {{{"aah", "true"}}});
  EXPECT_EQ(harmonic.at("adm3_aah"),
            2 * plain.at("adm2") * plain.at("aim") / (plain.at("adm2") + plain.at("aim")));
  EXPECT_EQ(features_of(c, {{{"min", "1"}}}).at("adm3_min_1"), 1);
  EXPECT_EQ(features_of(c, {{{"dlmw", "1"}}}).at("adm3_dlmw_1"), plain.at("adm2"));
  // Equal weights for equal numbers.
  const Features given =
      features_of(c, {{{"f1s0", "0"}, {"f2s0", "0"}, {"nw", "0"}, {"debug", "true"}}});
  EXPECT_EQ(given.at("adm_num_scale0_f1s0_0_f2s0_0_nw_0"), 0);
  EXPECT_EQ(given.at("adm_den_scale0_f1s0_0_f2s0_0_nw_0"), 0);
  EXPECT_GT(given.at("adm_den_scale1_f1s0_0_f2s0_0_nw_0"), 0);
}

// Samples of more than 8 bits are on the scale of 8 bits.
TEST(FloatAdm, DepthDoesNotMatter) {
  const Case eight = {luma(96, 64, 8), Pattern::kBars, Pattern::kFlat, 0};
  const Case sixteen = {luma(96, 64, 16), Pattern::kBars, Pattern::kFlat, 0};
  EXPECT_NEAR(features_of(eight, {{}}).at("adm2"), features_of(sixteen, {{}}).at("adm2"), 1e-3);
}

}  // namespace
}  // namespace vmafx::float_adm
