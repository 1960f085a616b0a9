#include "vmafx/bd_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace vmafx {
namespace {

using Ladder = std::vector<RatePoint>;

// The example of https://github.com/FAU-LMS/bjontegaard: x265, kbit/s and PSNR.
const Ladder kAnchor = {{9487.76, 40.037}, {4593.60, 38.615}, {2486.44, 36.845}, {1358.24, 34.851}};
const Ladder kTest = {{9787.80, 40.121}, {4469.00, 38.651}, {2451.52, 36.970}, {1356.24, 34.987}};

double percent(const Ladder& anchor, const Ladder& test) {
  const auto result = bd_rate(anchor, test);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? result->percent : std::numeric_limits<double>::quiet_NaN();
}

std::string refusal(const Ladder& anchor, const Ladder& test) {
  const auto result = bd_rate(anchor, test);
  EXPECT_FALSE(result.ok());
  if (result.ok()) return {};
  EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
  return result.error().message;
}

Ladder scaled(Ladder ladder, double factor) {
  for (RatePoint& point : ladder) point.rate *= factor;
  return ladder;
}

// Two implementations of one formula: what differs is rounding.
constexpr double kRounding = 1e-9;

// By version 1.3.0 of the Python package "bjontegaard", bd_rate(..., method='pchip'), whose authors
// have compared it with the sheet of JVET-T2010 to ten decimals.
TEST(BdRate, EqualsThePublishedImplementation) {
  EXPECT_NEAR(percent(kAnchor, kTest), -4.417485350589045, kRounding);
  const Ladder anchor = {{450, 38.2},  {800, 55.1},  {1500, 71.4},
                         {2900, 84.9}, {5200, 92.3}, {9000, 96.0}};
  const Ladder test = {{400, 45.5}, {760, 61.7}, {1600, 80.2}, {3000, 88.8}, {6100, 95.1}};
  EXPECT_NEAR(percent(anchor, test), -25.88935347759511, kRounding);
  // Short overlap, steep ends: the end slopes decide.
  EXPECT_NEAR(percent({{1000, 30}, {2000, 32}, {4000, 35}, {8000, 36}},
                      {{1100, 34}, {2100, 34.5}, {4200, 37}, {8100, 39.5}}),
              -44.07161003459116, kRounding);
}

TEST(BdRate, AFactorOfTheRateIsThatFactor) {
  EXPECT_NEAR(percent(kAnchor, scaled(kAnchor, 0.5)), -50, kRounding);
  EXPECT_NEAR(percent(kAnchor, scaled(kAnchor, 1.25)), 25, kRounding);
  EXPECT_EQ(percent(kAnchor, kAnchor), 0);
}

// Straight lines stay straight: anchor 2^q, test 2^(q + 1 - q / 10), q from 1 to 4, whose exponents
// differ by 0.75 on average.
TEST(BdRate, StraightLadders) {
  Ladder anchor;
  Ladder test;
  for (int q = 1; q <= 4; ++q) {
    anchor.push_back({std::exp2(q), static_cast<double>(q)});
    test.push_back({std::exp2(q + 1 - q / 10.0), static_cast<double>(q)});
  }
  EXPECT_NEAR(percent(anchor, test), 100 * (std::exp2(0.75) - 1), kRounding);
}

TEST(BdRate, UnitAndOrderDoNotMatter) {
  const double expected = percent(kAnchor, kTest);
  EXPECT_NEAR(percent(scaled(kAnchor, 1000), scaled(kTest, 1000)), expected, kRounding);
  Ladder shuffled = kAnchor;
  std::swap(shuffled[0], shuffled[2]);
  EXPECT_EQ(percent(shuffled, kTest), expected);
}

TEST(BdRate, ExchangedLaddersGiveTheInverse) {
  const double there = 1 + percent(kAnchor, kTest) / 100;
  const double back = 1 + percent(kTest, kAnchor) / 100;
  EXPECT_NEAR(there * back, 1, kRounding);
}

TEST(BdRate, NamesTheCommonQualities) {
  const auto result = bd_rate(kAnchor, kTest);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->lowest_quality, 34.987);
  EXPECT_EQ(result->highest_quality, 40.037);
  EXPECT_NEAR(result->overlap, (40.037 - 34.987) / (40.121 - 34.851), 1e-15);
}

TEST(BdRate, RefusesShortLadders) {
  const Ladder three(kTest.begin(), kTest.begin() + 3);
  EXPECT_EQ(refusal(kAnchor, three), "the test ladder has 3 points, BD-rate needs 4");
  EXPECT_EQ(refusal({}, kTest), "the anchor ladder has 0 points, BD-rate needs 4");
}

TEST(BdRate, RefusesQualityThatDoesNotGrow) {
  Ladder falls = kTest;
  falls[0].quality = 38;
  EXPECT_EQ(refusal(kAnchor, falls),
            "the test ladder's quality does not grow with its rate: 38.651 at 4469, 38 at 9787.8");
  Ladder stays = kTest;
  stays[0].quality = stays[1].quality;
  EXPECT_NE(refusal(kAnchor, stays).find("does not grow"), std::string::npos);
  Ladder same_rate = kTest;
  same_rate[0].rate = same_rate[1].rate;
  EXPECT_NE(refusal(same_rate, kTest).find("the anchor ladder's quality does not grow"),
            std::string::npos);
}

TEST(BdRate, RefusesLaddersWithoutCommonQuality) {
  Ladder better = kTest;
  for (RatePoint& point : better) point.quality += 10;
  EXPECT_EQ(refusal(kAnchor, better),
            "the ladders have no quality in common: anchor 34.851 to 40.037, test 44.987 to "
            "50.121");
  // One common point is no range.
  for (RatePoint& point : better) point.quality += 40.037 - 44.987;
  better.back().quality = 40.037;
  EXPECT_NE(refusal(kAnchor, better).find("no quality in common"), std::string::npos);
}

TEST(BdRate, RefusesWhatIsNoRateOrQuality) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double rate : {0.0, -1.0, kInf, kNan}) {
    Ladder wrong = kTest;
    wrong[2].rate = rate;
    EXPECT_NE(refusal(kAnchor, wrong).find("the test ladder has a rate of"), std::string::npos);
  }
  for (const double quality : {kInf, -kInf, kNan}) {
    Ladder wrong = kAnchor;
    wrong[1].quality = quality;
    EXPECT_NE(refusal(wrong, kTest).find("the anchor ladder has a quality of"), std::string::npos);
  }
}

TEST(BdRate, NumbersBeyondSenseAreRefusedOrFinite) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kMin = std::numeric_limits<double>::denorm_min();
  const Ladder wide = {{kMin, -kMax}, {1, 0}, {2, 1}, {kMax, kMax}};
  const Ladder narrow = {{1, 0}, {2, kMin}, {3, 2 * kMin}, {4, 3 * kMin}};
  for (const auto& [anchor, test] : {std::pair(wide, kTest), std::pair(kTest, wide),
                                     std::pair(narrow, narrow), std::pair(wide, narrow)}) {
    const auto result = bd_rate(anchor, test);
    if (result.ok()) {
      EXPECT_TRUE(std::isfinite(result->percent));
    }
  }
}

}  // namespace
}  // namespace vmafx
