#include "base/exact/sine.h"

#include <cmath>

#include <gtest/gtest.h>

namespace vmafx {
namespace {

TEST(ExactSine, WithinThreeUlpOfTheLibrary) {
  const long double pi = std::acos(-1.0L);
  for (int i = -400000; i <= 400000; ++i) {
    const double x = i / 99991.0;
    const long double want = std::sin(pi * static_cast<long double>(x));
    const double ulp = std::nextafter(std::fabs(static_cast<double>(want)), 2.0) -
                       std::fabs(static_cast<double>(want));
    // The 80-bit argument of the library's sine is itself off by up to 4 * 2^-63.
    ASSERT_LE(std::fabs(static_cast<double>(exact::sine_of_pi(x) - want)), 3 * ulp + 0x1p-60) << x;
  }
}

TEST(ExactSine, WholeAndHalfArguments) {
  static_assert(exact::sine_of_pi(0.5) == 1);
  static_assert(exact::sine_of_pi(-1.5) == 1);
  static_assert(exact::sine_of_pi(2.5) == 1);
  for (int n = -8; n <= 8; ++n) EXPECT_EQ(exact::sine_of_pi(n), 0);
}

}  // namespace
}  // namespace vmafx
