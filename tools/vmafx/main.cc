// vmafx: how good does this video look?
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "common/terminal.h"
#include "vmafx/catalog.h"

namespace vmafx::tools {
namespace {

constexpr std::string_view kHelp = R"(vmafx: how good does this video look?

  vmafx score REFERENCE DISTORTED   VMAF and other metrics of a pair of videos
  vmafx compare REFERENCE ENCODE... several encodes of one video, and BD-rate
  vmafx merge FILE...               one report from the parts of a long video
  vmafx features [NAME]             the metrics and their options
  vmafx models                      the built-in models
  vmafx probe                       what this build and machine can do
  vmafx bench REFERENCE DISTORTED   how fast, and what a device's time goes to

Examples
  vmafx score original.mp4 encoded.mp4
  vmafx score original.y4m encoded.mkv -m vmaf_4k_v0.6.1 -f psnr -o scores.json
  vmafx score --raw 1920x1080:420:10 original.yuv encoded.yuv --frames 250

Every command has --help; --help-all lists every option, --version the version.
)";

// The short pages are written by hand; the full ones come from the options themselves.
class Help : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Normal) {
      if (app->get_parent() == nullptr) return std::string(kHelp);
      if (app->get_name() == "score") return std::string(score_help());
    }
    return CLI::Formatter::make_help(app, std::move(name), mode);
  }
};

ExitCode run_tool(int argc, char** argv) {
  CLI::App app{"VMAFx: perceptual video quality", "vmafx"};
  const auto help = std::make_shared<Help>();
  help->column_width(32);
  app.formatter(help);
  app.set_help_flag("-h,--help", "this text");
  app.set_help_all_flag("--help-all", "every option");
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(0, 1);
  ExitCode code = ExitCode::kOk;
  add_score_command(app, code);
  add_compare_command(app, code);
  add_merge_command(app, code);
  add_features_command(app, code);
  add_models_command(app, code);
  add_probe_command(app, code);
  add_bench_command(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return static_cast<ExitCode>(app.exit(asked));
  } catch (const CLI::ParseError& error) {
    print_failure("vmafx", {ExitCode::kFailure,
                            {ErrorCode::kUsage, error.what(), "vmafx --help shows the commands"}});
    return ExitCode::kFailure;
  }
  if (app.get_subcommands().empty()) put(stdout, "{}", kHelp);
  return code;
}

}  // namespace
}  // namespace vmafx::tools

int main(int argc, char** argv) {
  return vmafx::tools::end_process("vmafx", vmafx::tools::run_tool(argc, argv));
}
