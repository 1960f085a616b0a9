#include "metrics/psnr/psnr.h"

#include <array>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;

template <class Sample>
void expect_parity(const Case& c, const std::string& target) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  for (int p = 0; p < c.format.planes(); ++p) {
    const auto r = plane_view<Sample>(reference, p);
    const auto d = plane_view<Sample>(distorted, p);
    ASSERT_EQ(psnr::sse(r, d, c.format.bit_depth), psnr::reference_sse(r, d))
        << target << ", plane " << p << ", " << c;
  }
}

TEST(PsnrParity, EverySizeDepthChromaAndPattern) {
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 12, 13, 16}) {
      const auto expect = depth == 8 ? expect_parity<std::uint8_t> : expect_parity<std::uint16_t>;
      for (const int width : parity::edge_sizes(1))
        ASSERT_NO_FATAL_FAILURE(
            expect({{width, 5, depth, Chroma::k420}, Pattern::kRandom, Pattern::kRandom, width % 4},
                   target));
      for (const Chroma chroma :
           {Chroma::k400, Chroma::k411, Chroma::k422, Chroma::k440, Chroma::k444})
        ASSERT_NO_FATAL_FAILURE(
            expect({{35, 33, depth, chroma}, Pattern::kTexture, Pattern::kExtremes, 1}, target));
      // The largest errors, over rows long enough to overflow a short accumulator.
      ASSERT_NO_FATAL_FAILURE(
          expect({{5000, 2, depth, Chroma::k400}, Pattern::kBlack, Pattern::kWhite, 0}, target));
    }
  });
}

struct Folded final : FeatureSink {
  std::map<std::size_t, double> features;
  std::map<std::size_t, double> aggregates;
  void feature(std::int64_t, std::size_t key, double value) override { features[key] = value; }
  void aggregate(std::size_t key, double value) override { aggregates[key] = value; }
};

Folded fold_frames(const OptionText& text, const PictureFormat& format,
                   const std::vector<std::array<std::uint64_t, 3>>& frames) {
  Folded folded;
  const auto fold =
      psnr_metric().fold(*Options::parse(psnr_metric().options(), text, "psnr"), format, 0);
  for (std::size_t i = 0; i < frames.size(); ++i)
    fold->push(static_cast<std::int64_t>(i), std::as_bytes(std::span(frames[i])), folded);
  fold->finish(folded);
  return folded;
}

TEST(PsnrFold, FormulaAndCaps) {
  const PictureFormat format{10, 10, 8, Chroma::k420};
  // Mean squared error of 1: 20 log10(255).
  EXPECT_DOUBLE_EQ(fold_frames({}, format, {{100, 25, 0}}).features[0], 48.130803608679102);
  EXPECT_DOUBLE_EQ(fold_frames({}, format, {{100, 25, 0}}).features[1], 48.130803608679102);
  EXPECT_EQ(fold_frames({}, format, {{100, 25, 0}}).features[2], 60);
  for (const auto& [depth, cap] : {std::pair(10, 72), {12, 84}, {16, 108}})
    EXPECT_EQ(fold_frames({}, {10, 10, depth, Chroma::k420}, {{0, 0, 0}}).features[0], cap);
  // ceil(10 log10(255^2 / (0.5 / 100))) = ceil(71.14).
  EXPECT_EQ(fold_frames({{"min_sse", "0.5"}}, format, {{0, 0, 0}}).features[0], 72);
  EXPECT_DOUBLE_EQ(fold_frames({{"uncapped", "true"}}, format, {{0, 0, 0}}).features[0],
                   48.130803608679102 + 160);
}

TEST(PsnrFold, ReducedPeakOfHighBitDepth) {
  const PictureFormat format{10, 10, 10, Chroma::k400};
  EXPECT_DOUBLE_EQ(fold_frames({{"reduced_hbd_peak", "true"}}, format, {{1600, 0, 0}}).features[0],
                   48.130803608679102);
}

TEST(PsnrFold, AggregateIsThePsnrOfTheMeanError) {
  const PictureFormat format{10, 10, 8, Chroma::k400};
  Folded folded = fold_frames({{"enable_apsnr", "1"}}, format, {{150, 0, 0}, {50, 0, 0}});
  EXPECT_DOUBLE_EQ(folded.aggregates[0], 48.130803608679102);
  // No error at all: ceil(10 log10(255^2 * 200 * 2)) = ceil(74.15).
  EXPECT_EQ(fold_frames({{"enable_apsnr", "1"}}, format, {{0, 0, 0}, {0, 0, 0}}).aggregates[0], 75);
}

TEST(Psnr, GrayPicturesHaveLumaOnly) {
  const auto fold =
      psnr_metric().fold(*Options::parse(psnr_metric().options(),
                                         {{"enable_mse", "1"}, {"enable_apsnr", "1"}}, "psnr"),
                         {10, 10, 8, Chroma::k400}, 0);
  ASSERT_EQ(fold->keys().size(), 2u);
  EXPECT_EQ(fold->keys()[1].key, "mse_y");
  EXPECT_EQ(fold->aggregate_keys(), std::vector<std::string>{"apsnr_y"});
}

}  // namespace
}  // namespace vmafx
