// The blur along columns, and the errors of each pixel, for devices.
#ifndef VMAFX_METRICS_SSIMULACRA2_ERROR_KERNEL_H_
#define VMAFX_METRICS_SSIMULACRA2_ERROR_KERNEL_H_

#include "device/kernel.h"
#include "metrics/ssimulacra2/arithmetic.h"
#include "metrics/ssimulacra2/device_scales.h"

namespace vmafx::ssimulacra2 {

// The recursions of a column. All values are floats, as doubles because they are factors.
struct ColumnRecursions {
  double last[3];
  double before[3];

  constexpr float step(float sum) {
    const double wide = sum;
    step_of<0>(wide);
    step_of<1>(wide);
    constexpr auto kInputOfThird = static_cast<float>(kInput[2]);
    const double third = recursion(kInputOfThird, wide, -before[2]);
    before[2] = last[2];
    last[2] = third;
    // Of two floats, the sum of doubles rounded to float is that of floats.
    return static_cast<float>(last[0]) + static_cast<float>(last[1] + last[2]);
  }

 private:
  template <int kCosine>
  constexpr void step_of(double sum) {
    constexpr auto kInputOfThis = static_cast<float>(kInput[kCosine]);
    constexpr auto kFeedbackOfThis = static_cast<float>(-kFeedback[kCosine]);
    const double rest = recursion(kFeedbackOfThis, last[kCosine], -before[kCosine]);
    before[kCosine] = last[kCosine];
    last[kCosine] = recursion(kInputOfThis, sum, rest);
  }
};

// A team takes kColumns columns of channel y: 32 threads for each product, a thread for each
// column. It goes down in steps of kRows, which is how far apart the samples are that a step of the
// recursion adds. The errors of rows are found in the phase after the one that blurs them, and take
// the place of the rows, which the phase before has read.
struct FindErrors {
  static constexpr int kColumns = device::kGroup;
  static constexpr int kRows = kBehind + kAhead;
  static constexpr int kThreads = kProducts * kColumns;
  static constexpr int kPixels = kRows * kColumns / kThreads;  // of a thread
  static_assert(kRows * kColumns % kThreads == 0);
  static constexpr int kBlurred = kRows * kColumns;

  template <template <class, int> class Array>
  struct Shared {
    Array<float, 2 * kProducts * kBlurred> blurred;  // [turn][product][row]
  };

  DeviceScales scales;

  static constexpr int teams_of(const DeviceScale& scale) {
    return device::teams_for(scale.width + kAhead, kColumns);
  }
  static device::Grid grid(const DeviceScales& scales) {
    return {teams_of_all(scales, teams_of), kChannels, 1};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const Part part = part_of(scales, team.block().x, teams_of);
    const int channel = team.block().y;
    const int steps = device::teams_for(part.scale.height + kAhead, kRows);
    auto column = team.template values<Column>();
    team.each([&](int thread) { column[thread].next = load(part, channel, 0, thread); });
    for (int step = 0; step < steps; ++step) {
      team.each([&](int thread) {
        const Pixels pixels = load_pixels(part, channel, step - 1, thread);
        const Rows now = column[thread].next;
        column[thread].next = load(part, channel, step + 1, thread);
        blur(shared, column[thread], now, step, thread);
        find_errors(shared, part, channel, step - 1, thread, pixels);
      });
    }
    team.each_last([&](int thread) {
      find_errors(shared, part, channel, steps - 1, thread,
                  load_pixels(part, channel, steps - 1, thread));
    });
  }

 private:
  struct Rows {
    float sample[kRows];
  };
  struct Column {
    ColumnRecursions recursions;
    Rows past;
    Rows next;
  };
  struct Pixels {
    float reference[kPixels];
    float distorted[kPixels];
  };

  static VMAFX_PORTABLE Rows load(const Part& part, int channel, int step, int thread) {
    const DeviceScale& scale = part.scale;
    const int at = part.index * kColumns + thread % kColumns;
    const int top = step * kRows;
    const bool inside = at >= kAhead && at < scale.width + kAhead;
    const float* in = scale.blurred_row(channel, thread / kColumns, top) + at;
    Rows rows;
    VMAFX_UNROLL
    for (int i = 0; i < kRows; ++i)
      rows.sample[i] = inside && top + i < scale.height ? in[i * scale.stride] : 0.0f;
    return rows;
  }

  template <class Shared>
  static VMAFX_PORTABLE void blur(Shared& shared, Column& column, const Rows& now, int step,
                                  int thread) {
    const int product = thread / kColumns;
    const int first = (step % 2 * kProducts + product) * kBlurred + thread % kColumns;
    VMAFX_UNROLL
    for (int i = 0; i < kRows; ++i)
      shared.blurred[first + i * kColumns] =
          column.recursions.step(column.past.sample[i] + now.sample[i]);
    column.past = now;
  }

  // Pixel i of a thread's.
  struct Place {
    int x;
    int y;
    bool inside;
  };
  static VMAFX_PORTABLE Place place(const Part& part, int step, int thread, int i) {
    const int index = thread + i * kThreads;
    const int x = part.index * kColumns + index % kColumns - kAhead;
    const int y = step * kRows + index / kColumns - kAhead;
    return {x, y, x >= 0 && x < part.scale.width && y >= 0 && y < part.scale.height};
  }

  static VMAFX_PORTABLE Pixels load_pixels(const Part& part, int channel, int step, int thread) {
    Pixels pixels = {};
    VMAFX_UNROLL
    for (int i = 0; i < kPixels; ++i) {
      const Place at = place(part, step, thread, i);
      if (!at.inside) continue;
      pixels.reference[i] = part.scale.xyb_row(0, channel, at.y)[at.x];
      pixels.distorted[i] = part.scale.xyb_row(1, channel, at.y)[at.x];
    }
    return pixels;
  }

  template <class Shared>
  static VMAFX_PORTABLE void find_errors(Shared& shared, const Part& part, int channel, int step,
                                         int thread, const Pixels& pixels) {
    const DeviceScale& scale = part.scale;
    VMAFX_UNROLL
    for (int i = 0; i < kPixels; ++i) {
      const Place at = place(part, step, thread, i);
      if (!at.inside) continue;
      const int first = step % 2 * kProducts * kBlurred + thread + i * kThreads;
      const float mean1 = shared.blurred[first];
      const float mean2 = shared.blurred[first + kBlurred];
      const int out = at.x + kAhead;
      scale.structure_row(channel, at.y)[out] =
          structure(mean1, mean2, shared.blurred[first + 2 * kBlurred],
                    shared.blurred[first + 3 * kBlurred], shared.blurred[first + 4 * kBlurred]);
      scale.edge_row(channel, 0, at.y)[out] = edge(pixels.reference[i], mean1);
      scale.edge_row(channel, 1, at.y)[out] = edge(pixels.distorted[i], mean2);
    }
  }
};

}  // namespace vmafx::ssimulacra2

#endif  // VMAFX_METRICS_SSIMULACRA2_ERROR_KERNEL_H_
