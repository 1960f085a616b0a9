// Floating-point VIF for every instruction set. A band of rows at a time, in chunks of columns that
// stay in L1: the moments down and across, the information, and the rows of the next scale.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <hwy/cache_control.h>

#include "metrics/float_vif/float_vif.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/float_vif/cpu.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "base/separable-inl.h"
#include "metrics/float_vif/information-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::float_vif {
namespace HWY_NAMESPACE {

// Planes of a band.
enum { kR, kD, kRR, kDD, kRD, kMoments };
using Memory = BandMemory<kMoments>;

constexpr int kMargin = HWY_MAX_BYTES / sizeof(float);

// Room for a row of `width` that vectors may run past, on both sides.
inline std::ptrdiff_t padded_width(int width) {
  return (width + kMargin - 1) / kMargin * kMargin + kMargin;
}

inline PlaneView<float> take_plane(Scratch& scratch, int width, int height) {
  return vmafx::take_plane<float>(scratch, width, height, kMargin);
}

// Makes the planes of the next scale, as far as the bands go.
class Decimator {
 public:
  Decimator(const Window& window, int width, int height, Scratch& scratch)
      : window_(window), width_(width) {
    for (int p = 0; p < 2; ++p) {
      out_[p] = take_plane(scratch, width / 2, height / 2);
      for (int i = 0; i < band_height() / 2; ++i) lines_[p][i] = take_line(scratch);
    }
  }

  PlaneView<float> plane(int p) const { return out_[p]; }

  // Filters every second row of the band down, at columns x and after; memory.row() starts
  // `radius` rows above the band.
  void filter_down(const Memory& memory, int radius, int x, int count) {
    with_radius(window_, [&](auto constant) HWY_ATTR {
      for (int p = 0; p < 2; ++p)
        filter_rows<decltype(constant)::value>(memory.row(p, radius - window_.radius()),
                                               memory.chunk(), lines_[p], x, count);
    });
  }

  // Filters those rows across, at every second column; the band starts at row y.
  void filter_across(int y) {
    for (int p = 0; p < 2; ++p) {
      const int rows = std::min(band_height() / 2, out_[p].height - y / 2);
      for (int i = 0; i < rows; ++i) filter_columns(lines_[p][i], out_[p].row(y / 2 + i));
    }
  }

 private:
  static constexpr int kMaxRows = kMaxBandHeight / 2;

  float* take_line(Scratch& scratch) const {
    const auto margin = static_cast<std::size_t>(2 * padded_width(window_.radius()));
    const auto size = static_cast<std::size_t>(padded_width(width_)) + 2 * margin;
    float* line = scratch.take<float>(size);
    std::fill_n(line, size, 0.0f);
    return line + margin;
  }

  template <int kRadius>
  void filter_rows(const float* rows, std::ptrdiff_t stride, float* const* lines, int x,
                   int count) const {
    const int n = lanes();
    for (int i = 0; i < count; i += n) {
      for (int y = 0; y < band_height() / 2; y += kTogether) {
        VF a, b, c, d;
        filter_four<kRadius, 2>(window_, rows + i + 2 * y * stride, stride, a, b, c, d);
        hn::StoreU(a, df, lines[y] + x + i);
        hn::StoreU(b, df, lines[y + 1] + x + i);
        hn::StoreU(c, df, lines[y + 2] + x + i);
        hn::StoreU(d, df, lines[y + 3] + x + i);
      }
    }
  }

  void filter_columns(float* HWY_RESTRICT line, float* HWY_RESTRICT out) const {
    const int radius = window_.radius();
    const float* HWY_RESTRICT taps = window_.taps();
    for (int i = 1; i <= radius; ++i) {
      line[-i] = line[i];
      line[width_ - 1 + i] = line[width_ - 1 - i];
    }
    for (int x = 0; x < width_ / 2; x += lanes()) {
      VF sum = hn::Zero(df);
      for (int k = 0; k < window_.size(); k += 2) {
        VF even;
        VF odd;
        hn::LoadInterleaved2(df, line + 2 * x - radius + k, even, odd);
        sum = hn::Add(sum, hn::Mul(hn::Set(df, taps[k]), even));
        // One more than the last tap is 0.
        sum = hn::Add(sum, hn::Mul(hn::Set(df, taps[k + 1]), odd));
      }
      hn::StoreU(sum, df, out + x);
    }
  }

  const Window& window_;
  int width_;
  PlaneView<float> out_[2];
  float* lines_[2][kMaxRows];
};

// Sums of a band's rows, one in each lane.
class RowSums {
 public:
  RowSums(std::size_t variants, int radius, Scratch& scratch)
      : variants_(variants),
        nums_(scratch.take<float>(variants * kMaxBandHeight)),
        dens_(scratch.take<float>(kMaxBandHeight)),
        arguments_(
            scratch.take<float>(static_cast<std::size_t>(Memory::chunk_for(radius) + radius) *
                                static_cast<std::size_t>(lanes()))) {
    clear();
  }

  void clear() {
    std::fill_n(nums_, variants_ * kMaxBandHeight, 0.0f);
    std::fill_n(dens_, kMaxBandHeight, 0.0f);
  }

  // Adds columns to the rows that start at row y of the band. Overwrites the moments. Loops are
  // short, so that many of their turns are in flight while quotients and polynomials take their
  // time.
  void add(const Memory& memory, int y, int count, std::span<const float> gain_limits,
           const Noise& noise) {
    analyse_columns(memory, count, noise);
    const int n = lanes();
    const float* variance = memory.filtered(kVariance);
    for (int i = 0; i < count * n; i += n)
      hn::StoreU(all_argument(hn::LoadU(df, variance + i), noise), df, arguments_ + i);
    const auto one = [](int) HWY_ATTR { return hn::Set(df, 1.0f); };
    add_logarithms(variance, count, noise, one, dens_ + y);

    const float* gain = memory.filtered(kGain);
    const float* unexplained = memory.filtered(kUnexplained);
    const auto flat_term = [&](int i)
                               HWY_ATTR { return hn::LoadU(df, memory.filtered(kFlatTerm) + i); };
    for (std::size_t v = 0; v < variants_; ++v) {
      const VF limit = hn::Set(df, gain_limits[v]);
      for (int i = 0; i < count * n; i += n) {
        hn::StoreU(kept_argument(hn::LoadU(df, variance + i), hn::LoadU(df, gain + i),
                                 hn::LoadU(df, unexplained + i), limit, noise),
                   df, arguments_ + i);
      }
      add_logarithms(variance, count, noise, flat_term, nums_ + v * kMaxBandHeight + y);
    }
  }

  void add_to(std::span<Sums> sums, std::size_t scale, int rows) const {
    for (std::size_t v = 0; v < variants_; ++v) {
      for (int row = 0; row < rows; ++row) {
        sums[v].scale[scale].num += nums_[v * kMaxBandHeight + static_cast<std::size_t>(row)];
        sums[v].scale[scale].den += dens_[row];
      }
    }
  }

 private:
  // What takes the place of the moments.
  enum { kVariance, kGain, kUnexplained, kFlatTerm };

  static void analyse_columns(const Memory& memory, int count, const Noise& noise) {
    const int n = lanes();
    for (int i = 0; i < count * n; i += n) {
      const auto at = [&](int p) HWY_ATTR { return memory.filtered(p) + i; };
      const auto load = [&](int p) HWY_ATTR { return hn::LoadU(df, at(p)); };
      const auto store = [&](VF variance_r, VF gain, VF unexplained, VF flat_term) HWY_ATTR {
        hn::StoreU(variance_r, df, at(kVariance));
        hn::StoreU(gain, df, at(kGain));
        hn::StoreU(unexplained, df, at(kUnexplained));
        hn::StoreU(flat_term, df, at(kFlatTerm));
      };
      analyse(load(kR), load(kD), load(kRR), load(kDD), load(kRD), noise, store);
    }
  }

  template <class FlatTerm>
  void add_logarithms(const float* HWY_RESTRICT variance, int count, const Noise& noise,
                      const FlatTerm& flat_term, float* HWY_RESTRICT sums) const {
    const int n = lanes();
    VF sum = hn::LoadU(df, sums);
    for (int i = 0; i < count * n; i += n) {
      const VF bits = log2_approximate(hn::LoadU(df, arguments_ + i));
      sum = hn::Add(sum, choose(hn::LoadU(df, variance + i), bits, flat_term(i), noise));
    }
    hn::StoreU(sum, df, sums);
  }

  std::size_t variants_;
  float* nums_;
  float* dens_;
  float* arguments_;
};

template <class Sample>
class ScaleMeasurer {
 public:
  ScaleMeasurer(const Source<Sample>& r, const Source<Sample>& d, int radius, Scratch& scratch)
      : r_(r), d_(d), radius_(radius), memory_(scratch, radius) {}

  // Either may be absent, but not both.
  void measure(const Window* window, const Task& task, std::size_t scale, std::span<Sums> sums,
               Decimator* decimator, Scratch& scratch) {
    const Noise noise = make_noise(task.noise);
    RowSums row_sums(sums.size(), radius_, scratch);
    for (int y = 0; y < r_.plane.height; y += band_height()) {
      if (window != nullptr) {
        row_sums.clear();
        filter_band(
            *window, r_.plane.width, memory_,
            [&](int x, int count) HWY_ATTR {
              fill<true>(y, x, count);
              if (decimator != nullptr) decimator->filter_down(memory_, radius_, x, count);
            },
            [&](int row, int, int count)
                HWY_ATTR { row_sums.add(memory_, row, count, task.gain_limits, noise); });
        row_sums.add_to(sums, scale, std::min(band_height(), r_.plane.height - y));
      } else {
        for (int x = 0; x < r_.plane.width; x += memory_.chunk()) {
          const int count = std::min(memory_.chunk(), r_.plane.width - x);
          fill<false>(y, x, count);
          decimator->filter_down(memory_, radius_, x, count);
        }
      }
      if (decimator != nullptr) decimator->filter_across(y);
    }
  }

 private:
  // The rows around the band at y, and their products.
  template <bool kProducts>
  void fill(int y, int x, int count) const {
    const int n = lanes();
    for (int i = 0; i < band_height() + 2 * radius_; ++i) {
      const int row = band_row(y - radius_ + i, r_.plane.height);
      const Sample* row_r = r_.plane.row(row);
      const Sample* row_d = d_.plane.row(row);
      // Machines do not see what comes next in so many rows.
      if (x + 3 * memory_.chunk() < r_.plane.width) {
        hwy::Prefetch(row_r + x + 2 * memory_.chunk());
        hwy::Prefetch(row_d + x + 2 * memory_.chunk());
      }
      for (int j = 0; j < count; j += n) {
        const VF r = load_floats(r_, row_r, x + j);
        const VF d = load_floats(d_, row_d, x + j);
        hn::StoreU(r, df, memory_.row(kR, i) + j);
        hn::StoreU(d, df, memory_.row(kD, i) + j);
        if constexpr (kProducts) {
          hn::StoreU(hn::Mul(r, r), df, memory_.row(kRR, i) + j);
          hn::StoreU(hn::Mul(d, d), df, memory_.row(kDD, i) + j);
          hn::StoreU(hn::Mul(r, d), df, memory_.row(kRD, i) + j);
        }
      }
    }
  }

  Source<Sample> r_;
  Source<Sample> d_;
  int radius_;
  Memory memory_;
};

template <class Sample>
void measure_scales(const Source<Sample>& r, const Source<Sample>& d, const Task& task,
                    std::size_t scale, std::span<Sums> sums, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  const bool wanted = scale > 0 || task.scale0;
  const Window* window = wanted ? &task.windows[scale] : nullptr;
  if (scale + 1 == kScales) {
    ScaleMeasurer<Sample>(r, d, window->radius(), scratch)
        .measure(window, task, scale, sums, nullptr, scratch);
    return;
  }
  const Window& next = task.windows[scale + 1];
  Decimator decimator(next, r.plane.width, r.plane.height, scratch);
  {
    const Scratch::Frame band(scratch);
    ScaleMeasurer<Sample>(r, d, (wanted ? *window : next).radius(), scratch)
        .measure(window, task, scale, sums, &decimator, scratch);
  }
  const auto source = [&](int p) {
    const PlaneView<float> plane = decimator.plane(p);
    return Source<float>{{plane.data, plane.stride, plane.width, plane.height}, 1};
  };
  measure_scales(source(0), source(1), task, scale + 1, sums, scratch);
}

template <class Sample>
Source<Sample> source_of(const Picture& picture) {
  return {plane_view<Sample>(picture, 0), separable::step_of(picture.format())};
}

template <class Sample>
PlaneView<const float> prescale(const Picture& picture, const Scaler& prescaler, Scratch& scratch) {
  const PlaneView<float> scaled = take_plane(scratch, prescaler.width(), prescaler.height());
  const Scratch::Frame frame(scratch);
  const Source<Sample> source = source_of<Sample>(picture);
  const PlaneView<float> plane = take_plane(scratch, source.plane.width, source.plane.height);
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; x += lanes())
      hn::StoreU(load_floats(source, source.plane.row(y), x), df, plane.row(y) + x);
  }
  prescaler.scale({plane.data, plane.stride, plane.width, plane.height}, scaled);
  return {scaled.data, scaled.stride, scaled.width, scaled.height};
}

template <class Sample>
void measure_pictures(const Picture& reference, const Picture& distorted, const Task& task,
                      std::span<Sums> sums, Scratch& scratch) {
  const Scratch::Frame frame(scratch);
  if (task.prescaler) {
    measure_scales(Source<float>{prescale<Sample>(reference, *task.prescaler, scratch), 1},
                   Source<float>{prescale<Sample>(distorted, *task.prescaler, scratch), 1}, task, 0,
                   sums, scratch);
  } else {
    measure_scales(source_of<Sample>(reference), source_of<Sample>(distorted), task, 0, sums,
                   scratch);
  }
}

void measure(const Picture& reference, const Picture& distorted, const Task& task, Scratch& scratch,
             std::span<Sums> sums) {
  std::fill(sums.begin(), sums.end(), Sums{});
  if (reference.format().bit_depth == 8) {
    measure_pictures<std::uint8_t>(reference, distorted, task, sums, scratch);
  } else {
    measure_pictures<std::uint16_t>(reference, distorted, task, sums, scratch);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::float_vif
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::float_vif {

HWY_EXPORT(measure);

void measure_cpu(const Picture& reference, const Picture& distorted, const Task& task,
                 Scratch& scratch, std::span<Sums> sums) {
  HWY_DYNAMIC_DISPATCH(measure)(reference, distorted, task, scratch, sums);
}

}  // namespace vmafx::float_vif
#endif
