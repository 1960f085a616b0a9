#include "metrics/ciede/ciede.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::Pattern;

void expect_parity(const Case& c, const std::string& target) {
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  const double expected = ciede::reference_sum(reference, distorted);
  ASSERT_TRUE(std::isfinite(expected)) << c;
  ASSERT_EQ(ciede::sum(reference, distorted), expected) << target << ", " << c;
}

TEST(CiedeParity, EverySizeDepthChromaAndPattern) {
  parity::for_each_target([&](const std::string& target) {
    for (const int depth : {8, 9, 10, 12, 16}) {
      for (const int width : parity::edge_sizes(1)) {
        const PictureFormat format{width, 3, depth, Chroma::k420};
        ASSERT_NO_FATAL_FAILURE(
            expect_parity({format, Pattern::kRandom, Pattern::kRandom, width % 4}, target));
      }
    }
    for (const int depth : {8, 10}) {
      for (const Chroma chroma :
           {Chroma::k411, Chroma::k420, Chroma::k422, Chroma::k440, Chroma::k444}) {
        for (const int width : {1, 2, 7, 31, 63, 64, 65, 255, 257, 517}) {
          for (const int height : {1, 2, 5}) {
            const PictureFormat format{width, height, depth, chroma};
            ASSERT_NO_FATAL_FAILURE(
                expect_parity({format, Pattern::kTexture, Pattern::kExtremes, 1}, target));
          }
        }
      }
      for (const Pattern pattern : parity::kAllPatterns) {
        for (const Pattern other : {pattern, Pattern::kFlat, Pattern::kRandom}) {
          const PictureFormat format{67, 9, depth, Chroma::k444};
          ASSERT_NO_FATAL_FAILURE(expect_parity({format, pattern, other, 0}, target));
        }
      }
    }
  });
}

// A 4:4:4 picture of one row.
Picture row_picture(int bit_depth, const std::vector<std::array<int, 3>>& pixels) {
  const int width = static_cast<int>(pixels.size());
  const PictureFormat format{width, 1, bit_depth, Chroma::k444};
  const auto bytes = format.bytes_per_sample();
  std::shared_ptr<std::byte[]> memory(new std::byte[format.tight_bytes()]);
  std::array<Picture::Plane, 3> planes{};
  for (std::size_t p = 0; p < 3; ++p) {
    std::byte* row = memory.get() + p * pixels.size() * static_cast<std::size_t>(bytes);
    planes[p] = {row, width * bytes};
    for (std::size_t x = 0; x < pixels.size(); ++x) {
      const auto wide = static_cast<std::uint16_t>(pixels[x][p]);
      const auto narrow = static_cast<std::uint8_t>(pixels[x][p]);
      if (bytes == 1) {
        std::memcpy(row + x, &narrow, 1);
      } else {
        std::memcpy(row + 2 * x, &wide, 2);
      }
    }
  }
  return Picture(format, planes, memory);
}

// The textbook: Sharma, Wu, Dalal, with angles, in double.
struct Lab {
  double l;
  double a;
  double b;
};

Lab textbook_lab(const std::array<int, 3>& pixel, int bit_depth) {
  const double unit = 1 << (bit_depth - 8);
  const double y = (pixel[0] - 16 * unit) / (219 * unit);
  const double u = (pixel[1] - 128 * unit) / (224 * unit);
  const double v = (pixel[2] - 128 * unit) / (224 * unit);
  const auto light = [](double c) {
    return c > 10. / 255 ? std::pow((c + 0.055) / 1.055, 2.4) : c / 12.92;
  };
  const double r = light(y + 1.28033 * v);
  const double g = light(y - 0.21482 * u - 0.38059 * v);
  const double b = light(y + 2.12798 * u);
  const auto f = [](double t) {
    return t > 216. / 24389 ? std::cbrt(t) : (24389. / 27 * t + 16) / 116;
  };
  const double fx =
      f((0.4124564390896921 * r + 0.357576077643909 * g + 0.18043748326639894 * b) / 0.95047);
  const double fy = f(0.21267285140562248 * r + 0.715152155287818 * g + 0.07217499330655958 * b);
  const double fz =
      f((0.019333895582329317 * r + 0.119192025881303 * g + 0.9503040785363677 * b) / 1.08883);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

struct Difference {
  double value;
  double hue_gap;  // degrees, 0 to 180
};

Difference textbook_difference(const Lab& one, const Lab& two) {
  constexpr double kPi = std::numbers::pi;
  constexpr double kDegree = kPi / 180;
  const auto weight = [](double c) {
    return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
  };
  const double mean_c = (std::hypot(one.a, one.b) + std::hypot(two.a, two.b)) / 2;
  const double stretch = 1 + 0.5 * (1 - weight(mean_c));
  const double c1 = std::hypot(stretch * one.a, one.b);
  const double c2 = std::hypot(stretch * two.a, two.b);
  const auto hue = [&](const Lab& lab) {
    const double angle = std::atan2(lab.b, stretch * lab.a);
    return angle < 0 ? angle + 2 * kPi : angle;
  };
  const double h1 = hue(one);
  const double h2 = hue(two);
  double delta = h2 - h1;
  double mean_h = (h1 + h2) / 2;
  if (std::abs(delta) > kPi) {
    delta += delta > 0 ? -2 * kPi : 2 * kPi;
    mean_h += mean_h < kPi ? kPi : -kPi;
  }
  const double delta_h = 2 * std::sqrt(c1 * c2) * std::sin(delta / 2);
  const double chroma = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(mean_h - 30 * kDegree) + 0.24 * std::cos(2 * mean_h) +
                   0.32 * std::cos(3 * mean_h + 6 * kDegree) -
                   0.20 * std::cos(4 * mean_h - 63 * kDegree);
  const double q = std::pow((one.l + two.l) / 2 - 50, 2);
  const double l = (two.l - one.l) / (0.65 * (1 + 0.015 * q / std::sqrt(20 + q)));
  const double c = (c2 - c1) / (1 + 0.045 * chroma);
  const double h = delta_h / (4 * (1 + 0.015 * chroma * t));
  const double from_blue = (mean_h / kDegree - 275) / 25;
  const double rotation =
      -2 * weight(chroma) * std::sin(60 * kDegree * std::exp(-from_blue * from_blue));
  return {std::sqrt(l * l + c * c + h * h + rotation * c * h), std::abs(delta) / kDegree};
}

// Single-pixel pictures of random colours, near and far from each other, against the textbook.
TEST(Ciede, EqualsTheTextbook) {
  parity::Random random(7);
  for (const int depth : {8, 10, 16}) {
    const auto peak = (1u << depth) - 1;
    for (int i = 0; i < 20000; ++i) {
      std::array<int, 3> one{};
      std::array<int, 3> two{};
      for (std::size_t p = 0; p < 3; ++p) {
        one[p] = static_cast<int>(random.below(peak + 1));
        two[p] = i % 2 == 0 ? static_cast<int>(random.below(peak + 1))
                            : std::clamp(one[p] + static_cast<int>(random.below(peak / 16)) -
                                             static_cast<int>(peak / 32),
                                         0, static_cast<int>(peak));
      }
      const auto [expected, hue_gap] =
          textbook_difference(textbook_lab(one, depth), textbook_lab(two, depth));
      // Opposite hues have two means, and rounding chooses.
      if (hue_gap > 179) continue;
      const double got = ciede::reference_sum(row_picture(depth, {one}), row_picture(depth, {two}));
      // a* is 500 times a difference of floats: up to 3e-5 off in each of the colours, and their
      // hues accordingly.
      EXPECT_NEAR(got, expected, 1.5e-4 + 1e-5 * expected)
          << depth << " bits, " << one[0] << " " << one[1] << " " << one[2] << " and " << two[0]
          << " " << two[1] << " " << two[2];
    }
  }
}

TEST(Ciede, EqualColoursDoNotDiffer) {
  parity::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::array<int, 3> pixel = {static_cast<int>(random.below(256)),
                                      static_cast<int>(random.below(256)),
                                      static_cast<int>(random.below(256))};
    EXPECT_EQ(ciede::reference_sum(row_picture(8, {pixel}), row_picture(8, {pixel})), 0);
  }
}

// Every chroma format against the 4:4:4 picture that its upsampling means.
TEST(Ciede, ChromaIsRepeated) {
  for (const Chroma chroma : {Chroma::k411, Chroma::k420, Chroma::k440}) {
    const int columns = chroma == Chroma::k411 ? 4 : chroma == Chroma::k420 ? 2 : 1;
    const int rows = chroma == Chroma::k411 ? 1 : 2;
    double expected = 0;
    const Picture one = parity::make_picture({{37, 5, 8, chroma}, Pattern::kRandom, 1, 0});
    const Picture two = parity::make_picture({{37, 5, 8, chroma}, Pattern::kRandom, 2, 0});
    const auto full_row = [&](const Picture& picture, int y) {
      std::vector<std::array<int, 3>> pixels;
      for (int x = 0; x < 37; ++x)
        pixels.push_back({picture.row<std::uint8_t>(0, y)[x],
                          picture.row<std::uint8_t>(1, y / rows)[x / columns],
                          picture.row<std::uint8_t>(2, y / rows)[x / columns]});
      return row_picture(8, pixels);
    };
    for (int y = 0; y < 5; ++y)
      expected += ciede::reference_sum(full_row(one, y), full_row(two, y));
    EXPECT_EQ(ciede::reference_sum(one, two), expected) << to_string(chroma);
  }
}

struct Folded final : FeatureSink {
  std::map<std::size_t, double> features;
  void feature(std::int64_t, std::size_t key, double value) override { features[key] = value; }
  void aggregate(std::size_t, double) override {}
};

double fold(double sum, const PictureFormat& format) {
  Folded folded;
  const double record[] = {sum};
  ciede_metric()
      .fold(*Options::parse(ciede_metric().options(), {}, "ciede"), format, 0)
      ->push(0, std::as_bytes(std::span(record)), folded);
  return folded.features[0];
}

TEST(CiedeFold, FormulaAndInfinity) {
  const PictureFormat format{20, 10, 8, Chroma::k420};
  EXPECT_DOUBLE_EQ(fold(200, format), 45);
  EXPECT_DOUBLE_EQ(fold(2000, format), 25);
  EXPECT_EQ(fold(0, format), std::numeric_limits<double>::infinity());
}

TEST(Ciede, GrayPicturesAreRefused) {
  const Options options = *Options::parse(ciede_metric().options(), {}, "ciede");
  const Status refused = ciede_metric().check(options, {64, 64, 8, Chroma::k400});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kNotApplicable);
  EXPECT_TRUE(ciede_metric().check(options, {1, 1, 16, Chroma::k411}).ok());
}

}  // namespace
}  // namespace vmafx
