// From the statistics of two streams to a score.
#ifndef VMAFX_METRICS_SPEED_SCORE_H_
#define VMAFX_METRICS_SPEED_SCORE_H_

#include "metrics/speed/speed.h"

namespace vmafx::speed {

inline constexpr int kWeightModes = 7;

// Mean over the blocks of the difference of weighted entropies. `floor`: blocks whose entropies are
// both below that of noise of deviation (1 + floor) * noise count as equal. weight_mode is
// 0..kWeightModes - 1: whose variances weight the entropies.
float compare(BlockStatistics reference, BlockStatistics distorted, float noise, float floor,
              int weight_mode);

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_SCORE_H_
