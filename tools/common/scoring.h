// What both tools do between their command lines and their summaries: open, check, score, report.
#ifndef VMAFX_TOOLS_COMMON_SCORING_H_
#define VMAFX_TOOLS_COMMON_SCORING_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/exit_code.h"
#include "common/option_text.h"
#include "common/progress.h"
#include "vmafx/measurement_file.h"
#include "vmafx/session.h"

namespace vmafx::tools {

struct OutputFile {
  std::string path;
  ReportFormat format = ReportFormat::kXml;
};

// The frames of the streams that are measured, to be scored elsewhere.
struct MeasuredRange {
  std::int64_t first = 0;
  std::optional<std::int64_t> count;  // none: to the end
};

struct ScoringJob {
  SourceOptions reference;
  std::vector<SourceOptions> distorted = {{}};  // encodes of the reference, one or more
  // The stream of the smaller bit depth is brought to the other's.
  bool common_bit_depth = false;
  std::vector<ModelSpec> models;
  // Adds the model of choose_model(), under the name "vmaf".
  bool choose_model = false;
  bool predict = true;  // false: only what the models are made of is reported
  std::vector<FeatureRequest> features;
  SessionConfig session;
  std::optional<std::int64_t> frame_count;
  std::optional<MeasuredRange> range;  // of the one encode; frame_count is then not looked at
  bool check_alignment = false;        // warns of streams that are out of step
  std::optional<OutputFile> output;
  Precision precision;
};

struct ScoringResult {
  std::vector<Report> reports;  // of each encode; none of a measured range
  std::optional<MeasurementFile> measurements;
  std::vector<Model> models;  // of the job, in its order, then the chosen one
  std::optional<ModelChoice> choice;
  int threads = 0;   // of the measuring; 0: unknown
  DeviceUse device;  // that measured, beside the CPU
  std::vector<std::string> notes;
  ExitCode code = ExitCode::kOk;  // kOk, kSomethingSkipped or kInterrupted
};

// Refuses an output that cannot be written before it scores. Shows the progress, and ends early on
// an interrupt. Writes nothing.
std::variant<ScoringResult, Failure> score(const ScoringJob& job, ProgressMode progress);

// Adds the models and metrics of the job; `models` gets the loaded models.
std::optional<Failure> add_requests(const ScoringJob& job, Session& session,
                                    std::vector<Model>& models);

// kSomethingSkipped, kInterrupted or kOk.
ExitCode exit_code(const Report& report);

// kOutputNotWritten for an output of the job that cannot be written, or that would replace an
// input.
std::optional<Failure> check_output(const ScoringJob& job);

// The job's output, if it has one, from the only report.
std::optional<Failure> write_output(const ScoringJob& job, const ScoringResult& result);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_SCORING_H_
