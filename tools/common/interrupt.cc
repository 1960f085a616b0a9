#include "common/interrupt.h"

#include <csignal>

namespace vmafx::tools {
namespace {

// A signal handler has no other way to reach anything.
std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int) { g_interrupted.store(true); }

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // One shot: the second signal finds the default action, which kills. Reads go on after the first.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // Beyond a limit of file size writing fails with an error, which is reported, instead of ending
  // the process with half a report on the disk.
  std::signal(SIGXFSZ, SIG_IGN);
  return g_interrupted;
}

}  // namespace vmafx::tools
