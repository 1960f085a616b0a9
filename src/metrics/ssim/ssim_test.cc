#include "metrics/ssim/ssim.h"

#include <bit>
#include <limits>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;

template <class Sample>
void expect_parity(const Case& c, Scratch& scratch, const std::string& target) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  const auto r = plane_view<Sample>(reference, 0);
  const auto d = plane_view<Sample>(distorted, 0);
  ASSERT_EQ(std::bit_cast<std::uint64_t>(ssim::sum(r, d, c.format.bit_depth, scratch)),
            std::bit_cast<std::uint64_t>(ssim::reference_sum(r, d, c.format.bit_depth)))
      << target << ", " << c;
}

void expect_parity_any_depth(const Case& c, Scratch& scratch, const std::string& target) {
  if (c.format.bit_depth == 8) {
    expect_parity<std::uint8_t>(c, scratch, target);
  } else {
    expect_parity<std::uint16_t>(c, scratch, target);
  }
}

TEST(SsimParity, EverySizeAndDepth) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 10, 16}) {
      for (const int width : parity::edge_sizes(1))
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(
            {{width, 6, depth, Chroma::k400}, Pattern::kTexture, Pattern::kRandom, width % 3},
            scratch, target));
      for (const int height : {1, 2, 3, 4, 5, 8, 9, 10, 31})
        ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(
            {{21, height, depth, Chroma::k420}, Pattern::kRandom, Pattern::kTexture, 1}, scratch,
            target));
    }
  });
}

TEST(SsimParity, EveryPattern) {
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 12, 16}) {
      for (const Pattern reference : parity::kAllPatterns) {
        for (const Pattern distorted : parity::kAllPatterns)
          ASSERT_NO_FATAL_FAILURE(expect_parity_any_depth(
              {{75, 19, depth, Chroma::k400}, reference, distorted, 3}, scratch, target));
      }
    }
  });
}

struct Score final : FeatureSink {
  double value = -1;
  void feature(std::int64_t, std::size_t, double v) override { value = v; }
  void aggregate(std::size_t, double) override { FAIL() << "ssim has no aggregates"; }
};

double score(const OptionText& text, const PictureFormat& format, Pattern reference,
             Pattern distorted) {
  const Metric& metric = ssim_metric();
  const Options options = *Options::parse(metric.options(), text, metric.name());
  const Picture r = parity::make_picture({format, reference});
  const Picture d = parity::make_picture({format, distorted});
  const auto measurement = metric.measurement(std::span(&options, 1), format);
  Scratch scratch;
  double sum = 0;
  (*measurement)
      ->measure({0, std::span(&r, 1), std::span(&d, 1)}, scratch,
                std::as_writable_bytes(std::span(&sum, 1)));
  Score sink;
  metric.fold(options, format, 0)->push(0, std::as_bytes(std::span(&sum, 1)), sink);
  return sink.value;
}

TEST(Ssim, FlatPicturesDifferInLuminanceAlone) {
  const PictureFormat format{20, 15, 8, Chroma::k420};
  // Black against white: c1 / (255^2 + c1).
  EXPECT_DOUBLE_EQ(score({}, format, Pattern::kBlack, Pattern::kWhite), 1e-4 / (1 + 1e-4));
  EXPECT_DOUBLE_EQ(score({}, format, Pattern::kRandom, Pattern::kRandom), 1);
}

TEST(Ssim, Decibels) {
  const PictureFormat format{20, 15, 8, Chroma::k420};
  EXPECT_EQ(score({{"enable_db", "1"}}, format, Pattern::kBlack, Pattern::kBlack),
            std::numeric_limits<double>::infinity());
  // ceil(10 log10(255^2 * 2 * 300)) = ceil(75.91)
  EXPECT_EQ(score({{"enable_db", "1"}, {"clip_db", "1"}}, format, Pattern::kBlack, Pattern::kBlack),
            76);
}

}  // namespace
}  // namespace vmafx
