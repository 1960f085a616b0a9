// When Highway's shared library is loaded it measures the resolution of the clock, for its
// benchmark helpers, which nothing here calls. That takes 4 ms, half of a short run. A program's
// own definition of a function comes before that of a library.
#include <cstdint>

namespace hwy::platform {

// In ticks.
std::uint64_t TimerResolution();
std::uint64_t TimerResolution() { return 1; }

}  // namespace hwy::platform
