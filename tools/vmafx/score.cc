#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "common/scoring.h"
#include "common/terminal.h"
#include "summary.h"

namespace vmafx::tools {
namespace {

// As they stand on the command line.
struct ScoreOptions {
  std::string reference;
  std::string distorted;
  std::vector<std::string> models;
  std::vector<std::string> features;
  std::string output;
  std::string format;
  std::string precision = "max";
  std::string raw;
  std::string progress;
  bool no_preflight = false;
  int threads = 0;
  int subsample = 1;
  std::int64_t frames = 0;  // 0: all
  std::int64_t skip_reference = 0;
  std::int64_t skip_distorted = 0;
};

Error usage(std::string message, std::string hint = {}) {
  return {ErrorCode::kUsage, std::move(message), std::move(hint)};
}

// Without the range in the help text, which is "1 to about everything".
CLI::Validator at_least(int min) {
  return CLI::Range(min, std::numeric_limits<int>::max()).description("");
}

Result<ReportFormat> report_format(const ScoreOptions& options) {
  std::string name = options.format;
  const std::size_t dot = options.output.rfind('.');
  if (name.empty() && dot != std::string::npos) name = options.output.substr(dot + 1);
  if (name == "xml") return ReportFormat::kXml;
  if (name == "csv") return ReportFormat::kCsv;
  if (name == "sub") return ReportFormat::kSub;
  if (name == "json" || options.format.empty()) return ReportFormat::kJson;
  return usage(fmt::format("there is no report format \"{}\"", name),
               "the formats are json, xml, csv and sub");
}

Result<ProgressMode> progress_mode(const std::string& name) {
  if (name == "bar") return ProgressMode::kBar;
  if (name == "json") return ProgressMode::kJson;
  if (name == "none") return ProgressMode::kNone;
  if (name.empty()) return is_terminal(stderr) ? ProgressMode::kBar : ProgressMode::kNone;
  return usage(fmt::format("there is no kind of progress \"{}\"", name),
               "the kinds are bar, json and none");
}

// Several models without a name of their own would share the key "vmaf".
void name_apart(std::vector<ModelSpec>& models) {
  for (std::size_t i = 1; i < models.size(); ++i) {
    const auto taken = [&](const std::string& name) {
      return std::any_of(models.begin(), models.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const ModelSpec& other) { return other.name == name; });
    };
    if (models[i].name == ModelSpec{}.name && taken(models[i].name) && !models[i].version.empty())
      models[i].name = models[i].version;
  }
}

Status read_requests(const ScoreOptions& options, ScoringJob& job) {
  for (const std::string& text : options.models) {
    auto model = parse_model(text);
    if (!model) return model.error();
    job.models.push_back(*std::move(model));
  }
  name_apart(job.models);
  for (const std::string& text : options.features) {
    auto feature = parse_feature(text);
    if (!feature) return feature.error();
    job.features.push_back(*std::move(feature));
  }
  return {};
}

Result<ScoringJob> make_job(const ScoreOptions& options) {
  ScoringJob job;
  const Status read = read_requests(options, job);
  if (!read) return read.error();
  const auto precision = parse_precision(options.precision);
  if (!precision)
    return usage(fmt::format("option --precision takes 1 to 17, max or legacy, not \"{}\"",
                             options.precision));
  job.precision = *precision;
  const auto format = report_format(options);
  if (!format) return format.error();
  if (!options.output.empty()) job.output = OutputFile{options.output, *format};
  if (!options.raw.empty()) {
    const auto raw = parse_raw_format(options.raw);
    if (!raw) return raw.error();
    job.reference.raw = *raw;
    job.distorted.raw = *raw;
  }
  job.reference.path = options.reference;
  job.distorted.path = options.distorted;
  job.reference.skip_frames = options.skip_reference;
  job.distorted.skip_frames = options.skip_distorted;
  job.session.threads = options.threads;
  job.session.subsample = options.subsample;
  job.check_alignment = !options.no_preflight;
  job.choose_model = job.models.empty() && job.features.empty();
  if (options.frames > 0) job.frame_count = options.frames;
  return job;
}

std::string choice_text(const std::optional<ModelChoice>& choice) {
  return choice ? fmt::format("model {} chosen: {}", choice->version, choice->reason) : "";
}

ExitCode fail(const Failure& failure) {
  print_failure("vmafx", failure);
  return failure.code;
}

ExitCode run_score(const ScoreOptions& options) {
  auto job = make_job(options);
  if (!job) return fail({ExitCode::kFailure, job.error()});
  const auto mode = progress_mode(options.progress);
  if (!mode) return fail({ExitCode::kFailure, mode.error()});
  const auto display = make_progress(*mode);

  // A report on standard output stands alone there.
  std::FILE* const screen = options.output == "-" ? stderr : stdout;
  SummaryOptions summary;
  summary.features = job->features;
  if (options.output != "-") summary.report_path = options.output;
  summary.bars = is_terminal(screen);
  summary.width = terminal_width(screen);
  summary.style = style_of(screen);

  ScoringHooks hooks;
  hooks.cancel = &catch_interrupts();
  hooks.on_progress = [&](const Progress& progress) { display->update(progress); };
  const auto scored = score(*job, hooks);
  display->clear();
  if (const auto* failure = std::get_if<Failure>(&scored)) return fail(*failure);
  const auto& result = std::get<ScoringResult>(scored);
  summary.note = choice_text(result.choice);
  put(screen, "{}", summary_text(result, summary));
  return result.code;
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

--help-all has --subsample, --skip-ref, --skip-dist, --precision and
--no-preflight too.
)";
}

void add_score_command(CLI::App& app, ExitCode& code) {
  CLI::App* command = app.add_subcommand("score", "VMAF and other metrics of a pair of videos");
  const auto options = std::make_shared<ScoreOptions>();
  command->add_option("REFERENCE", options->reference, "the original video")->required();
  command->add_option("DISTORTED", options->distorted, "the video to judge")->required();
  command
      ->add_option("-m,--model", options->models,
                   "built-in name or path of a model, then :name=KEY, :disable_clip, "
                   ":enable_transform, :METRIC.OPTION=VALUE; repeatable")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command
      ->add_option("-f,--feature", options->features,
                   "metric: NAME or NAME=OPTION=VALUE:OPTION=VALUE; repeatable")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command->add_option("-o,--output", options->output, "write a report; - is standard output")
      ->type_name("FILE")
      ->check([](const std::string& text) { return text.empty() ? "it is empty" : ""; });
  command
      ->add_option("--format", options->format,
                   "of the report: json, xml, csv, sub (default: FILE's ending, else json)")
      ->type_name("FORMAT");
  command
      ->add_option("--precision", options->precision,
                   "of the report's numbers: significant digits 1 to 17, max (default), or "
                   "legacy, which is libvmaf's %.6f")
      ->type_name("N");
  command
      ->add_option("--raw", options->raw,
                   "both files are raw planar YUV: WIDTHxHEIGHT:CHROMA:DEPTH")
      ->type_name("FORMAT");
  command->add_option("--threads", options->threads, "0 (default): all cores")
      ->type_name("N")
      ->check(at_least(0));
  command->add_option("--subsample", options->subsample, "report every N-th frame")
      ->type_name("N")
      ->check(at_least(1));
  command->add_option("--frames", options->frames, "stop after N frames")
      ->type_name("N")
      ->check(at_least(1));
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
  command->add_flag("--no-preflight", options->no_preflight,
                    "no warning if the distorted stream seems to be late or early");
  command
      ->add_option("--progress", options->progress,
                   "bar, json (a line of JSON at a time on stderr) or none; default: bar on a "
                   "terminal")
      ->type_name("KIND");
  command->callback([options, &code] { code = run_score(*options); });
}

}  // namespace vmafx::tools
