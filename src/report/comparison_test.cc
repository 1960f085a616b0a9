#include "vmafx/comparison.h"

#include <gtest/gtest.h>

namespace vmafx {
namespace {

Report encode(double score, std::optional<std::int64_t> bit_rate) {
  Report report;
  report.scores.frames = {0, 1};
  report.scores.identical = {false, false};
  report.scores.columns = {{"vmaf", "vmaf_v0.6.1", "cpu", {score - 1, score + 1}}};
  report.distorted = StreamInfo{};
  report.distorted->path = "encode.mp4";
  report.distorted->bit_rate = bit_rate;
  return report;
}

std::vector<Report> ladder(double gain) {
  std::vector<Report> encodes;
  for (const int step : {1, 2, 3, 4})
    encodes.push_back(encode(50 + 10 * step + gain, 1000 << step));
  return encodes;
}

std::vector<Report> two_ladders(double gain) {
  std::vector<Report> encodes = ladder(0);
  for (const Report& report : ladder(gain)) encodes.push_back(report);
  return encodes;
}

TEST(Comparison, EqualLaddersDifferByNothing) {
  const auto comparison = compare(two_ladders(0), {"vmaf"}, 4);
  ASSERT_TRUE(comparison.ok());
  ASSERT_EQ(comparison->bd_rates.size(), 1u);
  ASSERT_TRUE(comparison->bd_rates[0].percent.has_value());
  EXPECT_EQ(*comparison->bd_rates[0].percent, 0);
}

TEST(Comparison, AStepOfTenPointsADoublingIsHalfTheRate) {
  // Ten points better at each rate, where ten points cost twice the bits.
  const auto comparison = compare(two_ladders(10), {"vmaf"}, 4);
  ASSERT_TRUE(comparison.ok());
  ASSERT_TRUE(comparison->bd_rates[0].percent.has_value());
  EXPECT_NEAR(*comparison->bd_rates[0].percent, -50, 1e-9);  // rounding of logarithms
}

TEST(Comparison, SaysWhyThereIsNoRate) {
  std::vector<Report> encodes = two_ladders(0);
  encodes[5].distorted->bit_rate = std::nullopt;
  EXPECT_EQ(compare(encodes, {"vmaf"}, 4)->bd_rates[0].reason,
            "encode.mp4 does not tell its bit rate");
  EXPECT_EQ(compare(encodes, {"psnr_y"}, 4)->bd_rates[0].reason, "encode.mp4 has no psnr_y");
}

TEST(Comparison, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(compare(ladder(0), {"vmaf"}, 5).error().code, ErrorCode::kUsage);
  std::vector<Report> encodes = ladder(0);
  encodes[0].distorted = std::nullopt;
  EXPECT_EQ(compare(encodes, {"vmaf"}, 0).error().code, ErrorCode::kUsage);
  Comparison made_by_hand;
  made_by_hand.encodes = encodes;
  EXPECT_EQ(write_comparison(made_by_hand, ReportFormat::kJson, {}, "-").error().code,
            ErrorCode::kUsage);
}

}  // namespace
}  // namespace vmafx
