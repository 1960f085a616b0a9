// Command-line options that several commands have, and the job that they make.
#ifndef VMAFX_TOOLS_VMAFX_JOB_OPTIONS_H_
#define VMAFX_TOOLS_VMAFX_JOB_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "common/progress.h"
#include "common/scoring.h"

namespace vmafx::tools {

// As they stand on the command line.
struct JobOptions {
  std::vector<std::string> models;
  std::vector<std::string> features;
  std::string output;
  std::string format;
  std::string precision = "max";
  std::string raw;
  std::string progress;
  bool no_preflight = false;
  int threads = 0;
  std::string backend = "cpu";
  std::string device;
  int subsample = 1;
  std::int64_t frames = 0;  // 0: all
};

// Without the range in the help text, which is "1 to about everything".
CLI::Validator at_least(int min);
// For paths and specifications.
std::string refuse_empty(const std::string& text);

// What is scored: --model, --feature.
void add_request_options(CLI::App& command, JobOptions& options);
// The report: --output, --format, --precision.
void add_report_options(CLI::App& command, JobOptions& options);
// How streams are read and measured: --raw, --frames, --subsample, --threads, --backend, --device,
// --progress, --no-preflight.
void add_run_options(CLI::App& command, JobOptions& options);

// --backend and --device.
void add_device_options(CLI::App& command, std::string& backend, std::string& device);

// All but the paths. Raw inputs are of one format.
Result<ScoringJob> make_job(const JobOptions& options);
Result<ProgressMode> progress_mode(const std::string& name);

// Prints the failure; its code.
ExitCode fail(const Failure& failure);
// The same where measuring fails or cannot begin: an error without a code of its own is that of a
// backend that is unavailable.
ExitCode fail_to_measure(const Error& error);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_VMAFX_JOB_OPTIONS_H_
