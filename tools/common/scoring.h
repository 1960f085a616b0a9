// What both tools do between their command lines and their summaries: open, check, score, report.
#ifndef VMAFX_TOOLS_COMMON_SCORING_H_
#define VMAFX_TOOLS_COMMON_SCORING_H_

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/exit_code.h"
#include "common/option_text.h"
#include "vmafx/session.h"

namespace vmafx::tools {

struct OutputFile {
  std::string path;
  ReportFormat format = ReportFormat::kXml;
};

struct ScoringJob {
  SourceOptions reference;
  SourceOptions distorted;
  // The stream of the smaller bit depth is brought to the other's.
  bool common_bit_depth = false;
  std::vector<ModelSpec> models;
  // Adds the model of choose_model(), under the name "vmaf".
  bool choose_model = false;
  bool predict = true;  // false: only what the models are made of is reported
  std::vector<FeatureRequest> features;
  SessionConfig session;
  std::optional<std::int64_t> frame_count;
  bool check_alignment = false;  // warns of streams that are out of step
  std::optional<OutputFile> output;
  Precision precision;
};

struct ScoringHooks {
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const Progress&)> on_progress;
  // Called once both streams are open and fit together.
  std::function<void(const StreamInfo& reference, const StreamInfo& distorted)> on_open;
};

struct ScoringResult {
  Report report;
  std::vector<Model> models;  // of the job, in its order, then the chosen one
  std::optional<ModelChoice> choice;
  int threads = 1;
  ExitCode code = ExitCode::kOk;  // kOk, kSomethingSkipped or kInterrupted
};

// Scores and, if the job has an output, writes the report. A Failure has left no report.
std::variant<ScoringResult, Failure> score(const ScoringJob& job, const ScoringHooks& hooks);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_SCORING_H_
