// Where the pixels of a picture of another size are taken from.
#ifndef VMAFX_METRICS_CAMBI_SAMPLING_H_
#define VMAFX_METRICS_CAMBI_SAMPLING_H_

#include <vector>

namespace vmafx::cambi {

// For each of `to` pixels in a row or column, its nearest neighbour among `from`. Running float
// sums, whose rounding decides ties as in libvmaf.
std::vector<int> nearest_positions(int from, int to);

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_SAMPLING_H_
