// Floating-point motion for every instruction set. A band of rows of both frames is blurred at a
// time; only the half-size term needs whole blurred planes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "metrics/float_motion/float_motion.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_motion/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "base/separable-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_motion {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace bands = separable::HWY_NAMESPACE;
using bands::df;
using bands::VF;
using separable::Window;

constexpr int kFrames = 2;
using Memory = bands::BandMemory<kFrames>;

// Room for whole bands and for vectors that run past a row.
inline PlaneView<float> take_plane(Scratch& scratch, int width, int height) {
  constexpr int kMargin = bands::kMaxBandHeight;
  PlaneView<float> plane = vmafx::take_plane<float>(scratch, width, height + kMargin, kMargin);
  plane.height = height;
  return plane;
}

// Turns the blurred columns from x on back into rows.
inline void store_rows(const Memory& memory, int frame, int count, float* to,
                       std::ptrdiff_t stride) {
  const int n = bands::lanes();
  for (int i = 0; i < count; i += bands::kTogether) {
    const float* from = memory.filtered(frame) + std::ptrdiff_t{i} * n;
    bands::store_turned(hn::LoadU(df, from), hn::LoadU(df, from + n), hn::LoadU(df, from + 2 * n),
                        hn::LoadU(df, from + 3 * n), to + i, stride);
  }
}

template <class Sample>
class Measurer {
 public:
  Measurer(PlaneView<const Sample> previous, PlaneView<const Sample> current, float step,
           const Window& window, const Scaler* half, Scratch& scratch)
      : sources_{{previous, step}, {current, step}},
        window_(window),
        half_(half),
        memory_(scratch, window.radius()) {
    for (auto& plane : blurred_)
      if (half != nullptr) plane = take_plane(scratch, current.width, current.height);
  }

  float measure(Scratch& scratch) {
    const int width = sources_[0].plane.width;
    const int height = sources_[0].plane.height;
    float sum = 0;
    for (int y = 0; y < height; y += bands::band_height()) {
      HWY_ALIGN float rows[bands::kMaxBandHeight] = {};
      measure_band(y, rows);
      for (int i = 0; i < std::min(bands::band_height(), height - y); ++i) sum += rows[i];
    }
    const float mean = sum / static_cast<float>(width * height);
    return half_ == nullptr ? mean : mean + measure_half(scratch);
  }

 private:
  void fill(int y, int x, int count) const {
    for (int i = 0; i < bands::band_height() + 2 * window_.radius(); ++i) {
      const int row = bands::band_row(y - window_.radius() + i, sources_[0].plane.height);
      for (int p = 0; p < kFrames; ++p) {
        const auto& source = sources_[p];
        for (int j = 0; j < count; j += bands::lanes())
          hn::StoreU(bands::load_floats(source, source.plane.row(row), x + j), df,
                     memory_.row(p, i) + j);
      }
    }
  }

  // Adds the differences of the band's rows to their sums.
  void measure_band(int y, float* rows) {
    const int n = bands::lanes();
    const auto consume = [&](int row, int x, int count) HWY_ATTR {
      VF sums = hn::LoadU(df, rows + row);
      for (int i = 0; i < count; ++i) {
        const std::ptrdiff_t at = std::ptrdiff_t{i} * n;
        const VF difference = hn::Sub(hn::LoadU(df, memory_.filtered(0) + at),
                                      hn::LoadU(df, memory_.filtered(1) + at));
        sums = hn::Add(sums, hn::Abs(difference));
      }
      hn::StoreU(sums, df, rows + row);
      for (int p = 0; half_ != nullptr && p < kFrames; ++p)
        store_rows(memory_, p, count, blurred_[p].row(y + row) + x, blurred_[p].stride);
    };
    bands::filter_band(
        window_, sources_[0].plane.width, memory_,
        [&](int x, int count) HWY_ATTR { fill(y, x, count); }, consume);
  }

  float measure_half(Scratch& scratch) const {
    PlaneView<float> scaled[kFrames];
    for (int p = 0; p < kFrames; ++p) {
      scaled[p] = take_plane(scratch, half_->width(), half_->height());
      half_->scale(blurred_[p], scaled[p]);
    }
    return mean_difference(scaled[0], scaled[1]);
  }

  bands::Source<Sample> sources_[kFrames];
  const Window& window_;
  const Scaler* half_;
  Memory memory_;
  PlaneView<float> blurred_[kFrames];
};

float difference8(PlaneView<const std::uint8_t> previous, PlaneView<const std::uint8_t> current,
                  float step, const Window& window, const Scaler* half, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  return Measurer<std::uint8_t>(previous, current, step, window, half, scratch).measure(scratch);
}

float difference16(PlaneView<const std::uint16_t> previous, PlaneView<const std::uint16_t> current,
                   float step, const Window& window, const Scaler* half, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  return Measurer<std::uint16_t>(previous, current, step, window, half, scratch).measure(scratch);
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::float_motion
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::float_motion {

HWY_EXPORT(difference8);
HWY_EXPORT(difference16);

template <>
float difference(PlaneView<const std::uint8_t> previous, PlaneView<const std::uint8_t> current,
                 float step, const separable::Window& window, const Scaler* half,
                 Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(difference8)(previous, current, step, window, half, scratch);
}

template <>
float difference(PlaneView<const std::uint16_t> previous, PlaneView<const std::uint16_t> current,
                 float step, const separable::Window& window, const Scaler* half,
                 Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(difference16)(previous, current, step, window, half, scratch);
}

}  // namespace vmafx::float_motion
#endif
