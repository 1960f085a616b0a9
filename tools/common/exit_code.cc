#include "common/exit_code.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include "common/terminal.h"

namespace vmafx::tools {

ExitCode code_of(const Error& error, ExitCode otherwise) {
  switch (error.code) {
    case ErrorCode::kMismatch:
      return ExitCode::kMismatch;
    case ErrorCode::kNoFrames:
      return ExitCode::kNoFrames;
    case ErrorCode::kNotApplicable:
      return ExitCode::kSomethingSkipped;
    case ErrorCode::kInterrupted:
      return ExitCode::kInterrupted;
    case ErrorCode::kDevice:
      return ExitCode::kDeviceFailed;
    case ErrorCode::kUsage:
    case ErrorCode::kInternal:
    case ErrorCode::kOutOfMemory:
      return ExitCode::kFailure;
    default:
      return otherwise;
  }
}

void print_failure(const char* program, const Failure& failure) {
  const Style style = style_of(stderr);
  put(stderr, "{} {}\n", style.red(fmt::format("{}:", program)), printable(failure.error.message));
  if (!failure.error.hint.empty())
    put(stderr, "{}\n", style.dim(fmt::format("  hint: {}", failure.error.hint)));
}

int end_process(const char* program, ExitCode code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (flushed || code != ExitCode::kOk) return static_cast<int>(code);
  print_failure(program, {ExitCode::kFailure,
                          {ErrorCode::kIo,
                           fmt::format("cannot write to standard output: {}",
                                       std::generic_category().message(errno == 0 ? EIO : errno)),
                           {}}});
  return static_cast<int>(ExitCode::kFailure);
}

}  // namespace vmafx::tools
