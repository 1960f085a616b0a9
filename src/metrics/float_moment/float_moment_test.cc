#include "metrics/float_moment/float_moment.h"

#include <array>
#include <map>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Pattern;

template <class Sample>
void expect_parity(const parity::PictureSpec& spec, const std::string& target) {
  const Picture picture = parity::make_picture(spec);
  const auto plane = plane_view<Sample>(picture, 0);
  ASSERT_EQ(float_moment::sums(plane), float_moment::reference_sums(plane))
      << target << ", " << to_string(spec.format) << ", pattern " << static_cast<int>(spec.pattern);
}

TEST(FloatMomentParity, EverySizeDepthAndPattern) {
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 12, 16}) {
      const auto expect = depth == 8 ? expect_parity<std::uint8_t> : expect_parity<std::uint16_t>;
      for (const int width : parity::edge_sizes(1))
        ASSERT_NO_FATAL_FAILURE(
            expect({{width, 3, depth, Chroma::k400}, Pattern::kRandom, 5, width % 4}, target));
      for (const Pattern pattern : parity::kAllPatterns)
        ASSERT_NO_FATAL_FAILURE(expect({{4999, 5, depth, Chroma::k400}, pattern, 9, 1}, target));
    }
  });
}

using metric_testing::Features;

TEST(FloatMomentFold, MeansOnTheEightBitScale) {
  const std::array<float_moment::Sums, 2> sums = {{{4000, 160000}, {800, 6400}}};
  const Options options(float_moment_metric().options());
  Features features;
  float_moment_metric()
      .fold(options, {10, 10, 10, Chroma::k420}, 0)
      ->push(0, std::as_bytes(std::span(sums)), features);
  EXPECT_EQ(features.values[0], 10);
  EXPECT_EQ(features.values[1], 2);
  EXPECT_EQ(features.values[2], 100);
  EXPECT_EQ(features.values[3], 4);
}

}  // namespace
}  // namespace vmafx
