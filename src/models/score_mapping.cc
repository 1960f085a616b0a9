#include "models/score_mapping.h"

#include <algorithm>
#include <cstddef>

namespace vmafx {
namespace {

// The end segments go on beyond the end knots; at a knot the segment to its right counts.
double piecewise_linear(const std::vector<Knot>& knots, double x) {
  std::size_t left = 0;
  while (left + 2 < knots.size() && knots[left + 1].x <= x) ++left;
  const Knot& a = knots[left];
  const Knot& b = knots[left + 1];
  const double slope = (b.y - a.y) / (b.x - a.x);
  const double offset = a.y - a.x * slope;
  return slope * x + offset;
}

}  // namespace

double ScoreTransform::apply(double score) const {
  double out = score;
  if (p0 || p1 || p2) {
    out = 0;
    if (p0) out += *p0;
    if (p1) out += *p1 * score;
    if (p2) out += *p2 * score * score;
  }
  if (!knots.empty()) out = piecewise_linear(knots, out);
  if (at_most_input) out = std::min(out, score);
  if (at_least_input) out = std::max(out, score);
  return out;
}

double ScoreMapping::apply(double score) const {
  if (transform && transform_enabled) score = transform->apply(score);
  if (clip) score = std::clamp(score, clip->min, clip->max);
  return score;
}

}  // namespace vmafx
