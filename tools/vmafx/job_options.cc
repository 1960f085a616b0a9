#include "job_options.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "common/terminal.h"

namespace vmafx::tools {
namespace {

Error usage(std::string message, std::string hint = {}) {
  return {ErrorCode::kUsage, std::move(message), std::move(hint)};
}

Result<ReportFormat> report_format(const JobOptions& options) {
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

Status read_requests(const JobOptions& options, ScoringJob& job) {
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
  job.choose_model = job.models.empty() && job.features.empty();
  return {};
}

}  // namespace

CLI::Validator at_least(int min) {
  return CLI::Range(min, std::numeric_limits<int>::max()).description("");
}

std::string refuse_empty(const std::string& text) { return text.empty() ? "it is empty" : ""; }

void add_request_options(CLI::App& command, JobOptions& options) {
  command
      .add_option("-m,--model", options.models,
                  "built-in name or path of a model, then :name=KEY, :disable_clip, "
                  ":enable_transform, :METRIC.OPTION=VALUE; repeatable")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command
      .add_option("-f,--feature", options.features,
                  "metric: NAME or NAME=OPTION=VALUE:OPTION=VALUE; repeatable")
      ->type_name("SPEC")
      ->allow_extra_args(false);
}

void add_report_options(CLI::App& command, JobOptions& options) {
  command.add_option("-o,--output", options.output, "write a report; - is standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  command
      .add_option("--format", options.format,
                  "of the report: json, xml, csv, sub (default: FILE's ending, else json)")
      ->type_name("FORMAT");
  command
      .add_option("--precision", options.precision,
                  "of the report's numbers: significant digits 1 to 17, max (default), or "
                  "legacy, which is libvmaf's %.6f")
      ->type_name("N");
}

void add_run_options(CLI::App& command, JobOptions& options) {
  command
      .add_option("--raw", options.raw, "the files are raw planar YUV: WIDTHxHEIGHT:CHROMA:DEPTH")
      ->type_name("FORMAT");
  command.add_option("--threads", options.threads, "0 (default): all cores")
      ->type_name("N")
      ->check(at_least(0));
  add_device_options(command, options.backend, options.device);
  command.add_option("--subsample", options.subsample, "report every N-th frame")
      ->type_name("N")
      ->check(at_least(1));
  command.add_option("--frames", options.frames, "stop after N frames")
      ->type_name("N")
      ->check(at_least(1));
  command.add_flag("--no-preflight", options.no_preflight,
                   "no warning if an encode seems to be late or early");
  command
      .add_option("--progress", options.progress,
                  "bar, json (a line of JSON at a time on stderr) or none; default: bar on a "
                  "terminal")
      ->type_name("KIND");
}

void add_device_options(CLI::App& command, std::string& backend, std::string& device) {
  CLI::Option* of_backend =
      command
          .add_option("--backend", backend,
                      "what measures: cpu (default), auto (a device if one works), cuda, hip, "
                      "sycl or host; no choice changes a score")
          ->type_name("NAME");
  command.add_option("--device", device, "of the backend: index or part of its name")
      ->type_name("WHICH")
      ->needs(of_backend);
}

Result<ScoringJob> make_job(const JobOptions& options) {
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
    for (SourceOptions& distorted : job.distorted) distorted.raw = *raw;
  }
  job.check_alignment = !options.no_preflight;
  job.session.threads = options.threads;
  job.session.backend = options.backend;
  job.session.device = options.device;
  job.session.subsample = options.subsample;
  if (options.frames > 0) job.frame_count = options.frames;
  return job;
}

Result<ProgressMode> progress_mode(const std::string& name) {
  if (name == "bar") return ProgressMode::kBar;
  if (name == "json") return ProgressMode::kJson;
  if (name == "none") return ProgressMode::kNone;
  if (name.empty()) return is_terminal(stderr) ? ProgressMode::kBar : ProgressMode::kNone;
  return usage(fmt::format("there is no kind of progress \"{}\"", name),
               "the kinds are bar, json and none");
}

ExitCode fail(const Failure& failure) {
  print_failure("vmafx", failure);
  return failure.code;
}

ExitCode fail_to_measure(const Error& error) {
  return fail({code_of(error, ExitCode::kBackendUnavailable), error});
}

}  // namespace vmafx::tools
