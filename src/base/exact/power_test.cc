#include "base/exact/power.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace vmafx::exact {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64 ||
                  std::numeric_limits<long double>::digits == 53,
              "the tests compare with the host's long double functions");
constexpr bool kWideHost = std::numeric_limits<long double>::digits >= 64;

// Relative error in units of 2^-53, of a double against the host's wider function.
double error_in_half_ulps(double value, long double expected) {
  return static_cast<double>(std::abs((value - expected) / expected) * 0x1p53L);
}

TEST(Power, ValuesThatAreExact) {
  EXPECT_EQ(accurate_log10(1), 0);
  EXPECT_EQ(accurate_log10(1000), 3);
  EXPECT_EQ(accurate_log10(1e-5), -5);
  EXPECT_EQ(accurate_exp(0), 1);
  EXPECT_EQ(accurate_exp(-10000), 0);
  EXPECT_EQ(accurate_pow(2, 10), 1024);
  EXPECT_EQ(accurate_pow(9, 0.5), 3);
  EXPECT_EQ(pow_float_third(1), 1);
  EXPECT_EQ(pow_float_third(0), 0);
  EXPECT_EQ(pow_float_third(-8), 0);
}

TEST(Power, AgreesWithTheHostsWiderFunctions) {
  if (!kWideHost) GTEST_SKIP() << "long double is no wider than double here";
  for (int i = 1; i < 4000; ++i) {
    const double x = i * 0.137;
    if (i != 1) {
      EXPECT_LE(error_in_half_ulps(accurate_log10(x), std::log10(static_cast<long double>(x))),
                1.01)
          << x;
    }
    EXPECT_LE(
        error_in_half_ulps(accurate_exp(x - 300), std::exp(static_cast<long double>(x - 300))),
        1.01)
        << x;
    // The host's own error grows with the exponent.
    EXPECT_LE(error_in_half_ulps(accurate_pow(x, 1.7), std::pow(static_cast<long double>(x),
                                                                static_cast<long double>(1.7))),
              1.02)
        << x;
  }
}

// Correct rounding: the host's long double power decides it unless it is too close to the middle of
// two floats; there the value must be one of both.
TEST(Power, FloatThirdIsCorrectlyRounded) {
  if (!kWideHost) GTEST_SKIP() << "long double is no wider than double here";
  int undecided = 0;
  std::uint32_t bits = 1;
  for (int i = 0; i < 50000; ++i) {
    bits = bits * 1664525 + 1013904223;
    const float x = std::bit_cast<float>(bits % 0x7F800000);
    if (x == 0) continue;
    const long double wide = std::pow(static_cast<long double>(x), 0x1.555556p-2L);
    const auto below = static_cast<float>(wide * (1 - 0x1p-60L));
    const auto above = static_cast<float>(wide * (1 + 0x1p-60L));
    const float value = pow_float_third(x);
    if (below == above) {
      ASSERT_EQ(value, below) << x;
    } else {
      ++undecided;
      ASSERT_TRUE(value == below || value == above) << x;
    }
  }
  EXPECT_LT(undecided, 5);
}

TEST(Power, FloatThirdIsNearTheCubeRoot) {
  for (float x = 1e-9f; x < 1e18f; x *= 1.37f) {
    const double difference = pow_float_third(x) / std::cbrt(static_cast<double>(x)) - 1;
    EXPECT_LT(std::abs(difference), 6e-8 + 1e-8 * std::abs(std::log(static_cast<double>(x))));
  }
}

}  // namespace
}  // namespace vmafx::exact
