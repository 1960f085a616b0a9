#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "common/terminal.h"
#include "job_options.h"
#include "summary.h"

namespace vmafx::tools {
namespace {

struct ScoreOptions : JobOptions {
  std::string reference;
  std::string distorted;
  std::int64_t skip_reference = 0;
  std::int64_t skip_distorted = 0;
  std::string range;
  std::string measurements;
};

// "100:50" or, to the end, "100:".
Result<MeasuredRange> parse_range(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto first = parse_number(text.substr(0, colon));
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto count = parse_number(rest);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  if (colon == std::string::npos || !first || *first > kMost || (!rest.empty() && !count) ||
      (count && (*count == 0 || *count > kMost)))
    return Error{ErrorCode::kUsage,
                 fmt::format("option --range takes FIRST:COUNT, not \"{}\"", text),
                 "frames count from 0; without COUNT the range goes to the end"};
  MeasuredRange range{static_cast<std::int64_t>(*first), std::nullopt};
  if (count) range.count = static_cast<std::int64_t>(*count);
  return range;
}

Status read_range(const ScoreOptions& options, ScoringJob& job) {
  if (options.measurements.empty()) {
    if (options.range.empty()) return {};
    return Error{ErrorCode::kUsage, "--range needs --measurements",
                 "the scores of a part depend on what comes before it; vmafx merge makes them"};
  }
  if (job.output || job.frame_count || !options.format.empty())
    return Error{ErrorCode::kUsage, "--measurements goes without --output, --format and --frames",
                 "vmafx merge writes the report"};
  job.range = MeasuredRange{};
  if (!options.range.empty()) {
    const auto range = parse_range(options.range);
    if (!range) return range.error();
    job.range = *range;
  }
  // Checked like a report: it must not replace an input, and its folder must be there.
  job.output = OutputFile{options.measurements, ReportFormat::kJson};
  return {};
}

Result<ScoringJob> make_score_job(const ScoreOptions& options) {
  auto job = make_job(options);
  if (!job) return job;
  if (const Status read = read_range(options, *job); !read) return read.error();
  job->reference.path = options.reference;
  job->distorted[0].path = options.distorted;
  job->reference.skip_frames = options.skip_reference;
  job->distorted[0].skip_frames = options.skip_distorted;
  return job;
}

ExitCode store_measurements(const ScoreOptions& options, const ScoringResult& result) {
  const MeasurementFile& file = *result.measurements;
  if (const Status written = write_measurements(file, options.measurements); !written)
    return fail({ExitCode::kOutputNotWritten, written.error()});
  const std::int64_t last = file.recording.first_frame + file.recording.frame_count() - 1;
  put(options.measurements == "-" ? stderr : stdout, "measured frames {} to {}{} into {}\n",
      file.recording.first_frame, last, file.at_end ? ", the last," : "",
      printable(options.measurements));
  return result.code;
}

ExitCode run_score(const ScoreOptions& options) {
  const auto job = make_score_job(options);
  if (!job) return fail({ExitCode::kFailure, job.error()});
  const auto mode = progress_mode(options.progress);
  if (!mode) return fail({ExitCode::kFailure, mode.error()});
  const auto scored = score(*job, *mode);
  if (const auto* failure = std::get_if<Failure>(&scored)) return fail(*failure);
  const auto& result = std::get<ScoringResult>(scored);
  return job->range ? store_measurements(options, result) : write_and_show(*job, result);
}

}  // namespace

std::string_view score_help() {
  return R"(vmafx score REFERENCE DISTORTED [options]

Files: y4m, or whatever libavformat opens. Without -m and -f, VMAF is scored,
by the model for the picture's height and frame rate.
  -m, --model SPEC      built-in name or model.json, then :name=KEY; repeatable
  -f, --feature SPEC    metric: NAME or NAME=OPTION=VALUE:...; repeatable
  -o, --output FILE     write a report; "-" is standard output
      --format FORMAT   json, xml, csv or sub (default: by FILE's ending)
      --raw FORMAT      both files are raw YUV of this format: 1920x1080:420:8
      --frames N        stop after N frames
      --threads N       default: all cores; no choice changes a score
      --progress KIND   bar, json or none (default: bar on a terminal)

Examples
  vmafx score original.mp4 encoded.mp4
  vmafx score original.y4m encoded.mkv -m vmaf_4k_v0.6.1 -f psnr -o scores.json
  vmafx score --raw 1920x1080:420:10 original.yuv encoded.yuv --frames 250

--help-all has --subsample, --skip-ref, --skip-dist, --precision,
--no-preflight, and --range and --measurements (see vmafx merge).
)";
}

void add_score_command(CLI::App& app, ExitCode& code) {
  CLI::App* command = app.add_subcommand("score", "VMAF and other metrics of a pair of videos");
  const auto options = std::make_shared<ScoreOptions>();
  command->add_option("REFERENCE", options->reference, "the original video")->required();
  command->add_option("DISTORTED", options->distorted, "the video to judge")->required();
  add_request_options(*command, *options);
  add_report_options(*command, *options);
  add_run_options(*command, *options);
  command
      ->add_option("--skip-ref", options->skip_reference,
                   "leave out the first N frames of the reference")
      ->type_name("N")
      ->check(at_least(0));
  command
      ->add_option("--skip-dist", options->skip_distorted,
                   "leave out the first N frames of the distorted stream")
      ->type_name("N")
      ->check(at_least(0));
  command
      ->add_option("--measurements", options->measurements,
                   "score nothing yet: store what is measured, for vmafx merge")
      ->type_name("FILE")
      ->check(refuse_empty);
  command
      ->add_option("--range", options->range,
                   "with --measurements: only COUNT frames from FIRST (0 is the first) on")
      ->type_name("FIRST:COUNT");
  command->callback([options, &code] { code = run_score(*options); });
}

}  // namespace vmafx::tools
