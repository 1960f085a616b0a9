// vmaf: libvmaf's command line on VMAFx.
#include <cstdio>

#include <fmt/format.h>

#include "arguments.h"
#include "common/terminal.h"
#include "vmafx/catalog.h"

namespace vmafx::tools {
namespace {

std::string mean_text(const Report& report, std::string_view key, Precision precision) {
  for (const Column& column : report.scores.columns)
    if (column.key == key)
      if (const auto pooled = pool(column)) return format_score(pooled->mean, precision);
  return "no score";
}

// libvmaf's lines, on a terminal only.
void print_summary(const ScoringResult& result, Precision precision) {
  const auto mean = [&](const std::string& key) {
    return mean_text(result.reports[0], key, precision);
  };
  for (const Model& model : result.models)
    put(stderr, "{}: {}\n", model.version(), mean(model.name()));
  for (const Model& model : result.models)
    if (model.is_set())
      put(stderr, "{}: {}, ci.p95: [{}, {}], stddev: {}\n", model.version(),
          mean(model.name() + "_bagging"), mean(model.name() + "_ci_p95_lo"),
          mean(model.name() + "_ci_p95_hi"), mean(model.name() + "_stddev"));
}

void print_notices(const Report& report) {
  const Style style = style_of(stderr);
  for (const std::string& warning : report.warnings)
    put(stderr, "{} {}\n", style.yellow("vmaf: warning:"), printable(warning));
  for (const Skipped& skipped : report.scores.skipped)
    put(stderr, "{} {}: {}\n", style.yellow("vmaf: skipped"), skipped.name, skipped.reason);
  if (report.partial)
    put(stderr, "{} {} frames were finished\n", style.yellow("vmaf: interrupted:"),
        report.scores.frames.size());
}

ExitCode score_and_show(const Arguments& arguments) {
  const bool on_terminal = is_terminal(stderr);
  const bool show = on_terminal && !arguments.quiet;
  if (show) put(stderr, "VMAFx {}\n", version());
  disable_instruction_sets(arguments.cpu_mask);
  const auto scored = score(arguments.job, show ? ProgressMode::kBar : ProgressMode::kNone);
  if (const auto* failure = std::get_if<Failure>(&scored)) {
    print_failure("vmaf", *failure);
    return failure->code;
  }
  const auto& result = std::get<ScoringResult>(scored);
  if (const auto failure = write_output(arguments.job, result)) {
    print_failure("vmaf", *failure);
    return failure->code;
  }
  print_notices(result.reports[0]);
  if (!arguments.quiet)
    for (const std::string& note : result.notes) put(stderr, "vmaf: {}\n", printable(note));
  if (on_terminal && (!arguments.quiet || !arguments.job.output))
    print_summary(result, arguments.job.precision);
  return result.code;
}

ExitCode run_tool(int argc, char** argv) {
  const auto parsed = parse_arguments(argc, argv);
  if (const auto* failure = std::get_if<Failure>(&parsed)) {
    print_failure("vmaf", *failure);
    return failure->code;
  }
  const auto& arguments = std::get<Arguments>(parsed);
  switch (arguments.action) {
    case Arguments::Action::kHelp:
      put(stdout, "{}", help_text());
      return ExitCode::kOk;
    case Arguments::Action::kVersion:
      put(stderr, "{}\n", version());
      return ExitCode::kOk;
    case Arguments::Action::kScore:
      break;
  }
  return score_and_show(arguments);
}

}  // namespace
}  // namespace vmafx::tools

int main(int argc, char** argv) {
  return vmafx::tools::end_process("vmaf", vmafx::tools::run_tool(argc, argv));
}
