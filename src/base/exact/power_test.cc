#include "base/exact/power.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace vmafx {
namespace {

// Distance in units of the last place of the (80-bit) true value rounded to double.
double ulps(double got, long double want) {
  const double near = static_cast<double>(want);
  const double ulp = std::nextafter(near, INFINITY) - near;
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / ulp);
}

TEST(ExactPow, WithinOneUlp) {
  if (std::numeric_limits<long double>::digits < 64)
    GTEST_SKIP() << "long double is no wider than double";
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-300, 300);
  std::uniform_real_distribution<double> near_one(0.5, 2);
  std::uniform_real_distribution<double> power(-30, 30);
  double worst = 0;
  for (int i = 0; i < 40000; ++i) {
    const double x = i % 2 == 0 ? std::exp2(exponent(random)) : near_one(random);
    const double y = power(random) * (i % 2 == 0 ? 0.1 : 20);
    const long double want = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    worst = std::max(worst, ulps(exact::pow(x, y), want));
  }
  // Half an ulp of the last rounding; the rest is the error of the 80-bit value.
  EXPECT_LT(worst, 0.502);
}

TEST(ExactPow, ExactValuesAndEdges) {
  static_assert(exact::pow(10, 2) == 100);
  EXPECT_EQ(exact::pow(0.5, 1074), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(exact::pow(std::numeric_limits<double>::denorm_min(), 1), 0x1p-1074);
  EXPECT_EQ(exact::pow(25, 7), 6103515625.0);
  EXPECT_EQ(exact::pow(2, -3), 0.125);
  EXPECT_EQ(exact::pow(3, 0), 1);
  EXPECT_EQ(exact::pow(NAN, 0), 1);
  EXPECT_EQ(exact::pow(1, NAN), 1);
  EXPECT_EQ(exact::pow(0, 2), 0);
  EXPECT_EQ(exact::pow(0, -2), INFINITY);
  EXPECT_EQ(exact::pow(INFINITY, 2), INFINITY);
  EXPECT_EQ(exact::pow(INFINITY, -2), 0);
  EXPECT_EQ(exact::pow(2, INFINITY), INFINITY);
  EXPECT_EQ(exact::pow(2, -INFINITY), 0);
  EXPECT_EQ(exact::pow(0.5, INFINITY), 0);
  EXPECT_EQ(exact::pow(1.0000000000000002, 1e300), INFINITY);
  EXPECT_EQ(exact::pow(1e300, 2), INFINITY);
  EXPECT_EQ(exact::pow(1e-300, 2), 0);
  EXPECT_TRUE(std::isnan(exact::pow(-2, 2)));
  EXPECT_TRUE(std::isnan(exact::pow(NAN, 1)));
  EXPECT_TRUE(std::isnan(exact::pow(2, NAN)));
}

TEST(ExactPow, FloatThird) {
  EXPECT_EQ(exact::pow_float_third(0), 0);
  EXPECT_EQ(exact::pow_float_third(-1), 0);
  EXPECT_EQ(exact::pow_float_third(1), 1);
  // The exponent is above a third by 2^-25 / 3 x 2: 8 becomes 2 (1 + 4e-8), nearest float 2.
  EXPECT_EQ(exact::pow_float_third(8), 2);
}

// The host's long double power decides the rounding unless it is too close to the middle of two
// floats; there the value must be one of both.
TEST(ExactPow, FloatThirdIsCorrectlyRounded) {
  if (std::numeric_limits<long double>::digits < 64)
    GTEST_SKIP() << "long double is no wider than double";
  int undecided = 0;
  std::uint32_t bits = 1;
  for (int i = 0; i < 50000; ++i) {
    bits = bits * 1664525 + 1013904223;
    const float x = std::bit_cast<float>(bits % 0x7F800000);
    if (x == 0) continue;
    const long double wide = std::pow(static_cast<long double>(x), 0x1.555556p-2L);
    const auto below = static_cast<float>(wide * (1 - 0x1p-60L));
    const auto above = static_cast<float>(wide * (1 + 0x1p-60L));
    const float value = exact::pow_float_third(x);
    if (below == above) {
      ASSERT_EQ(value, below) << x;
    } else {
      ++undecided;
      ASSERT_TRUE(value == below || value == above) << x;
    }
  }
  EXPECT_LT(undecided, 5);
}

TEST(ExactPow, FloatThirdIsNearTheCubeRoot) {
  for (float x = 1e-9f; x < 1e18f; x *= 1.37f) {
    const double difference = exact::pow_float_third(x) / std::cbrt(static_cast<double>(x)) - 1;
    EXPECT_LT(std::abs(difference), 6e-8 + 1e-8 * std::abs(std::log(static_cast<double>(x))));
  }
}

}  // namespace
}  // namespace vmafx
