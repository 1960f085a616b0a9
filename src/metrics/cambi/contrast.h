// The contrast of a band edge: from the counts of a pixel's own value and of a near one in its
// window.
#ifndef VMAFX_METRICS_CAMBI_CONTRAST_H_
#define VMAFX_METRICS_CAMBI_CONTRAST_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace vmafx::cambi {

inline constexpr int kMaxDiffs = 32;
inline constexpr std::size_t kMaxWindowPixels = 65 * 65;

// How a step of 1, 2, ... values weighs: the eye's response above the threshold of visibility.
inline constexpr std::array<float, kMaxDiffs> kStepWeights = {
    1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

// 1 / n as libvmaf tabulates it: nine significant decimal digits, then the nearest float. 42
// entries differ from the float nearest to 1 / n.
constexpr std::array<float, kMaxWindowPixels + 1> make_reciprocals() {
  std::array<float, kMaxWindowPixels + 1> table{};
  for (std::size_t n = 1; n < table.size(); ++n) {
    std::uint64_t power = 100'000'000;
    while (power / n < 100'000'000) power *= 10;
    const std::uint64_t digits = (2 * power + n) / (2 * n);
    table[n] = static_cast<float>(static_cast<double>(digits) / static_cast<double>(power));
  }
  return table;
}
inline constexpr std::array<float, kMaxWindowPixels + 1> kReciprocals = make_reciprocals();

// weight * own * near / (own + near). own * near is exact in float because own + near <= 65 * 65.
// `reciprocal` is kReciprocals[own + near], of which devices have a copy.
constexpr float contrast(int own, int near, float weight, float reciprocal) {
  const float product = static_cast<float>(own) * static_cast<float>(near) * weight;
  return product * reciprocal;
}

constexpr float contrast(int own, int near, float weight) {
  const int sum = own + near;
  return contrast(own, near, weight, kReciprocals[static_cast<std::size_t>(sum)]);
}

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_CONTRAST_H_
