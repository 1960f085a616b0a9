#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "common/table.h"
#include "common/terminal.h"
#include "job_options.h"
#include "summary.h"
#include "vmafx/comparison.h"

namespace vmafx::tools {
namespace {

struct CompareOptions : JobOptions {
  std::string reference;
  std::vector<std::string> encodes;
  std::vector<std::string> anchor;
  std::vector<std::string> test;
};

Result<ScoringJob> make_compare_job(const CompareOptions& options) {
  const auto usage = [](const char* message) { return Error{ErrorCode::kUsage, message, {}}; };
  if (options.anchor.empty() != options.test.empty())
    return usage("--anchor and --test go together: each is a ladder of encodes");
  if (options.encodes.empty() && options.anchor.empty())
    return usage("there is no encode to compare with the reference");
  if (!options.encodes.empty() && !options.anchor.empty())
    return usage("encodes are listed either plainly or as --anchor and --test");
  auto job = make_job(options);
  if (!job) return job;
  if (job->output && job->output->format != ReportFormat::kJson &&
      job->output->format != ReportFormat::kCsv)
    return usage("a comparison is written as json or csv");
  job->reference.path = options.reference;
  SourceOptions encode = job->distorted[0];
  job->distorted.clear();
  for (const auto* paths : {&options.encodes, &options.anchor, &options.test}) {
    for (const std::string& path : *paths) {
      encode.path = path;
      job->distorted.push_back(encode);
    }
  }
  // Beside the default model; a metric that is named replaces it.
  if (job->choose_model) job->features.push_back({"psnr", {{"enable_chroma", "false"}}});
  return job;
}

// The keys whose means the table shows: those of the models, then of the metrics that were named.
std::vector<std::string> shown_keys(const ScoringResult& result, const ScoringJob& job) {
  std::vector<std::string> keys;
  for (const Model& model : result.models) keys.push_back(model.name());
  for (const Column& column : result.reports[0].scores.columns)
    for (const FeatureRequest& feature : job.features)
      if (feature.name == column.producer &&
          std::find(keys.begin(), keys.end(), column.key) == keys.end())
        keys.push_back(column.key);
  return keys;
}

struct Row {
  const Report* report;
  std::vector<std::optional<double>> means;  // of each key
};

// Best first; those without a score last, equal ones as they were given.
std::vector<Row> sorted_rows(const Comparison& comparison) {
  std::vector<Row> rows;
  for (const Report& report : comparison.encodes) {
    Row row{&report, {}};
    for (const std::string& key : comparison.keys) row.means.push_back(mean_of(report, key));
    rows.push_back(std::move(row));
  }
  if (comparison.keys.empty()) return rows;
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.means[0] != b.means[0] ? a.means[0] > b.means[0] : a.report < b.report;
  });
  return rows;
}

std::string comparison_table(const Comparison& comparison, std::FILE* screen) {
  std::vector<TableColumn> columns = {{"encode"}, {"kbit/s", Align::kRight}};
  for (const std::string& key : comparison.keys) columns.push_back({key, Align::kRight});
  std::vector<std::vector<std::string>> cells;
  for (const auto& [report, means] : sorted_rows(comparison)) {
    const auto& rate = report->distorted->bit_rate;
    cells.push_back({printable(report->distorted->path),
                     rate ? fmt::format("{:.0f}", static_cast<double>(*rate) / 1000) : "-"});
    for (const auto& mean : means)
      cells.back().push_back(mean ? fmt::format("{:.3f}", *mean) : "-");
  }
  return '\n' + table_text(columns, cells, terminal_width(screen), style_of(screen));
}

std::string ladder_text(const Comparison& comparison, const Style& style) {
  if (comparison.bd_rates.empty()) return {};
  std::string text = "\n  BD-rate of the test ladder against the anchor\n";
  for (const BdRateResult& rate : comparison.bd_rates)
    text += rate.percent
                ? fmt::format("    {}  {:+.2f} %\n", rate.key, *rate.percent)
                : fmt::format("    {}  {} {}\n", rate.key, style.yellow("none:"), rate.reason);
  return text;
}

std::string notices(const Comparison& comparison, const std::optional<ModelChoice>& choice,
                    const Style& style) {
  std::string text;
  for (const Report& report : comparison.encodes) {
    const std::string path = printable(report.distorted->path);
    for (const Skipped& skipped : report.scores.skipped)
      text += fmt::format("  {} {}: {}: {}\n", style.yellow("skipped"), path, skipped.name,
                          skipped.reason);
    for (const std::string& warning : report.warnings) {
      const bool names_it = warning.find(report.distorted->path) != std::string::npos;
      text += fmt::format("  {} {}{}\n", style.yellow("warning"), names_it ? "" : path + ": ",
                          printable(warning));
    }
  }
  if (choice) text += fmt::format("  {} {}\n", style.cyan("note"), choice_text(*choice));
  return text.empty() ? text : '\n' + text;
}

std::string footer(const ScoringResult& result, const std::string& report_path,
                   const Style& style) {
  const Report& report = result.reports[0];
  std::string text =
      fmt::format("{} encodes, {} frames each, in {:.2f} s, {}", result.reports.size(),
                  report.frames_scored, report.seconds, engine_text(result.threads));
  if (!report_path.empty()) text += ", report in " + printable(report_path);
  return "\n  " + style.dim(text) + "\n\n";
}

ExitCode run_compare(const CompareOptions& options) {
  const auto job = make_compare_job(options);
  if (!job) return fail({ExitCode::kFailure, job.error()});
  const auto mode = progress_mode(options.progress);
  if (!mode) return fail({ExitCode::kFailure, mode.error()});
  const auto scored = score(*job, *mode);
  if (const auto* failure = std::get_if<Failure>(&scored)) return fail(*failure);
  const auto& result = std::get<ScoringResult>(scored);
  const auto compared = compare(result.reports, shown_keys(result, *job), options.anchor.size());
  if (!compared) return fail({ExitCode::kFailure, compared.error()});
  const Comparison& comparison = *compared;
  if (job->output) {
    const Status written =
        write_comparison(comparison, job->output->format, job->precision, job->output->path);
    if (!written) return fail({ExitCode::kOutputNotWritten, written.error()});
  }
  std::FILE* const screen = screen_for(*job);
  const Style style = style_of(screen);
  put(screen, "{}{}{}{}", comparison_table(comparison, screen), ladder_text(comparison, style),
      notices(comparison, result.choice, style),
      footer(result, screen == stderr ? "" : options.output, style));
  return result.code;
}

}  // namespace

void add_compare_command(CLI::App& app, ExitCode& code) {
  CLI::App* command = app.add_subcommand("compare", "several encodes of one reference");
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("REFERENCE", options->reference, "the original video")->required();
  command->add_option("ENCODE", options->encodes, "the videos to judge");
  command
      ->add_option("--anchor", options->anchor,
                   "the encodes of one ladder, for BD-rate with --test against it")
      ->type_name("ENCODE...");
  command->add_option("--test", options->test, "the encodes of the other ladder")
      ->type_name("ENCODE...");
  add_request_options(*command, *options);
  add_report_options(*command, *options);
  add_run_options(*command, *options);
  command->callback([options, &code] { code = run_compare(*options); });
}

}  // namespace vmafx::tools
