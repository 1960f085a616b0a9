#include "metrics/float_psnr/float_psnr.h"

#include <cstdint>
#include <span>

#include <gtest/gtest.h>

#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

struct Score final : FeatureSink {
  double value = -1;
  void feature(std::int64_t, std::size_t, double v) override { value = v; }
  void aggregate(std::size_t, double) override { FAIL() << "float_psnr has no aggregates"; }
};

double fold_one(const OptionText& text, const PictureFormat& format, std::uint64_t sse) {
  const Metric& metric = float_psnr_metric();
  Score score;
  metric.fold(*Options::parse(metric.options(), text, metric.name()), format, 0)
      ->push(0, std::as_bytes(std::span(&sse, 1)), score);
  return score.value;
}

TEST(FloatPsnr, FormulaAndCaps) {
  // Mean squared error of 1: 20 log10(255).
  EXPECT_DOUBLE_EQ(fold_one({}, {10, 10, 8, Chroma::k420}, 100), 48.130803608679102);
  // The same error at 10 bits is 4 steps a sample, with a peak of 255.75: 20 log10(255.75).
  EXPECT_DOUBLE_EQ(fold_one({}, {10, 10, 10, Chroma::k420}, 1600), 48.156312847683949);
  for (const auto& [depth, cap] : {std::pair(8, 60), {10, 72}, {12, 84}, {16, 108}})
    EXPECT_EQ(fold_one({}, {10, 10, depth, Chroma::k420}, 0), cap);
  EXPECT_DOUBLE_EQ(fold_one({{"uncapped", "true"}}, {10, 10, 8, Chroma::k400}, 0),
                   48.130803608679102 + 100);
}

TEST(FloatPsnr, MeasuresLumaOnly) {
  const PictureFormat format{33, 9, 12, Chroma::k444};
  const Picture black = parity::make_picture({format, parity::Pattern::kBlack});
  const Picture white = parity::make_picture({format, parity::Pattern::kWhite});
  const Options options(float_psnr_metric().options());
  const auto measurement = float_psnr_metric().measurement(std::span(&options, 1), format);
  ASSERT_TRUE(measurement.ok());
  Scratch scratch;
  std::uint64_t sse = 0;
  (*measurement)
      ->measure({0, std::span(&black, 1), std::span(&white, 1)}, scratch,
                std::as_writable_bytes(std::span(&sse, 1)));
  EXPECT_EQ(sse, std::uint64_t{33 * 9} * 4095 * 4095);
}

}  // namespace
}  // namespace vmafx
