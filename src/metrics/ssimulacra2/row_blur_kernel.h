// The blur along rows, for devices.
#ifndef VMAFX_METRICS_SSIMULACRA2_ROW_BLUR_KERNEL_H_
#define VMAFX_METRICS_SSIMULACRA2_ROW_BLUR_KERNEL_H_

#include "device/kernel.h"
#include "metrics/ssimulacra2/arithmetic.h"
#include "metrics/ssimulacra2/device_scales.h"

namespace vmafx::ssimulacra2 {

// The recursions of a row. After a step, `last` is what it gave. All are floats; those of double
// are factors of the next step.
struct RowRecursions {
  double last[2];
  double before[2];
  float last_of_third;
  float before_of_third;

  // One output.
  constexpr float one(float input) {
    const float first = one_of<0>(input);
    const float second = one_of<1>(input);
    constexpr float kFactor = unrolled(2).input[0];
    const float third = input * kFactor - before_of_third;
    before_of_third = last_of_third;
    last_of_third = third;
    return first + (second + third);
  }

  // Four at once.
  VMAFX_PORTABLE void four(const float (&input)[4], float (&out)[4]) {
    float first[4];
    float second[4];
    float third[4];
    const double wide[4] = {input[0], input[1], input[2], input[3]};
    four_of<0>(input, wide, first);
    four_of<1>(input, wide, second);
    four_of_third(input, wide, third);
    VMAFX_UNROLL
    for (int k = 0; k < 4; ++k) out[k] = first[k] + (second[k] + third[k]);
  }

 private:
  template <int kCosine>
  constexpr float one_of(float input) {
    constexpr Unrolled kFactors = unrolled(kCosine);
    const float start = input * kFactors.input[0] - static_cast<float>(before[kCosine]);
    before[kCosine] = last[kCosine];
    last[kCosine] = recursion(kFactors.last[0], last[kCosine], start);
    return static_cast<float>(last[kCosine]);
  }

  template <int kCosine>
  VMAFX_PORTABLE void four_of(const float (&input)[4], const double (&wide)[4], float (&out)[4]) {
    constexpr Unrolled kFactors = unrolled(kCosine);
    double y[4];
    y[0] = input[0] * kFactors.input[0] - static_cast<float>(before[kCosine]);
    VMAFX_UNROLL
    for (int k = 1; k < 4; ++k) {
      y[k] = input[0] * kFactors.input[k];
      VMAFX_UNROLL
      for (int j = 1; j <= k; ++j) y[k] = recursion(kFactors.input[k - j], wide[j], y[k]);
      y[k] = recursion(kFactors.before[k], before[kCosine], y[k]);
    }
    VMAFX_UNROLL
    for (int k = 0; k < 4; ++k) {
      y[k] = recursion(kFactors.last[k], last[kCosine], y[k]);
      out[k] = static_cast<float>(y[k]);
    }
    before[kCosine] = y[2];
    last[kCosine] = y[3];
  }

  VMAFX_PORTABLE void four_of_third(const float (&input)[4], const double (&wide)[4],
                                    float (&out)[4]) {
    constexpr Unrolled kFactors = unrolled(2);
    constexpr float kFactor = kFactors.input[0];
    const double third = recursion(kFactor, wide[2], input[0] * kFactors.input[2]);
    const double fourth = recursion(kFactor, wide[3], input[1] * kFactors.input[2]);
    out[0] = input[0] * kFactor - before_of_third;
    out[1] = input[1] * kFactor - last_of_third;
    out[2] = static_cast<float>(third) + before_of_third;
    out[3] = static_cast<float>(fourth) + last_of_third;
    before_of_third = out[2];
    last_of_third = out[3];
  }
};

// A team takes kRows rows of channel y: 32 threads for each product, a thread for each row. It goes
// along the rows in tiles; in tile t, samples of columns kTile t and up come in, and outputs of
// kAhead columns before them leave.
struct BlurRows {
  static constexpr int kRows = device::kGroup;
  static constexpr int kTile = device::kGroup;
  static constexpr int kThreads = kProducts * kRows;
  static constexpr int kLine = kTile + 1;  // so that the rows of a column lie in different banks
  static constexpr int kLines = kPictures * kRows;
  static constexpr int kPast = kBehind + kAhead;

  template <template <class, int> class Array>
  struct Shared {
    Array<float, kLines * kLine> in;              // [picture][row]
    Array<float, kProducts * kRows * kLine> out;  // [product][row]
  };

  DeviceScales scales;

  static constexpr int teams_of(const DeviceScale& scale) {
    return device::teams_for(scale.height, kRows);
  }
  static device::Grid grid(const DeviceScales& scales) {
    return {teams_of_all(scales, teams_of), kChannels, 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const Part part = part_of(scales, team.block().x, teams_of);
    const int channel = team.block().y;
    const int tiles = device::teams_for(part.scale.width + kAhead, kTile);
    auto row = team.template values<Row>();
    auto next = team.template values<NextTile>();
    team.each([&](int thread) { next[thread] = load(part, channel, 0, thread); });
    for (int tile = 0; tile < tiles; ++tile) {
      team.each([&](int thread) {
        share(shared, next[thread], thread);
        if (tile > 0) store(shared, part, channel, tile - 1, thread);
      });
      team.each([&](int thread) {
        if (tile + 1 < tiles) next[thread] = load(part, channel, tile + 1, thread);
        blur(shared, row[thread], part.scale.width, tile, thread);
      });
    }
    team.each_last([&](int thread) { store(shared, part, channel, tiles - 1, thread); });
  }

 private:
  struct Row {
    RowRecursions recursions;
    float past[kPast];
  };
  // Lines that a group of 32 threads carries.
  static constexpr int kCarried = (kLines + kProducts - 1) / kProducts;
  struct NextTile {
    float sample[kCarried];
  };

  static VMAFX_PORTABLE NextTile load(const Part& part, int channel, int tile, int thread) {
    const DeviceScale& scale = part.scale;
    const int x = tile * kTile + thread % kTile;
    NextTile next;
    VMAFX_UNROLL
    for (int i = 0; i < kCarried; ++i) {
      const int line = thread / kTile + i * kProducts;
      const int y = part.index * kRows + line % kRows;
      const bool inside = line < kLines && y < scale.height && x < scale.width;
      next.sample[i] = inside ? scale.xyb_row(line / kRows, channel, y)[x] : 0.0f;
    }
    return next;
  }

  template <class Shared>
  static VMAFX_PORTABLE void share(Shared& shared, const NextTile& next, int thread) {
    VMAFX_UNROLL
    for (int i = 0; i < kCarried; ++i) {
      const int line = thread / kTile + i * kProducts;
      if (line < kLines) shared.in[line * kLine + thread % kTile] = next.sample[i];
    }
  }

  template <class Shared>
  static VMAFX_PORTABLE void store(Shared& shared, const Part& part, int channel, int tile,
                                   int thread) {
    const DeviceScale& scale = part.scale;
    const int product = thread / kTile;
    const int column = thread % kTile;
    const int at = tile * kTile + column;  // kAhead after the column of the picture
    if (at < kAhead || at >= scale.width + kAhead) return;
    const int top = part.index * kRows;
    const int rows = scale.height - top < kRows ? scale.height - top : kRows;
    float* out = scale.blurred_row(channel, product, top) + at;
    for (int i = 0; i < rows; ++i) {
      *out = shared.out[(product * kRows + i) * kLine + column];
      out += scale.stride;
    }
  }

  template <class Shared>
  static VMAFX_PORTABLE void blur(Shared& shared, Row& row, int width, int tile, int thread) {
    constexpr int kRun = 4;
    const int product = thread / kRows;
    const int line = thread % kRows * kLine;
    VMAFX_NO_UNROLL
    for (int first = 0; first < kTile; first += kRun) {
      float fresh[kRun];
      float input[kRun];
      float out[kRun];
      VMAFX_UNROLL
      for (int k = 0; k < kRun; ++k) {
        fresh[k] = factors(shared, product, line + first + k);
        input[k] = row.past[k] + fresh[k];
      }
      const int n = tile * kTile + first - kAhead;
      if (n >= kUnrolledStart && n < width - kUnrolledEnd) {
        row.recursions.four(input, out);
      } else {
        VMAFX_UNROLL
        for (int k = 0; k < kRun; ++k) out[k] = row.recursions.one(input[k]);
      }
      VMAFX_UNROLL
      for (int k = 0; k < kRun; ++k)
        shared.out[product * kRows * kLine + line + first + k] = out[k];
      VMAFX_UNROLL
      for (int i = 0; i + kRun < kPast; ++i) row.past[i] = row.past[i + kRun];
      VMAFX_UNROLL
      for (int k = 0; k < kRun; ++k) row.past[kPast - kRun + k] = fresh[k];
    }
  }

  // A sample of one of the products.
  template <class Shared>
  static VMAFX_PORTABLE float factors(Shared& shared, int product, int at) {
    constexpr int kDistorted = kRows * kLine;
    const bool distorted = product == 1 || product == 3;
    const float first = shared.in[distorted ? kDistorted + at : at];
    if (product < 2) return first;
    const float second = shared.in[product == 2 ? at : kDistorted + at];
    return first * second;
  }
};

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_ROW_BLUR_KERNEL_H_
