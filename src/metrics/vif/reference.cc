// The definition of integer VIF. Every other implementation must equal this one to the bit.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/plane.h"
#include "metrics/vif/constants.h"
#include "metrics/vif/gain.h"
#include "metrics/vif/log2_table.h"
#include "metrics/vif/vif.h"

namespace vmafx::vif {
namespace {

struct Luma {
  int width = 0;
  int height = 0;
  std::vector<std::uint16_t> samples;

  std::uint32_t at(int x, int y) const {
    return samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(x)];
  }
};

template <class Sample>
Luma load(const Picture& picture) {
  Luma luma{picture.width(0), picture.height(0), {}};
  for (int y = 0; y < luma.height; ++y) {
    const Sample* row = picture.row<Sample>(0, y);
    luma.samples.insert(luma.samples.end(), row, row + luma.width);
  }
  return luma;
}

Luma load(const Picture& picture) {
  return picture.format().bit_depth == 8 ? load<std::uint8_t>(picture)
                                         : load<std::uint16_t>(picture);
}

// The window of a scale around `centre`, over value(index) with indices mirrored into 0..size-1.
template <class Value>
std::uint64_t filter(int scale, int centre, int size, Value&& value) {
  const auto s = static_cast<std::size_t>(scale);
  std::uint64_t sum = 0;
  for (int k = -kRadius[s]; k <= kRadius[s]; ++k)
    sum += kTaps[s][static_cast<std::size_t>(std::abs(k))] *
           static_cast<std::uint64_t>(value(mirror(centre + k, size)));
  return sum;
}

std::uint32_t shift_rounded(std::uint64_t value, int shift) {
  return static_cast<std::uint32_t>((value + rounding(shift)) >> shift);
}

// Local first and second moments of one sample.
struct Moments {
  std::uint32_t mean_r = 0, mean_d = 0;
  std::uint32_t square_r = 0, square_d = 0, product = 0;
};

Moments vertical(const Luma& r, const Luma& d, int scale, int depth, int x, int y) {
  const auto sum = [&](auto&& value) { return filter(scale, y, r.height, value); };
  const int to_mean = mean_shift(scale, depth);
  const int to_square = square_shift(scale, depth);
  return {
      shift_rounded(sum([&](int v) { return r.at(x, v); }), to_mean),
      shift_rounded(sum([&](int v) { return d.at(x, v); }), to_mean),
      shift_rounded(sum([&](int v) { return r.at(x, v) * r.at(x, v); }), to_square),
      shift_rounded(sum([&](int v) { return d.at(x, v) * d.at(x, v); }), to_square),
      shift_rounded(sum([&](int v) { return r.at(x, v) * d.at(x, v); }), to_square),
  };
}

// Means keep the 32 bits of the sum, mean squares lose 16.
Moments horizontal(const std::vector<Moments>& line, int scale, int x) {
  const int width = static_cast<int>(line.size());
  const auto sum = [&](std::uint32_t Moments::* moment) {
    return filter(scale, x, width,
                  [&](int u) { return line[static_cast<std::size_t>(u)].*moment; });
  };
  return {
      static_cast<std::uint32_t>(sum(&Moments::mean_r)),
      static_cast<std::uint32_t>(sum(&Moments::mean_d)),
      shift_rounded(sum(&Moments::square_r), 16),
      shift_rounded(sum(&Moments::square_d), 16),
      shift_rounded(sum(&Moments::product), 16),
  };
}

struct Statistics {
  std::int32_t variance_r, variance_d, covariance;
};

Statistics statistics(const Moments& m) {
  return {
      static_cast<std::int32_t>(m.square_r - multiply_means(m.mean_r, m.mean_r)),
      std::max(static_cast<std::int32_t>(m.square_d - multiply_means(m.mean_d, m.mean_d)), 0),
      static_cast<std::int32_t>(m.product - multiply_means(m.mean_r, m.mean_d)),
  };
}

// d = g r + v: the distorted signal is a gain on the reference and additive noise v. Returns
// log2(1 + g^2 s_r^2 / (s_v^2 + s_n^2)) with the gain limited, after s_v^2 followed from the
// unlimited one.
int kept_information(const Statistics& s, double gain_limit) {
  const double g = gain(s.variance_r, s.covariance);
  const auto rest = static_cast<std::int32_t>(unexplained(s.variance_d, s.covariance, g));
  const std::int64_t noise = std::max(rest, 0) + kNoise;
  const auto signal = static_cast<std::int64_t>(explained(s.variance_r, std::min(g, gain_limit)));
  return log2_fixed(static_cast<std::uint64_t>(signal + noise)) -
         log2_fixed(static_cast<std::uint64_t>(noise));
}

void accumulate(const Statistics& s, double gain_limit, ScaleSums& sums) {
  if (s.variance_r < kNoise) {
    sums.num_non_log += s.variance_d;
    sums.den_non_log += 1;
    return;
  }
  // log2(1 + s_r^2 / s_n^2)
  sums.den_log += log2_fixed(static_cast<std::uint64_t>(s.variance_r + std::int64_t{kNoise})) -
                  log2_fixed(kNoise);
  if (s.covariance > 0 && s.variance_d > 0) sums.num_log += kept_information(s, gain_limit);
}

void measure_scale(const Luma& r, const Luma& d, int scale, int depth,
                   std::span<const double> gain_limits, std::span<Sums> sums) {
  std::vector<Moments> line(static_cast<std::size_t>(r.width));
  for (int y = 0; y < r.height; ++y) {
    for (int x = 0; x < r.width; ++x)
      line[static_cast<std::size_t>(x)] = vertical(r, d, scale, depth, x, y);
    for (int x = 0; x < r.width; ++x) {
      const Statistics s = statistics(horizontal(line, scale, x));
      for (std::size_t v = 0; v < sums.size(); ++v)
        accumulate(s, gain_limits[v], sums[v].scale[static_cast<std::size_t>(scale)]);
    }
  }
}

// The plane of `scale` from the one above it: the window of `scale`, then every second row and
// column.
Luma decimate(const Luma& above, int scale, int depth) {
  Luma result{above.width / 2, above.height / 2, {}};
  const int shift = mean_shift(scale - 1, depth);
  std::vector<std::uint32_t> line(static_cast<std::size_t>(above.width));
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < above.width; ++x)
      line[static_cast<std::size_t>(x)] = shift_rounded(
          filter(scale, 2 * y, above.height, [&](int v) { return above.at(x, v); }), shift);
    for (int x = 0; x < result.width; ++x)
      result.samples.push_back(static_cast<std::uint16_t>(
          shift_rounded(filter(scale, 2 * x, above.width,
                               [&](int u) { return line[static_cast<std::size_t>(u)]; }),
                        16)));
  }
  return result;
}

}  // namespace

void measure_reference(const Picture& reference, const Picture& distorted, const Task& task,
                       std::span<Sums> sums) {
  const int depth = reference.format().bit_depth;
  Luma r = load(reference);
  Luma d = load(distorted);
  std::fill(sums.begin(), sums.end(), Sums{});
  for (int scale = 0; scale < kScales; ++scale) {
    if (scale > 0) {
      r = decimate(r, scale, depth);
      d = decimate(d, scale, depth);
    }
    if (scale > 0 || task.scale0) measure_scale(r, d, scale, depth, task.gain_limits, sums);
  }
}

}  // namespace vmafx::vif
