#include "common/exit_code.h"

#include <cstdio>

#include <fmt/format.h>

#include "common/terminal.h"

namespace vmafx::tools {

void print_failure(const char* program, const Failure& failure) {
  const Style style = style_of(stderr);
  fmt::print(stderr, "{} {}\n", style.red(fmt::format("{}:", program)), failure.error.message);
  if (!failure.error.hint.empty())
    fmt::print(stderr, "{}\n", style.dim(fmt::format("  hint: {}", failure.error.hint)));
}

}  // namespace vmafx::tools
