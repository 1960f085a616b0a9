#include "models/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vmafx {
namespace {

constexpr double kSlopeStep = 0.01;  // half the interval over which the mapping's slope is taken

double percentile(std::span<const double> sorted, double percent) {
  const double position = percent * static_cast<double>(sorted.size() - 1) / 100;
  const auto below = static_cast<std::size_t>(std::floor(position));
  const auto above = static_cast<std::size_t>(std::ceil(position));
  if (below == above) return sorted[below];
  return sorted[below] * (static_cast<double>(above) - position) +
         sorted[above] * (position - static_cast<double>(below));
}

}  // namespace

BootstrapSummary summarize(std::span<double> scores, const ScoreMapping& mapping) {
  const auto count = static_cast<double>(scores.size());
  double sum = 0;
  for (const double score : scores) sum += score;
  const double mean = sum / count;

  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  const double slope =
      (mapping.apply(mean + kSlopeStep) - mapping.apply(mean - kSlopeStep)) / (2 * kSlopeStep);

  std::sort(scores.begin(), scores.end());
  return {mapping.apply(mean), std::sqrt(squares / count) * slope,
          mapping.apply(percentile(scores, 2.5)), mapping.apply(percentile(scores, 97.5))};
}

}  // namespace vmafx
