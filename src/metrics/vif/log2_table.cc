#include "metrics/vif/log2_table.h"

#include <cstddef>

namespace vmafx::vif {
namespace {

// In 1/2^63: 2^(1/2048), and 2^((1/2 - 1/1024) / 2048), where the first step to 1 is. It stands
// half an ulp (2^-21, that is 1/1024 of a step) below the middle of the step, because of the
// rounding to float.
constexpr std::uint64_t kStepRatio = 0x800b179c82028fd1;
constexpr std::uint64_t kFirstStep = 0x800588e998d5a3d6;

constexpr std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(a) * b) >> 63);
}

// Walks up the mantissas and raises the rounded logarithm at each step's boundary.
constexpr std::array<std::uint8_t, 32768> make_table() {
  std::array<std::uint8_t, 32768> table{};
  std::uint64_t boundary = kFirstStep;
  std::uint32_t rounded = 0;
  for (std::uint32_t i = 0; i < 32768; ++i) {
    const std::uint64_t mantissa = (std::uint64_t{32768} + i) << 48;
    while (rounded < 2048 && mantissa >= boundary) {
      ++rounded;
      boundary = multiply(boundary, kStepRatio);
    }
    table[i] = static_cast<std::uint8_t>(rounded - (i >> 4));
  }
  return table;
}

// log2 of a number from 1 to 2: squaring doubles the logarithm, whose digits appear one by one.
constexpr double log2_of(double number) {
  double log = 0;
  double digit = 1;
  for (int digits = 0; digits < 43; ++digits) {
    digit /= 2;
    number *= number;
    if (number < 2) continue;
    number /= 2;
    log += digit;
  }
  return log;
}

constexpr std::array<float, log2_segments::kCount> make_inverses() {
  std::array<float, log2_segments::kCount> inverses{};
  for (std::size_t s = 0; s < inverses.size(); ++s)
    inverses[s] = static_cast<float>(64.0 / static_cast<double>(65 + 2 * s));
  return inverses;
}

constexpr std::array<float, log2_segments::kCount> make_logs_at_centres() {
  // Where steps begin, see kFirstStep.
  constexpr double kRounding = 1.0 / 1024;
  std::array<float, log2_segments::kCount> logs = make_inverses();
  for (std::size_t s = 0; s < logs.size(); ++s)
    logs[s] = static_cast<float>(2048 * (1 - log2_of(2.0 * logs[s])) - 64 * static_cast<double>(s) +
                                 kRounding);
  return logs;
}

}  // namespace

alignas(64) constinit const std::array<float, log2_segments::kCount> log2_segments::kInverse =
    make_inverses();
alignas(64) constinit const std::array<float, log2_segments::kCount> log2_segments::kAtCentre =
    make_logs_at_centres();

constinit const std::array<std::uint8_t, 32768> kLog2Excess = make_table();

std::uint32_t excess_sum(std::span<const std::uint32_t> mantissas) {
  constexpr std::size_t kAtOnce = 8;  // spares the loop's own steps
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + kAtOnce <= mantissas.size(); i += kAtOnce)
    for (std::size_t k = 0; k < kAtOnce; ++k) sum += kLog2Excess[mantissas[i + k]];
  for (; i < mantissas.size(); ++i) sum += kLog2Excess[mantissas[i]];
  return sum;
}

}  // namespace vmafx::vif
