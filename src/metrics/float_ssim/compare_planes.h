// Queues the kernels that compare pairs of planes, for the metrics that do.
#ifndef VMAFX_METRICS_FLOAT_SSIM_COMPARE_PLANES_H_
#define VMAFX_METRICS_FLOAT_SSIM_COMPARE_PLANES_H_

#include <algorithm>
#include <cstddef>
#include <span>

#include "device/device.h"
#include "device/workspace.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/float_ssim/kernels.h"

namespace vmafx::float_ssim {

// For a pair of planes of this size.
inline TermPlanes take_terms(device::Workspace& workspace, int width, int height) {
  TermPlanes out{};
  out.width = width - kTaps + 1;
  out.height = height - kTaps + 1;
  const PlaneView<float> structure = workspace.take_plane<float>(out.width, out.height);
  out.structure = structure.data;
  out.stride = structure.stride;
  const auto columns = static_cast<std::size_t>(out.stride);
  const std::size_t samples = columns * static_cast<std::size_t>(out.height);
  out.luminance = workspace.take<double>(samples);
  out.contrast = workspace.take<double>(samples);
  out.sums = workspace.take<double>(columns * kQuantities);
  return out;
}

// What covers each of these.
template <class Range, class Size>
int largest(const Range& range, const Size& size) {
  int result = 0;
  for (const auto& element : range) result = std::max(result, size(element));
  return result;
}

// The terms of up to kMaxPairs pairs of planes.
template <class Sample, bool kSigned>
void compare_windows(std::span<const PlanePair<Sample>> pairs, float step, device::Queue& queue) {
  using Kernel = CompareWindows<Sample, kSigned>;
  // More rows repeat less at their borders; fewer give work to all of a large device.
  constexpr int kTeams = 400;
  constexpr int kFewestRows = 16;
  constexpr int kMostRows = 64;
  Kernel kernel{};
  std::copy(pairs.begin(), pairs.end(), kernel.pair);
  kernel.step = step;
  const int width = largest(pairs, [](const auto& pair) { return pair.out.width; });
  const int height = largest(pairs, [](const auto& pair) { return pair.out.height; });
  const int teams_across = device::teams_for(width, Kernel::kThreads);
  const auto wanted = std::int64_t{height} * teams_across / kTeams;
  kernel.rows =
      static_cast<int>(std::clamp(wanted, std::int64_t{kFewestRows}, std::int64_t{kMostRows}));
  queue.launch(
      {teams_across, device::teams_for(height, kernel.rows), static_cast<int>(pairs.size())},
      kernel);
}

// Of up to kMaxPairs pairs whose terms are there; Sums for each.
inline void sum_terms(std::span<const TermPlanes> planes, Sums* totals, device::Queue& queue) {
  static_assert(sizeof(Sums) == kQuantities * sizeof(double));
  ColumnSums columns{};
  Totals rows{};
  std::copy(planes.begin(), planes.end(), columns.planes);
  std::copy(planes.begin(), planes.end(), rows.planes);
  rows.totals = &totals->ssim;
  const int width = largest(planes, [](const TermPlanes& terms) { return terms.width; });
  const int pairs = static_cast<int>(planes.size());
  queue.launch({device::teams_for(width, ColumnSums::kThreads), 1, pairs}, columns);
  queue.launch({kQuantities, 1, pairs}, rows);
}

}  // namespace vmafx::float_ssim

#endif  // VMAFX_METRICS_FLOAT_SSIM_COMPARE_PLANES_H_
