#include "models/score_mapping.h"

#include "gtest/gtest.h"

namespace vmafx {
namespace {

TEST(ScoreMapping, PassesOnWhatIsNotSet) {
  EXPECT_EQ(ScoreMapping{}.apply(-12.5), -12.5);
  EXPECT_EQ(ScoreTransform{}.apply(123), 123);
}

TEST(ScoreMapping, ClipsAfterTheTransform) {
  const ScoreMapping mapping = {ScoreTransform{.p0 = 5, .p1 = 2}, true, ScoreClip{0, 100}};
  EXPECT_EQ(mapping.apply(10), 25);
  EXPECT_EQ(mapping.apply(60), 100);
  EXPECT_EQ(mapping.apply(-60), 0);
}

TEST(ScoreMapping, TransformsOnlyIfEnabled) {
  const ScoreMapping mapping = {ScoreTransform{.p0 = 5}, false, std::nullopt};
  EXPECT_EQ(mapping.apply(10), 10);
}

TEST(ScoreTransform, IsAPolynomialOfTheCoefficientsThatAreSet) {
  EXPECT_EQ((ScoreTransform{.p2 = 0.5}.apply(4)), 8);
  EXPECT_EQ((ScoreTransform{.p0 = 1, .p1 = 1, .p2 = 0.5}.apply(4)), 13);
}

TEST(ScoreTransform, FollowsTheKnots) {
  const ScoreTransform transform = {.knots = {{0, 1}, {10, 1}, {20, 21}, {40, 31}}};
  EXPECT_EQ(transform.apply(-5), 1);  // a horizontal first segment goes on to the left
  EXPECT_EQ(transform.apply(5), 1);
  EXPECT_EQ(transform.apply(10), 1);
  EXPECT_EQ(transform.apply(15), 11);
  EXPECT_EQ(transform.apply(20), 21);
  EXPECT_EQ(transform.apply(30), 26);
  EXPECT_EQ(transform.apply(60), 41);  // the last segment goes on to the right
}

TEST(ScoreTransform, RectifiesAgainstTheInput) {
  EXPECT_EQ((ScoreTransform{.p1 = 2, .at_most_input = true}.apply(10)), 10);
  EXPECT_EQ((ScoreTransform{.p1 = 2, .at_most_input = true}.apply(-10)), -20);
  EXPECT_EQ((ScoreTransform{.p1 = 2, .at_least_input = true}.apply(10)), 20);
  EXPECT_EQ((ScoreTransform{.p1 = 2, .at_least_input = true}.apply(-10)), -10);
}

}  // namespace
}  // namespace vmafx
