#include "common/scoring.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "common/deeper_source.h"
#include "vmafx/catalog.h"

namespace vmafx::tools {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::is_regular_file(a, ignored) && fs::equivalent(a, b, ignored);
}

// A slip of the hand must not replace a video by its report.
std::optional<Failure> check_overwriting(const ScoringJob& job) {
  std::vector<std::string> inputs = {job.reference.path, job.distorted.path};
  for (const ModelSpec& model : job.models) inputs.push_back(model.path);
  for (const std::string& input : inputs)
    if (same_file(job.output->path, input))
      return Failure{ExitCode::kOutputNotWritten,
                     {ErrorCode::kIo,
                      fmt::format("the report \"{}\" would replace an input", job.output->path),
                      {}}};
  return std::nullopt;
}

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
    case ErrorCode::kUsage:
    case ErrorCode::kInternal:
    case ErrorCode::kOutOfMemory:
      return ExitCode::kFailure;
    default:
      return otherwise;
  }
}

struct Streams {
  std::unique_ptr<FrameSource> reference;
  std::unique_ptr<FrameSource> distorted;
};

std::variant<Streams, Failure> open_streams(const ScoringJob& job) {
  Streams streams;
  if (job.reference.path == "-" && job.distorted.path == "-")
    return Failure{
        ExitCode::kFailure,
        {ErrorCode::kUsage, "standard input cannot be both the reference and the distorted", {}}};
  for (const bool first : {true, false}) {
    auto opened = open_source(first ? job.reference : job.distorted);
    if (!opened) return Failure{code_of(opened.error(), ExitCode::kInputNotOpened), opened.error()};
    (first ? streams.reference : streams.distorted) = std::move(*opened);
  }
  if (job.common_bit_depth) {
    const int depth = std::max(streams.reference->info().format.bit_depth,
                               streams.distorted->info().format.bit_depth);
    streams.reference = with_bit_depth(std::move(streams.reference), depth);
    streams.distorted = with_bit_depth(std::move(streams.distorted), depth);
  }
  const Status fits = check_pair(streams.reference->info(), streams.distorted->info());
  if (!fits) return Failure{ExitCode::kMismatch, fits.error()};
  return streams;
}

ModelChoice choose(const StreamInfo& reference, const StreamInfo& distorted) {
  return choose_model(reference.format,
                      reference.frame_rate ? reference.frame_rate : distorted.frame_rate);
}

std::optional<Failure> add_model(const ModelSpec& spec, Session& session,
                                 std::vector<Model>& models) {
  auto model = load_model(spec);
  if (!model) return Failure{ExitCode::kFailure, model.error()};
  const Status added = session.add_model(*model);
  if (!added) return Failure{ExitCode::kFailure, added.error()};
  models.push_back(*std::move(model));
  return std::nullopt;
}

std::optional<Failure> add_requests(const ScoringJob& job, Session& session,
                                    std::vector<Model>& models) {
  for (const ModelSpec& spec : job.models)
    if (auto failure = add_model(spec, session, models)) return failure;
  for (const FeatureRequest& feature : job.features) {
    const Status added = session.add_metric(feature.name, feature.options);
    if (!added) return Failure{ExitCode::kFailure, added.error()};
  }
  return std::nullopt;
}

std::string left_out_text(std::int64_t frames) {
  // Counting stops there.
  constexpr std::int64_t kMany = 1000;
  if (frames >= kMany) return fmt::format("{} or more frames", kMany);
  return fmt::format("{} frame{}", frames, frames == 1 ? "" : "s");
}

void add_length_warning(const std::string& shorter, const std::string& longer, std::int64_t frames,
                        std::vector<std::string>& warnings) {
  if (frames != 0)
    warnings.push_back(fmt::format("\"{}\" ended before \"{}\": {} of the longer stream not scored",
                                   shorter, longer, left_out_text(frames)));
}

void add_alignment_warning(std::optional<int> frames_late, std::vector<std::string>& warnings) {
  if (!frames_late) return;
  const bool is_late = *frames_late > 0;
  const int count = is_late ? *frames_late : -*frames_late;
  const std::string frames = count == 1 ? "frame" : "frames";
  warnings.push_back(
      fmt::format("the distorted stream seems to be {} {} {}: skip {} first {}{} and score again",
                  count, frames, is_late ? "late" : "early", is_late ? "its" : "the reference's",
                  count == 1 ? "" : std::to_string(count) + ' ', frames));
}

void drop_predictions(const std::vector<Model>& models, std::vector<Column>& columns) {
  const auto is_prediction = [&](const Column& column) {
    return std::any_of(models.begin(), models.end(), [&](const Model& model) {
      const auto& keys = model.score_keys();
      return std::find(keys.begin(), keys.end(), column.key) != keys.end();
    });
  };
  columns.erase(std::remove_if(columns.begin(), columns.end(), is_prediction), columns.end());
}

Report make_report(const Streams& streams, const std::vector<Model>& models, const Session& session,
                   const RunSummary& summary) {
  Report report;
  report.scores = session.scores();
  for (const Model& model : models)
    report.models.push_back({model.name(), model.version(), model.digest()});
  report.reference = streams.reference->info();
  report.distorted = streams.distorted->info();
  report.width = report.reference->format.width;
  report.height = report.reference->format.height;
  report.seconds = summary.seconds;
  report.frames_scored = summary.frames;
  report.frames_left_out_reference = summary.left_out_reference;
  report.frames_left_out_distorted = summary.left_out_distorted;
  report.partial = summary.cancelled;
  report.warnings = pair_warnings(*report.reference, *report.distorted);
  add_length_warning(report.distorted->path, report.reference->path, summary.left_out_reference,
                     report.warnings);
  add_length_warning(report.reference->path, report.distorted->path, summary.left_out_distorted,
                     report.warnings);
  add_alignment_warning(summary.frames_late, report.warnings);
  return report;
}

// A run in which nothing applied still has a report: it says why. So has one that was stopped at
// once.
std::variant<RunSummary, Failure> run_streams(const Streams& streams, const ScoringJob& job,
                                              const ScoringHooks& hooks, Session& session) {
  RunOptions options;
  options.frame_count = job.frame_count;
  options.check_alignment = job.check_alignment;
  options.cancel = hooks.cancel;
  options.on_progress = hooks.on_progress;
  const auto summary = run(*streams.reference, *streams.distorted, session, options);
  if (summary) return *summary;
  RunSummary empty;
  empty.cancelled = hooks.cancel != nullptr && hooks.cancel->load();
  const ErrorCode code = summary.error().code;
  if (empty.cancelled && (code == ErrorCode::kNoFrames || code == ErrorCode::kInterrupted))
    return empty;
  return Failure{code_of(summary.error(), ExitCode::kReadFailed), summary.error()};
}

}  // namespace

std::variant<ScoringResult, Failure> score(const ScoringJob& job, const ScoringHooks& hooks) {
  if (job.output) {
    // An hour of scoring must not end in a report that cannot be written.
    const Status writable = check_report_path(job.output->path);
    if (!writable) return Failure{ExitCode::kOutputNotWritten, writable.error()};
    if (auto failure = check_overwriting(job)) return *failure;
  }
  SessionConfig config = job.session;
  config.threads = std::min(config.threads, cpu_info().threads);
  Session session(config);
  ScoringResult result;
  if (auto failure = add_requests(job, session, result.models)) return *failure;
  auto opened = open_streams(job);
  if (auto* failure = std::get_if<Failure>(&opened)) return *failure;
  const Streams& streams = std::get<Streams>(opened);
  if (job.choose_model) {
    result.choice = choose(streams.reference->info(), streams.distorted->info());
    if (auto failure = add_model({.version = result.choice->version}, session, result.models))
      return *failure;
  }
  if (hooks.on_open) hooks.on_open(streams.reference->info(), streams.distorted->info());

  const auto finished = run_streams(streams, job, hooks, session);
  if (const auto* failure = std::get_if<Failure>(&finished)) return *failure;
  const auto& summary = std::get<RunSummary>(finished);
  result.report = make_report(streams, result.models, session, summary);
  if (!job.predict) {
    drop_predictions(result.models, result.report.scores.columns);
    result.models.clear();
    result.report.models.clear();
  }
  result.threads = session.threads();
  if (!result.report.scores.skipped.empty()) result.code = ExitCode::kSomethingSkipped;
  if (summary.cancelled) result.code = ExitCode::kInterrupted;
  if (job.output) {
    const Status written =
        write_report(result.report, job.output->format, job.precision, job.output->path);
    if (!written) return Failure{ExitCode::kOutputNotWritten, written.error()};
  }
  return result;
}

}  // namespace vmafx::tools
