// From the options of a registration and the format of the pictures to what is measured.
#ifndef VMAFX_METRICS_CAMBI_PARAMETERS_H_
#define VMAFX_METRICS_CAMBI_PARAMETERS_H_

#include <span>

#include "base/options.h"
#include "metrics/cambi/cambi.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx::cambi {

std::span<const OptionSpec> option_specs();

struct Streams {
  Parameters distorted;
  Parameters source;  // used with full_ref only
  bool full_reference = false;
};

// Without the visibility tables, which cost more to make. kNotApplicable if the pictures are too
// small or the window becomes too large, kUsage if the options contradict each other.
Result<Streams> plan_streams(const Options& options, const PictureFormat& format);

VisibilityOptions visibility_options(const Options& options);

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_PARAMETERS_H_
