// When Highway's shared library is loaded it measures the resolution of the clock, for its
// benchmark helpers, which nothing here calls. That takes 4 ms, half of a short run. A program's
// own definition of a function comes before that of a library.
#include <cstdint>

namespace hwy::platform {

// In ticks. The name is Highway's.
std::uint64_t TimerResolution() { return 1; }  // NOLINT(readability-identifier-naming)

}  // namespace hwy::platform
