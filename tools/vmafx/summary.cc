#include "summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/table.h"
#include "common/terminal.h"
#include "job_options.h"
#include "vmafx/catalog.h"
#include "vmafx/comparison.h"

namespace vmafx::tools {
namespace {

struct SummaryOptions {
  std::vector<FeatureRequest> features;  // that were asked for by name
  std::string report_path;               // empty: none was written
  bool bars = false;
  int width = 80;
  Style style{false};
};

std::string stream_text(const StreamInfo& info) {
  std::string text = fmt::format("{}  {}", printable(info.path), to_string(info.format));
  if (info.frame_rate && info.frame_rate->num > 0 && info.frame_rate->den > 0)
    text += fmt::format(", {:.5g} fps", static_cast<double>(info.frame_rate->num) /
                                            static_cast<double>(info.frame_rate->den));
  if (!info.codec.empty()) text += ", " + info.codec;
  if (info.bit_rate && *info.bit_rate > 0)
    text += fmt::format(", {:.0f} kbit/s", static_cast<double>(*info.bit_rate) / 1000);
  for (const std::string& note : info.notes) text += ", " + note;
  return text;
}

const Column* find_column(const Report& report, std::string_view key) {
  for (const Column& column : report.scores.columns)
    if (column.key == key) return &column;
  return nullptr;
}

double percentile_of(const Pooled& pooled, int percent) {
  for (const auto& [known, value] : pooled.percentiles)
    if (known == percent) return value;
  return pooled.min;
}

// One line: key, mean, a bar of 0..100, the model. A set adds its confidence interval.
std::string headline(const Report& report, const Model& model, std::size_t key_width,
                     const SummaryOptions& options) {
  const auto mean = mean_of(report, model.name());
  if (!mean) return {};
  std::string text =
      "  " + options.style.bold(fmt::format("{:<{}}  {:6.2f}", model.name(), key_width, *mean));
  constexpr int kBarWidth = 30;
  if (options.bars) text += "  " + bar(*mean / 100, kBarWidth, options.style);
  text += "  " + options.style.dim(model.version());
  const auto low = mean_of(report, model.name() + "_ci_p95_lo");
  const auto high = mean_of(report, model.name() + "_ci_p95_hi");
  if (model.is_set() && low && high)
    text += fmt::format("\n  {:<{}}  {:.2f} to {:.2f} with 95 % confidence", "", key_width, *low,
                        *high);
  return text + '\n';
}

// Models first, then the metrics that were asked for by name; what only a model needs stays in the
// report.
std::vector<const Column*> shown_columns(const ScoringResult& result,
                                         const SummaryOptions& options) {
  std::vector<const Column*> shown;
  for (const Model& model : result.models)
    if (const Column* column = find_column(result.reports[0], model.name()))
      shown.push_back(column);
  for (const Column& column : result.reports[0].scores.columns)
    if (std::any_of(options.features.begin(), options.features.end(),
                    [&](const FeatureRequest& feature) { return feature.name == column.producer; }))
      shown.push_back(&column);
  return shown;
}

std::string pooled_table(const ScoringResult& result, const SummaryOptions& options) {
  std::vector<std::vector<std::string>> rows;
  const auto number = [](double value) { return fmt::format("{:.4f}", value); };
  for (const Column* column : shown_columns(result, options))
    if (const auto pooled = pool(*column))
      rows.push_back({column->key, number(pooled->mean), number(pooled->harmonic_mean),
                      number(pooled->min), number(percentile_of(*pooled, 1)),
                      number(percentile_of(*pooled, 5)), number(percentile_of(*pooled, 50))});
  if (rows.empty()) return {};
  constexpr Align kRight = Align::kRight;
  return '\n' + table_text({{"", Align::kLeft},
                            {"mean", kRight},
                            {"harmonic", kRight},
                            {"min", kRight},
                            {"1 %", kRight},
                            {"5 %", kRight},
                            {"median", kRight}},
                           rows, options.width, options.style);
}

std::string aggregates(const Report& report) {
  if (report.scores.aggregates.empty()) return {};
  std::string text = "\n  whole sequence";
  for (const auto& [key, value] : report.scores.aggregates)
    text += fmt::format("  {} {:.4f}", key, value);
  return text + '\n';
}

std::string notices(const ScoringResult& result, const SummaryOptions& options) {
  const Report& report = result.reports[0];
  std::string text;
  const Style& style = options.style;
  for (const Skipped& skipped : report.scores.skipped)
    text += fmt::format("  {} {}: {}\n", style.yellow("skipped"), skipped.name, skipped.reason);
  for (const std::string& warning : report.warnings)
    text += fmt::format("  {} {}\n", style.yellow("warning"), warning);
  if (!report.scores.frames.empty() &&
      std::count(report.scores.identical.begin(), report.scores.identical.end(), true) ==
          static_cast<std::ptrdiff_t>(report.scores.frames.size()))
    text += fmt::format("  {} all frames are identical to the reference's\n", style.cyan("note"));
  for (const std::string& note : result.notes)
    text += fmt::format("  {} {}\n", style.cyan("note"), printable(note));
  if (result.choice)
    text += fmt::format("  {} {}\n", style.cyan("note"), choice_text(*result.choice));
  return text.empty() ? text : '\n' + text;
}

std::string footer(const ScoringResult& result, const SummaryOptions& options) {
  const Report& report = result.reports[0];
  std::string text =
      fmt::format("{} frame{}", report.frames_scored, report.frames_scored == 1 ? "" : "s");
  if (report.partial) text += " before the interruption";
  if (report.seconds > 0)
    text += fmt::format(" in {:.2f} s, {:.1f} fps", report.seconds,
                        static_cast<double>(report.frames_scored) / report.seconds);
  if (result.threads > 0) text += ", " + engine_text(result.threads);
  if (!result.device.backend.empty())
    text += fmt::format(", {}: {}", result.device.backend, printable(result.device.name));
  if (!options.report_path.empty()) text += ", report in " + printable(options.report_path);
  return "\n  " + options.style.dim(text) + '\n';
}

std::string summary_text(const ScoringResult& result, const SummaryOptions& options) {
  const Report& report = result.reports[0];
  const Style& style = options.style;
  std::string text = "\n";
  if (report.reference)
    text += fmt::format("  {}  {}\n", style.dim("reference"), stream_text(*report.reference));
  if (report.distorted)
    text += fmt::format("  {}  {}\n", style.dim("distorted"), stream_text(*report.distorted));
  std::size_t key_width = 0;
  for (const Model& model : result.models) key_width = std::max(key_width, model.name().size());
  std::string headlines;
  for (const Model& model : result.models) headlines += headline(report, model, key_width, options);
  if (!headlines.empty()) text += '\n' + headlines;
  return text + pooled_table(result, options) + aggregates(report) + notices(result, options) +
         footer(result, options) + '\n';
}

}  // namespace

std::FILE* screen_for(const ScoringJob& job) {
  return job.output && job.output->path == "-" ? stderr : stdout;
}

std::string choice_text(const ModelChoice& choice) {
  return fmt::format("model {} chosen: {}", choice.version, choice.reason);
}

std::string engine_text(int threads) {
  return fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s", cpu_info().target);
}

ExitCode write_and_show(const ScoringJob& job, const ScoringResult& result) {
  if (const auto failure = write_output(job, result)) return fail(*failure);
  std::FILE* const screen = screen_for(job);
  SummaryOptions options;
  options.features = job.features;
  if (job.output && screen == stdout) options.report_path = job.output->path;
  options.bars = is_terminal(screen);
  options.width = terminal_width(screen);
  options.style = style_of(screen);
  put(screen, "{}", summary_text(result, options));
  return result.code;
}

}  // namespace vmafx::tools
