// Are two streams in step?
#ifndef VMAFX_ALIGNMENT_H_
#define VMAFX_ALIGNMENT_H_

#include <memory>
#include <optional>

#include "vmafx/picture.h"

namespace vmafx {

// Looks at a few pairs of moving pictures early in a run and finds out whether the distorted stream
// is up to two frames late or early. It looks at a grid of luma samples, up to contrast and
// brightness, so it costs some microseconds a pair and a fade tells it nothing. Not thread-safe.
class AlignmentCheck {
 public:
  AlignmentCheck();
  ~AlignmentCheck();
  AlignmentCheck(AlignmentCheck&&) noexcept;
  AlignmentCheck& operator=(AlignmentCheck&&) noexcept;

  // The pairs of a run in their order, all of one format. Does nothing once enough was seen.
  void add(const Picture& reference, const Picture& distorted);

  // Frames by which the distorted stream is late, or early if negative: -2, -1, 1 or 2. nullopt if
  // the streams are in step, and if the pictures do not tell: still or equal ones, too few, or a
  // distortion larger than the motion.
  std::optional<int> frames_late() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vmafx

#endif  // VMAFX_ALIGNMENT_H_
