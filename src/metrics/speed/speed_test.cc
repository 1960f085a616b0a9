#include "metrics/speed/speed.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "metrics/metric_testing.h"
#include "metrics/parity_harness.h"
#include "metrics/speed/eigenvalues.h"
#include "metrics/speed/score.h"

namespace vmafx {
namespace {

using parity::Pattern;
using speed::BlockStatistics;
using speed::Plan;
using speed::Settings;
using speed::Source;

constexpr Scaling kScalings[] = {Scaling::kNearest, Scaling::kBilinear, Scaling::kBicubic,
                                 Scaling::kLanczos4};

// Statistics in memory of their own.
struct Blocks {
  explicit Blocks(const Plan& plan)
      : entropy(static_cast<std::size_t>(plan.geometry.blocks())), variance(entropy.size()) {}
  BlockStatistics view() { return {entropy, variance}; }

  std::vector<float> entropy;
  std::vector<float> variance;
  bool regular = false;
};

template <class Sample>
Source<Sample> plane_of(const Picture& picture) {
  return {plane_view<Sample>(picture, 0),
          {},
          1 / static_cast<float>(1 << (picture.format().bit_depth - 8))};
}

template <class Sample>
Blocks by_reference(const Plan& plan, const Source<Sample>& source) {
  Blocks blocks(plan);
  blocks.regular = speed::reference_statistics(plan, source, blocks.view());
  return blocks;
}

std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> out;
  for (const float v : values) out.push_back(std::bit_cast<std::uint32_t>(v));
  return out;
}

template <class Sample>
void expect_parity(const Plan& plan, const Source<Sample>& source, const std::string& what) {
  const Blocks want = by_reference(plan, source);
  Scratch scratch;
  parity::for_each_target([&](const std::string& target) {
    Blocks got(plan);
    got.regular = speed::statistics(plan, source, scratch, got.view());
    ASSERT_EQ(got.regular, want.regular) << target << ", " << what;
    if (!want.regular) return;
    ASSERT_EQ(bits(got.entropy), bits(want.entropy)) << target << ", " << what;
    ASSERT_EQ(bits(got.variance), bits(want.variance)) << target << ", " << what;
  });
}

template <class Sample>
void expect_parity_of_pictures(const Settings& settings, const Picture& a, const Picture& b) {
  const Plan plan = speed::make_plan(a.width(0), a.height(0), settings);
  const std::string what = to_string(a.format()) + ", kernel " +
                           std::to_string(settings.kernel_scale) + ", prescale " +
                           std::to_string(settings.prescale) + ", method " +
                           std::to_string(static_cast<int>(settings.scaling));
  ASSERT_NO_FATAL_FAILURE(expect_parity(plan, plane_of<Sample>(a), what));
  Source<Sample> difference = plane_of<Sample>(a);
  difference.subtrahend = plane_view<Sample>(b, 0);
  ASSERT_NO_FATAL_FAILURE(expect_parity(plan, difference, what + ", difference"));
}

void expect_parity(const Settings& settings, const PictureFormat& format, Pattern a, Pattern b) {
  const Picture first = parity::make_picture({format, a, 5, format.width % 3});
  const Picture second = parity::make_picture({format, b, 7, format.height % 4});
  if (format.bit_depth == 8) {
    expect_parity_of_pictures<std::uint8_t>(settings, first, second);
  } else {
    expect_parity_of_pictures<std::uint16_t>(settings, first, second);
  }
}

TEST(SpeedParity, EverySizeAndDepth) {
  for (const int depth : {8, 10, 12, 15, 16}) {
    for (const int width : {80, 81, 95, 96, 97, 127, 161, 240, 255, 331, 496, 1283}) {
      ASSERT_NO_FATAL_FAILURE(expect_parity({}, {width, 503, depth, Chroma::k400}, Pattern::kRandom,
                                            Pattern::kTexture));
    }
  }
  for (const int height : {80, 83, 160, 287, 720}) {
    ASSERT_NO_FATAL_FAILURE(
        expect_parity({}, {517, height, 8, Chroma::k400}, Pattern::kExtremes, Pattern::kRandom));
  }
}

TEST(SpeedParity, EveryPattern) {
  for (const Pattern a : parity::kAllPatterns) {
    for (const Pattern b : parity::kAllPatterns) {
      ASSERT_NO_FATAL_FAILURE(expect_parity({}, {640, 481, 8, Chroma::k400}, a, b));
    }
  }
}

TEST(SpeedParity, EveryKernelScaleAndPrescale) {
  for (const double kernel : {0.1, 0.5, 1.5, 2.0, 4.0}) {
    ASSERT_NO_FATAL_FAILURE(expect_parity({.kernel_scale = kernel}, {531, 507, 8, Chroma::k400},
                                          Pattern::kRandom, Pattern::kTexture));
  }
  for (const Scaling scaling : kScalings) {
    for (const double prescale : {0.37, 0.5, 0.6, 1.25, 3.3}) {
      for (const int depth : {8, 10}) {
        ASSERT_NO_FATAL_FAILURE(expect_parity({1.0, prescale, scaling, 0.19},
                                              {317, 331, depth, Chroma::k400}, Pattern::kRandom,
                                              Pattern::kTexture));
      }
    }
  }
  ASSERT_NO_FATAL_FAILURE(expect_parity({2.0, 4.0, Scaling::kLanczos4, 0.29},
                                        {21, 163, 8, Chroma::k400}, Pattern::kRandom,
                                        Pattern::kTexture));
}

// The same statistics by other means, in double: straight sums, Jacobi's eigenvalues, elimination.
class InDouble {
 public:
  explicit InDouble(const Picture& picture)
      : width_(picture.width(0) / 16), height_(picture.height(0) / 16) {
    const auto source = plane_of<std::uint8_t>(picture);
    const auto sample = [&](int x, int y) {
      return static_cast<double>(
          source.at(mirror(x, picture.width(0)), mirror(y, picture.height(0))));
    };
    const std::vector<double> decimated = filtered(9, 3.6, 16, sample);
    const std::vector<double> mean = filtered(3, 0.6, 1, [&](int x, int y) {
      return decimated[index(mirror(x, width_), mirror(y, height_))];
    });
    detail_ = decimated;
    for (std::size_t i = 0; i < detail_.size(); ++i) detail_[i] -= mean[i];
    estimate();
  }

  std::vector<double> variance;
  std::vector<double> entropy;

 private:
  static constexpr int kN = 25;
  using Matrix = std::array<std::array<double, kN>, kN>;

  template <class Sample>
  std::vector<double> filtered(int taps, double deviation, int step, const Sample& sample) const {
    std::vector<double> window;
    double total = 0;
    for (int k = 0; k < taps; ++k) {
      const int from_middle = k - taps / 2;
      const double x = from_middle / deviation;
      window.push_back(std::exp(-x * x / 2));
      total += window.back();
    }
    std::vector<double> out;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        double sum = 0;
        for (int j = 0; j < taps; ++j) {
          for (int i = 0; i < taps; ++i)
            sum += window[static_cast<std::size_t>(j)] * window[static_cast<std::size_t>(i)] *
                   sample(x * step + i - taps / 2, y * step + j - taps / 2);
        }
        out.push_back(sum / total / total);
      }
    }
    return out;
  }

  double element(int x, int y, int e) const { return detail_[index(x + e % 5, y + e / 5)]; }

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  void estimate() {
    const int across = width_ / 5 * 5 - 4;
    const int down = height_ / 5 * 5 - 4;
    const double n = across * down;
    std::array<double, kN> mean{};
    Matrix k{};
    const auto each_place = [&](const auto& body) {
      for (int y = 0; y < down; ++y) {
        for (int x = 0; x < across; ++x) body(x, y);
      }
    };
    each_place([&](int x, int y) {
      for (int e = 0; e < kN; ++e) mean[static_cast<std::size_t>(e)] += element(x, y, e) / n;
    });
    each_place([&](int x, int y) {
      for (std::size_t a = 0; a < kN; ++a) {
        for (std::size_t b = 0; b < kN; ++b)
          k[a][b] += (element(x, y, static_cast<int>(a)) - mean[a]) *
                     (element(x, y, static_cast<int>(b)) - mean[b]) / n;
      }
    });
    const std::array<double, kN> eigenvalues = jacobi(k);
    for (int by = 0; by < height_ / 5; ++by) {
      for (int bx = 0; bx < width_ / 5; ++bx) {
        std::array<double, kN> y{};
        for (std::size_t e = 0; e < kN; ++e) y[e] = element(5 * bx, 5 * by, static_cast<int>(e));
        const double v = quadratic_form(k, y) / kN;
        double sum = 0;
        for (const double eigenvalue : eigenvalues)
          sum +=
              std::log2(eigenvalue * v + 0.29) + std::log2(2 * std::numbers::pi * std::numbers::e);
        variance.push_back(v);
        entropy.push_back(sum);
      }
    }
  }

  static std::array<double, kN> jacobi(Matrix a) {
    for (int sweep = 0; sweep < 30; ++sweep) {
      for (std::size_t p = 0; p < kN; ++p) {
        for (std::size_t q = p + 1; q < kN; ++q) {
          const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
          const double c = std::cos(angle);
          const double s = std::sin(angle);
          for (std::size_t i = 0; i < kN; ++i) {
            const double x = a[i][p];
            a[i][p] = c * x - s * a[i][q];
            a[i][q] = s * x + c * a[i][q];
          }
          for (std::size_t i = 0; i < kN; ++i) {
            const double x = a[p][i];
            a[p][i] = c * x - s * a[q][i];
            a[q][i] = s * x + c * a[q][i];
          }
        }
      }
    }
    std::array<double, kN> out{};
    for (std::size_t i = 0; i < kN; ++i) out[i] = a[i][i];
    return out;
  }

  // y' k^-1 y of a positive definite k.
  static double quadratic_form(Matrix k, std::array<double, kN> y) {
    double sum = 0;
    for (std::size_t i = 0; i < kN; ++i) {
      sum += y[i] * y[i] / k[i][i];
      for (std::size_t r = i + 1; r < kN; ++r) {
        const double f = k[r][i] / k[i][i];
        y[r] -= f * y[i];
        for (std::size_t c = i; c < kN; ++c) k[r][c] -= f * k[i][c];
      }
    }
    return sum;
  }

  int width_;
  int height_;
  std::vector<double> detail_;
};

Picture noise_picture(int width, int height, std::uint64_t seed) {
  return parity::make_picture({{width, height, 8, Chroma::k400}, Pattern::kRandom, seed, 0});
}

// One mean for each of the 25 elements over the whole picture, one covariance divided once: a
// computation by tiles would not come near.
TEST(SpeedInvariants, MeansAndCovarianceAreGlobal) {
  const Picture picture = noise_picture(1040, 976, 3);
  const Plan plan = speed::make_plan(1040, 976, {});
  const Blocks got = by_reference(plan, plane_of<std::uint8_t>(picture));
  ASSERT_TRUE(got.regular);
  const InDouble want(picture);
  ASSERT_EQ(got.entropy.size(), want.entropy.size());
  for (std::size_t i = 0; i < got.entropy.size(); ++i) {
    // Float rounding, times the condition of the matrix (about 100 for noise).
    EXPECT_NEAR(static_cast<double>(got.entropy[i]), want.entropy[i], 1e-3);
    EXPECT_NEAR(static_cast<double>(got.variance[i]), want.variance[i], 1e-3);
  }
}

Picture with_half_contrast(const Picture& picture) {
  Picture half = noise_picture(picture.width(0), picture.height(0), 0);
  for (int y = 0; y < picture.height(0); ++y) {
    auto* out = const_cast<std::uint8_t*>(half.row<std::uint8_t>(0, y));
    for (int x = 0; x < picture.width(0); ++x)
      out[x] = static_cast<std::uint8_t>(64 + picture.row<std::uint8_t>(0, y)[x] / 2);
  }
  return half;
}

// Contrast scales the eigenvalues and leaves y' K^-1 y alone, if each stream has its own K.
TEST(SpeedInvariants, EachStreamHasItsOwnCovariance) {
  const Picture full = noise_picture(1040, 976, 3);
  const Picture half = with_half_contrast(full);
  const Plan plan = speed::make_plan(1040, 976, {});
  const Blocks a = by_reference(plan, plane_of<std::uint8_t>(full));
  const Blocks b = by_reference(plan, plane_of<std::uint8_t>(half));
  ASSERT_TRUE(a.regular && b.regular);
  for (std::size_t i = 0; i < a.entropy.size(); ++i) {
    // Halving 8-bit samples rounds half of them.
    EXPECT_NEAR(a.variance[i], b.variance[i], 0.02f * a.variance[i]);
    // Without noise each of 25 components would lose two bits.
    EXPECT_LT(b.entropy[i], a.entropy[i]);
    EXPECT_GT(b.entropy[i], a.entropy[i] - 2 * speed::kElements);
  }
}

TEST(SpeedInvariants, PlanesWithoutABlockAreRefused) {
  const Metric& chroma = speed_chroma_metric();
  const Metric& temporal = speed_temporal_metric();
  const Options defaults(chroma.options());
  EXPECT_TRUE(chroma.check(defaults, {160, 160, 8, Chroma::k420}).ok());
  EXPECT_TRUE(chroma.check(defaults, {80, 80, 8, Chroma::k444}).ok());
  EXPECT_TRUE(temporal.check(Options(temporal.options()), {80, 80, 8, Chroma::k400}).ok());
  const Status small = chroma.check(defaults, {158, 320, 8, Chroma::k420});
  ASSERT_FALSE(small.ok());
  EXPECT_EQ(small.error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(small.error().message,
            "speed_chroma needs chroma planes of at least 80x80, here they are 79x160");
  const auto half = Options::parse(temporal.options(), {{"ps", "0.5"}}, "speed_temporal");
  const Status scaled = temporal.check(*half, {320, 158, 8, Chroma::k420});
  ASSERT_FALSE(scaled.ok());
  EXPECT_EQ(scaled.error().message,
            "speed_temporal needs pictures of at least 80x80, here they are 320x158, 160x79 after "
            "prescaling");
  const auto twice = Options::parse(temporal.options(), {{"ps", "2"}}, "speed_temporal");
  EXPECT_TRUE(temporal.check(*twice, {40, 40, 8, Chroma::k420}).ok());
}

TEST(SpeedInvariants, GreyPicturesHaveNoChroma) {
  const Metric& chroma = speed_chroma_metric();
  const Status grey = chroma.check(Options(chroma.options()), {640, 480, 8, Chroma::k400});
  ASSERT_FALSE(grey.ok());
  EXPECT_EQ(grey.error().code, ErrorCode::kNotApplicable);
  EXPECT_EQ(grey.error().message, "speed_chroma needs chroma planes");
}

using metric_testing::parse;
using Recorder = metric_testing::FrameFeatures;

// Measures and folds a frame; earlier pictures follow the current one.
Recorder score(const Metric& metric, const OptionText& text, const std::vector<Picture>& reference,
               const std::vector<Picture>& distorted) {
  const Options options = parse(metric, text);
  const PictureFormat format = reference[0].format();
  const auto measurement = *metric.measurement(std::span(&options, 1), format);
  std::vector<std::byte> record(measurement->record_size());
  Scratch scratch;
  const auto frame = static_cast<std::int64_t>(reference.size()) - 1;
  measurement->measure({frame, reference, distorted}, scratch, record);
  Recorder recorder;
  metric.fold(options, format, 0)->push(frame, record, recorder);
  return recorder;
}

constexpr PictureFormat kLarge{1000, 960, 8, Chroma::k444};

Picture large(Pattern pattern, std::uint64_t seed = 1) {
  return parity::make_picture({kLarge, pattern, seed, 0});
}

// Planes 1 and 2 of two pictures.
Picture with_chroma(const Picture& u, const Picture& v) {
  struct Both {
    Picture u, v;
  };
  return Picture(kLarge, {u.plane(0), u.plane(1), v.plane(2)},
                 std::make_shared<const Both>(Both{u, v}));
}

TEST(SpeedInvariants, SingularCovarianceGivesZero) {
  const Picture flat = large(Pattern::kFlat);
  const Picture noise = large(Pattern::kRandom);
  const Picture other = large(Pattern::kRandom, 2);
  const Metric& chroma = speed_chroma_metric();
  const Metric& temporal = speed_temporal_metric();
  for (std::size_t key = 0; key < 3; ++key) {
    EXPECT_EQ(score(chroma, {}, {flat}, {noise}).at(0, key), 0);
    EXPECT_EQ(score(chroma, {}, {noise}, {flat}).at(0, key), 0);
    EXPECT_EQ(score(chroma, {}, {flat}, {flat}).at(0, key), 0);
    EXPECT_GT(score(chroma, {}, {noise}, {other}).at(0, key), 0);
    EXPECT_EQ(score(chroma, {}, {noise}, {noise}).at(0, key), 0);
  }
  // A frozen reference.
  EXPECT_EQ(score(temporal, {}, {noise, noise}, {noise, other}).at(1, 0), 0);
  EXPECT_GT(score(temporal, {}, {noise, flat}, {other, flat}).at(1, 0), 0);
}

TEST(SpeedInvariants, MeanTakesTheSurvivingChannel) {
  const Picture flat = large(Pattern::kFlat);
  const Picture a = large(Pattern::kRandom);
  const Picture b = large(Pattern::kRandom, 2);
  const Metric& chroma = speed_chroma_metric();
  const Recorder only_v = score(chroma, {}, {with_chroma(flat, a)}, {with_chroma(flat, b)});
  EXPECT_EQ(only_v.at(0, 0), 0);
  EXPECT_GT(only_v.at(0, 1), 0);
  EXPECT_EQ(only_v.at(0, 2), only_v.at(0, 1));
  const Recorder only_u = score(chroma, {}, {with_chroma(a, a)}, {with_chroma(b, flat)});
  EXPECT_EQ(only_u.at(0, 1), 0);
  EXPECT_EQ(only_u.at(0, 2), only_u.at(0, 0));
  const Recorder both = score(chroma, {}, {a}, {b});
  EXPECT_NEAR(both.at(0, 2), (both.at(0, 0) + both.at(0, 1)) / 2, 1e-5);  // rounded to float
}

TEST(SpeedInvariants, ScoresAreFinite) {
  for (const Pattern a : parity::kAllPatterns) {
    for (const Pattern b : parity::kAllPatterns) {
      const Recorder r = score(speed_chroma_metric(), {}, {large(a)}, {large(b, 2)});
      for (std::size_t key = 0; key < 3; ++key) EXPECT_TRUE(std::isfinite(r.at(0, key)));
    }
  }
}

TEST(SpeedInvariants, LargeScoresAreClipped) {
  const Picture a = large(Pattern::kRandom);
  const Picture b = large(Pattern::kRandom, 2);
  const Recorder plain = score(speed_chroma_metric(), {}, {a}, {b});
  const Recorder clipped = score(speed_chroma_metric(), {{"mxv", "0.5"}}, {a}, {b});
  for (std::size_t key = 0; key < 3; ++key) {
    EXPECT_GT(plain.at(0, key), 0.5);
    EXPECT_EQ(clipped.at(0, key), 0.5);
  }
  // libvmaf's speed_temporal does not clip.
  const Picture c = large(Pattern::kRandom, 3);
  const Metric& temporal = speed_temporal_metric();
  const double unclipped = score(temporal, {}, {a, b}, {c, b}).at(1, 0);
  EXPECT_GT(unclipped, 0.5);
  EXPECT_EQ(score(temporal, {{"mxv", "0.5"}}, {a, b}, {c, b}).at(1, 0), unclipped);
}

TEST(SpeedInvariants, OddChromaIsRoundedUp) {
  const Metric& chroma = speed_chroma_metric();
  const PictureFormat odd{159, 159, 8, Chroma::k420};
  ASSERT_TRUE(chroma.check(Options(chroma.options()), odd).ok());
  const Picture a = parity::make_picture({odd, Pattern::kRandom, 1, 0});
  EXPECT_EQ(score(chroma, {}, {a}, {a}).at(0, 0), 0);
}

// Pictures of the harness end where their memory ends: a sanitizer sees an access past it.
TEST(SpeedInvariants, PrescaleAboveOneStaysInsideItsMemory) {
  const PictureFormat format{243, 251, 8, Chroma::k444};
  const Picture a = parity::make_picture({format, Pattern::kRandom, 1, 0});
  const Picture b = parity::make_picture({format, Pattern::kRandom, 2, 0});
  const Picture c = parity::make_picture({format, Pattern::kRandom, 3, 0});
  for (const char* method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
    const OptionText text = {{"ps", "4"}, {"psm", method}};
    EXPECT_GT(score(speed_chroma_metric(), text, {a}, {b}).at(0, 2), 0);
    EXPECT_GT(score(speed_temporal_metric(), text, {a, b}, {c, b}).at(1, 0), 0);
  }
}

TEST(SpeedTemporal, FirstFrameIsZero) {
  const Recorder r =
      score(speed_temporal_metric(), {}, {large(Pattern::kRandom)}, {large(Pattern::kRandom, 2)});
  EXPECT_EQ(r.at(0, 0), 0);
}

TEST(SpeedTemporal, UseRefDiffSubtractsTheReference) {
  const Picture a = large(Pattern::kRandom);
  const Picture b = large(Pattern::kRandom, 2);
  const Picture c = large(Pattern::kRandom, 3);
  // The distorted current frame is not looked at.
  const OptionText text = {{"urd", "true"}};
  EXPECT_EQ(score(speed_temporal_metric(), text, {a, b}, {c, b}).at(1, 0), 0);
  EXPECT_GT(score(speed_temporal_metric(), text, {a, b}, {a, c}).at(1, 0), 0);
}

TEST(Speed, VariantsOfAGroupShareOneMeasurement) {
  const Metric& metric = speed_chroma_metric();
  const Picture a = large(Pattern::kRandom);
  const Picture b = large(Pattern::kRandom, 2);
  std::vector<Options> variants;
  for (int mode = 0; mode < speed::kWeightModes; ++mode)
    variants.push_back(parse(metric, {{"wvm", std::to_string(mode)}, {"nnf", "0.2"}}));
  const auto measurement = *metric.measurement(variants, kLarge);
  std::vector<std::byte> record(measurement->record_size());
  Scratch scratch;
  measurement->measure({0, std::span(&a, 1), std::span(&b, 1)}, scratch, record);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    EXPECT_EQ(metric.group(variants[i]), metric.group(variants[0]));
    Recorder together;
    metric.fold(variants[i], kLarge, i)->push(0, record, together);
    const Recorder alone = score(metric, {{"wvm", std::to_string(i)}, {"nnf", "0.2"}}, {a}, {b});
    EXPECT_EQ(together.at(0, 0), alone.at(0, 0));
    EXPECT_EQ(together.at(0, 2), alone.at(0, 2));
  }
  EXPECT_NE(metric.group(parse(metric, {{"snn", "0.19"}})), metric.group(parse(metric, {})));
}

TEST(Speed, BlocksBelowTheNoiseFloorAreEqual) {
  std::vector<float> low = {50, 60};
  std::vector<float> lower = {40, 45};
  std::vector<float> variance = {0.5f, 0.25f};
  // 25 (log2(0.29) + log2(2 pi e)) is 57.7.
  const float one = speed::compare({low, variance}, {lower, variance}, 0.29f, 0, 0);
  EXPECT_NEAR(one, (60 - 45) * std::log2(1.25f) / 2, 1e-5);
  EXPECT_EQ(speed::compare({low, variance}, {lower, variance}, 0.29f, 1, 0), 0);
}

TEST(Speed, WeightModes) {
  std::vector<float> r = {100};
  std::vector<float> d = {80};
  std::vector<float> vr = {3};
  std::vector<float> vd = {1};
  const auto mode = [&](int m) {
    return static_cast<double>(speed::compare({r, vr}, {d, vd}, 0.29f, 0, m));
  };
  const auto expected = [](double weight_r, double weight_d) {
    return std::fabs(100 * std::log2(1 + weight_r) - 80 * std::log2(1 + weight_d));
  };
  constexpr double kRounding = 2e-5;  // of floats near 200
  EXPECT_NEAR(mode(0), expected(3, 1), kRounding);
  EXPECT_NEAR(mode(1), expected(3, 3), kRounding);
  EXPECT_NEAR(mode(2), expected(1, 1), kRounding);
  EXPECT_NEAR(mode(3), expected(2, 2), kRounding);
  EXPECT_NEAR(mode(4), expected(3, 2), kRounding);
  EXPECT_NEAR(mode(5), expected(3, 2.5), kRounding);
  EXPECT_NEAR(mode(6), expected(3, 1.5), kRounding);
}

TEST(Speed, KeysCarryOptions) {
  const auto keys = [](const Metric& metric, const OptionText& text) {
    std::vector<std::string> out;
    for (const OutputKey& key : metric.fold(parse(metric, text), kLarge, 0)->keys())
      out.push_back(key.key);
    return out;
  };
  EXPECT_EQ(keys(speed_chroma_metric(),
                 {{"ks", "1"}, {"nnf", "0.1"}, {"snn", "0.19"}, {"wvm", "5"}, {"mxv", "45"}}),
            (std::vector<std::string>{"speed_chroma_u_mxv_45_nnf_0.1_snn_0.19_wvm_5",
                                      "speed_chroma_v_mxv_45_nnf_0.1_snn_0.19_wvm_5",
                                      "speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5"}));
  EXPECT_EQ(keys(speed_temporal_metric(), {{"urd", "true"}, {"snn", "0.19"}, {"psm", "bicubic"}}),
            std::vector<std::string>{"speed_temporal_psm_bicubic_snn_0.19_urd"});
}

TEST(SpeedAxis, PositionsAreInsideThePlane) {
  for (const Scaling scaling : kScalings) {
    for (const double prescale : {0.1, 0.37, 0.5, 0.6, 0.9, 1.3, 2.0, 3.99, 4.0}) {
      for (int size = 20; size < 900; size += 1 + size / 7) {
        const auto g = speed::make_geometry(size, size, prescale);
        if (g.blocks() == 0) continue;
        const auto axis = speed::make_axis(scaling, size, g.scaled_width, 37);
        for (const int position : axis.position) {
          ASSERT_GE(position, 0) << size << " " << prescale;
          ASSERT_LT(position, size) << size << " " << prescale;
        }
      }
    }
  }
}

TEST(SpeedAxis, FactorsNextToOneDoNotScale) {
  const auto g = speed::make_geometry(4000, 3000, 1.0005);
  EXPECT_EQ(g.scaled_width, 4000);
  EXPECT_FALSE(g.scales());
}

// The second difference of n points has the eigenvalues 2 - 2 cos(k pi / (n + 1)).
TEST(SpeedEigenvalues, OfTheSecondDifference) {
  std::array<float, 25> diagonal;
  std::array<float, 24> beside;
  diagonal.fill(2);
  beside.fill(-1);
  speed::diagonalize(diagonal, beside);
  std::sort(diagonal.begin(), diagonal.end());
  for (int k = 1; k <= 25; ++k) {
    const double want = 2 - 2 * std::cos(k * std::numbers::pi / 26);
    EXPECT_NEAR(static_cast<double>(diagonal[static_cast<std::size_t>(k - 1)]), want, 1e-5);
  }
}

}  // namespace
}  // namespace vmafx
