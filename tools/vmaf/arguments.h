// The command line of vmaf, compatible with libvmaf's tool of that name.
#ifndef VMAFX_TOOLS_VMAF_ARGUMENTS_H_
#define VMAFX_TOOLS_VMAF_ARGUMENTS_H_

#include <cstdint>
#include <variant>

#include "common/scoring.h"

namespace vmafx::tools {

struct Arguments {
  enum class Action : std::uint8_t { kScore, kHelp, kVersion };
  Action action = Action::kScore;
  ScoringJob job;
  std::uint64_t cpu_mask = 0;  // instruction sets not to use
  bool quiet = false;
};

std::variant<Arguments, Failure> parse_arguments(int argc, char** argv);

// For a terminal of 80 columns.
std::string_view help_text();

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_VMAF_ARGUMENTS_H_
