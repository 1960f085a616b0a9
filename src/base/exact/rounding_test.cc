#include "base/exact/rounding_check.h"

#include <gtest/gtest.h>

namespace vmafx::exact {
namespace {

// A sample; the command exact_check takes every float. The steps are primes, so that all exponents
// and all low bits occur.
TEST(ExactFloats, CubeRootsAreRounded) {
  EXPECT_EQ(count_misrounded(kFirstFloat, kLastFloat, 2003, cbrt_is_rounded), 0u);
}

TEST(ExactFloats, LogarithmsAreRounded) {
  EXPECT_EQ(count_misrounded(kFirstFloat, kLastFloat, 4003, log2_is_rounded), 0u);
}

// The floats about 1 have the smallest logarithms, where a relative error is hardest to keep.
TEST(ExactFloats, LogarithmsAboutOneAreRounded) {
  constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0f);
  EXPECT_EQ(count_misrounded(kOne - 20000, kOne - 1, 1, log2_is_rounded), 0u);
  EXPECT_EQ(count_misrounded(kOne + 1, kOne + 20000, 1, log2_is_rounded), 0u);
}

// The checks see a wrong last bit.
TEST(ExactFloats, MiddlesAreDoubted) {
  EXPECT_FALSE(internal::decides_float(1 + 0x1p-24));
  EXPECT_FALSE(internal::decides_float(1 + 0x1p-24 + 0x1p-48));
  EXPECT_TRUE(internal::decides_float(1 + 0x1p-24 + 0x1p-40));
  EXPECT_TRUE(internal::decides_float(1));
}

}  // namespace
}  // namespace vmafx::exact
