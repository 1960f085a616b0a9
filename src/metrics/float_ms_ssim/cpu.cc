// The low-pass filter of MS-SSIM for every instruction set.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/fixed_vectors.h"
#include "metrics/float_ms_ssim/float_ms_ssim.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_ms_ssim/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "metrics/float_ssim/wide_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::ms_ssim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using float_ssim::HWY_NAMESPACE::DF;
using float_ssim::HWY_NAMESPACE::load_samples;
using float_ssim::HWY_NAMESPACE::VF;
using float_ssim::HWY_NAMESPACE::WideSum;

// A mirrored row, split so that equal taps of neighbouring outputs are neighbours: sample
// 2 * (first + x - 2) + p is at column x of half p.
struct SplitRow {
  float* half[2];
};

// Any sample for an index that is far outside: nothing is made of it.
template <class Sample>
float mirrored(const Sample* row, int index, int size) {
  return static_cast<float>(row[std::max(float_ssim::mirror_repeating(index, size), 0)]);
}

// May write past the columns, by a vector.
template <class Sample>
void split(const Sample* row, float step, int width, int first, int columns, const SplitRow& out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int left = 2 * first - kRadius;
  const auto split_one = [&](int x) {
    for (int p = 0; p < 2; ++p) out.half[p][x] = mirrored(row, left + 2 * x + p, width) * step;
  };
  int x = 0;
  for (; left + 2 * x < 0; ++x) split_one(x);
  for (; x < columns && left + 2 * (x + lanes) <= width; x += lanes) {
    const Sample* const from = row + left + 2 * x;
    const VF lower = load_samples(d, from, step);
    const VF upper = load_samples(d, from + lanes, step);
    hn::StoreU(hn::ConcatEven(d, upper, lower), d, out.half[0] + x);
    hn::StoreU(hn::ConcatOdd(d, upper, lower), d, out.half[1] + x);
  }
  for (; x < columns; ++x) split_one(x);
}

constexpr auto kLowPassTable = [] {
  std::array<std::array<float, kTaps>, kTaps> table{};
  for (int i = 0; i < kTaps; ++i) {
    for (int j = 0; j < kTaps; ++j)
      table[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = low_pass(i, j);
  }
  return table;
}();

void filter_row(const SplitRow* rows, int width, float* out) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    WideSum sum = WideSum::zero();
    for (std::size_t i = 0; i < kTaps; ++i) {
      const float* const even = rows[i].half[0] + x;
      const float* const odd = rows[i].half[1] + x;
      for (std::size_t j = 0; j < kTaps; ++j) {
        const float* const samples = (j % 2 == 0 ? even : odd) + j / 2;
        sum.add(hn::Mul(hn::LoadU(d, samples), hn::Set(d, kLowPassTable[i][j])));
      }
    }
    hn::StoreU(sum.rounded(), d, out + x);
  }
}

// In the order of the definition.
void halve_in_order(PlaneView<const float> plane, PlaneView<float> out, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  // Columns that the taps of all outputs reach.
  const int columns = out.width + kRadius;
  const auto line = static_cast<std::size_t>(columns) + hn::Lanes(DF());
  SplitRow ring[kTaps];
  for (SplitRow& row : ring) row = {{scratch.take<float>(line), scratch.take<float>(line)}};
  float* const result = scratch.take<float>(line);
  for (SplitRow& row : ring) {
    for (float* half : row.half) std::fill(half, half + line, 0.f);
  }

  int filled = -kRadius;  // the next row, before mirroring
  for (int y = 0; y < out.height; ++y) {
    for (; filled <= 2 * y + kRadius; ++filled) {
      const int row = float_ssim::mirror_repeating(filled, plane.height);
      split(plane.row(row), 1, plane.width, 0, columns, ring[(filled + kRadius) % kTaps]);
    }
    SplitRow rows[kTaps];
    for (int i = 0; i < kTaps; ++i) rows[i] = ring[(2 * y + i) % kTaps];
    filter_row(rows, out.width, result);
    std::copy(result, result + out.width, out.row(y));
  }
}

// Sums of products are exact in double, so that their order is free, if all samples that are not 0
// are at least kSmallest and at most kLargest.
constexpr float kSmallest = 0x1p-8f;
constexpr float kLargest = 0x1p9f;

constexpr float magnitude(float v) { return v < 0 ? -v : v; }
constexpr auto kTapMagnitudes = [] {
  struct {
    float smallest = 1;
    float sum = 0;
  } magnitudes;
  for (int i = 0; i < kTaps; ++i) {
    for (int j = 0; j < kTaps; ++j) {
      magnitudes.smallest = std::min(magnitudes.smallest, magnitude(low_pass(i, j)));
      magnitudes.sum += magnitude(low_pass(i, j));
    }
  }
  return magnitudes;
}();
// Products are multiples of the last place of the smallest one, and sums have 53 places.
static_assert(kSmallest * kTapMagnitudes.smallest >= 0x1p-20f);
static_assert(kLargest * kTapMagnitudes.sum < 0x1p10f);

bool order_is_free(PlaneView<const float> plane) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const hn::RebindToUnsigned<DF> bits;
  // Magnitudes are ordered as their bits; 0 is above all after 1 is taken away.
  auto smallest = hn::Set(bits, ~0u);
  auto largest = hn::Zero(bits);
  const auto look_at = [&](VF v) HWY_ATTR {
    const auto magnitude_bits = hn::BitCast(bits, hn::Abs(v));
    smallest = hn::Min(smallest, hn::Sub(magnitude_bits, hn::Set(bits, 1)));
    largest = hn::Max(largest, magnitude_bits);
  };
  for (int y = 0; y < plane.height; ++y) {
    const float* const row = plane.row(y);
    int x = 0;
    for (; x + lanes <= plane.width; x += lanes) look_at(hn::LoadU(d, row + x));
    for (; x < plane.width; ++x) look_at(hn::Set(d, row[x]));
  }
  return hn::GetLane(hn::MinOfLanes(bits, smallest)) >=
             std::bit_cast<std::uint32_t>(kSmallest) - 1 &&
         hn::GetLane(hn::MaxOfLanes(bits, largest)) <= std::bit_cast<std::uint32_t>(kLargest);
}

// As many floats as there are doubles in a vector.
constexpr float_ssim::HWY_NAMESPACE::DFHalf dh;
constexpr float_ssim::HWY_NAMESPACE::DD dd;
using VH = hn::Vec<float_ssim::HWY_NAMESPACE::DFHalf>;
using VD = float_ssim::HWY_NAMESPACE::VD;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(dd));

// Sums that a row begins and others go on with.
constexpr int kOpen = kRadius;
// Outputs side by side and one below another whose sums along columns are kept at a time.
constexpr int kStrip = 128;
constexpr int kBand = 8;
// Elements of a line, an odd number of cache lines, so that a column is not in few sets of a cache.
constexpr int kLine = kStrip + 24;
static_assert(kLine >= kStrip + kRadius + static_cast<int>(hn::MaxLanes(DF())));

struct Strip {
  alignas(64) float samples[2 * kBand][2][kLine];
  // By the distance of the column from the centre of the filter.
  alignas(64) double open[kRadius + 1][kLine * kOpen];
  alignas(64) double sums[kRadius + 1][kBand][kLine];
};

// Goes down two rows of the plane a step, of columns kAcross from the centre of the filter, and
// ends a sum with each step.
template <int kAcross>
HWY_INLINE void filter_down(Strip& strip, bool first_band, int columns) {
  constexpr float kTap0 = low_pass(kRadius, kRadius + kAcross);
  constexpr float kTap1 = low_pass(kRadius + 1, kRadius + kAcross);
  constexpr float kTap2 = low_pass(kRadius + 2, kRadius + kAcross);
  constexpr float kTap3 = low_pass(kRadius + 3, kRadius + kAcross);
  constexpr float kTap4 = low_pass(kRadius + 4, kRadius + kAcross);
  const auto weigh = [](VH v, float tap)
                         HWY_ATTR { return hn::PromoteTo(dd, hn::Mul(v, hn::Set(dh, tap))); };
  for (int x = 0; x < columns; x += kLanes) {
    double* const open = strip.open[kAcross] + x * kOpen;
    const auto begin = [&](int k) HWY_ATTR {
      return first_band ? hn::Zero(dd) : hn::Load(dd, open + k * kLanes);
    };
    VD s0 = begin(0);
    VD s1 = begin(1);
    VD s2 = begin(2);
    VD s3 = begin(3);
    for (int step = 0; step < kBand; ++step) {
      const VH upper = hn::Load(dh, strip.samples[2 * step][kAcross % 2] + x);
      const VH lower = hn::Load(dh, strip.samples[2 * step + 1][kAcross % 2] + x);
      const VD upper4 = weigh(upper, kTap4);
      const VD upper2 = weigh(upper, kTap2);
      const VD lower3 = weigh(lower, kTap3);
      const VD lower1 = weigh(lower, kTap1);
      hn::Store(hn::Add(s3, upper4), dd, strip.sums[kAcross][step] + x);
      s3 = hn::Add(hn::Add(s2, upper2), lower3);
      s2 = hn::Add(hn::Add(s1, weigh(upper, kTap0)), lower1);
      s1 = hn::Add(hn::Add(s0, upper2), lower1);
      s0 = hn::Add(upper4, lower3);
    }
    hn::Store(s0, dd, open);
    hn::Store(s1, dd, open + kLanes);
    hn::Store(s2, dd, open + 2 * kLanes);
    hn::Store(s3, dd, open + 3 * kLanes);
  }
}

// Sums of columns become outputs.
void filter_across(const Strip& strip, int step, int width, float* out) {
  const auto sum = [&](int across) { return strip.sums[across][step]; };
  alignas(64) float result[kStrip];
  for (int x = 0; x < width; x += kLanes) {
    VD v = hn::Load(dd, sum(4) + x);
    const auto add = [&](int across, int column)
                         HWY_ATTR { v = hn::Add(v, hn::LoadU(dd, sum(across) + x + column)); };
    add(3, 0);
    add(2, 1);
    add(1, 1);
    add(0, 2);
    add(1, 2);
    add(2, 3);
    add(3, 3);
    add(4, 4);
    hn::Store(hn::DemoteTo(dh, v), dh, result + x);
  }
  std::copy(result, result + width, out);
}

// Along columns first, where neighbouring outputs share the products.
template <class Sample>
void halve_by_columns(PlaneView<const Sample> plane, float step_size, PlaneView<float> out,
                      Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  Strip& strip = *scratch.take<Strip>(1);
  for (int left = 0; left < out.width; left += kStrip) {
    const int width = std::min(kStrip, out.width - left);
    const int columns = width + kRadius;
    for (int top = -kOpen; top < out.height; top += kBand) {
      for (int i = 0; i < 2 * kBand; ++i) {
        const int row = float_ssim::mirror_repeating(2 * top + kRadius + i, plane.height);
        split(plane.row(std::max(row, 0)), step_size, plane.width, left, columns,
              {{strip.samples[i][0], strip.samples[i][1]}});
      }
      filter_down<0>(strip, top < 0, columns);
      filter_down<1>(strip, top < 0, columns);
      filter_down<2>(strip, top < 0, columns);
      filter_down<3>(strip, top < 0, columns);
      filter_down<4>(strip, top < 0, columns);
      for (int step = std::max(0, -top); step < std::min(kBand, out.height - top); ++step)
        filter_across(strip, step, width, out.row(top + step) + left);
    }
  }
}

// Samples are multiples of kSmallest.
void halve8(PlaneView<const std::uint8_t> plane, float step, PlaneView<float> out,
            Scratch& scratch) {
  halve_by_columns(plane, step, out, scratch);
}

void halve16(PlaneView<const std::uint16_t> plane, float step, PlaneView<float> out,
             Scratch& scratch) {
  halve_by_columns(plane, step, out, scratch);
}

void halve_floats(PlaneView<const float> plane, PlaneView<float> out, Scratch& scratch) {
  if (order_is_free(plane)) {
    halve_by_columns(plane, 1, out, scratch);
  } else {
    halve_in_order(plane, out, scratch);
  }
}

}  // namespace vmafx::ms_ssim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::ms_ssim {

HWY_EXPORT(halve8);
HWY_EXPORT(halve16);
HWY_EXPORT(halve_floats);

void halve(PlaneView<const std::uint8_t> plane, int bit_depth, PlaneView<float> out,
           Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(halve8)(plane, float_ssim::step_of(bit_depth), out, scratch);
}

void halve(PlaneView<const std::uint16_t> plane, int bit_depth, PlaneView<float> out,
           Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(halve16)(plane, float_ssim::step_of(bit_depth), out, scratch);
}

void halve(PlaneView<const float> plane, PlaneView<float> out, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(halve_floats)(plane, out, scratch);
}

}  // namespace vmafx::ms_ssim
#endif
