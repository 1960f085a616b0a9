#include "vmafx/bd_rate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/exact/exp.h"
#include "base/exact/log.h"
#include "base/guard.h"
#include "base/number.h"

namespace vmafx {
namespace {

// Of Bjontegaard's original proposal (VCEG-M33) and all test conditions since.
constexpr std::size_t kFewestPoints = 4;

Error refusal(std::string message, std::string hint = {}) {
  return {ErrorCode::kBadInput, std::move(message), std::move(hint)};
}

// Sorts by rate.
Status check_ladder(std::string_view name, std::vector<RatePoint>& points) {
  if (points.size() < kFewestPoints)
    return refusal(fmt::format("the {} ladder has {} points, BD-rate needs {}", name, points.size(),
                               kFewestPoints));
  for (const RatePoint& point : points) {
    if (!std::isfinite(point.rate) || point.rate <= 0)
      return refusal(fmt::format("the {} ladder has a rate of {}, it must be above 0", name,
                                 format_general(point.rate)));
    if (!std::isfinite(point.quality))
      return refusal(
          fmt::format("the {} ladder has a quality of {}", name, format_general(point.quality)));
  }
  std::sort(points.begin(), points.end(), [](const RatePoint& a, const RatePoint& b) {
    return a.rate != b.rate ? a.rate < b.rate : a.quality < b.quality;
  });
  for (std::size_t i = 1; i < points.size(); ++i) {
    const RatePoint& before = points[i - 1];
    const RatePoint& point = points[i];
    if (point.rate > before.rate && point.quality > before.quality) continue;
    return refusal(fmt::format("the {} ladder's quality does not grow with its rate: {} at {}, {} "
                               "at {}",
                               name, format_general(before.quality), format_general(before.rate),
                               format_general(point.quality), format_general(point.rate)),
                   "leave out the encodes that take more bits for no more quality");
  }
  return {};
}

// Piecewise cubic Hermite interpolation that keeps monotone data monotone: F. N. Fritsch and J.
// Butland, "A method for constructing local monotone piecewise cubic interpolants", SIAM J. Sci.
// Stat. Comput. 5 (1984), with the end slopes of C. Moler, "Numerical Computing with MATLAB",
// section 3.6.
class Curve {
 public:
  // ln(rate) over quality. Precondition: check_ladder() has passed.
  explicit Curve(const std::vector<RatePoint>& points) {
    for (const RatePoint& point : points) {
      x_.push_back(point.quality);
      y_.push_back(exact::log(point.rate));
    }
    const std::size_t last = x_.size() - 1;
    slope_.push_back(end_slope(width(0), width(1), secant(0), secant(1)));
    for (std::size_t i = 1; i < last; ++i) slope_.push_back(inner_slope(i));
    slope_.push_back(
        end_slope(width(last - 1), width(last - 2), secant(last - 1), secant(last - 2)));
  }

  double lowest() const { return x_.front(); }
  double highest() const { return x_.back(); }

  // Precondition: lowest() <= from <= to <= highest().
  double integral(double from, double to) const {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
      const double begin = std::max(from, x_[i]);
      const double end = std::min(to, x_[i + 1]);
      if (begin < end) sum += antiderivative(i, end) - antiderivative(i, begin);
    }
    return sum;
  }

 private:
  double width(std::size_t i) const { return x_[i + 1] - x_[i]; }
  double secant(std::size_t i) const { return (y_[i + 1] - y_[i]) / width(i); }

  // The harmonic mean of the secants of both sides, of which the farther side has more weight. All
  // secants are positive.
  double inner_slope(std::size_t i) const {
    const double before = 2 * width(i) + width(i - 1);
    const double after = width(i) + 2 * width(i - 1);
    return (before + after) / (before / secant(i - 1) + after / secant(i));
  }

  // Of the parabola through three points, unless that falls there. `near` is the interval at the
  // end.
  static double end_slope(double near, double far, double near_secant, double far_secant) {
    const double slope = ((2 * near + far) * near_secant - near * far_secant) / (near + far);
    return std::max(slope, 0.0);
  }

  // Of interval i, from its left end to x.
  double antiderivative(std::size_t i, double x) const {
    const double h = width(i);
    const double t = (x - x_[i]) / h;
    const double quadratic = (3 * secant(i) - 2 * slope_[i] - slope_[i + 1]) * h;
    const double cubic = (slope_[i] + slope_[i + 1] - 2 * secant(i)) * h;
    return h * t * (y_[i] + t * (slope_[i] * h / 2 + t * (quadratic / 3 + t * (cubic / 4))));
  }

  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> slope_;
};

Result<BdRate> compare(const Curve& anchor, const Curve& test) {
  BdRate result;
  result.lowest_quality = std::max(anchor.lowest(), test.lowest());
  result.highest_quality = std::min(anchor.highest(), test.highest());
  const double common = result.highest_quality - result.lowest_quality;
  if (!(common > 0))
    return refusal(
        fmt::format("the ladders have no quality in common: anchor {} to {}, test {} to "
                    "{}",
                    format_general(anchor.lowest()), format_general(anchor.highest()),
                    format_general(test.lowest()), format_general(test.highest())));
  result.overlap = common / (std::max(anchor.highest(), test.highest()) -
                             std::min(anchor.lowest(), test.lowest()));
  const double difference = test.integral(result.lowest_quality, result.highest_quality) -
                            anchor.integral(result.lowest_quality, result.highest_quality);
  result.percent = 100 * (exact::exp(difference / common) - 1);
  if (!std::isfinite(result.percent))
    return refusal("the ladders' rates or qualities are too far apart for a BD-rate");
  return result;
}

}  // namespace

Result<BdRate> bd_rate(std::vector<RatePoint> anchor, std::vector<RatePoint> test) {
  return guarded([&]() -> Result<BdRate> {
    if (const Status status = check_ladder("anchor", anchor); !status) return status.error();
    if (const Status status = check_ladder("test", test); !status) return status.error();
    return compare(Curve(anchor), Curve(test));
  });
}

}  // namespace vmafx
