// From the statistics of two streams to a score.
#ifndef VMAFX_METRICS_SPEED_SCORE_H_
#define VMAFX_METRICS_SPEED_SCORE_H_

#include "metrics/speed/difference.h"
#include "metrics/speed/speed.h"

namespace vmafx::speed {

// Mean over the blocks of the difference of weighted entropies. `floor`: blocks whose entropies are
// both below that of noise of deviation (1 + floor) * noise count as equal. weight_mode is
// 0..kWeightModes - 1: whose variances weight the entropies.
float compare(BlockStatistics reference, BlockStatistics distorted, float noise, float floor,
              int weight_mode);

// The entropy of a block that shows nothing but noise.
float invisible_entropy(float noise, float floor);

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_SCORE_H_
