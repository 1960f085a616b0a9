#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "common/terminal.h"
#include "job_options.h"
#include "summary.h"

namespace vmafx::tools {
namespace {

struct MergeOptions : JobOptions {
  std::vector<std::string> files;
};

std::int64_t end_of(const MeasurementFile& file) {
  return file.recording.first_frame + file.recording.frame_count();
}

std::variant<std::vector<MeasurementFile>, Failure> read_files(const MergeOptions& options) {
  std::vector<MeasurementFile> files;
  for (const std::string& path : options.files) {
    auto file = read_measurements(path);
    if (!file) {
      const bool is_unreadable = file.error().code == ErrorCode::kIo;
      return Failure{is_unreadable ? ExitCode::kInputNotOpened : ExitCode::kReadFailed,
                     file.error()};
    }
    files.push_back(*std::move(file));
  }
  const auto place = [](const MeasurementFile& file) {
    return std::pair(file.recording.first_frame, file.recording.source);
  };
  std::sort(files.begin(), files.end(), [&](const MeasurementFile& a, const MeasurementFile& b) {
    return place(a) < place(b);
  });
  return files;
}

// As if the runs had been stopped after `end` frames.
void cut_at(std::int64_t end, std::vector<MeasurementFile>& files) {
  std::erase_if(files,
                [&](const MeasurementFile& file) { return file.recording.first_frame >= end; });
  for (MeasurementFile& file : files) {
    Recording& recording = file.recording;
    file.at_end = false;
    file.left_out_reference = 0;
    file.left_out_distorted = 0;
    const std::int64_t kept = end - recording.first_frame;
    if (kept >= recording.frame_count()) continue;
    const std::size_t record_bytes = recording.records.size() / recording.identical.size();
    recording.identical.resize(static_cast<std::size_t>(kept));
    recording.records.resize(static_cast<std::size_t>(kept) * record_bytes);
  }
}

// What is missing at the end shows in no recording.
std::optional<Failure> check_end(const std::vector<MeasurementFile>& files,
                                 const std::optional<std::int64_t>& frame_count) {
  std::int64_t end = 0;
  bool at_end = false;
  for (const MeasurementFile& file : files) {
    end = std::max(end, end_of(file));
    at_end = at_end || file.at_end;
  }
  if (frame_count && end < *frame_count)
    return Failure{ExitCode::kFailure,
                   {ErrorCode::kBadInput,
                    fmt::format("no recording holds frames {} to {}", end, *frame_count - 1),
                    {}}};
  if (frame_count || at_end) return std::nullopt;
  return Failure{
      ExitCode::kFailure,
      {ErrorCode::kBadInput, fmt::format("no recording holds the frames from {} on", end),
       fmt::format("measure --range {0}:, or merge with --frames {0}", end)}};
}

// A model that was read from a file may have another content by now.
std::optional<Failure> check_models(const MeasurementFile& file, const std::vector<Model>& models) {
  for (std::size_t m = 0; m < models.size(); ++m)
    if (models[m].digest() != file.models[m].digest)
      return Failure{ExitCode::kFailure,
                     {ErrorCode::kMismatch,
                      fmt::format("model \"{}\" is not the one that \"{}\" was measured for",
                                  models[m].version(), file.recording.source),
                      {}}};
  return std::nullopt;
}

// Everything that decides what the scores mean.
std::string requests_of(const MeasurementFile& file) {
  std::string text;
  for (const auto& [spec, digest] : file.models) {
    text += fmt::format("model {} {} {} {}", spec.name, digest, spec.disable_clip,
                        static_cast<int>(spec.transform));
    for (const FeatureOverload& overload : spec.overloads)
      text += fmt::format(" {}.{}={}", overload.metric, overload.option, overload.value);
    text += '\n';
  }
  for (const auto& metric : file.metrics) {
    text += "metric " + metric.name;
    for (const auto& [option, value] : metric.options) text += fmt::format(" {}={}", option, value);
    text += '\n';
  }
  return text;
}

// What tells one pair of streams from another. Their folders may differ from machine to machine.
std::string inputs_of(const MeasurementFile& file) {
  std::string text = fmt::format("{} {}", file.skipped_reference, file.skipped_distorted);
  for (const StreamInfo* info : {&file.reference, &file.distorted}) {
    const Rational rate = info->frame_rate.value_or(Rational{});
    text += fmt::format("\n{} {} {} {} {} {}/{} {}",
                        std::filesystem::path(info->path).filename().string(), info->container,
                        info->codec, to_string(info->format), info->color.matrix, rate.num,
                        rate.den, info->bit_rate.value_or(0));
  }
  return text;
}

// Parts that do not stand for one run.
std::optional<Failure> check_same(const std::vector<MeasurementFile>& files) {
  for (const MeasurementFile& file : files) {
    const bool same_inputs = inputs_of(file) == inputs_of(files[0]);
    if (same_inputs && requests_of(file) == requests_of(files[0])) continue;
    return Failure{ExitCode::kMismatch,
                   {ErrorCode::kMismatch,
                    fmt::format("{} was measured for other {} than {}", file.recording.source,
                                same_inputs ? "models or metrics" : "videos or skipped frames",
                                files[0].recording.source),
                    {}}};
  }
  return std::nullopt;
}

RunSummary summary_of(const std::vector<MeasurementFile>& files) {
  RunSummary summary;
  for (const MeasurementFile& file : files) {
    summary.seconds += file.seconds;
    summary.frames = std::max(summary.frames, end_of(file));
    if (!file.at_end) continue;
    summary.at_end = true;
    summary.left_out_reference = file.left_out_reference;
    summary.left_out_distorted = {file.left_out_distorted};
  }
  return summary;
}

// The job of the serial run that the recordings stand for.
void take_requests(const MeasurementFile& file, ScoringJob& job) {
  job.choose_model = false;
  for (const auto& model : file.models) job.models.push_back(model.spec);
  for (const auto& metric : file.metrics) job.features.push_back({metric.name, metric.options});
  job.session.subsample = file.subsample;
}

std::variant<ScoringResult, Failure> merge(ScoringJob& job, std::vector<MeasurementFile> files) {
  take_requests(files[0], job);
  if (auto failure = check_output(job)) return *failure;
  if (auto failure = check_end(files, job.frame_count)) return *failure;
  if (auto failure = check_same(files)) return *failure;
  if (job.frame_count) cut_at(*job.frame_count, files);
  Session session(job.session);
  ScoringResult result;
  if (auto failure = add_requests(job, session, result.models)) return *failure;
  if (auto failure = check_models(files[0], result.models)) return *failure;
  const RunSummary summary = summary_of(files);
  std::vector<Recording> recordings;
  for (MeasurementFile& file : files) recordings.push_back(std::move(file.recording));
  if (const Status replayed = session.replay(files[0].reference.format, recordings); !replayed)
    return Failure{
        replayed.error().code == ErrorCode::kMismatch ? ExitCode::kMismatch : ExitCode::kFailure,
        replayed.error()};
  if (const Status finished = session.finish(); !finished)
    return Failure{ExitCode::kFailure, finished.error()};
  result.reports.push_back(make_report(files[0].reference, files[0].distorted, result.models,
                                       session.scores(), summary, 0, files[0].reference.path));
  result.code = exit_code(result.reports[0]);
  return result;
}

ExitCode run_merge(const MergeOptions& options) {
  auto job = make_job(options);
  if (!job) return fail({ExitCode::kFailure, job.error()});
  // None of them may be replaced by the report.
  job->distorted.clear();
  for (const std::string& path : options.files) job->distorted.push_back({.path = path});
  auto files = read_files(options);
  if (const auto* failure = std::get_if<Failure>(&files)) return fail(*failure);
  const auto merged = merge(*job, std::get<0>(std::move(files)));
  if (const auto* failure = std::get_if<Failure>(&merged)) return fail(*failure);
  return write_and_show(*job, std::get<ScoringResult>(merged));
}

}  // namespace

void add_merge_command(CLI::App& app, ExitCode& code) {
  CLI::App* command =
      app.add_subcommand("merge", "the report of a video that was measured in parts");
  const auto options = std::make_shared<MergeOptions>();
  command
      ->add_option("FILE", options->files,
                   "what vmafx score --measurements stored, in any order; together they hold every "
                   "frame")
      ->required();
  add_report_options(*command, *options);
  command->add_option("--frames", options->frames, "only the first N frames")
      ->type_name("N")
      ->check(at_least(1));
  command->callback([options, &code] { code = run_merge(*options); });
}

}  // namespace vmafx::tools
