// The subcommands of vmafx.
#ifndef VMAFX_TOOLS_VMAFX_COMMANDS_H_
#define VMAFX_TOOLS_VMAFX_COMMANDS_H_

#include <string_view>

#include <CLI/CLI.hpp>

#include "common/exit_code.h"

namespace vmafx::tools {

// Each adds its command to the application. When the command line has been parsed and names it, the
// command runs and leaves its exit code in `code`.
void add_score_command(CLI::App& app, ExitCode& code);
void add_compare_command(CLI::App& app, ExitCode& code);
void add_merge_command(CLI::App& app, ExitCode& code);
void add_probe_command(CLI::App& app, ExitCode& code);
void add_bench_command(CLI::App& app, ExitCode& code);
void add_models_command(CLI::App& app, ExitCode& code);
void add_features_command(CLI::App& app, ExitCode& code);

// At most 24 lines of 80 columns each.
std::string_view score_help();

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_VMAFX_COMMANDS_H_
