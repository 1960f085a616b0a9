// ADM in vectors. Each scale is one sweep over the rows, or some of a part each: the wavelet's
// rows, what they are split into and the neighbourhood of masking live in lines that stay in the
// caches; only the low band that the next scale starts from is stored whole. Nothing is computed
// outside of what the inner nine tenths of some scale need.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/dot_products.h"
#include "base/fixed_vectors.h"
#include "base/part_sums.h"
#include "base/plane.h"
#include "metrics/adm/adm.h"
#include "metrics/adm/coefficient.h"
#include "metrics/adm/geometry.h"
#include "metrics/adm/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/adm/cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "metrics/adm/decouple-inl.h"
#include "metrics/adm/masking-inl.h"
#include "metrics/adm/wavelet-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::adm {
namespace HWY_NAMESPACE {

// Vector loops run past the end of a line, and filters look before its begin.
constexpr std::size_t kPadBefore = 64;
constexpr std::size_t kPadAfter = 256;

template <class T>
T* take_line(Scratch& scratch, int width) {
  return scratch.take<T>(static_cast<std::size_t>(width) + kPadBefore + kPadAfter) + kPadBefore;
}

template <class T>
BandLines<T> take_bands(Scratch& scratch, int width) {
  return {take_line<T>(scratch, width), take_line<T>(scratch, width), take_line<T>(scratch, width)};
}

// ---- From rows of detail to sums ----

// Takes the detail of one scale row by row.
template <class Coefficient>
class DetailSums {
 public:
  using Magnitude = std::conditional_t<sizeof(Coefficient) == 2, std::uint16_t, std::uint32_t>;

  DetailSums(int scale, const PartPlan& part, std::span<const Variant> variants, Scratch& scratch,
             std::span<Sums> sums)
      : scale_(scale),
        g_(part.plan.geometry),
        columns_(part.plan.detail.columns),
        rows_(part.summed),
        variants_(variants),
        sums_(sums),
        original_(take_bands<Coefficient>(scratch, g_.width)),
        test_(take_bands<Coefficient>(scratch, g_.width)),
        state_(scratch.take<VariantState>(variants.size()), variants.size()) {
    for (VariantState& state : state_) {
      state.next = rows_.begin;
      for (Slot& slot : state.slots) slot = take_slot(scratch);
    }
  }

  const BandLines<Coefficient>& original() const { return original_; }
  const BandLines<Coefficient>& test() const { return test_; }

  // Row y is in the lines; rows come in order.
  void add_row(int y) {
    if (contains(rows_, y)) add_originals();
    for (std::size_t v = 0; v < variants_.size(); ++v) {
      if (scale_ == 0 && !variants_[v].scale0) continue;
      decouple(y, variants_[v], state_[v].slots[slot_of(y)]);
      VariantState& state = state_[v];
      for (; state.next < rows_.end && std::min(state.next + 1, g_.height - 1) <= y; ++state.next)
        mask(state.next, variants_[v], state.slots, sums_[v]);
    }
  }

 private:
  // What is kept of a row until the row below is there.
  struct Slot {
    DecoupledLines<Magnitude> lines;
    std::int32_t* restored_neighbours;
    std::int32_t* additive_neighbours;
  };
  struct VariantState {
    Slot slots[3];
    int next;  // row to be masked
  };

  static std::size_t slot_of(int y) { return static_cast<std::size_t>(y) % 3; }

  Slot take_slot(Scratch& scratch) const {
    const auto signal = [&] {
      return SignalLines<Magnitude>{take_bands<Magnitude>(scratch, g_.width),
                                    take_line<std::int32_t>(scratch, g_.width),
                                    take_line<std::int32_t>(scratch, g_.width)};
    };
    return {{signal(), signal()},
            take_line<std::int32_t>(scratch, g_.width),
            take_line<std::int32_t>(scratch, g_.width)};
  }

  void add_originals() {
    const int term_shift = g_.original_term_shift(scale_);
    const int row_shift = g_.original_row_shift(scale_);
    const auto half = static_cast<std::uint64_t>(half_of(row_shift));
    for (std::size_t band = 0; band < kBands; ++band) {
      const std::uint64_t row = original_row(original_[band], g_.columns, scale_, term_shift);
      for (std::size_t v = 0; v < variants_.size(); ++v) {
        if (scale_ > 0 || variants_[v].scale0)
          sums_[v].scale[static_cast<std::size_t>(scale_)][band].original +=
              (row + half) >> row_shift;
      }
    }
  }

  template <Gain kGain>
  void decouple_with(const Variant& variant, const DecoupledLines<Magnitude>& out) const {
    if constexpr (sizeof(Coefficient) == 2) {
      decouple_columns<kGain>(original_, test_, columns_, variant, out);
    } else {
      decouple_columns<kGain>(scale_, original_, test_, columns_, variant, out);
    }
  }

  void decouple(int /*y*/, const Variant& variant, const Slot& slot) const {
    switch (kind_of(variant.gain_limit)) {
      case Gain::kOne:
        decouple_with<Gain::kOne>(variant, slot.lines);
        break;
      case Gain::kWhole:
        decouple_with<Gain::kWhole>(variant, slot.lines);
        break;
      case Gain::kReal:
        decouple_with<Gain::kReal>(variant, slot.lines);
        break;
    }
    sum_neighbours(slot.lines.additive.neighbour, g_.width, g_.columns, slot.additive_neighbours);
    if (variant.additive)
      sum_neighbours(slot.lines.restored.neighbour, g_.width, g_.columns, slot.restored_neighbours);
  }

  void mask(int y, const Variant& variant, const Slot (&slots)[3], Sums& sums) const {
    const Slot& above = slots[slot_of(reflect(y - 1, g_.height))];
    const Slot& here = slots[slot_of(y)];
    const Slot& below = slots[slot_of(reflect(y + 1, g_.height))];
    const Weights& weights = variant.weights[static_cast<std::size_t>(scale_)];
    const MaskedShifts shifts = {{g_.masked_term_shift(scale_, 0), g_.masked_term_shift(scale_, 1),
                                  g_.masked_term_shift(scale_, 2)},
                                 g_.masked_row_shift()};
    auto& bands = sums.scale[static_cast<std::size_t>(scale_)];
    add_masked_row(
        here.lines.restored.magnitude,
        {{above.additive_neighbours, here.additive_neighbours, below.additive_neighbours},
         here.lines.additive.centre},
        weights, g_.columns, shifts, {&bands[0].restored, &bands[1].restored, &bands[2].restored});
    if (!variant.additive) return;
    add_masked_row(
        here.lines.additive.magnitude,
        {{above.restored_neighbours, here.restored_neighbours, below.restored_neighbours},
         here.lines.restored.centre},
        weights, g_.columns, shifts, {&bands[0].additive, &bands[1].additive, &bands[2].additive});
  }

  int scale_;
  ScaleGeometry g_;
  Range columns_;
  Range rows_;
  std::span<const Variant> variants_;
  std::span<Sums> sums_;
  BandLines<Coefficient> original_;
  BandLines<Coefficient> test_;
  std::span<VariantState> state_;
};

// ---- Scale 0 ----

// A stored low band of 16 bits, and one of 32 bits in digits.
struct Low16 {
  std::int16_t* data;
  std::ptrdiff_t stride;
  std::int16_t* row(int y) const { return data + y * stride; }
};

struct LowDigits {
  Low16 high;
  Low16 low;
  DigitLine row(int y) const { return {high.row(y), low.row(y)}; }
};

inline Low16 take_low16(Scratch& scratch, int width, int height) {
  const std::size_t stride =
      (static_cast<std::size_t>(width) + kPadBefore + kPadAfter + 31) / 32 * 32;
  return {scratch.take<std::int16_t>(stride * static_cast<std::size_t>(height)) + kPadBefore,
          static_cast<std::ptrdiff_t>(stride)};
}

inline LowDigits take_digits(Scratch& scratch, int width, int height) {
  return {take_low16(scratch, width, height), take_low16(scratch, width, height)};
}

// Both pictures' low bands.
template <class Low>
struct LowPair {
  Low original;
  Low test;
};

// One picture at scale 0.
template <class Sample>
struct SampleStream {
  PlaneView<const Sample> luma;
  int depth;
  Low16 low;
  SampleLines lines[2];  // vertical passes of rows y and y + 1

  // Rows y and, if it is below `end`, y + 1.
  void filter_columns_of(int y, int end, const ScalePlan& plan) const {
    const Sample* rows[6];
    for (int k = 0; k < 6; ++k)
      rows[k] = luma.row(std::clamp(reflect(2 * y - 1 + k, luma.height), 0, luma.height - 1));
    SampleLines out[2] = {lines[0], lines[1]};
    for (int k = 0; k < 2; ++k)
      if (!contains(plan.detail.rows, y + k)) out[k].high = nullptr;
    filter_samples<Sample>({rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]}, luma.width,
                           plan.input_columns, depth, {out[0], out[1]}, y + 1 < end);
  }

  void filter_row_of(int y, const SampleLines& line, const ScalePlan& plan,
                     const BandLines<std::int16_t>& bands) const {
    const Taps taps = make_taps();
    const bool detail = contains(plan.detail.rows, y);
    const bool next = contains(plan.low.rows, y);
    std::int16_t* const vertical = detail ? bands[1] : nullptr;
    if (next) {
      filter_row16(line.low, taps, hull(plan.low.columns, plan.detail.columns), low.row(y),
                   vertical);
    } else if (detail) {
      filter_row16(line.low, taps, plan.detail.columns, nullptr, vertical);
    }
    if (detail) filter_row16(line.high, taps, plan.detail.columns, bands[0], bands[2]);
  }
};

template <class Sample>
SampleStream<Sample> make_stream(const Picture& picture, Low16 low, Scratch& scratch) {
  const PlaneView<const Sample> luma = plane_view<Sample>(picture, 0);
  const auto line = [&] { return take_line<std::int16_t>(scratch, luma.width); };
  return {luma, picture.format().bit_depth, low, {{line(), line()}, {line(), line()}}};
}

template <class Sample>
void sweep_samples(const Picture& reference, const Picture& distorted, const PartPlan& part,
                   std::span<const Variant> variants, const LowPair<Low16>& low, Scratch& scratch,
                   std::span<Sums> sums) {
  const ScalePlan& plan = part.plan;
  const auto original = make_stream<Sample>(reference, low.original, scratch);
  const auto test = make_stream<Sample>(distorted, low.test, scratch);
  DetailSums<std::int16_t> detail(0, part, variants, scratch, sums);
  const Range rows = rows_of(plan);
  for (int y = rows.begin; y < rows.end; ++y) {
    const int second = (y - rows.begin) % 2;
    if (second == 0) {
      original.filter_columns_of(y, rows.end, plan);
      test.filter_columns_of(y, rows.end, plan);
    }
    original.filter_row_of(y, original.lines[second], plan, detail.original());
    test.filter_row_of(y, test.lines[second], plan, detail.test());
    if (contains(plan.detail.rows, y)) detail.add_row(y);
  }
}

// ---- Scales 1 to 3 ----

struct DigitLines {
  DigitLine low;
  DigitLine high;
};

inline DigitLines take_digit_lines(Scratch& scratch, int width) {
  return {{take_line<std::int16_t>(scratch, width), take_line<std::int16_t>(scratch, width)},
          {take_line<std::int16_t>(scratch, width), take_line<std::int16_t>(scratch, width)}};
}

constexpr DigitLine kNoLine = {nullptr, nullptr};

inline void filter_input_columns(Low16 input, int y, const ScalePlan& plan, DigitLine low,
                                 DigitLine high) {
  const std::int16_t* rows[4];
  for (int k = 0; k < 4; ++k) rows[k] = input.row(reflect(2 * y - 1 + k, plan.input_height));
  filter_low16({rows[0], rows[1], rows[2], rows[3]}, plan.input_width, plan.input_columns, low,
               high);
}

inline void filter_input_columns(LowDigits input, int y, const ScalePlan& plan, DigitLine low,
                                 DigitLine high) {
  DigitLine rows[4];
  for (int k = 0; k < 4; ++k) rows[k] = input.row(reflect(2 * y - 1 + k, plan.input_height));
  filter_low32({rows[0], rows[1], rows[2], rows[3]}, plan.input_width, plan.input_columns, low,
               high);
}

template <int kShift, class Input>
void transform_row(const Input& input, int y, const ScalePlan& plan, const DigitLines& lines,
                   LowDigits low, const BandLines<std::int32_t>& bands) {
  const bool detail = contains(plan.detail.rows, y);
  filter_input_columns(input, y, plan, lines.low, detail ? lines.high : kNoLine);
  const Taps taps = make_taps();
  if (contains(plan.low.rows, y))
    filter_row_digits<kShift>(lines.low, taps.low01, taps.low23, plan.low.columns, low.row(y));
  if (!detail) return;
  filter_row_values<kShift>(lines.low, taps.high01, taps.high23, plan.detail.columns, bands[1]);
  filter_row_values<kShift>(lines.high, taps, plan.detail.columns, bands[0], bands[2]);
}

template <int kShift, class Input>
void sweep_low(int scale, const LowPair<Input>& input, const PartPlan& part,
               std::span<const Variant> variants, const LowPair<LowDigits>& low, Scratch& scratch,
               std::span<Sums> sums) {
  const ScalePlan& plan = part.plan;
  const DigitLines lines = take_digit_lines(scratch, plan.input_width);
  DetailSums<std::int32_t> detail(scale, part, variants, scratch, sums);
  const Range rows = rows_of(plan);
  for (int y = rows.begin; y < rows.end; ++y) {
    transform_row<kShift>(input.original, y, plan, lines, low.original, detail.original());
    transform_row<kShift>(input.test, y, plan, lines, low.test, detail.test());
    if (contains(plan.detail.rows, y)) detail.add_row(y);
  }
}

// ---- Parts ----

// Calls sweep(part, scratch, sums) for all parts of the rows and adds their sums up.
template <class Sweep>
void add_parts(const ScalePlan& plan, Crew* crew, Scratch& scratch, std::span<Sums> sums,
               const Sweep& sweep) {
  const RowParts parts = parts_of(plan);
  sum_parts<Sums>(
      crew, scratch, parts.count(), sums.size(),
      [&](int part, Scratch& own, std::span<Sums> of_part) {
        sweep(part_of(plan, parts[part]), own, of_part);
      },
      [&](std::size_t variant, const Sums& of_part) { sums[variant].add(of_part); });
}

void measure(const Picture& reference, const Picture& distorted, std::span<const Variant> variants,
             Scratch& scratch, std::span<Sums> sums, Crew* crew) {
  std::fill(sums.begin(), sums.end(), Sums{});
  const PictureFormat& format = reference.format();
  const bool scale0 = std::any_of(variants.begin(), variants.end(),
                                  [](const Variant& variant) { return variant.scale0; });
  const auto plan = make_plan(format, scale0);
  const Scratch::Frame frame(scratch);
  const auto digits_of = [&](std::size_t s) {
    const ScaleGeometry& g = plan[s].geometry;
    return LowPair<LowDigits>{take_digits(scratch, g.width, g.height),
                              take_digits(scratch, g.width, g.height)};
  };
  const ScaleGeometry& g0 = plan[0].geometry;
  const LowPair<Low16> low0 = {take_low16(scratch, g0.width, g0.height),
                               take_low16(scratch, g0.width, g0.height)};
  const LowPair<LowDigits> low1 = digits_of(1);
  const LowPair<LowDigits> low2 = digits_of(2);
  const auto add_scale = [&](std::size_t s, const auto& sweep) {
    add_parts(plan[s], crew, scratch, sums, sweep);
  };
  add_scale(0, [&](const PartPlan& part, Scratch& own, std::span<Sums> of_part) {
    const auto sweep =
        format.bit_depth == 8 ? sweep_samples<std::uint8_t> : sweep_samples<std::uint16_t>;
    sweep(reference, distorted, part, variants, low0, own, of_part);
  });
  add_scale(1, [&](const PartPlan& part, Scratch& own, std::span<Sums> of_part) {
    sweep_low<15>(1, low0, part, variants, low1, own, of_part);
  });
  add_scale(2, [&](const PartPlan& part, Scratch& own, std::span<Sums> of_part) {
    sweep_low<16>(2, low1, part, variants, low2, own, of_part);
  });
  add_scale(3, [&](const PartPlan& part, Scratch& own, std::span<Sums> of_part) {
    sweep_low<15>(3, low2, part, variants, LowPair<LowDigits>{}, own, of_part);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::adm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::adm {

HWY_EXPORT(measure);

void measure_cpu(const Picture& reference, const Picture& distorted,
                 std::span<const Variant> variants, Scratch& scratch, std::span<Sums> sums,
                 Crew* crew) {
  HWY_DYNAMIC_DISPATCH(measure)(reference, distorted, variants, scratch, sums, crew);
}

}  // namespace vmafx::adm
#endif  // HWY_ONCE
