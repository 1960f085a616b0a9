#include "metrics/speed/speed.h"

namespace vmafx::speed {

template <class Sample>
bool statistics(const Plan& plan, const Source<Sample>& source, Scratch& /*scratch*/,
                BlockStatistics blocks) {
  return reference_statistics(plan, source, blocks);
}

template bool statistics(const Plan&, const Source<std::uint8_t>&, Scratch&, BlockStatistics);
template bool statistics(const Plan&, const Source<std::uint16_t>&, Scratch&, BlockStatistics);

}  // namespace vmafx::speed
