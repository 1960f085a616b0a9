#include "base/exact/exp.h"

#include <cmath>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace vmafx::exact {
namespace {

// In units of the last place of a double near the true value.
double error_in_ulp(double x) {
  const long double truth = std::exp(static_cast<long double>(x));
  const double near = static_cast<double>(truth);
  const double ulp = std::nextafter(near, std::numeric_limits<double>::infinity()) - near;
  return static_cast<double>(std::fabs(static_cast<long double>(exp(x)) - truth) / ulp);
}

double worst_error(double low, double high, int count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(low, high);
  double worst = 0;
  for (int i = 0; i < count; ++i) worst = std::max(worst, error_in_ulp(uniform(random)));
  return worst;
}

TEST(ExactExp, IsWithinOneUlp) {
  if (std::numeric_limits<long double>::digits < 64)
    GTEST_SKIP() << "long double is no wider than double";
  EXPECT_LT(worst_error(-1, 0, 300000), 1.0);
  EXPECT_LT(worst_error(-30, 0, 300000), 1.0);
  EXPECT_LT(worst_error(-708, 709.7, 300000), 1.0);
  EXPECT_LT(worst_error(-745, -708, 100000), 1.0);
  EXPECT_LT(worst_error(-1e-9, 1e-9, 10000), 1.0);
}

TEST(ExactExp, IsWithinOneUlpWhereTheExponentChanges) {
  if (std::numeric_limits<long double>::digits < 64)
    GTEST_SKIP() << "long double is no wider than double";
  for (int k = -1070; k < 1020; ++k) {
    double x = (k + 0.5) * 0.69314718055994531;
    for (int i = 0; i < 8; ++i) x = std::nextafter(x, -1000);
    for (int i = 0; i < 16; ++i, x = std::nextafter(x, 1000)) ASSERT_LT(error_in_ulp(x), 1.0) << x;
  }
}

TEST(ExactExp, HasTheRightEnds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exp(0.0), 1.0);
  EXPECT_EQ(exp(-0.0), 1.0);
  EXPECT_EQ(exp(-745.2), 0.0);
  EXPECT_EQ(exp(-745.1), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(exp(-kInfinity), 0.0);
  EXPECT_EQ(exp(-std::numeric_limits<double>::max()), 0.0);
  EXPECT_EQ(exp(709.79), kInfinity);
  EXPECT_EQ(exp(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(exp(std::numeric_limits<double>::quiet_NaN())));
}

// Bits that must never change, on any machine; the first is not the nearest double but its
// neighbour.
TEST(ExactExp, HasTheSameBitsEverywhere) {
  EXPECT_EQ(exp(1.0), 0x1.5bf0a8b14576ap+1);
  EXPECT_EQ(exp(-1.0), 0x1.78b56362cef38p-2);
}

}  // namespace
}  // namespace vmafx::exact
