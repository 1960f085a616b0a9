#include <bit>
#include <cstdint>
#include <vector>

#include "tests/device_parity.h"
#include "metrics/psnr_hvs/kernels.h"
#include "metrics/psnr_hvs/ordered_sum.h"
#include "metrics/psnr_hvs/psnr_hvs.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::Pattern;

void expect_same(const Case& c, const OptionText& options = {}) {
  expect_same_on_devices(psnr_hvs_metric(), options, c);
}

TEST(PsnrHvsDeviceParity, SizesDepthsAndFormats) {
  for (const int depth : {8, 10, 12}) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444}) {
      for (const int width : {16, 28, 29, 61, 130})
        expect_same({{width, width % 20 + 16, depth, chroma},
                     Pattern::kTexture,
                     Pattern::kRandom,
                     width % 3});
    }
  }
}

TEST(PsnrHvsDeviceParity, Patterns) {
  for (const Pattern reference : parity::kAllPatterns) {
    for (const Pattern distorted : parity::kAllPatterns)
      expect_same({{93, 29, 8, Chroma::k400}, reference, distorted, 3});
  }
}

TEST(PsnrHvsDeviceParity, LumaAlone) {
  expect_same({{64, 64, 8, Chroma::k420}, Pattern::kRandom, Pattern::kTexture},
              {{"enable_chroma", "false"}});
}

// Several rounds of the sum's team.
TEST(PsnrHvsDeviceParity, Picture) {
  for (const int depth : {8, 10})
    expect_same({{330, 250, depth, Chroma::k420}, Pattern::kTexture, Pattern::kRandom});
}

// Terms of few bits, so that ties are frequent, and of many magnitudes: against a loop.
TEST(PsnrHvsOrderedSum, EveryAdvanceIsThatOfALoop) {
  using psnr_hvs::Advance;
  parity::Random random(5);
  const auto term = [&] {
    return std::bit_cast<float>(
        static_cast<std::uint32_t>((92 + random.below(26)) << 23 | random.below(4) << 21));
  };
  int crossed = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto start =
        static_cast<std::uint32_t>((118 + random.below(10)) << 23 | random.below(1u << 23));
    float terms[2][8];
    auto sum = std::bit_cast<float>(start);
    for (auto& run : terms) {
      for (float& t : run) sum += t = term();
    }
    const Advance by =
        join(psnr_hvs::advance_by(terms[0], start), psnr_hvs::advance_by(terms[1], start));
    const bool inside =
        std::bit_cast<std::uint32_t>(sum) <= psnr_hvs::binade_of(start) + psnr_hvs::kBinade;
    ASSERT_EQ(psnr_hvs::stays(start, advance(by, start)), inside);
    if (inside) {
      ASSERT_EQ(start + advance(by, start), std::bit_cast<std::uint32_t>(sum));
    } else {
      ++crossed;
    }
  }
  EXPECT_GT(crossed, 2000);
  EXPECT_LT(crossed, 18000);
}

// A large term, then small ones halfway between floats there: parity decides what they add. The sum
// leaves its binade a few times.
std::vector<float> terms_with_ties(int blocks) {
  parity::Random random(9);
  std::vector<float> terms(static_cast<std::size_t>(blocks) * psnr_hvs::kCoefficients);
  for (float& t : terms) t = static_cast<float>(random.below(random.below(500) == 0 ? 9000 : 6));
  terms[0] = 0x1p24f;
  return terms;
}

TEST(PsnrHvsDeviceParity, SumOfTies) {
  constexpr int kBlocks = 3000;
  const std::vector<float> terms = terms_with_ties(kBlocks);
  // The order of the sum is that of blocks, then coefficients.
  float expected = 0;
  for (std::size_t b = 0; b < kBlocks; ++b) {
    for (std::size_t k = 0; k < psnr_hvs::kCoefficients; ++k) expected += terms[k * kBlocks + b];
  }
  for (const tests::TestDevice& device : tests::test_devices()) {
    const std::size_t bytes = terms.size() * sizeof(float);
    auto queue = device::Queue::make(device.driver);
    const auto memory = device::Buffer::make(device.driver, bytes, device::Buffer::Place::kDevice);
    const auto result = device::Buffer::make(device.driver, 8, device::Buffer::Place::kDevice);
    ASSERT_TRUE(queue.ok() && memory.ok() && result.ok()) << device.name;
    queue->upload(memory->data(), terms.data(), bytes);
    const psnr_hvs::Terms plane = {reinterpret_cast<float*>(memory->data()), kBlocks, kBlocks};
    queue->launch({1, 1, 1}, psnr_hvs::SumTerms{{plane}, reinterpret_cast<float*>(result->data())});
    float sum = 0;
    queue->download(&sum, result->data(), sizeof sum);
    ASSERT_TRUE(queue->finish().ok()) << device.name;
    EXPECT_EQ(sum, expected) << device.name;
  }
}

}  // namespace
}  // namespace vmafx
