#include "common/scoring.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "common/deeper_source.h"
#include "common/interrupt.h"
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
  std::vector<std::string> inputs = {job.reference.path};
  for (const SourceOptions& distorted : job.distorted) inputs.push_back(distorted.path);
  for (const ModelSpec& model : job.models) inputs.push_back(model.path);
  for (const std::string& input : inputs)
    if (same_file(job.output->path, input))
      return Failure{ExitCode::kOutputNotWritten,
                     {ErrorCode::kIo,
                      fmt::format("the report \"{}\" would replace an input", job.output->path),
                      {}}};
  return std::nullopt;
}

struct Streams {
  std::unique_ptr<FrameSource> reference;
  std::vector<std::unique_ptr<FrameSource>> distorted;
};

std::optional<Failure> check_standard_input(const ScoringJob& job) {
  int uses = job.reference.path == "-" ? 1 : 0;
  for (const SourceOptions& distorted : job.distorted) uses += distorted.path == "-" ? 1 : 0;
  if (uses < 2) return std::nullopt;
  return Failure{ExitCode::kFailure,
                 {ErrorCode::kUsage, "standard input can be only one of the streams", {}}};
}

// A measured range begins with the frames that its first one looks back at.
std::int64_t lead_in(const ScoringJob& job) {
  return job.range ? std::min<std::int64_t>(job.range->first, kLookBack) : 0;
}

std::variant<std::unique_ptr<FrameSource>, Failure> open_stream(
    const ScoringJob& job, SourceOptions source, const std::shared_ptr<FrameMemory>& memory) {
  if (job.range) source.skip_frames += job.range->first - lead_in(job);
  source.memory = memory;
  auto opened = open_source(source);
  if (!opened) return Failure{code_of(opened.error(), ExitCode::kInputNotOpened), opened.error()};
  return *std::move(opened);
}

void bring_to_common_depth(Streams& streams) {
  int depth = streams.reference->info().format.bit_depth;
  for (const auto& stream : streams.distorted)
    depth = std::max(depth, stream->info().format.bit_depth);
  streams.reference = with_bit_depth(std::move(streams.reference), depth);
  for (auto& stream : streams.distorted) stream = with_bit_depth(std::move(stream), depth);
}

std::variant<Streams, Failure> open_streams(const ScoringJob& job,
                                            const std::shared_ptr<FrameMemory>& memory) {
  if (auto failure = check_standard_input(job)) return std::move(*failure);
  Streams streams;
  auto reference = open_stream(job, job.reference, memory);
  if (auto* failure = std::get_if<Failure>(&reference)) return std::move(*failure);
  streams.reference = std::get<0>(std::move(reference));
  for (const SourceOptions& source : job.distorted) {
    auto distorted = open_stream(job, source, memory);
    if (auto* failure = std::get_if<Failure>(&distorted)) return std::move(*failure);
    streams.distorted.push_back(std::get<0>(std::move(distorted)));
  }
  if (job.common_bit_depth) bring_to_common_depth(streams);
  for (const auto& stream : streams.distorted)
    if (const Status fits = check_pair(streams.reference->info(), stream->info()); !fits)
      return Failure{ExitCode::kMismatch, fits.error()};
  return streams;
}

ModelChoice choose(const Streams& streams) {
  std::optional<Rational> frame_rate = streams.reference->info().frame_rate;
  for (const auto& stream : streams.distorted)
    if (!frame_rate) frame_rate = stream->info().frame_rate;
  return choose_model(streams.reference->info().format, frame_rate);
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

void drop_predictions(const std::vector<Model>& models, std::vector<Column>& columns) {
  const auto is_prediction = [&](const Column& column) {
    return std::any_of(models.begin(), models.end(), [&](const Model& model) {
      const auto& keys = model.score_keys();
      return std::find(keys.begin(), keys.end(), column.key) != keys.end();
    });
  };
  columns.erase(std::remove_if(columns.begin(), columns.end(), is_prediction), columns.end());
}

// Before anything is read: a device that is asked for works, or nothing is scored.
std::optional<Failure> open_device(const ScoringJob& job, const Streams& streams,
                                   Session& session) {
  if (job.session.backend == "cpu") return std::nullopt;
  const Status prepared = session.prepare(streams.reference->info().format);
  if (prepared) return std::nullopt;
  return Failure{code_of(prepared.error(), ExitCode::kBackendUnavailable), prepared.error()};
}

Failure ends_too_early(const MeasuredRange& range) {
  return {ExitCode::kNoFrames,
          {ErrorCode::kNoFrames, fmt::format("a stream ends before frame {}", range.first), {}}};
}

// A run in which nothing applied still has a report: it says why. So has one that was stopped at
// once.
std::variant<RunSummary, Failure> run_streams(const Streams& streams, const ScoringJob& job,
                                              const std::atomic<bool>& cancel,
                                              ProgressMode progress, Session& session) {
  const auto display = make_progress(progress);
  RunOptions options;
  options.frame_count = job.frame_count;
  if (job.range) {
    options.frame_count = std::nullopt;
    if (job.range->count) options.frame_count = lead_in(job) + *job.range->count;
    options.look_for_end = true;
  }
  options.check_alignment = job.check_alignment && !job.range;
  options.cancel = &cancel;
  options.on_progress = [&](const Progress& at) { display->update(at); };
  std::vector<FrameSource*> distorted;
  distorted.reserve(streams.distorted.size());
  for (const auto& stream : streams.distorted) distorted.push_back(stream.get());
  const auto summary = run(*streams.reference, distorted, session, options);
  display->clear();
  if (summary) return *summary;
  RunSummary empty;
  empty.cancelled = cancel.load();
  const ErrorCode code = summary.error().code;
  if (empty.cancelled && (code == ErrorCode::kNoFrames || code == ErrorCode::kInterrupted))
    return empty;
  if (job.range && job.range->first > 0 && code == ErrorCode::kNoFrames)
    return ends_too_early(*job.range);
  return Failure{code_of(summary.error(), ExitCode::kReadFailed), summary.error()};
}

void add_reports(const Streams& streams, const Session& session, const RunSummary& summary,
                 bool predict, ScoringResult& result) {
  std::string shortest = streams.reference->info().path;
  for (std::size_t e = 0; summary.left_out_reference > 0 && e < streams.distorted.size(); ++e)
    if (summary.left_out_distorted[e] == 0) shortest = streams.distorted[e]->info().path;
  for (std::size_t e = 0; e < streams.distorted.size(); ++e) {
    Scores scores = session.scores(static_cast<int>(e));
    if (!predict) drop_predictions(result.models, scores.columns);
    result.reports.push_back(make_report(streams.reference->info(), streams.distorted[e]->info(),
                                         predict ? result.models : std::vector<Model>{},
                                         std::move(scores), summary, e, shortest));
    result.code = std::max(result.code, exit_code(result.reports.back()));
  }
  if (!predict) result.models.clear();
}

std::optional<Failure> add_measurements(const ScoringJob& job, const Streams& streams,
                                        const RunSummary& summary, Session& session,
                                        ScoringResult& result) {
  MeasurementFile file;
  file.recording = session.take_recording();
  if (file.recording.identical.empty()) {
    if (!summary.cancelled) return ends_too_early(*job.range);
    return Failure{ExitCode::kInterrupted,
                   {ErrorCode::kInterrupted, "interrupted before the first frame", {}}};
  }
  file.reference = streams.reference->info();
  file.distorted = streams.distorted[0]->info();
  for (std::size_t m = 0; m < result.models.size(); ++m) {
    ModelSpec spec = m < job.models.size() ? job.models[m] : ModelSpec{};
    if (spec.version.empty() && spec.path.empty()) spec.version = result.models[m].version();
    file.models.push_back({spec, result.models[m].digest()});
  }
  for (const FeatureRequest& feature : job.features)
    file.metrics.push_back({feature.name, feature.options});
  file.skipped_reference = job.reference.skip_frames;
  file.skipped_distorted = job.distorted[0].skip_frames;
  file.subsample = job.session.subsample;
  file.seconds = summary.seconds;
  file.at_end = summary.at_end;
  file.left_out_reference = summary.left_out_reference;
  if (summary.at_end) file.left_out_distorted = summary.left_out_distorted[0];
  result.measurements = std::move(file);
  if (summary.cancelled) result.code = ExitCode::kInterrupted;
  return std::nullopt;
}

}  // namespace

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

ExitCode exit_code(const Report& report) {
  if (report.partial) return ExitCode::kInterrupted;
  return report.scores.skipped.empty() ? ExitCode::kOk : ExitCode::kSomethingSkipped;
}

std::optional<Failure> check_output(const ScoringJob& job) {
  if (!job.output) return std::nullopt;
  // An hour of scoring must not end in a report that cannot be written.
  const Status writable = check_report_path(job.output->path);
  if (!writable) return Failure{ExitCode::kOutputNotWritten, writable.error()};
  return check_overwriting(job);
}

std::optional<Failure> write_output(const ScoringJob& job, const ScoringResult& result) {
  if (!job.output) return std::nullopt;
  const Status written =
      write_report(result.reports[0], job.output->format, job.precision, job.output->path);
  if (written) return std::nullopt;
  return Failure{ExitCode::kOutputNotWritten, written.error()};
}

std::variant<ScoringResult, Failure> score(const ScoringJob& job, ProgressMode progress) {
  const std::atomic<bool>& cancel = catch_interrupts();
  if (auto failure = check_output(job)) return *failure;
  SessionConfig config = job.session;
  config.threads = std::min(config.threads, cpu_info().threads);
  config.encodes = static_cast<int>(job.distorted.size());
  config.check_samples = false;  // the sources do
  if (job.range) config.record_from = job.range->first;
  std::vector<std::string> noticed;
  std::vector<std::string> notes;
  config.log = [&](LogLevel level, std::string_view line) {
    (level < LogLevel::kInfo ? noticed : notes).emplace_back(line);
  };
  ArtifactFiles files;
  Status maps;
  config.on_artifact = [&](const Artifact& artifact, int encode) {
    maps = files.append(artifact, encode);
    return maps;
  };
  // A device that is asked for works, or nothing is opened.
  const auto memory = make_frame_memory(config.backend, config.device);
  if (!memory)
    return Failure{code_of(memory.error(), ExitCode::kBackendUnavailable), memory.error()};
  config.frame_memory = *memory;
  Session session(config);
  ScoringResult result;
  if (auto failure = add_requests(job, session, result.models)) return *failure;
  auto opened = open_streams(job, *memory);
  if (auto* failure = std::get_if<Failure>(&opened)) return *failure;
  const Streams& streams = std::get<Streams>(opened);
  if (job.choose_model) {
    result.choice = choose(streams);
    if (auto failure = add_model({.version = result.choice->version}, session, result.models))
      return *failure;
  }

  if (auto failure = open_device(job, streams, session)) return *failure;
  const auto finished = run_streams(streams, job, cancel, progress, session);
  if (!maps) return Failure{ExitCode::kOutputNotWritten, maps.error()};
  if (const auto* failure = std::get_if<Failure>(&finished)) return *failure;
  const auto& summary = std::get<RunSummary>(finished);
  result.threads = session.threads();
  result.device = session.device_use();
  result.notes = std::move(notes);
  if (!job.range) {
    add_reports(streams, session, summary, job.predict, result);
    for (Report& report : result.reports)
      report.warnings.insert(report.warnings.end(), noticed.begin(), noticed.end());
  } else if (auto failure = add_measurements(job, streams, summary, session, result)) {
    return *failure;
  }
  return result;
}

}  // namespace vmafx::tools
