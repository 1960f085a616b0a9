// Spread of the scores of a bootstrap set's members.
#ifndef VMAFX_MODELS_BOOTSTRAP_H_
#define VMAFX_MODELS_BOOTSTRAP_H_

#include <span>

#include "models/score_mapping.h"

namespace vmafx {

struct BootstrapSummary {
  double bagging = 0;  // mean
  double stddev = 0;   // population standard deviation
  double ci_p95_lo = 0;
  double ci_p95_hi = 0;
};

// `scores` are those of at least one member, before transform and clip; they are sorted. Mean and
// percentiles (linear between order statistics) are then mapped, and the deviation is multiplied by
// the mapping's slope at the mean: the delta method.
BootstrapSummary summarize(std::span<double> scores, const ScoreMapping& mapping);

}  // namespace vmafx

#endif  // VMAFX_MODELS_BOOTSTRAP_H_
