#include "metrics/cambi/marked_luma.h"

#include <algorithm>
#include <array>
#include <vector>

#include "metrics/cambi/sampling.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/cambi/marked_luma.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::cambi::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::uint16_t, kMaxLanes>;
using V16 = hn::Vec<D16>;

constexpr int kRadius = 3;
constexpr int kNeighbourhood = 2 * kRadius + 1;

template <class Sample>
void convert_row(const Sample* HWY_RESTRICT in, int width, int bit_depth,
                 std::uint16_t* HWY_RESTRICT out) {
  const D16 d;
  const hn::Rebind<Sample, D16> ds;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int shift = bit_depth - 10;
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    V16 v;
    if constexpr (sizeof(Sample) == 1) {
      v = hn::ShiftLeft<2>(hn::PromoteTo(d, hn::LoadU(ds, in + x)));
    } else {
      v = hn::LoadU(d, in + x);
      if (shift < 0) {
        v = hn::ShiftLeft<1>(hn::And(v, hn::Set(d, kValueBits)));
      } else if (shift > 0) {
        // Halves round up: add the highest bit that is shifted out.
        const V16 carry = hn::And(hn::ShiftRightSame(v, shift - 1), hn::Set(d, 1));
        v = hn::Add(hn::ShiftRightSame(v, shift), carry);
      }
      v = hn::Min(v, hn::Set(d, kMaxLuma));
    }
    hn::StoreU(v, d, out + x);
  }
  for (; x < width; ++x) {
    int v = in[x];
    v = shift < 0 ? v << -shift : (v + (1 << shift >> 1)) >> shift;
    out[x] = static_cast<std::uint16_t>(std::min(v, kMaxLuma));
  }
}

// The mean of 2x2 pixels. The input repeats its last pixel at [width].
void average_rows(const std::uint16_t* row, const std::uint16_t* below, int width,
                  std::uint16_t* HWY_RESTRICT out) {
  const D16 d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const V16 upper = hn::Add(hn::LoadU(d, row + x), hn::LoadU(d, row + x + 1));
    const V16 lower = hn::Add(hn::LoadU(d, below + x), hn::LoadU(d, below + x + 1));
    hn::StoreU(hn::ShiftRight<2>(hn::Add(upper, lower)), d, out + x);
  }
}

// Rows of 10-bit luma in the working size. The last pixel is repeated once.
template <class Sample>
class LumaRows {
 public:
  LumaRows(PlaneView<const Sample> plane, int bit_depth, const Parameters& p, Scratch& scratch)
      : plane_(plane), bit_depth_(bit_depth), width_(p.width), height_(p.height) {
    if (p.anti_dither) {
      for (std::uint16_t*& row : plain_) row = take_row(scratch, width_);
    }
    if (plane.width == width_ && plane.height == height_) return;
    picked_ = scratch.take<Sample>(static_cast<std::size_t>(width_));
    columns_ = nearest_positions(plane.width, width_);
    rows_ = nearest_positions(plane.height, height_);
  }

  // Call for y = 0, 1, 2, ... in turn.
  void get(int y, std::uint16_t* out) {
    if (plain_[0] == nullptr) {
      convert(y, out);
      return;
    }
    if (y == 0) convert(0, plain_[0]);
    const std::uint16_t* row = plain_[static_cast<std::size_t>(y % 2)];
    std::uint16_t* next = plain_[static_cast<std::size_t>((y + 1) % 2)];
    const bool last = y + 1 == height_;
    if (!last) convert(y + 1, next);
    average_rows(row, last ? row : next, width_, out);
    out[width_] = out[width_ - 1];
  }

 private:
  void convert(int y, std::uint16_t* out) const {
    if (picked_ == nullptr) {
      convert_row(plane_.row(y), width_, bit_depth_, out);
    } else {
      const Sample* row = plane_.row(rows_[static_cast<std::size_t>(y)]);
      for (int x = 0; x < width_; ++x) picked_[x] = row[columns_[static_cast<std::size_t>(x)]];
      convert_row(picked_, width_, bit_depth_, out);
    }
    out[width_] = out[width_ - 1];
  }

  PlaneView<const Sample> plane_;
  int bit_depth_;
  int width_;
  int height_;
  std::array<std::uint16_t*, 2> plain_{};
  Sample* picked_ = nullptr;
  std::vector<int> columns_;
  std::vector<int> rows_;
};

// How many level pixels (equal to their right and lower neighbour) the seven rows around a row hold
// in each column; 0 outside the picture.
class LevelCounts {
 public:
  LevelCounts(int width, Scratch& scratch) : width_(width) {
    for (std::uint16_t*& row : ring_) row = cleared_row(scratch);
    counts_ = cleared_row(scratch);
  }

  // Row y enters. Rows repeat their last pixel at [width].
  void enter(int y, const std::uint16_t* row, const std::uint16_t* below) {
    const D16 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    std::uint16_t* HWY_RESTRICT level = ring_[slot(y)];
    const std::uint16_t* HWY_RESTRICT leaving = ring_[slot(y + 1)];
    for (int x = 0; x < width_; x += lanes) {
      const V16 v = hn::LoadU(d, row + x);
      const V16 right = hn::VecFromMask(d, hn::Eq(v, hn::LoadU(d, row + x + 1)));
      const V16 down = hn::VecFromMask(d, hn::Eq(v, hn::LoadU(d, below + x)));
      // All ones is -1, so differences have the opposite sign.
      const V16 now = hn::And(right, down);
      const V16 change = hn::Sub(hn::LoadU(d, leaving + x), now);
      hn::StoreU(now, d, level + x);
      hn::StoreU(hn::Add(hn::LoadU(d, counts_ + x), change), d, counts_ + x);
    }
    std::fill_n(counts_ + width_, kMargin, std::uint16_t{0});
  }

  // Below the picture nothing enters.
  void enter_nothing(int y) {
    const std::uint16_t* leaving = ring_[slot(y + 1)];
    for (int x = 0; x < width_; ++x)
      counts_[x] = static_cast<std::uint16_t>(counts_[x] + leaving[x]);
  }

  void mark(int threshold, std::uint16_t* HWY_RESTRICT row) const {
    const D16 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const V16 limit = hn::Set(d, static_cast<std::uint16_t>(threshold));
    for (int x = 0; x < width_; x += lanes) {
      V16 sum = hn::LoadU(d, counts_ + x - kRadius);
      for (int k = 1 - kRadius; k <= kRadius; ++k)
        sum = hn::Add(sum, hn::LoadU(d, counts_ + x + k));
      const V16 flat = hn::VecFromMask(d, hn::Gt(sum, limit));
      const V16 marked = hn::Or(hn::LoadU(d, row + x), hn::And(flat, hn::Set(d, kFlatBit)));
      hn::StoreU(marked, d, row + x);
    }
  }

 private:
  // One more than the rows that are counted, so that the row that leaves is still there.
  static constexpr int kRing = kNeighbourhood + 1;
  static std::size_t slot(int y) { return static_cast<std::size_t>(y % kRing); }

  std::uint16_t* cleared_row(Scratch& scratch) const {
    std::uint16_t* row = take_row(scratch, width_);
    std::fill(row - kMargin, row + width_ + kMargin, std::uint16_t{0});
    return row;
  }

  int width_;
  std::array<std::uint16_t*, kRing> ring_{};
  std::uint16_t* counts_ = nullptr;
};

template <class Sample>
void mark_impl(PlaneView<const Sample> plane, int bit_depth, const Parameters& parameters,
               Scratch& scratch, PlaneView<std::uint16_t> out) {
  const Scratch::Frame frame(scratch);
  const int threshold = flatness_threshold(out.width, out.height);
  LumaRows<Sample> luma(plane, bit_depth, parameters, scratch);
  LevelCounts counts(out.width, scratch);
  luma.get(0, out.row(0));
  for (int y = 0; y < out.height + kRadius; ++y) {
    if (y < out.height) {
      const int below = std::min(y + 1, out.height - 1);
      if (below > y) luma.get(below, out.row(below));
      counts.enter(y, out.row(y), out.row(below));
    } else {
      counts.enter_nothing(y);
    }
    if (y >= kRadius) counts.mark(threshold, out.row(y - kRadius));
  }
}

void mark8(PlaneView<const std::uint8_t> plane, int bit_depth, const Parameters& parameters,
           Scratch& scratch, PlaneView<std::uint16_t> out) {
  mark_impl(plane, bit_depth, parameters, scratch, out);
}

void mark16(PlaneView<const std::uint16_t> plane, int bit_depth, const Parameters& parameters,
            Scratch& scratch, PlaneView<std::uint16_t> out) {
  mark_impl(plane, bit_depth, parameters, scratch, out);
}

}  // namespace vmafx::cambi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::cambi {

HWY_EXPORT(mark8);
HWY_EXPORT(mark16);

template <>
void mark_luma(PlaneView<const std::uint8_t> plane, int bit_depth, const Parameters& parameters,
               Scratch& scratch, PlaneView<std::uint16_t> out) {
  HWY_DYNAMIC_DISPATCH(mark8)(plane, bit_depth, parameters, scratch, out);
}

template <>
void mark_luma(PlaneView<const std::uint16_t> plane, int bit_depth, const Parameters& parameters,
               Scratch& scratch, PlaneView<std::uint16_t> out) {
  HWY_DYNAMIC_DISPATCH(mark16)(plane, bit_depth, parameters, scratch, out);
}

}  // namespace vmafx::cambi
#endif
