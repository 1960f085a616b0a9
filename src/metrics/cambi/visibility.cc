#include "metrics/cambi/visibility.h"

#include <algorithm>

#include "base/exact/power.h"

namespace vmafx::cambi {
namespace {

constexpr int kBlack = 64;
constexpr int kWhite = 940;

double power(double base, double exponent) { return base > 0 ? exact::pow(base, exponent) : 0; }

double bt1886_luminance(double signal) {
  constexpr double kGamma = 2.4;
  static const double peak = power(300, 1.0 / kGamma);
  static const double black = power(0.01, 1.0 / kGamma);
  static const double gain = power(peak - black, kGamma);
  static const double lift = black / (peak - black);
  return gain * power(signal + lift, kGamma);
}

double pq_luminance(double signal) {
  constexpr double kM1 = 0.1593017578125;
  constexpr double kM2 = 78.84375;
  constexpr double kC1 = 0.8359375;
  constexpr double kC2 = 18.8515625;
  constexpr double kC3 = 18.6875;
  const double root = power(signal, 1.0 / kM2);
  return 10000 * power(std::max(root - kC1, 0.0) / (kC2 - kC3 * root), 1.0 / kM1);
}

// Is the step up from `luma` visible?
bool step_visible(int luma, int step, double ratio, Eotf eotf) {
  const double here = luminance(luma, eotf);
  return luminance(luma + step, eotf) - here > ratio * here;
}

}  // namespace

double luminance(int luma, Eotf eotf) {
  const double signal =
      static_cast<double>(std::clamp(luma, kBlack, kWhite) - kBlack) / (kWhite - kBlack);
  return eotf == Eotf::kBt1886 ? bt1886_luminance(signal) : pq_luminance(signal);
}

int highest_luma_with_visible_step(int step, double ratio, Eotf eotf) {
  constexpr int kAlways = 1023;
  const auto visible = [&](int luma) { return step_visible(luma, step, ratio, eotf); };
  int low = kBlack;
  int high = kWhite - step - 1;
  if (!visible(low)) return 0;
  if (!visible(low + 1)) return low;
  if (visible(high)) return visible(high + 1) ? kAlways : high;
  // low and low + 1 are visible, high is not. PQ has more than one such place for some ratios; it
  // is the one that halving finds first.
  for (;;) {
    const int middle = low + (high - low) / 2;
    if (!visible(middle)) {
      high = middle;
    } else if (visible(middle + 1)) {
      low = middle;
    } else {
      return middle;
    }
  }
}

int darkest_visible_luma(double threshold, Eotf eotf) {
  int luma = kBlack;
  while (luma < kWhite && luminance(luma, eotf) < threshold) ++luma;
  return luma == kBlack ? 0 : luma;
}

Visibility make_visibility(const VisibilityOptions& options) {
  Visibility v;
  v.steps = 1 << options.max_log_contrast;
  const int darkest = darkest_visible_luma(options.dark_threshold, options.eotf);
  for (int step = 1; step <= v.steps; ++step) {
    const int top = highest_luma_with_visible_step(step, options.step_ratio, options.eotf);
    // libvmaf lets values darker than the threshold by up to the number of steps take part.
    const int bottom = std::max(0, darkest - v.steps - step + 1);
    for (int luma = bottom; luma <= std::min(top, kMaxLuma); ++luma)
      v.visible_steps[static_cast<std::size_t>(luma)] |= 1u << (step - 1);
  }
  const auto any = [](std::uint32_t steps) { return steps != 0; };
  const auto first = std::find_if(v.visible_steps.begin(), v.visible_steps.end(), any);
  if (first == v.visible_steps.end()) return v;
  const auto last = std::find_if(v.visible_steps.rbegin(), v.visible_steps.rend(), any);
  v.lowest = static_cast<int>(first - v.visible_steps.begin()) - v.steps;
  v.highest = kMaxLuma - static_cast<int>(last - v.visible_steps.rbegin()) + v.steps;
  return v;
}

}  // namespace vmafx::cambi
