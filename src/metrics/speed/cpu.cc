// SpEED's block statistics for every instruction set. Lanes are columns, elements or blocks, never
// terms of one sum, so that every sum keeps the order of reference.cc.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "metrics/speed/eigenvalues.h"
#include "metrics/speed/entropy.h"
#include "metrics/speed/speed.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/speed/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "metrics/speed/covariance-inl.h"
#include "metrics/speed/decimate-inl.h"
#include "metrics/speed/matrix-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::speed::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Samples of the blocks, [element][block].
struct Elements {
  float* data;
  std::size_t pitch;

  float* of(std::size_t element) const { return data + element * pitch; }
};

Elements take_elements(const Geometry& g, const Small& plane, Scratch& scratch) {
  const auto blocks = static_cast<std::size_t>(g.blocks());
  Elements elements{nullptr, (blocks + 15) / 16 * 16};
  elements.data = scratch.take<float>(elements.pitch * kElements);
  for (int e = 0; e < kElements; ++e) {
    float* out = elements.of(static_cast<std::size_t>(e));
    for (int y = 0; y < g.blocks_down; ++y) {
      const float* row = plane.row(y * kBlock + e / kBlock) + e % kBlock;
      for (int x = 0; x < g.blocks_across; ++x) *out++ = row[x * kBlock];
    }
    // The last vector's spare lanes.
    std::fill(out, elements.of(static_cast<std::size_t>(e)) + elements.pitch, 0.0f);
  }
  return elements;
}

// y' K^-1 y / 25 of a vector of blocks.
HWY_INLINE VF variances(const Matrix& q, const Matrix& r, const Elements& elements,
                        std::size_t block) {
  HWY_ALIGN float solution[kElements][16];
  const VF count = hn::Set(df, static_cast<float>(kElements));
  for (std::size_t i = kElements; i-- > 0;) {
    VF rest = hn::Zero(df);
    for (std::size_t j = 0; j < kElements; ++j)
      rest =
          hn::Add(rest, hn::Mul(hn::Set(df, q.row[i][j]), hn::LoadU(df, elements.of(j) + block)));
    for (std::size_t j = i + 1; j < kElements; ++j)
      rest = hn::Sub(rest, hn::Mul(hn::Load(df, solution[j]), hn::Set(df, r.row[i][j])));
    hn::Store(hn::Div(rest, hn::Set(df, r.row[i][i])), df, solution[i]);
  }
  const auto term = [&](std::size_t e) HWY_ATTR {
    return hn::Div(hn::Mul(hn::Load(df, solution[e]), hn::LoadU(df, elements.of(e) + block)),
                   count);
  };
  VF sum = term(0);
  for (std::size_t e = 1; e < kElements; ++e) sum = hn::Add(sum, term(e));
  return sum;
}

bool all_at_least(const float* values, double limit) {
  return std::none_of(values, values + kElements,
                      [&](float v) { return static_cast<double>(v) < limit; });
}

bool block_statistics(const Plan& plan, const Small& plane, Scratch& scratch,
                      BlockStatistics blocks) {
  const Geometry& g = plan.geometry;
  Matrix k;
  covariance(g, plane, k);
  float eigenvalues[kElements];
  float beside[kElements - 1];
  tridiagonalize(k, eigenvalues, beside);
  diagonalize(eigenvalues, beside);
  if (!all_at_least(eigenvalues, kSingular)) return false;

  Matrix q;
  Matrix r;
  transposed_q(k, q);
  multiply(q, k, 0, 0, r);
  for (std::size_t i = 0; i < kElements; ++i) {
    if (static_cast<double>(std::fabs(r.row[i][i])) < kSingular) return false;
  }

  const Elements elements = take_elements(g, plane, scratch);
  for (std::size_t first = 0; first < blocks.variance.size(); first += hn::Lanes(df)) {
    HWY_ALIGN float variance[16];
    hn::Store(variances(q, r, elements, first), df, variance);
    const std::size_t count = std::min(hn::Lanes(df), blocks.variance.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      float entropy = 0;
      for (const float eigenvalue : eigenvalues)
        entropy = add_component(entropy, eigenvalue, variance[i], plan.noise);
      if (!std::isfinite(entropy) || !(variance[i] > -1)) return false;
      blocks.entropy[first + i] = entropy;
      blocks.variance[first + i] = variance[i];
    }
  }
  return true;
}

template <class Sample>
bool measure(const Plan& plan, const Source<Sample>& source, Scratch& scratch,
             BlockStatistics blocks) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  // Emulated vectors are slower than the definition.
  static_cast<void>(scratch);
  return reference_statistics(plan, source, blocks);
#else
  const Scratch::Frame frame(scratch);
  const Small plane = source.subtrahend.data != nullptr
                          ? detail(plan, Reader<Sample, true>(source), scratch)
                          : detail(plan, Reader<Sample, false>(source), scratch);
  return block_statistics(plan, plane, scratch, blocks);
#endif
}

bool statistics_of_bytes(const Plan& plan, const Source<std::uint8_t>& source, Scratch& scratch,
                         BlockStatistics blocks) {
  return measure(plan, source, scratch, blocks);
}

bool statistics_of_words(const Plan& plan, const Source<std::uint16_t>& source, Scratch& scratch,
                         BlockStatistics blocks) {
  return measure(plan, source, scratch, blocks);
}

}  // namespace vmafx::speed::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::speed {

HWY_EXPORT(statistics_of_bytes);
HWY_EXPORT(statistics_of_words);

template <>
bool statistics(const Plan& plan, const Source<std::uint8_t>& source, Scratch& scratch,
                BlockStatistics blocks) {
  return HWY_DYNAMIC_DISPATCH(statistics_of_bytes)(plan, source, scratch, blocks);
}

template <>
bool statistics(const Plan& plan, const Source<std::uint16_t>& source, Scratch& scratch,
                BlockStatistics blocks) {
  return HWY_DYNAMIC_DISPATCH(statistics_of_words)(plan, source, scratch, blocks);
}

}  // namespace vmafx::speed
#endif
