// Threads that help with the parts of one piece of work.
#ifndef VMAFX_BASE_CREW_H_
#define VMAFX_BASE_CREW_H_

#include <functional>

#include "base/scratch.h"

namespace vmafx {

class Crew {
 public:
  using RunPart = std::function<void(int part, Scratch& scratch)>;

  virtual ~Crew() = default;

  // Calls run for each part in 0..parts-1 once, in any order and maybe several at the same time,
  // with the Scratch of the thread that runs it, and returns when all have ended. The caller runs
  // parts itself, so it never waits for a helper that does not come. Not to be called from a part.
  // Once a part has thrown, those that have not begun are left out; the first exception is thrown
  // on when the others have ended.
  virtual void share(int parts, const RunPart& run) = 0;
};

// The same where nobody helps if `crew` is null. `scratch` is the caller's own.
inline void share(Crew* crew, Scratch& scratch, int parts, const Crew::RunPart& run) {
  if (crew != nullptr) return crew->share(parts, run);
  for (int part = 0; part < parts; ++part) {
    const Scratch::Frame frame(scratch);
    run(part, scratch);
  }
}

}  // namespace vmafx

#endif  // VMAFX_BASE_CREW_H_
