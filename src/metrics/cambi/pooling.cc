#include "metrics/cambi/pooling.h"

#include <algorithm>
#include <array>

#include "metrics/cambi/rank.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/cambi/pooling.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::cambi::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Adds the contrasts above the limit.
void add_above(float limit, std::span<const float> contrasts, ExactSum& sum) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::size_t lanes = hn::Lanes(d);
  const auto limits = hn::Set(df, limit);
  // A double holds the sum of 2^15 contrasts exactly: it is below 2^29 and a multiple of 2^-24.
  constexpr std::size_t kChunk = std::size_t{1} << 15;
  HWY_ALIGN std::array<double, HWY_MAX_BYTES / sizeof(double)> lane_sums;
  while (!contrasts.empty()) {
    const auto chunk = contrasts.first(std::min(kChunk, contrasts.size()));
    auto sums = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= chunk.size(); i += lanes) {
      const auto v = hn::LoadU(df, chunk.data() + i);
      sums = hn::Add(sums, hn::PromoteTo(d, hn::IfThenElseZero(hn::Gt(v, limits), v)));
    }
    hn::Store(sums, d, lane_sums.data());
    double total = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) total += lane_sums[lane];
    for (; i < chunk.size(); ++i) total += chunk[i] > limit ? chunk[i] : 0;
    sum.add(total);
    contrasts = contrasts.subspan(chunk.size());
  }
}

}  // namespace vmafx::cambi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::cambi {
namespace {

HWY_EXPORT(add_above);

constexpr double kUnit = 0x1p-24;

// Ranks are looked at in digits of nine bits.
constexpr int kDigitBits = 9;
constexpr std::uint32_t kDigitValues = 1u << kDigitBits;

// How often each digit occurs.
std::array<std::uint32_t, kDigitValues> count_digits(std::span<const float> contrasts, int shift) {
  const auto digit_of = [&](float contrast) {
    return rank_of(contrast) >> shift & (kDigitValues - 1);
  };
  // Equal neighbours are frequent. They go to different tables and need not wait for each other.
  std::array<std::array<std::uint32_t, kDigitValues>, 4> tables{};
  std::size_t i = 0;
  for (; i + tables.size() <= contrasts.size(); i += tables.size()) {
    for (std::size_t t = 0; t < tables.size(); ++t) ++tables[t][digit_of(contrasts[i + t])];
  }
  for (; i < contrasts.size(); ++i) ++tables[0][digit_of(contrasts[i])];
  for (std::size_t digit = 0; digit < kDigitValues; ++digit) {
    for (std::size_t t = 1; t < tables.size(); ++t) tables[0][digit] += tables[t][digit];
  }
  return tables[0];
}

// Copies the contrasts from low to high, both included; returns how many. One more may be written.
std::size_t copy_between(float low, float high, std::span<const float> contrasts,
                         float* HWY_RESTRICT out) {
  std::size_t copied = 0;
  for (const float contrast : contrasts) {
    out[copied] = contrast;
    copied +=
        static_cast<std::size_t>(contrast >= low) & static_cast<std::size_t>(contrast <= high);
  }
  return copied;
}

// The contrast at this place from the largest, counted from 1; changes `place` to the one among its
// equals.
float select(std::span<const float> contrasts, std::size_t& place, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  float* candidates = nullptr;
  std::uint32_t prefix = 0;
  for (int shift = kRankBits - kDigitBits; shift >= 0; shift -= kDigitBits) {
    const auto counts = count_digits(contrasts, shift);
    std::uint32_t digit = kDigitValues - 1;
    while (counts[digit] < place) place -= counts[digit--];
    prefix += digit << shift;
    if (shift == 0) break;
    candidates = scratch.take<float>(counts[digit] + 1);
    const float highest = contrast_of(prefix + (1u << shift) - 1);
    const std::size_t kept = copy_between(contrast_of(prefix), highest, contrasts, candidates);
    contrasts = {candidates, kept};
  }
  return contrast_of(prefix);
}

}  // namespace

void ExactSum::add(double multiple_of_unit) {
  constexpr int kFractionBits = 24;
  const auto integer = static_cast<std::uint64_t>(multiple_of_unit);
  fraction += static_cast<std::uint64_t>((multiple_of_unit - static_cast<double>(integer)) / kUnit);
  // One representation for each sum, whatever the order of the additions.
  whole += integer + (fraction >> kFractionBits);
  fraction &= (std::uint64_t{1} << kFractionBits) - 1;
}

double ExactSum::value() const {
  return static_cast<double>(whole) + static_cast<double>(fraction) * kUnit;
}

std::size_t pooled_count(double share, int width, int height) {
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  return std::clamp(static_cast<std::size_t>(share * static_cast<double>(pixels)), std::size_t{1},
                    pixels);
}

ExactSum sum_of_largest(std::span<const float> contrasts, std::size_t count, Scratch& scratch) {
  ExactSum sum;
  float smallest = 0;
  std::size_t equals = 0;
  if (contrasts.size() > count) {
    equals = count;
    smallest = select(contrasts, equals, scratch);
  }
  HWY_DYNAMIC_DISPATCH(add_above)(smallest, contrasts, sum);
  // In parts whose product with a contrast is exact.
  constexpr std::size_t kPart = std::size_t{1} << 15;
  for (; equals > 0; equals -= std::min(equals, kPart))
    sum.add(static_cast<double>(std::min(equals, kPart)) * smallest);
  return sum;
}

}  // namespace vmafx::cambi
#endif
