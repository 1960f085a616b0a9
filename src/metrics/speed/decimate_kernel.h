// From planes to their decimated form, for devices.
#ifndef VMAFX_METRICS_SPEED_DECIMATE_KERNEL_H_
#define VMAFX_METRICS_SPEED_DECIMATE_KERNEL_H_

#include <cstdint>

#include "base/plane.h"
#include "base/scaling.h"
#include "device/kernel.h"
#include "metrics/speed/source.h"

namespace vmafx::speed {

// A sample of a plane behind a tap, see Axis.
struct Point {
  std::int32_t position;
  float weight;
};

// Planes of both streams that are measured together.
inline constexpr int kMaxSources = 4;
// Of the anti-alias filter at the largest kernel scale.
inline constexpr int kMaxTaps = 37;

// A team takes kWidth samples of a row of the decimated plane: a thread for each of their columns,
// then a thread for each sample. Plane z comes of source z.
template <class Sample, int kPoints>
struct Decimate {
  static constexpr int kWidth = 32;
  static constexpr int kThreads = 9 * kWidth;  // taps at kernel scale 1
  template <template <class, int> class Array>
  struct Shared {
    Array<float, kWidth * kMaxTaps> column;  // [sample][tap]
  };

  Source<Sample> source[kMaxSources];
  const Point* across;  // [sample][tap][point]
  const Point* down;
  int taps;
  float antialias[kMaxTaps];
  int height;               // of one decimated plane
  PlaneView<float> planes;  // below one another

  static device::Grid grid(PlaneView<float> planes, int height, int sources) {
    return {device::teams_for(planes.width, kWidth), height, sources};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    auto& shared = team.shared();
    const int left = team.block().x * kWidth;
    const int count = planes.width - left < kWidth ? planes.width - left : kWidth;
    const int y = team.block().y;
    const int z = team.block().z;
    team.each([&](int thread) {
      for (int i = thread; i < count * taps; i += kThreads)
        shared.column[i] = column(source_of(z), across + (left * taps + i) * kPoints, y);
    });
    team.each_last([&](int thread) {
      if (thread >= count) return;
      float sum = 0;
      for (int k = 0; k < taps; ++k) sum += antialias[k] * shared.column[thread * taps + k];
      planes.row(z * height + y)[left + thread] = sum;
    });
  }

  // Without an address of the argument, which would be copied to slow memory.
  VMAFX_PORTABLE Source<Sample> source_of(int z) const {
    Source<Sample> s = source[0];
    VMAFX_UNROLL
    for (int i = 1; i < kMaxSources; ++i) {
      if (z == i) s = source[i];
    }
    return s;
  }

  // The filter down a column of the prescaled plane.
  VMAFX_PORTABLE float column(const Source<Sample>& from, const Point* points, int y) const {
    Point x[kPoints];
    VMAFX_UNROLL
    for (int i = 0; i < kPoints; ++i) x[i] = points[i];
    float sum = 0;
    for (int l = 0; l < taps; ++l)
      sum += antialias[l] * scaled_sample(from, x, down + (y * taps + l) * kPoints);
    return sum;
  }

  VMAFX_PORTABLE static float scaled_sample(const Source<Sample>& from, const Point (&x)[kPoints],
                                            const Point* y) {
    if constexpr (kPoints == 1) {
      return from.at(x[0].position, y->position);  // the weight is 1
    } else {
      float sum = 0;
      float weights = 0;
      VMAFX_UNROLL
      for (int j = 0; j < kPoints; ++j) {
        VMAFX_UNROLL
        for (int i = 0; i < kPoints; ++i) {
          const float weight = y[j].weight * x[i].weight;
          weights += weight;
          sum += from.at(x[i].position, y[j].position) * weight;
        }
      }
      // Only those of lanczos4 do not sum to 1.
      return kPoints == kMaxPoints ? sum / weights : sum;
    }
  }
};

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_DECIMATE_KERNEL_H_
