#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "vmafx/report.h"

namespace vmafx {
namespace {

constexpr std::array kPercents = {1, 5, 10, 25, 50, 75, 90, 95};

std::vector<double> present_values(const Column& column) {
  std::vector<double> values;
  values.reserve(column.values.size());
  for (const auto& value : column.values)
    if (value) values.push_back(*value);
  return values;
}

// Precondition: sorted and not empty.
double percentile(const std::vector<double>& sorted, int percent) {
  const double position = static_cast<double>(sorted.size() - 1) * percent / 100.0;
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  // Without this, an infinite neighbour of weight 0 would make the result not a number.
  if (fraction == 0) return sorted[below];
  const double low = sorted[below];
  const double high = sorted[below + 1];
  return low == high ? low : low + (high - low) * fraction;
}

double standard_deviation(const std::vector<double>& values, double mean) {
  if (!std::isfinite(mean)) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

std::optional<Pooled> pool(const Column& column) {
  std::vector<double> values = present_values(column);
  if (values.empty()) return std::nullopt;
  Pooled pooled;
  double sum = 0;
  double inverse_sum = 0;
  for (const double value : values) {
    sum += value;
    inverse_sum += 1.0 / (value + 1.0);
  }
  const auto count = static_cast<double>(values.size());
  pooled.mean = sum / count;
  pooled.harmonic_mean = count / inverse_sum - 1.0;
  pooled.stddev = standard_deviation(values, pooled.mean);
  std::sort(values.begin(), values.end());
  pooled.min = values.front();
  pooled.max = values.back();
  for (const int percent : kPercents)
    pooled.percentiles.emplace_back(percent, percentile(values, percent));
  return pooled;
}

}  // namespace vmafx
