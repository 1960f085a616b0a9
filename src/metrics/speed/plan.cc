#include "metrics/speed/gaussian.h"
#include "metrics/speed/speed.h"

namespace vmafx::speed {

Plan make_plan(int width, int height, const Settings& settings) {
  Plan plan;
  plan.geometry = make_geometry(width, height, settings.prescale);
  plan.antialias = antialias_window(settings.kernel_scale);
  plan.local_mean = local_mean_window(settings.kernel_scale);
  const Scaling scaling = plan.geometry.scales() ? settings.scaling : Scaling::kNone;
  const int taps = static_cast<int>(plan.antialias.size());
  plan.x = make_axis(scaling, width, plan.geometry.scaled_width, taps);
  plan.y = make_axis(scaling, height, plan.geometry.scaled_height, taps);
  plan.normalize = scaling == Scaling::kLanczos4;
  plan.noise = static_cast<float>(settings.noise);
  return plan;
}

}  // namespace vmafx::speed
