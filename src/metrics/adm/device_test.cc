#include <vector>

#include "metrics/adm/adm.h"
#include "tests/device_parity.h"

namespace vmafx {
namespace {

using parity::expect_same_on_devices;
using parity::luma_case;
using parity::make_clip;
using parity::Pattern;

// Of one measurement: every kind of gain limit, weights and parts that are left out.
std::vector<OptionText> all_variants() {
  return {
      {},
      {{"egl", "1"}},
      {{"egl", "1.2"}},
      {{"dlmw", "0.7"}},  // measures what the first does
      {{"csf", "1"}, {"scf", "50"}, {"scfd", "0"}},
      {{"csf", "1"}, {"egl", "2"}},
      {{"csf", "2"}, {"adm_skip_aim", "true"}},
      {{"csf", "3"}, {"nvd", "5"}, {"ssz", "true"}, {"egl", "3.5"}},
      {{"nvd", "24"}, {"rdh", "4320"}, {"adm_skip_aim", "true"}, {"ssz", "true"}},
  };
}

// A scale is cut into tiles 62 or 30 places wide and 14 high.
TEST(AdmDeviceParity, Sizes) {
  for (const int width : {17, 18, 31, 47, 64, 65, 99, 150, 159, 331}) {
    for (const int height : {17, 19, 30, 36, 53, 75}) {
      const int depth = (width + height) % 2 == 0 ? 8 : 10;
      expect_same_on_devices(adm_metric(), {},
                             luma_case(width, height, depth, Pattern::kTexture, Pattern::kRandom));
    }
  }
}

TEST(AdmDeviceParity, Depths) {
  for (const int depth : {8, 9, 10, 12, 14, 16}) {
    for (const Pattern pattern : {Pattern::kRandom, Pattern::kExtremes, Pattern::kBars}) {
      expect_same_on_devices(adm_metric(), {},
                             luma_case(97, 51, depth, Pattern::kTexture, pattern));
      expect_same_on_devices(adm_metric(), {{"egl", "1"}},
                             luma_case(97, 51, depth, pattern, Pattern::kExtremes));
    }
  }
}

TEST(AdmDeviceParity, EveryPatternAgainstEveryOther) {
  for (const Pattern reference : parity::kAllPatterns) {
    for (const Pattern distorted : parity::kAllPatterns)
      expect_same_on_devices(adm_metric(), {}, luma_case(43, 37, 8, reference, distorted));
  }
}

TEST(AdmDeviceParity, VariantsAtOnce) {
  for (const Pattern pattern : {Pattern::kTexture, Pattern::kRandom, Pattern::kExtremes}) {
    expect_same_on_devices(adm_metric(), all_variants(),
                           make_clip(luma_case(71, 53, 8, Pattern::kTexture, pattern), 1));
    expect_same_on_devices(adm_metric(), all_variants(),
                           make_clip(luma_case(53, 71, 10, pattern, Pattern::kBars), 1));
  }
}

TEST(AdmDeviceParity, NoVariantHasScale0) {
  expect_same_on_devices(adm_metric(), {{"ssz", "true"}},
                         luma_case(90, 70, 8, Pattern::kTexture, Pattern::kRandom));
}

TEST(AdmDeviceParity, SeveralTeams) {
  expect_same_on_devices(
      adm_metric(), {OptionText(), {{"egl", "1"}}},
      make_clip(luma_case(1300, 700, 10, Pattern::kTexture, Pattern::kTexture), 1));
  expect_same_on_devices(adm_metric(), {},
                         luma_case(60, 700, 8, Pattern::kBars, Pattern::kTexture));
}

}  // namespace
}  // namespace vmafx
