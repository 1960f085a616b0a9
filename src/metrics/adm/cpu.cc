#include "metrics/adm/adm.h"
namespace vmafx::adm {
void measure_cpu(const Picture& reference, const Picture& distorted,
                 std::span<const Variant> variants, Scratch&, std::span<Sums> sums) {
  measure_reference(reference, distorted, variants, sums);
}
}
