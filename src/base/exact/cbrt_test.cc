#include "base/exact/cbrt.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace vmafx {
namespace {

TEST(ExactCbrt, WithinOneUlp) {
  if (std::numeric_limits<long double>::digits < 64)
    GTEST_SKIP() << "long double is no wider than double";
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-1073, 1023);
  double worst = 0;
  for (int i = 0; i < 300000; ++i) {
    const double x = std::exp2(exponent(random));
    const long double want = std::cbrt(static_cast<long double>(x));
    const double near = static_cast<double>(want);
    const double ulp = std::nextafter(near, INFINITY) - near;
    const double got = exact::cbrt(i % 2 == 0 ? x : -x);
    EXPECT_EQ(got < 0, i % 2 != 0);
    worst = std::max(worst, static_cast<double>(std::fabs(std::fabs(got) - want) / ulp));
  }
  // Half an ulp of the last rounding and what cbrt.h promises before it.
  EXPECT_LT(worst, 0.5001);
}

TEST(ExactCbrt, ExactValuesAndEdges) {
  static_assert(exact::cbrt(27.0) == 3.0);
  for (int i = 1; i < 2000; ++i) EXPECT_EQ(exact::cbrt(static_cast<double>(i) * i * i), i);
  EXPECT_EQ(exact::cbrt(std::numeric_limits<double>::denorm_min()), std::exp2(-358.0));
  EXPECT_TRUE(std::signbit(exact::cbrt(-0.0)));
  EXPECT_EQ(exact::cbrt(INFINITY), INFINITY);
  EXPECT_EQ(exact::cbrt(-INFINITY), -INFINITY);
  EXPECT_TRUE(std::isnan(exact::cbrt(NAN)));
}

}  // namespace
}  // namespace vmafx
