#include "metrics/vif/vif.h"
namespace vmafx::vif {
void measure_cpu(const Picture& reference, const Picture& distorted, const Task& task, Scratch&,
                 std::span<Sums> sums) {
  measure_reference(reference, distorted, task, sums);
}
}  // namespace vmafx::vif
