// ADM in vectors: one sweep over the rows of both pictures. A row of samples goes through the
// transform as soon as it is read; each scale hands its low band to the next row by row, and keeps
// what masking needs of three rows. So nothing is as large as a picture, and everything that is in
// use stays in the caches. Nothing is computed outside of what the inner parts of the scales need.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/fixed_vectors.h"
#include "base/plane.h"
#include "metrics/adm_borders.h"
#include "metrics/float_adm/float_adm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_adm/cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "metrics/float_adm/masking-inl.h"
#include "metrics/float_adm/wavelet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_adm::HWY_NAMESPACE {

// Vector loops run past the end of a line, and filters look before its begin.
constexpr std::size_t kPadBefore = Scratch::kAlignment / sizeof(float);
constexpr std::size_t kPadAfter = 64;

// Zeros, so that what is computed beyond the ends is made of ordinary numbers.
inline float* take_line(Scratch& scratch, int width) {
  const std::size_t size =
      (static_cast<std::size_t>(width) + kPadBefore + kPadAfter + 15) / 16 * 16;
  float* line = scratch.take<float>(size);
  std::fill(line, line + size, 0.0f);
  return line + kPadBefore;
}

inline SplitLine take_split(Scratch& scratch, int width) {
  return {take_line(scratch, width), take_line(scratch, width)};
}

inline DetailLines take_detail(Scratch& scratch, int width) {
  return {{take_line(scratch, width), take_line(scratch, width), take_line(scratch, width)}};
}

// ---- What is needed of each scale ----

struct ScalePlan {
  int width = 0;  // of each band
  int height = 0;
  int input_width = 0;
  int input_height = 0;
  bool detail = true;
  Range columns;  // that are computed
  Range rows;
};

inline std::array<ScalePlan, kScales> make_plan(const PictureFormat& format, bool scale0) {
  std::array<ScalePlan, kScales> plan;
  int width = format.width;
  int height = format.height;
  for (ScalePlan& p : plan) {
    p.input_width = width;
    p.input_height = height;
    p.width = width = (width + 1) / 2;
    p.height = height = (height + 1) / 2;
  }
  plan[0].detail = scale0;
  Range low_columns;  // nothing for the last scale
  Range low_rows;
  for (std::size_t s = kScales; s-- > 0;) {
    ScalePlan& p = plan[s];
    p.columns = hull(p.detail ? adm::masking_range(p.width) : Range{}, low_columns);
    p.rows = hull(p.detail ? adm::masking_range(p.height) : Range{}, low_rows);
    low_columns = filter_input(p.columns, p.input_width);
    low_rows = filter_input(p.rows, p.input_height);
  }
  return plan;
}

inline bool contains(Range range, int value) { return value >= range.begin && value < range.end; }

inline Range aligned(Range range) { return {range.begin / kPartialSums * kPartialSums, range.end}; }

// ---- From rows of detail to sums ----

struct Measured {
  float power;
  std::span<const Variant> variants;
  std::span<Sums> sums;
};

// Takes the detail of one scale row by row.
class DetailSums {
 public:
  DetailSums(std::size_t scale, const ScalePlan& plan, const Measured& measured,
             const DetailLines& room, Scratch& scratch)
      : scale_(scale),
        width_(plan.width),
        height_(plan.height),
        inner_columns_(adm::inner_range(plan.width)),
        inner_rows_(adm::inner_range(plan.height)),
        outer_columns_(aligned(adm::masking_range(plan.width))),
        outer_rows_(adm::masking_range(plan.height)),
        measured_(measured),
        room_(room),
        state_(scratch.take<VariantState>(measured.variants.size()), measured.variants.size()) {
    if (!plan.detail) return;
    for (VariantState& state : state_) {
      state.next = inner_rows_.begin;
      for (DecoupledLines& slot : state.slots)
        slot = {take_signal(scratch, width_), take_signal(scratch, width_)};
    }
  }

  // Row y; rows come in order.
  void add_row(int y, const DetailLines& original, const DetailLines& test) {
    if (contains(inner_rows_, y)) add_originals(original);
    if (!contains(outer_rows_, y)) return;
    for (std::size_t v = 0; v < state_.size(); ++v) {
      const Variant& variant = measured_.variants[v];
      if (skips(variant)) continue;
      VariantState& state = state_[v];
      decouple(original, test, variant, state.slots[slot_of(y)]);
      for (; state.next < inner_rows_.end && std::min(state.next + 1, height_ - 1) <= y;
           ++state.next)
        mask(state.next, variant, state.slots, measured_.sums[v]);
    }
  }

 private:
  struct VariantState {
    DecoupledLines slots[3];  // what is kept of a row until the row below is there
    int next;                 // row to be masked
  };

  static std::size_t slot_of(int y) { return static_cast<std::size_t>(y) % 3; }

  static SignalLines take_signal(Scratch& scratch, int width) {
    return {take_detail(scratch, width), take_line(scratch, width), take_line(scratch, width)};
  }

  bool skips(const Variant& variant) const { return scale_ == 0 && !variant.scale0; }

  void add_originals(const DetailLines& original) {
    const BandTotals row = sum_originals(original, inner_columns_, measured_.power, room_);
    for (std::size_t v = 0; v < state_.size(); ++v) {
      if (skips(measured_.variants[v])) continue;
      for (std::size_t band = 0; band < kBands; ++band)
        measured_.sums[v].scale[scale_][band].original += row[band];
    }
  }

  void decouple(const DetailLines& original, const DetailLines& test, const Variant& variant,
                const DecoupledLines& out) const {
    const Weights& weights = variant.weights[scale_];
    if (variant.gain_limit == 1) {
      decouple_row<false>(original, test, outer_columns_, 1, weights, out);
    } else {
      decouple_row<true>(original, test, outer_columns_, variant.gain_limit, weights, out);
    }
    sum_neighbours(out.restored.sum, width_, aligned(inner_columns_), out.restored.three);
    sum_neighbours(out.additive.sum, width_, aligned(inner_columns_), out.additive.three);
  }

  void mask(int y, const Variant& variant, const DecoupledLines (&slots)[3], Sums& sums) const {
    const DecoupledLines& above = slots[slot_of(adm::reflect(y - 1, height_))];
    const DecoupledLines& here = slots[slot_of(y)];
    const DecoupledLines& below = slots[slot_of(adm::reflect(y + 1, height_))];
    const BandTotals restored = sum_masked(
        here.restored.magnitude,
        {{above.additive.three, here.additive.three, below.additive.three}, here.additive.sum},
        variant.masking, inner_columns_, measured_.power, room_);
    const BandTotals additive = sum_masked(
        here.additive.magnitude,
        {{above.restored.three, here.restored.three, below.restored.three}, here.restored.sum},
        variant.masking, inner_columns_, measured_.power, room_);
    for (std::size_t band = 0; band < kBands; ++band) {
      sums.scale[scale_][band].restored += restored[band];
      sums.scale[scale_][band].additive += additive[band];
    }
  }

  std::size_t scale_;
  int width_;
  int height_;
  Range inner_columns_;
  Range inner_rows_;
  Range outer_columns_;
  Range outer_rows_;
  const Measured& measured_;
  const DetailLines& room_;
  std::span<VariantState> state_;
};

// ---- The transform ----

constexpr std::size_t kTaps = 4;

// The last rows that came to a scale; row y is at y mod 4.
struct InputRows {
  SplitLine line[kTaps];
  SplitLine& at(int y) { return line[static_cast<std::size_t>(y) % kTaps]; }
};

// Lines that all scales use one after the other.
struct SharedLines {
  SplitLine low;  // a row after the vertical filters
  SplitLine high;
  DetailLines original;
  DetailLines test;
  DetailLines room;
};

class Transform {
 public:
  Transform(const std::array<ScalePlan, kScales>& plan, const Measured& measured, Scratch& scratch)
      : plan_(plan),
        shared_(take_shared(plan[0].width, scratch)),
        scales_{make_scale(0, measured, scratch), make_scale(1, measured, scratch),
                make_scale(2, measured, scratch), make_scale(3, measured, scratch)} {}

  // Where row y of a picture belongs before add_row(y).
  SplitLine original_row(int y) { return scales_[0].original.at(y); }
  SplitLine test_row(int y) { return scales_[0].test.at(y); }
  void add_row(int y) { advance(0, y); }

 private:
  struct Scale {
    InputRows original;
    InputRows test;
    int next;  // row of the bands to be computed
    DetailSums sums;
  };

  static SharedLines take_shared(int width, Scratch& scratch) {
    return {take_split(scratch, width), take_split(scratch, width), take_detail(scratch, width),
            take_detail(scratch, width), take_detail(scratch, width)};
  }

  Scale make_scale(std::size_t s, const Measured& measured, Scratch& scratch) {
    const ScalePlan& p = plan_[s];
    const auto rows = [&] {
      InputRows input;
      for (SplitLine& line : input.line) line = take_split(scratch, p.width);
      return input;
    };
    return {rows(), rows(), p.rows.begin, DetailSums(s, p, measured, shared_.room, scratch)};
  }

  // Row y of the input of scale s is there.
  void advance(std::size_t s, int y) {
    const ScalePlan& p = plan_[s];
    Scale& scale = scales_[s];
    while (scale.next < p.rows.end && std::min(2 * scale.next + 2, p.input_height - 1) <= y) {
      const int row = scale.next++;
      transform_row(s, row, scale.original, shared_.original,
                    s + 1 < kScales ? &scales_[s + 1].original.at(row) : nullptr);
      transform_row(s, row, scale.test, shared_.test,
                    s + 1 < kScales ? &scales_[s + 1].test.at(row) : nullptr);
      if (p.detail) scale.sums.add_row(row, shared_.original, shared_.test);
      if (s + 1 < kScales) advance(s + 1, row);
    }
  }

  // Row y of the bands of one picture.
  void transform_row(std::size_t s, int y, InputRows& input, const DetailLines& detail,
                     const SplitLine* next) const {
    const ScalePlan& p = plan_[s];
    FourRows even;
    FourRows odd;
    for (int k = 0; k < static_cast<int>(kTaps); ++k) {
      const SplitLine& line = input.at(adm::reflect(2 * y - 1 + k, p.input_height));
      even.row[k] = line.even;
      odd.row[k] = line.odd;
    }
    const int begin = std::max(p.columns.begin - 1, 0) / kPartialSums * kPartialSums;
    const int end = std::min(p.columns.end + 1, p.width);
    filter_columns(even, begin, end, shared_.low.even, shared_.high.even);
    filter_columns(odd, begin, end, shared_.low.odd, shared_.high.odd);
    extend(shared_.low, p.input_width);
    extend(shared_.high, p.input_width);

    const Range columns = aligned(p.columns);
    if (p.detail) filter_row(shared_.high, columns, detail.band[0], detail.band[2]);
    if (next == nullptr) {
      filter_row_high(shared_.low, columns, detail.band[1]);
    } else if (p.detail) {
      filter_row_to_next<true>(shared_.low, columns, *next, detail.band[1]);
    } else {
      filter_row_to_next<false>(shared_.low, columns, *next, nullptr);
    }
  }

  const std::array<ScalePlan, kScales>& plan_;
  SharedLines shared_;
  std::array<Scale, kScales> scales_;
};

template <class Sample>
void sweep(const Picture& reference, const Picture& distorted,
           const std::array<ScalePlan, kScales>& plan, Transform& transform) {
  const PlaneView<const Sample> original = plane_view<Sample>(reference, 0);
  const PlaneView<const Sample> test = plane_view<Sample>(distorted, 0);
  const float scale = 1.0f / static_cast<float>(1 << (reference.format().bit_depth - 8));
  const ScalePlan& p = plan[0];
  const Range pairs =
      aligned({std::max(p.columns.begin - 1, 0), std::min(p.columns.end + 1, p.width)});
  const Range rows = filter_input(p.rows, p.input_height);
  for (int y = rows.begin; y < rows.end; ++y) {
    split_samples(original.row(y), original.width, pairs, scale, transform.original_row(y));
    split_samples(test.row(y), test.width, pairs, scale, transform.test_row(y));
    transform.add_row(y);
  }
}

void measure(const Picture& reference, const Picture& distorted, float power,
             std::span<const Variant> variants, Scratch& scratch, std::span<Sums> sums) {
  std::fill(sums.begin(), sums.end(), Sums{});
  const Scratch::Frame frame(scratch);
  const PictureFormat& format = reference.format();
  const bool scale0 = std::any_of(variants.begin(), variants.end(),
                                  [](const Variant& variant) { return variant.scale0; });
  const auto plan = make_plan(format, scale0);
  const Measured measured = {power, variants, sums};
  Transform transform(plan, measured, scratch);
  if (format.bit_depth == 8) {
    sweep<std::uint8_t>(reference, distorted, plan, transform);
  } else {
    sweep<std::uint16_t>(reference, distorted, plan, transform);
  }
}

}  // namespace vmafx::float_adm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::float_adm {

HWY_EXPORT(measure);

void measure_cpu(const Picture& reference, const Picture& distorted, float power,
                 std::span<const Variant> variants, Scratch& scratch, std::span<Sums> sums) {
  HWY_DYNAMIC_DISPATCH(measure)(reference, distorted, power, variants, scratch, sums);
}

}  // namespace vmafx::float_adm
#endif  // HWY_ONCE
