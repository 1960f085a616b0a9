// Adding a metric: include its header and add its line.
#include <algorithm>
#include <vector>

#include "metrics/adm/adm.h"
#include "metrics/cambi/cambi.h"
#include "metrics/ciede/ciede.h"
#include "metrics/float_adm/float_adm.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/float_motion/float_motion.h"
#include "metrics/float_ms_ssim/float_ms_ssim.h"
#include "metrics/float_psnr/float_psnr.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/float_vif/float_vif.h"
#include "metrics/metric.h"
#include "metrics/motion/motion.h"
#include "metrics/null/null.h"
#include "metrics/psnr/psnr.h"
#include "metrics/psnr_hvs/psnr_hvs.h"
#include "metrics/speed/speed.h"
#include "metrics/ssim/ssim.h"
#include "metrics/ssimulacra2/ssimulacra2.h"
#include "metrics/vif/vif.h"

namespace vmafx {

std::span<const Metric* const> all_metrics() {
  // clang-format off
  static const std::vector<const Metric*> kMetrics = {
      &vif_metric(),
      &adm_metric(),
      &motion_metric(),
      &motion_v2_metric(),
      &cambi_metric(),
      &speed_chroma_metric(),
      &speed_temporal_metric(),
      &psnr_metric(),
      &psnr_hvs_metric(),
      &ssim_metric(),
      &float_ssim_metric(),
      &float_ms_ssim_metric(),
      &ciede_metric(),
      &ssimulacra2_metric(),
      &float_vif_metric(),
      &float_adm_metric(),
      &float_motion_metric(),
      &float_psnr_metric(),
      &float_moment_metric(),
      &null_metric(),
  };
  // clang-format on
  return kMetrics;
}

const Metric* find_metric(std::string_view name) {
  const auto all = all_metrics();
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const Metric* metric) { return metric->name() == name; });
  return it == all.end() ? nullptr : *it;
}

const Metric* find_metric_by_output(std::string_view long_name) {
  const auto all = all_metrics();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Metric* metric) {
    const auto outputs = metric->outputs();
    return std::find(outputs.begin(), outputs.end(), long_name) != outputs.end();
  });
  return it == all.end() ? nullptr : *it;
}

}  // namespace vmafx
