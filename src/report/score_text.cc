#include <algorithm>
#include <cmath>

#include "base/number.h"
#include "vmafx/report.h"

namespace vmafx {
namespace {

// libvmaf prints %.16f where the fraction, but not the whole value, would vanish in %.6f. It steps
// the fraction up by tens, and the rounding of these products decides borderline values.
bool has_tiny_fraction(double value) {
  const double size = std::fabs(value);
  // libvmaf splits off an int; beyond its range it always prints %.6f.
  if (!(size < 2147483648.0)) return false;
  double fraction = size - std::trunc(size);
  if (fraction == 0) return false;
  for (int step = 0; step < 6; ++step) fraction *= 10;
  return fraction < 1;
}

}  // namespace

std::string format_score(double value, Precision precision) {
  if (precision.form == Precision::Form::kDigits)
    return format_general(value, std::clamp(precision.digits, 1, 17));
  return format_fixed(value, has_tiny_fraction(value) ? 16 : 6);
}

}  // namespace vmafx
