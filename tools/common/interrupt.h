// Ctrl-C.
#ifndef VMAFX_TOOLS_COMMON_INTERRUPT_H_
#define VMAFX_TOOLS_COMMON_INTERRUPT_H_

#include <atomic>

namespace vmafx::tools {

// From now on the first SIGINT or SIGTERM sets the flag; the second ends the process at once.
const std::atomic<bool>& catch_interrupts();

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_INTERRUPT_H_
