// What the process exit codes of both tools mean; docs/exit-codes.md is the same table for users.
#ifndef VMAFX_TOOLS_COMMON_EXIT_CODE_H_
#define VMAFX_TOOLS_COMMON_EXIT_CODE_H_

#include "vmafx/status.h"

namespace vmafx::tools {

enum class ExitCode : int {
  kOk = 0,
  kFailure = 1,           // wrong usage, a model that cannot be loaded, or any other failure
  kInputNotOpened = 2,    // missing, unreadable or not video
  kSomethingSkipped = 3,  // a metric or model does not apply; the report holds the others
  kMismatch = 4,          // reference and distorted differ in size, chroma format or bit depth
  kOutputNotWritten = 5,  // the report could not be written
  kBackendUnavailable = 100,
  kNoFrames = 101,
  kReadFailed = 102,    // an input broke off or could not be decoded to its end
  kDeviceFailed = 103,  // a device or its driver failed while it measured
  kInterrupted = 130,   // the report holds the finished frames
};

// What an error ends the process with; `otherwise` is for those whose meaning depends on what was
// being done.
ExitCode code_of(const Error& error, ExitCode otherwise);

// An error that ends the run, with the code that the process exits with.
struct Failure {
  ExitCode code = ExitCode::kFailure;
  Error error;
};

// Prints "<program>: message" and, where there is one, a line with the hint, to stderr.
void print_failure(const char* program, const Failure& failure);

// What main returns: the code, or kFailure with a line if standard output did not take what was
// printed.
int end_process(const char* program, ExitCode code);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_EXIT_CODE_H_
