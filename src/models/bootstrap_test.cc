#include "models/bootstrap.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace vmafx {
namespace {

TEST(Bootstrap, SummarizesWithoutMapping) {
  std::vector<double> scores = {50, 40, 20, 30, 10};
  const BootstrapSummary summary = summarize(scores, {});
  EXPECT_EQ(summary.bagging, 30);
  EXPECT_NEAR(summary.stddev, std::sqrt(200.0), 1e-9);  // the slope is a difference quotient
  EXPECT_NEAR(summary.ci_p95_lo, 11, 1e-12);            // 2.5 % of the way through 4 steps of 10
  EXPECT_NEAR(summary.ci_p95_hi, 49, 1e-12);
}

TEST(Bootstrap, MapsMeanAndPercentilesAndScalesTheDeviation) {
  std::vector<double> scores = {10, 20, 30, 40, 50};
  const ScoreMapping mapping = {ScoreTransform{.p1 = 2}, true, ScoreClip{0, 90}};
  const BootstrapSummary summary = summarize(scores, mapping);
  EXPECT_EQ(summary.bagging, 60);
  EXPECT_NEAR(summary.stddev, 2 * std::sqrt(200.0), 1e-9);
  EXPECT_NEAR(summary.ci_p95_lo, 22, 1e-12);
  EXPECT_EQ(summary.ci_p95_hi, 90);
}

TEST(Bootstrap, HasNoDeviationWhereTheClipIsFlat) {
  std::vector<double> scores = {110, 120, 130};
  const BootstrapSummary summary = summarize(scores, {std::nullopt, false, ScoreClip{0, 100}});
  EXPECT_EQ(summary.bagging, 100);
  EXPECT_EQ(summary.stddev, 0);
}

TEST(Bootstrap, OfOneMemberHasNoSpread) {
  std::vector<double> scores = {42};
  const BootstrapSummary summary = summarize(scores, {});
  EXPECT_EQ(summary.bagging, 42);
  EXPECT_EQ(summary.stddev, 0);
  EXPECT_EQ(summary.ci_p95_lo, 42);
  EXPECT_EQ(summary.ci_p95_hi, 42);
}

}  // namespace
}  // namespace vmafx
