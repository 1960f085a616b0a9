#include "base/exact/log.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace vmafx {
namespace {

// Distance in units of the last place of the (80-bit) true value rounded to double.
double ulps(double got, long double want) {
  const double rounded = static_cast<double>(want);
  const double ulp = std::nextafter(std::fabs(rounded), INFINITY) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / ulp);
}

TEST(ExactLog, WithinOneUlp) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-320, 320);
  std::uniform_real_distribution<double> near_one(0.9, 1.1);
  double worst = 0;
  for (int i = 0; i < 300000; ++i) {
    const double x = i % 2 == 0 ? std::pow(10.0, exponent(random) * 0.95) : near_one(random);
    if (x == 1) continue;
    worst = std::max({worst, ulps(exact::log(x), std::log(static_cast<long double>(x))),
                      ulps(exact::log2(x), std::log2(static_cast<long double>(x))),
                      ulps(exact::log10(x), std::log10(static_cast<long double>(x)))});
  }
  // Half an ulp of the last rounding and the 2^-58 that log.h promises before it.
  EXPECT_LT(worst, 0.5 + 0x1p-5);
}

TEST(ExactLog, ExactValuesAndEdges) {
  static_assert(exact::log2(8.0) == 3.0);
  static_assert(exact::log(1.0) == 0.0);
  EXPECT_EQ(exact::log10(1000.0), 3.0);
  EXPECT_EQ(exact::log2(std::numeric_limits<double>::denorm_min()), -1074.0);
  EXPECT_EQ(exact::log10(0.0), -INFINITY);
  EXPECT_EQ(exact::log10(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(exact::log10(-1.0)));
  EXPECT_TRUE(std::isnan(exact::log10(NAN)));
}

}  // namespace
}  // namespace vmafx
