// Sums over the parts of one piece of work.
#ifndef VMAFX_BASE_PART_SUMS_H_
#define VMAFX_BASE_PART_SUMS_H_

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/crew.h"
#include "base/scratch.h"

namespace vmafx {

// Shares run(part, scratch, sums) with a crew, each part with `count` Sums{} of its own; then calls
// add(i, sums[i]) for those of all parts, in their order.
template <class Sums, class Run, class Add>
void sum_parts(Crew* crew, Scratch& scratch, int parts, std::size_t count, const Run& run,
               const Add& add) {
  const Scratch::Frame frame(scratch);
  const std::size_t size = static_cast<std::size_t>(parts) * count;
  const std::span<Sums> sums(scratch.take<Sums>(size), size);
  std::fill(sums.begin(), sums.end(), Sums{});
  share(crew, scratch, parts, [&](int part, Scratch& own) {
    run(part, own, sums.subspan(static_cast<std::size_t>(part) * count, count));
  });
  for (std::size_t i = 0; i < size; ++i) add(i % count, sums[i]);
}

}  // namespace vmafx

#endif  // VMAFX_BASE_PART_SUMS_H_
