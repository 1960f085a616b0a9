// The scales of CAMBI for every instruction set. What happens at each pixel is in reference.cc;
// here is how it is made fast:
// * A pixel and the mark of flat areas share a word, so that they are filtered and halved together.
// * Flat areas consist of horizontal runs of equal values. A run adds a trapezoid to the counts of
// its value,
//   a vector of columns at a time, and the counts that the pixels of a run ask for lie side by
//   side.
// * Counts slide down the picture in blocks of columns that are narrow enough for the cache.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/cambi/cambi.h"
#include "metrics/cambi/contrast.h"
#include "metrics/cambi/marked_luma.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/cambi/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::cambi::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::uint16_t, kMaxLanes>;
using V16 = hn::Vec<D16>;
using DF = hn::CappedTag<float, kMaxLanes / 2>;
using VF = hn::Vec<DF>;

// In place of a pixel that takes no part in the counts.
constexpr std::uint16_t kNoValue = 0xFFFF;
// Columns counted at a time.
constexpr int kBlock = 512;

HWY_INLINE V16 mode(V16 a, V16 b, V16 c) {
  const auto a_agrees = hn::Or(hn::Eq(a, b), hn::Eq(a, c));
  const V16 smallest = hn::Min(a, hn::Min(b, c));
  return hn::IfThenElse(a_agrees, a, hn::IfThenElse(hn::Eq(b, c), b, smallest));
}

// The values of a row, filtered along it but for its ends.
void filter_along(const std::uint16_t* HWY_RESTRICT row, int width,
                  std::uint16_t* HWY_RESTRICT out) {
  const D16 d;
  const V16 bits = hn::Set(d, kValueBits);
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto load = [&](int x) { return hn::And(hn::LoadU(d, row + x), bits); };
  for (int x = 1; x < width - 1; x += lanes)
    hn::StoreU(mode(load(x - 1), load(x), load(x + 1)), d, out + x);
  out[0] = row[0] & kValueBits;
  out[width - 1] = row[width - 1] & kValueBits;
}

// The pixels of one row after the filter: `values` with kNoValue where the pixel is not counted,
// `marked` with the mark of flat areas. Without neighbours (first and last row) the row stays as it
// is.
struct FilteredRow {
  std::uint16_t* values;
  std::uint16_t* marked;
};

template <bool kFilter>
void filter_across(const std::array<std::uint16_t*, 3>& along, const std::uint16_t* row, int width,
                   const Visibility& visibility, FilteredRow out) {
  const D16 d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const V16 bits = hn::Set(d, kValueBits);
  const auto lowest = static_cast<std::uint16_t>(std::max(0, visibility.lowest));
  const V16 low = hn::Set(d, lowest);
  const V16 span = hn::Set(d, static_cast<std::uint16_t>(visibility.highest - lowest));
  for (int x = 0; x < width; x += lanes) {
    const V16 pixel = hn::LoadU(d, row + x);
    V16 value = hn::And(pixel, bits);
    if constexpr (kFilter) {
      value =
          mode(hn::LoadU(d, along[0] + x), hn::LoadU(d, along[1] + x), hn::LoadU(d, along[2] + x));
    }
    const V16 mark = hn::AndNot(bits, pixel);
    const auto skipped = hn::Or(hn::Eq(mark, hn::Zero(d)), hn::Gt(hn::Sub(value, low), span));
    hn::StoreU(hn::Or(value, hn::VecFromMask(d, skipped)), d, out.values + x);
    hn::StoreU(hn::Or(value, mark), d, out.marked + x);
  }
}

// May work in place.
void every_second(const std::uint16_t* row, int half_width, std::uint16_t* out) {
  const D16 d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < half_width; x += lanes) {
    const V16 lower = hn::LoadU(d, row + 2 * x);
    const V16 upper = hn::LoadU(d, row + 2 * x + lanes);
    hn::StoreU(hn::ConcatEven(d, upper, lower), d, out + x);
  }
}

void halve(PlaneView<std::uint16_t> in, PlaneView<std::uint16_t> out) {
  for (int y = 0; y < out.height; ++y) every_second(in.row(2 * y), out.width, out.row(y));
}

// Filters a scale into `values`, and halved into `next`, which may be the same memory as `in`.
void filter_scale(PlaneView<std::uint16_t> in, const Visibility& visibility, Scratch& scratch,
                  PlaneView<std::uint16_t> values, PlaneView<std::uint16_t> next) {
  const Scratch::Frame frame(scratch);
  const int width = in.width;
  const int last = in.height - 1;
  std::array<std::uint16_t*, 3> ring{};
  for (std::uint16_t*& row : ring) row = take_row(scratch, width);
  std::uint16_t* marked = take_row(scratch, 2 * width);
  filter_along(in.row(0), width, ring[0]);
  for (int y = 0; y <= last; ++y) {
    if (y < last) filter_along(in.row(y + 1), width, ring[static_cast<std::size_t>((y + 1) % 3)]);
    const FilteredRow out = {values.row(y), marked};
    if (y == 0 || y == last) {
      filter_across<false>(ring, in.row(y), width, visibility, out);
    } else {
      filter_across<true>(ring, in.row(y), width, visibility, out);
    }
    // Ends the last run of the row.
    values.row(y)[width] = kNoValue;
    if (y % 2 == 0) every_second(marked, next.width, next.row(y / 2));
  }
}

// Neighbouring pixels of equal value; begin and end count from the first column that the block
// looks at.
struct Run {
  std::uint16_t begin;
  std::uint16_t end;
  std::uint16_t value;

  friend bool operator==(const Run&, const Run&) = default;
};

// Appends the runs of row[0..width); positions are offset by `first`. row[width] may be read.
Run* find_runs(const std::uint16_t* row, int width, int first, Run* out) {
  const D16 d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int begin = 0;
  const auto end_run = [&](int end) {
    *out = {static_cast<std::uint16_t>(begin + first), static_cast<std::uint16_t>(end + first),
            row[begin]};
    out += row[begin] != kNoValue;
    begin = end;
  };
  for (int x = 0; x < width; x += lanes) {
    const auto ends = hn::Ne(hn::LoadU(d, row + x), hn::LoadU(d, row + x + 1));
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, ends, reinterpret_cast<std::uint8_t*>(&bits));
    for (; bits != 0; bits &= bits - 1) {
      const int end = x + std::countr_zero(bits) + 1;
      if (end >= width) break;
      end_run(end);
    }
  }
  end_run(width);
  return out;
}

// Counts of each value in the window around each column of a block.
class Counts {
 public:
  Counts(const Visibility& visibility, int radius, int block, Scratch& scratch)
      : visibility_(visibility),
        radius_(radius),
        stride_((block + 4 * radius + kMargin - 1) / kMargin * kMargin + kMargin) {
    const auto rows = static_cast<std::size_t>(visibility.highest - visibility.lowest + 1);
    const std::size_t size = rows * static_cast<std::size_t>(stride_);
    counts_ = scratch.take<std::uint16_t>(size + kMargin);
    std::fill_n(counts_, size + kMargin, std::uint16_t{0});
  }

  void slide(std::span<const Run> entering, std::span<const Run> leaving) {
    auto in = entering.begin();
    auto out = leaving.begin();
    while (in != entering.end() && out != leaving.end()) {
      if (*in == *out) {
        ++in;
        ++out;
      } else if (in->begin <= out->begin) {
        add<true>(*in++);
      } else {
        add<false>(*out++);
      }
    }
    for (; in != entering.end(); ++in) add<true>(*in);
    for (; out != leaving.end(); ++out) add<false>(*out);
  }

  // Appends the contrasts of the pixels of the runs in columns begin..end, except where they are
  // all 0. Up to a vector more may be written. A map's row has them at their columns too.
  float* append_contrasts(std::span<const Run> runs, int begin, int end, float* out,
                          float* map_row) const {
    for (const Run& run : runs) {
      const std::uint32_t steps = visibility_.visible_steps[run.value];
      const int first = std::max<int>(run.begin, begin);
      const int last = std::min<int>(run.end, end);
      if (steps == 0 || first >= last) continue;
      float* const next = run_contrasts(run.value, steps, first, last, out);
      if (map_row != nullptr) std::copy(out, next, map_row + first);
      out = next;
    }
    return out;
  }

 private:
  // Counts of column x are at [x + radius], so that those left of the first column have a place.
  std::uint16_t* row(int value) const {
    return counts_ + static_cast<std::ptrdiff_t>(value - visibility_.lowest) * stride_;
  }

  // A column's window holds min(distance from where the windows begin to see the run, its length,
  // the window's width, distance to where they cease) of its pixels.
  template <bool kAdd>
  void add(const Run& run) {
    const D16 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const int length = run.end - run.begin;
    const int reach = length + 2 * radius_;
    const V16 most = hn::Set(d, static_cast<std::uint16_t>(std::min(length, 2 * radius_ + 1)));
    const V16 ceased = hn::Set(d, static_cast<std::uint16_t>(reach));
    const V16 one = hn::Set(d, 1);
    const V16 step = hn::Set(d, static_cast<std::uint16_t>(lanes));
    V16 position = hn::Iota(d, 0);
    std::uint16_t* HWY_RESTRICT counts = row(run.value) + run.begin;
    for (int x = 0; x < reach; x += lanes) {
      const V16 rising = hn::Add(position, one);
      const V16 falling = hn::SaturatedSub(ceased, position);
      const V16 change = hn::Min(hn::Min(rising, falling), most);
      const V16 old = hn::LoadU(d, counts + x);
      hn::StoreU(kAdd ? hn::Add(old, change) : hn::Sub(old, change), d, counts + x);
      position = hn::Add(position, step);
    }
  }

  float* run_contrasts(int value, std::uint32_t steps, int begin, int end, float* out) const {
    const DF d;
    const hn::RebindToSigned<DF> di;
    const hn::Rebind<std::uint16_t, DF> d16;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int x = begin; x < end; x += lanes) {
      const std::uint16_t* own_counts = row(value) + radius_ + x;
      const auto own = hn::PromoteTo(di, hn::LoadU(d16, own_counts));
      const VF own_f = hn::ConvertTo(d, own);
      VF largest = hn::Zero(d);
      for (std::uint32_t rest = steps; rest != 0; rest &= rest - 1) {
        const int step = std::countr_zero(rest) + 1;
        const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(step) * stride_;
        const auto near16 =
            hn::Max(hn::LoadU(d16, own_counts + offset), hn::LoadU(d16, own_counts - offset));
        const auto near = hn::PromoteTo(di, near16);
        const VF weight = hn::Set(d, kStepWeights[static_cast<std::size_t>(step - 1)]);
        const VF product = hn::Mul(hn::Mul(own_f, hn::ConvertTo(d, near)), weight);
        const VF reciprocal = hn::GatherIndex(d, kReciprocals.data(), hn::Add(own, near));
        largest = hn::Max(largest, hn::Mul(product, reciprocal));
      }
      hn::StoreU(largest, d, out);
      out += std::min(lanes, end - x);
    }
    return out;
  }

  const Visibility& visibility_;
  int radius_;
  std::ptrdiff_t stride_;
  std::uint16_t* counts_;
};

// Appends the contrasts of a scale, column block by column block.
class Scan {
 public:
  Scan(PlaneView<std::uint16_t> values, const Visibility& visibility, int radius, Scratch& scratch)
      : values_(values),
        radius_(radius),
        block_(std::min(kBlock, values.width)),
        slots_(2 * radius + 2),
        counts_(visibility, radius, block_, scratch) {
    const auto slots = static_cast<std::size_t>(slots_);
    runs_ = scratch.take<Run>(slots * run_capacity());
    run_counts_ = scratch.take<std::size_t>(slots);
  }

  // `map` has a place for each pixel, or is null.
  float* append_contrasts(float* out, float* map) {
    for (int left = 0; left < values_.width; left += block_) out = scan_block(left, out, map);
    return out;
  }

 private:
  std::size_t run_capacity() const { return static_cast<std::size_t>(block_ + 2 * radius_ + 1); }
  std::size_t slot(int y) const { return static_cast<std::size_t>(y % slots_); }
  std::span<const Run> runs(int y) const {
    if (y < 0 || y >= values_.height) return {};
    return {runs_ + slot(y) * run_capacity(), run_counts_[slot(y)]};
  }

  float* scan_block(int left, float* out, float* map) {
    const int right = std::min(left + block_, values_.width);
    const int first = std::max(0, left - radius_);
    const int last = std::min(values_.width, right + radius_);
    const int origin = left - radius_;
    for (int y = -radius_; y <= values_.height + radius_; ++y) {
      const int entering = y + radius_;
      if (entering < values_.height) {
        Run* begin = runs_ + slot(entering) * run_capacity();
        const Run* end =
            find_runs(values_.row(entering) + first, last - first, first - origin, begin);
        run_counts_[slot(entering)] = static_cast<std::size_t>(end - begin);
      }
      // At the end all have left, and the counts are 0 for the next block.
      counts_.slide(runs(entering), runs(y - radius_ - 1));
      float* const map_row =
          map == nullptr ? nullptr : map + static_cast<std::ptrdiff_t>(y) * values_.width + origin;
      out = counts_.append_contrasts(runs(y), left - origin, right - origin, out, map_row);
    }
    return out;
  }

  PlaneView<std::uint16_t> values_;
  int radius_;
  int block_;
  int slots_;
  Counts counts_;
  Run* runs_;
  std::size_t* run_counts_;
};

PictureSums sum_scales(PlaneView<std::uint16_t> luma, const Parameters& parameters,
                       Scratch& scratch, ContrastMaps* maps) {
  const Visibility& visibility = *parameters.visibility;
  PictureSums sums{};
  const auto halved = [](PlaneView<std::uint16_t> plane) {
    plane.width = half(plane.width);
    plane.height = half(plane.height);
    return plane;
  };
  if (parameters.halve_first) {
    halve(luma, halved(luma));
    luma = halved(luma);
  }
  if (maps != nullptr) {
    PlaneView<std::uint16_t> scale = luma;
    for (ContrastMap& map : *maps) {
      const auto size =
          static_cast<std::size_t>(scale.width) * static_cast<std::size_t>(scale.height);
      map = {scale.width, scale.height, std::vector<float>(size)};
      scale = halved(scale);
    }
  }
  if (visibility.highest < visibility.lowest) return sums;
  PlaneView<std::uint16_t> values = take_plane(scratch, luma.width, luma.height);
  const auto pixels = static_cast<std::size_t>(luma.width) * static_cast<std::size_t>(luma.height);
  auto* contrasts = scratch.take<float>(pixels + kMaxLanes);
  for (std::size_t s = 0; s < sums.size(); ++s) {
    const Scratch::Frame frame(scratch);
    values.width = luma.width;
    values.height = luma.height;
    filter_scale(luma, visibility, scratch, values, halved(luma));
    Scan scan(values, visibility, parameters.window / 2, scratch);
    float* const map = maps == nullptr ? nullptr : (*maps)[s].values.data();
    const float* end = scan.append_contrasts(contrasts, map);
    sums[s] =
        sum_of_largest({contrasts, static_cast<std::size_t>(end - contrasts)},
                       pooled_count(parameters.pooled_share, luma.width, luma.height), scratch);
    luma = halved(luma);
  }
  return sums;
}

}  // namespace vmafx::cambi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::cambi {

HWY_EXPORT(sum_scales);

template <class Sample>
PictureSums sums(PlaneView<const Sample> plane, int bit_depth, const Parameters& parameters,
                 Scratch& scratch, ContrastMaps* maps) {
  const Scratch::Frame frame(scratch);
  const PlaneView<std::uint16_t> luma = take_plane(scratch, parameters.width, parameters.height);
  mark_luma(plane, bit_depth, parameters, scratch, luma);
  return HWY_DYNAMIC_DISPATCH(sum_scales)(luma, parameters, scratch, maps);
}

template PictureSums sums(PlaneView<const std::uint8_t>, int, const Parameters&, Scratch&,
                          ContrastMaps*);
template PictureSums sums(PlaneView<const std::uint16_t>, int, const Parameters&, Scratch&,
                          ContrastMaps*);

}  // namespace vmafx::cambi
#endif
