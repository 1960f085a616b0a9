// From a plane to the detail of its decimated form. Only what reaches a sample that remains is
// computed: the rows and columns behind the taps of the anti-alias filter.
#if defined(VMAFX_METRICS_SPEED_DECIMATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_SPEED_DECIMATE_INL_H_
#undef VMAFX_METRICS_SPEED_DECIMATE_INL_H_
#else
#define VMAFX_METRICS_SPEED_DECIMATE_INL_H_
#endif

#include <algorithm>

#include <hwy/highway.h>

#include "metrics/speed/speed.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::speed {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// No plane is narrower than 16 samples, see kSmallest and the largest prescale, so a row can always
// be covered by whole vectors of which the last two overlap.
constexpr hn::CappedTag<float, 16> df;
using DF = decltype(df);
using VF = hn::Vec<DF>;
constexpr hn::Rebind<std::int32_t, DF> di;

// A small plane; vectors may run up to 16 samples past a row.
struct Small {
  float* data;
  std::ptrdiff_t stride;
  int width;
  int height;

  float* row(int y) const { return data + y * stride; }
};

inline Small take_small(Scratch& scratch, int width, int height) {
  const std::ptrdiff_t stride = (width + 15) / 16 * 16 + 16;
  return {scratch.take<float>(static_cast<std::size_t>(stride * height)), stride, width, height};
}

template <class Sample, bool kDifference>
class Reader {
 public:
  explicit Reader(const Source<Sample>& source) : source_(source) {}

  int width() const { return source_.plane.width; }

  HWY_INLINE VF load(int x, int y) const {
    const auto samples = integers(source_.plane.row(y) + x);
    const VF step = hn::Set(df, source_.step);
    if constexpr (kDifference) {
      const auto others = integers(source_.subtrahend.row(y) + x);
      return hn::Mul(hn::ConvertTo(df, hn::Sub(samples, others)), step);
    } else {
      const VF value = hn::ConvertTo(df, samples);
      return hn::Sub(sizeof(Sample) == 1 ? value : hn::Mul(value, step), hn::Set(df, 128.0f));
    }
  }

 private:
  static HWY_INLINE hn::Vec<decltype(di)> integers(const Sample* samples) {
    return hn::PromoteTo(di, hn::LoadU(hn::Rebind<Sample, DF>(), samples));
  }

  const Source<Sample>& source_;
};

// Calls body(x) for every vector of a row.
template <class Body>
HWY_INLINE void for_row(int width, const Body& body) {
  const int lanes = static_cast<int>(hn::Lanes(df));
  int x = 0;
  for (; x + lanes <= width; x += lanes) body(x);
  if (x < width) body(width - lanes);
}

// The anti-alias filter down the columns of the whole plane, for an output row.
template <class Reader>
void filter_columns(const Plan& plan, const Reader& reader, int output, float* line) {
  for_row(reader.width(), [&](int x) HWY_ATTR {
    VF sum = hn::Zero(df);
    for (int k = 0; k < plan.y.taps; ++k) {
      const VF tap = hn::Set(df, plan.antialias[static_cast<std::size_t>(k)]);
      const int y = plan.y.position[plan.y.index(0, k, output)];
      sum = hn::Add(sum, hn::Mul(tap, reader.load(x, y)));
    }
    hn::StoreU(sum, df, line + x);
  });
}

// The same of the prescaled plane, for the columns behind the taps along the row: [tap][output].
// `rows` has room for plan.y.points rows.
template <class Reader>
void filter_scaled_columns(const Plan& plan, const Reader& reader, int output, float* rows,
                           std::size_t row_pitch, float* line) {
  const std::size_t lanes = hn::Lanes(df);
  const auto points_y = static_cast<std::size_t>(plan.y.points);
  const auto points_x = static_cast<std::size_t>(plan.x.points);
  std::fill_n(line, plan.x.pitch, 0.0f);
  for (int k = 0; k < plan.y.taps; ++k) {
    for (std::size_t j = 0; j < points_y; ++j) {
      const int y = plan.y.position[plan.y.index(static_cast<int>(j), k, output)];
      for_row(reader.width(),
              [&](int x) HWY_ATTR { hn::StoreU(reader.load(x, y), df, rows + j * row_pitch + x); });
    }
    const VF tap = hn::Set(df, plan.antialias[static_cast<std::size_t>(k)]);
    for (std::size_t c = 0; c < plan.x.pitch; c += lanes) {
      VF sum = hn::Zero(df);
      VF weights = hn::Zero(df);
      for (std::size_t j = 0; j < points_y; ++j) {
        const VF weight_y =
            hn::Set(df, plan.y.weight[plan.y.index(static_cast<int>(j), k, output)]);
        for (std::size_t i = 0; i < points_x; ++i) {
          const std::size_t at = i * plan.x.pitch + c;
          const VF weight = hn::Mul(weight_y, hn::LoadU(df, plan.x.weight.data() + at));
          const auto position = hn::LoadU(di, plan.x.position.data() + at);
          weights = hn::Add(weights, weight);
          sum = hn::Add(sum, hn::Mul(hn::GatherIndex(df, rows + j * row_pitch, position), weight));
        }
      }
      if (plan.normalize) sum = hn::Div(sum, weights);
      hn::StoreU(hn::Add(hn::LoadU(df, line + c), hn::Mul(tap, sum)), df, line + c);
    }
  }
}

// The filter along a row. value(at) loads the column behind entry `at` of [tap][output].
template <class Value>
HWY_INLINE void filter_row(const Plan& plan, const Value& value, float* out) {
  const std::size_t lanes = hn::Lanes(df);
  const auto outputs = static_cast<std::size_t>(plan.x.outputs);
  for (std::size_t x = 0; x < outputs; x += lanes) {
    VF sum = hn::Zero(df);
    for (std::size_t k = 0; k < plan.antialias.size(); ++k)
      sum = hn::Add(sum, hn::Mul(hn::Set(df, plan.antialias[k]), value(k * outputs + x)));
    hn::StoreU(sum, df, out + x);
  }
}

template <class Reader>
void decimate(const Plan& plan, const Reader& reader, Scratch& scratch, const Small& out) {
  const Scratch::Frame frame(scratch);
  const auto width = static_cast<std::size_t>(reader.width());
  if (!plan.geometry.scales()) {
    float* line = scratch.take<float>(width);
    for (int y = 0; y < out.height; ++y) {
      filter_columns(plan, reader, y, line);
      const auto column = [&](std::size_t at) HWY_ATTR {
        return hn::GatherIndex(df, line, hn::LoadU(di, plan.x.position.data() + at));
      };
      filter_row(plan, column, out.row(y));
    }
    return;
  }
  float* line = scratch.take<float>(plan.x.pitch);
  float* rows = scratch.take<float>(width * static_cast<std::size_t>(plan.y.points));
  for (int y = 0; y < out.height; ++y) {
    filter_scaled_columns(plan, reader, y, rows, width, line);
    filter_row(plan, [&](std::size_t at) HWY_ATTR { return hn::LoadU(df, line + at); }, out.row(y));
  }
}

// Subtracts the local mean.
inline void subtract_mean(const Plan& plan, const Small& plane, Scratch& scratch,
                          const Small& out) {
  constexpr int kMargin = 16;
  const Scratch::Frame frame(scratch);
  const int lanes = static_cast<int>(hn::Lanes(df));
  const int taps = static_cast<int>(plan.local_mean.size());
  const auto tap = [&](int k) HWY_ATTR {
    return hn::Set(df, plan.local_mean[static_cast<std::size_t>(k)]);
  };
  float* line = scratch.take<float>(static_cast<std::size_t>(plane.stride) + kMargin) + kMargin;
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; x += lanes) {
      VF sum = hn::Zero(df);
      for (int k = 0; k < taps; ++k) {
        const float* row = plane.row(mirror(y + k - taps / 2, plane.height));
        sum = hn::Add(sum, hn::Mul(tap(k), hn::LoadU(df, row + x)));
      }
      hn::StoreU(sum, df, line + x);
    }
    for (int i = 1; i <= taps / 2; ++i) {
      line[-i] = line[mirror(-i, plane.width)];
      line[plane.width - 1 + i] = line[mirror(plane.width - 1 + i, plane.width)];
    }
    for (int x = 0; x < plane.width; x += lanes) {
      VF sum = hn::Zero(df);
      for (int k = 0; k < taps; ++k)
        sum = hn::Add(sum, hn::Mul(tap(k), hn::LoadU(df, line + x + k - taps / 2)));
      hn::StoreU(hn::Sub(hn::LoadU(df, plane.row(y) + x), sum), df, out.row(y) + x);
    }
  }
}

template <class Reader>
Small detail(const Plan& plan, const Reader& reader, Scratch& scratch) {
  const int width = plan.geometry.decimated_width;
  const int height = plan.geometry.decimated_height;
  const Small out = take_small(scratch, width, height);
  const Scratch::Frame frame(scratch);
  const Small decimated = take_small(scratch, width, height);
  decimate(plan, reader, scratch, decimated);
  subtract_mean(plan, decimated, scratch, out);
  return out;
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::speed
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_SPEED_DECIMATE_INL_H_
