#include "media/rgb.h"

namespace vmafx {
namespace {

// The depth is a constant, so that the divisions become multiplications.
template <int kDepth, class Sample>
void convert(const std::array<const std::uint16_t*, 3>& rgb, const std::array<Sample*, 3>& ycbcr,
             std::size_t count) {
  constexpr std::int64_t kScale = 1 << (kDepth - 8);
  constexpr std::int64_t kMax = (1 << kDepth) - 1;
  // Coefficients times 10000; 18556 = 2 (1 - Kb), 15748 = 2 (1 - Kr).
  constexpr std::int64_t kLuma = 10000 * kMax;
  constexpr std::int64_t kBlue = 18556 * kMax;
  constexpr std::int64_t kRed = 15748 * kMax;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t r = rgb[0][i];
    const std::int64_t g = rgb[1][i];
    const std::int64_t b = rgb[2][i];
    const std::int64_t luma = 2126 * r + 7152 * g + 722 * b;
    const auto rounded = [](std::int64_t numerator, std::int64_t denominator) {
      return static_cast<Sample>(static_cast<std::uint64_t>(2 * numerator + denominator) /
                                 static_cast<std::uint64_t>(2 * denominator));
    };
    ycbcr[0][i] = rounded(kScale * (219 * luma + 16 * kLuma), kLuma);
    ycbcr[1][i] = rounded(kScale * (224 * (10000 * b - luma) + 128 * kBlue), kBlue);
    ycbcr[2][i] = rounded(kScale * (224 * (10000 * r - luma) + 128 * kRed), kRed);
  }
}

}  // namespace

template <class Sample>
void rgb_to_ycbcr(const std::array<const std::uint16_t*, 3>& rgb,
                  const std::array<Sample*, 3>& ycbcr, std::size_t count, int depth) {
  switch (depth) {
    case 8:
      return convert<8>(rgb, ycbcr, count);
    case 9:
      return convert<9>(rgb, ycbcr, count);
    case 10:
      return convert<10>(rgb, ycbcr, count);
    case 11:
      return convert<11>(rgb, ycbcr, count);
    case 12:
      return convert<12>(rgb, ycbcr, count);
    case 13:
      return convert<13>(rgb, ycbcr, count);
    case 14:
      return convert<14>(rgb, ycbcr, count);
    case 15:
      return convert<15>(rgb, ycbcr, count);
    default:
      return convert<16>(rgb, ycbcr, count);
  }
}

template void rgb_to_ycbcr(const std::array<const std::uint16_t*, 3>&,
                           const std::array<std::uint8_t*, 3>&, std::size_t, int);
template void rgb_to_ycbcr(const std::array<const std::uint16_t*, 3>&,
                           const std::array<std::uint16_t*, 3>&, std::size_t, int);

}  // namespace vmafx
