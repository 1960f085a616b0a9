#include "metrics/adm/adm.h"

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx::adm {
namespace {

using parity::Case;
using parity::Pattern;

Variant variant(double gain_limit, const Csf& csf = {}) {
  return {.gain_limit = gain_limit, .weights = csf_weights(csf)};
}

Variant without_scale0(Variant v) {
  v.scale0 = false;
  return v;
}

Variant without_additive(Variant v) {
  v.additive = false;
  return v;
}

// Every kind of gain limit and of weights.
std::vector<Variant> all_variants() {
  return {
      variant(100),
      variant(1),
      variant(1.2),
      variant(1, {.mode = CsfMode::kBlend}),
      variant(100, {.mode = CsfMode::kBlendMae, .view_distance = 5}),
      variant(100, {.mode = CsfMode::kBarten}),
      variant(2, {.mode = CsfMode::kBarten, .axis_scale = 50, .diagonal_scale = 0}),
      variant(1, {.view_distance = 24, .display_height = 4320}),
      without_scale0(variant(3.5)),
      without_additive(variant(7, {.display_height = 2160})),
  };
}

void expect_parity(const Case& c, const std::vector<Variant>& variants) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  std::vector<Sums> expected(variants.size());
  measure_reference(reference, distorted, variants, expected);
  parity::for_each_target([&](const std::string& target) {
    Scratch scratch;
    std::vector<Sums> sums(variants.size());
    measure_cpu(reference, distorted, variants, scratch, sums);
    for (std::size_t v = 0; v < variants.size(); ++v)
      EXPECT_EQ(sums[v], expected[v]) << target << ": " << c << ", variant " << v;
  });
}

PictureFormat luma(int width, int height, int depth = 8) {
  return {width, height, depth, Chroma::k400};
}

TEST(AdmParity, EveryWidthAndHeight) {
  const std::vector<int> sizes = parity::edge_sizes(kMinSize);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int other = sizes[(i * 7 + 3) % sizes.size()];
    const Case wide = {luma(sizes[i], std::min(other, 65)), Pattern::kTexture, Pattern::kRandom, 5};
    expect_parity(wide, {variant(100), variant(1)});
    const Case high = {luma(std::min(other, 65), sizes[i], 10), Pattern::kTexture,
                       Pattern::kTexture, 1};
    expect_parity(high, {variant(100), variant(1.2)});
  }
}

TEST(AdmParity, EveryPatternAgainstEveryOther) {
  for (const Pattern reference : parity::kAllPatterns)
    for (const Pattern distorted : parity::kAllPatterns)
      expect_parity({luma(67, 43), reference, distorted, 3}, {variant(100), variant(1)});
}

TEST(AdmParity, EveryDepth) {
  for (const int depth : {8, 9, 10, 12, 14, 16}) {
    for (const Pattern pattern : {Pattern::kRandom, Pattern::kExtremes, Pattern::kBars})
      expect_parity({luma(97, 51, depth), Pattern::kTexture, pattern, 7},
                    {variant(100), variant(1)});
    expect_parity({luma(97, 51, depth), Pattern::kBars, Pattern::kBars, 0}, {variant(100)});
  }
}

TEST(AdmParity, EveryKindOfOption) {
  for (const Pattern pattern : {Pattern::kTexture, Pattern::kRandom, Pattern::kExtremes}) {
    expect_parity({luma(71, 53), Pattern::kTexture, pattern, 0}, all_variants());
    expect_parity({luma(71, 53, 10), pattern, Pattern::kBars, 0}, all_variants());
  }
}

TEST(AdmParity, StripOfAWideVideo) {
  const Case c = {luma(1920, 40), Pattern::kTexture, Pattern::kTexture, 64};
  expect_parity(c, {variant(100), variant(1)});
}

// Fast enough to use often, so that lines that run into the next are found by sanitizers.
TEST(AdmParity, MemoryIsReusedFromOneSizeToTheNext) {
  Scratch scratch;
  for (const int width : {331, 17, 64, 130}) {
    const Case c = {luma(width, 37), Pattern::kTexture, Pattern::kRandom, 0};
    const std::vector<Variant> variants = {variant(100)};
    Sums expected;
    Sums sums;
    measure_reference(c.make_reference(), c.make_distorted(), variants, {&expected, 1});
    measure_cpu(c.make_reference(), c.make_distorted(), variants, scratch, {&sums, 1});
    EXPECT_EQ(sums, expected) << width;
  }
}

// ---- Options, keys and the fold ----

Options parse(const OptionText& text) { return metric_testing::parse(adm_metric(), text); }

using Features = std::map<std::string, double>;

// Of one frame by key.
Features features_of(const Case& c, std::initializer_list<OptionText> texts) {
  return metric_testing::features_of(adm_metric(), c, texts);
}

TEST(Adm, KeysAndTheirOrder) {
  const auto fold = adm_metric().fold(
      parse({{"debug", "true"}, {"scfd", "0.7"}, {"csf", "2"}, {"scf", "1.2"}, {"ssz", "true"}}),
      luma(64, 64), 0);
  std::vector<std::string> keys;
  for (const OutputKey& key : fold->keys()) keys.push_back(key.key);
  const std::string suffix = "_scfd_0.7_csf_2_scf_1.2_ssz";
  ASSERT_EQ(keys.size(), 18u);
  EXPECT_EQ(keys[0], "integer_adm2" + suffix);
  EXPECT_EQ(keys[1], "integer_aim" + suffix);
  EXPECT_EQ(keys[2], "integer_adm3" + suffix);
  EXPECT_EQ(keys[6], "integer_adm_scale3" + suffix);
  EXPECT_EQ(keys[8], "integer_adm_num" + suffix);
  EXPECT_EQ(keys[11], "integer_adm_den_scale0" + suffix);
  EXPECT_EQ(fold->keys()[2].name, "VMAF_integer_feature_adm3_score");
  EXPECT_EQ(adm_metric().fold(parse({{"adm_skip_aim", "true"}}), luma(64, 64), 0)->keys().size(),
            7u);
}

TEST(Adm, RefusesWhatItCannotMeasure) {
  EXPECT_EQ(adm_metric().check(parse({}), luma(16, 64)).error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(adm_metric().check(parse({}), luma(64, 16)).error().message,
            "adm: a picture of 64x16 is too small, it needs 17x17");
  EXPECT_TRUE(adm_metric().check(parse({}), luma(17, 17)).ok());
  const Status near = adm_metric().check(parse({{"nvd", "1.5"}}), luma(64, 64));
  ASSERT_FALSE(near.ok());
  EXPECT_EQ(near.error().code, ErrorCode::kUsage);
  EXPECT_EQ(
      near.error().message,
      "adm: adm_norm_view_dist=1.5 x adm_ref_display_height=1080 is 1620, it must be at least "
      "3240");
  EXPECT_TRUE(adm_metric().check(parse({{"nvd", "1.5"}, {"rdh", "2160"}}), luma(64, 64)).ok());
  const Status blend = adm_metric().check(parse({{"csf", "2"}, {"nvd", "4"}}), luma(64, 64));
  EXPECT_EQ(blend.error().message,
            "adm: adm_csf_mode=2 has no weights for adm_norm_view_dist=4 and "
            "adm_ref_display_height=1080");
}

TEST(Adm, IdenticalPicturesLoseNothing) {
  const Case c = {luma(128, 96), Pattern::kTexture, Pattern::kTexture, 0};
  const Picture picture = c.make_reference();
  const std::vector<Variant> variants = {variant(100)};
  Sums sums;
  Scratch scratch;
  measure_cpu(picture, picture, variants, scratch, {&sums, 1});
  for (const auto& scale : sums.scale)
    for (const BandSums& band : scale) EXPECT_EQ(band.additive, 0u);
}

TEST(Adm, ValuesOfFlatPictures) {
  const Case c = {luma(64, 64), Pattern::kFlat, Pattern::kFlat, 0};
  auto values = features_of(c, {{}, {{"nw", "0"}}, {{"ssz", "true"}, {"debug", "true"}}});
  EXPECT_EQ(values["integer_adm2"], 1);
  EXPECT_EQ(values["integer_aim"], 0);
  EXPECT_EQ(values["integer_adm3"], 1);
  // 0 / 0.
  EXPECT_EQ(values["integer_adm2_nw_0"], 1);
  EXPECT_EQ(values["integer_aim_nw_0"], 0);
  EXPECT_EQ(values["integer_adm_scale2_nw_0"], 1);
  EXPECT_EQ(values["integer_adm_scale0_ssz"], 0);
  EXPECT_EQ(values["integer_adm_den_scale0_ssz"], static_cast<double>(1e-10f));
}

// Whatever the options, and however hard the content, nothing is infinite or not a number.
TEST(Adm, EverythingIsFinite) {
  for (const Pattern reference : parity::kAllPatterns) {
    for (const Pattern distorted : parity::kAllPatterns) {
      const Case c = {luma(97, 51), reference, distorted, 0};
      for (const auto& [key, value] : features_of(
               c, {{{"csf", "1"}},
                   {{"csf", "1"}, {"scf", "50"}, {"scfd", "0"}},
                   {{"csf", "1"}, {"scf", "0"}, {"scfd", "0"}, {"nw", "0"}, {"debug", "true"}},
                   {{"nw", "0"}, {"egl", "1.2"}}}))
        EXPECT_TRUE(std::isfinite(value)) << c << " " << key << " " << value;
    }
  }
}

// One measurement of many variants gives what each alone gives.
TEST(Adm, VariantsDoNotDisturbEachOther) {
  const Case c = {luma(129, 65), Pattern::kTexture, Pattern::kRandom, 0};
  const std::initializer_list<OptionText> texts = {
      {}, {{"egl", "1"}}, {{"csf", "2"}, {"min", "0.5"}, {"dlmw", "0.7"}}, {{"ssz", "true"}}};
  const auto together = features_of(c, texts);
  for (const OptionText& text : texts)
    for (const auto& [key, value] : features_of(c, {text}))
      EXPECT_EQ(together.at(key), value) << key;
  EXPECT_EQ(together.size(), 28u);
}

TEST(AdmCsf, DefaultWeights) {
  const auto weights = csf_weights({});
  EXPECT_EQ(weights[0].fixed, (std::array<std::uint32_t, 3>{36453, 36453, 49417}));
  // The formula gives nearly the same: libvmaf's constants come from rounder parameters.
  EXPECT_NEAR(weights[0].real[0] * 2097152, 36453, 3);
  EXPECT_NEAR(weights[0].real[2] * 8388608, 49417, 3);
  for (const Weights& w : weights) EXPECT_EQ(w.exponent, 0);
}

// Only Barten's function is so large that its weights have to share an exponent.
TEST(AdmCsf, FixedPointFits) {
  for (const CsfMode mode :
       {CsfMode::kWatson, CsfMode::kBarten, CsfMode::kBlend, CsfMode::kBlendMae}) {
    for (const auto& [distance, height] :
         {std::pair{3.0, 1080}, {5.0, 1080}, {1.5, 2160}, {5.0, 720}}) {
      const auto all = csf_weights({mode, distance, height, 50, 50});
      for (std::size_t s = 0; s < kScales; ++s) {
        EXPECT_EQ(all[s].exponent > 0, mode == CsfMode::kBarten) << s << " " << distance;
        for (const std::uint32_t fixed : all[s].fixed) {
          EXPECT_GT(fixed, 0u);
          EXPECT_LT(fixed, s == 0 ? 1u << 16 : 1u << 28);
        }
      }
    }
  }
}

}  // namespace
}  // namespace vmafx::adm
