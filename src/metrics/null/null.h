// A metric that looks at no sample: for tests, and to time reading alone.
#ifndef VMAFX_METRICS_NULL_NULL_H_
#define VMAFX_METRICS_NULL_NULL_H_

#include "metrics/metric.h"

namespace vmafx {

const Metric& null_metric();

}  // namespace vmafx

#endif  // VMAFX_METRICS_NULL_NULL_H_
