#include "metrics/metric.h"

namespace vmafx {

void Measurement::measure_encodes(const EncodesInput& input, Scratch& scratch,
                                  std::span<const std::span<std::byte>> records) const {
  for (std::size_t e = 0; e < records.size(); ++e) {
    const Scratch::Frame scope(scratch);
    const MeasureInput one = {input.frame, input.reference, input.distorted[e],
                              input.artifacts.empty() ? nullptr : input.artifacts[e]};
    measure(one, scratch, records[e]);
  }
}

}  // namespace vmafx
