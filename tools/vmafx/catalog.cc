// probe, models and features: what this build can do.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "common/terminal.h"
#include "common/option_text.h"
#include "common/table.h"
#include "job_options.h"
#include "vmafx/catalog.h"
#include "vmafx/device.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx::tools {
namespace {

using Json = nlohmann::ordered_json;

void print_json(const Json& json) {
  put(stdout, "{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Failure usage(std::string message, std::string hint) {
  return {ExitCode::kFailure, {ErrorCode::kUsage, std::move(message), std::move(hint)}};
}

// --- probe

Json backends_json() {
  Json list = Json::array();
  list.push_back({{"name", "cpu"}, {"usable", true}});
  for (const ListedBackend& backend : list_backends()) {
    Json entry = {{"name", backend.name}, {"usable", backend.unusable.empty()}};
    if (!backend.unusable.empty()) entry["reason"] = backend.unusable;
    for (const ListedDevice& device : backend.devices)
      entry["devices"].push_back({{"index", device.index},
                                  {"name", device.name},
                                  {"driver", device.driver},
                                  {"memory_bytes", device.memory_bytes}});
    list.push_back(std::move(entry));
  }
  return list;
}

std::string device_text(const ListedDevice& device) {
  std::string text = fmt::format("device {}: {}", device.index, printable(device.name));
  if (!device.driver.empty()) text += ", " + printable(device.driver);
  if (device.memory_bytes > 0)
    text += fmt::format(", {:.1f} GB", static_cast<double>(device.memory_bytes) / 1e9);
  return text;
}

Json probe_json(const CpuInfo& cpu) {
  return {{"name", "VMAFx"},
          {"version", version()},
          {"threads", cpu.threads},
          {"target", cpu.target},
          {"supported", cpu.supported},
          {"compiled", cpu.compiled},
          {"containers", can_open_containers()},
          {"backends", backends_json()}};
}

void print_probe(const CpuInfo& cpu) {
  const Style style = style_of(stdout);
  put(stdout, "\n  {} {}\n\n", style.bold("VMAFx"), version());
  const auto line = [&](std::string_view name, const std::string& text) {
    put(stdout, "  {}  {}\n", style.dim(fmt::format("{:<13}", name)), text);
  };
  line("threads", std::to_string(cpu.threads));
  line("instructions", style.green(cpu.target) + " in use");
  line("this machine", fmt::format("{}", fmt::join(cpu.supported, ", ")));
  line("this build", fmt::format("{}", fmt::join(cpu.compiled, ", ")));
  line("containers", can_open_containers()
                         ? "every one that libavformat opens"
                         : style.yellow("y4m and raw YUV only: the libav module is not installed"));
  std::string_view heading = "backends";
  const auto backend_line = [&](const std::string& text) {
    line(heading, text);
    heading = "";
  };
  backend_line("cpu");
  for (const ListedBackend& backend : list_backends()) {
    if (!backend.unusable.empty()) backend_line(style.dim(printable(backend.unusable)));
    for (const ListedDevice& device : backend.devices)
      backend_line(fmt::format("{}, {}", style.green(backend.name), device_text(device)));
  }
  put(stdout, "\n");
}

struct Probe {
  bool as_json = false;
  std::string backend;
  std::string device;
  std::string raw;
  std::vector<std::string> models;
};

// What a run of these pictures takes of the device.
ExitCode print_use(const PictureFormat& format, const std::vector<ModelSpec>& models,
                   const Probe& probe) {
  SessionConfig config;
  config.backend = probe.backend;
  config.device = probe.device;
  Session session(config);
  for (const ModelSpec& spec : models) {
    const auto model = load_model(spec);
    if (!model) return fail({ExitCode::kFailure, model.error()});
    if (const Status added = session.add_model(*model); !added)
      return fail({ExitCode::kFailure, added.error()});
  }
  if (const Status ready = session.prepare(format); !ready) return fail_to_measure(ready.error());
  const DeviceUse use = session.device_use();
  put(stdout, "{}: {} frames in flight take {:.0f} MB of {} and {:.0f} MB of the host\n",
      to_string(format), use.frames_in_flight, static_cast<double>(use.device_bytes) / 1e6,
      printable(use.name), static_cast<double>(use.pinned_bytes) / 1e6);
  return ExitCode::kOk;
}

// The self-test, after everything that was asked for has been understood.
ExitCode probe_device(const Probe& probe) {
  if (probe.backend == "cpu" || probe.backend == "auto")
    return fail(usage(fmt::format("\"{}\" names no device to test", probe.backend),
                      "vmafx probe lists the backends that have devices"));
  std::optional<PictureFormat> format;
  if (!probe.raw.empty()) {
    const auto parsed = parse_raw_format(probe.raw);
    if (!parsed) return fail({ExitCode::kFailure, parsed.error()});
    format = *parsed;
  }
  std::vector<ModelSpec> models;
  for (const std::string& text : probe.models) {
    auto spec = parse_model(text);
    if (!spec) return fail({ExitCode::kFailure, spec.error()});
    models.push_back(*std::move(spec));
  }
  if (format && models.empty()) models.push_back({.version = choose_model(*format, {}).version});

  if (const Status passed = test_device(probe.backend, probe.device); !passed)
    return fail_to_measure(passed.error());
  put(stdout, "{}: every metric that it measures has the CPU's bits\n", probe.backend);
  return format ? print_use(*format, models, probe) : ExitCode::kOk;
}

// --- models

struct KnownModel {
  std::string name;
  Model model;
};

// Built-in models always load; one that did not would be missing here and fail its own test.
std::vector<KnownModel> load_builtin_models() {
  std::vector<KnownModel> models;
  for (const std::string_view name : builtin_models()) {
    ModelSpec spec;
    spec.version = name;
    if (auto model = load_model(spec)) models.push_back({std::string(name), *std::move(model)});
  }
  return models;
}

std::vector<std::string> feature_names(const Model& model) {
  std::vector<std::string> names;
  for (const ModelFeature& feature : model.features()) names.push_back(feature.name);
  return names;
}

void print_models_json() {
  Json list = Json::array();
  for (const auto& [name, model] : load_builtin_models()) {
    Json features = Json::array();
    for (const ModelFeature& feature : model.features())
      features.push_back({{"name", feature.name}, {"options", feature.options}});
    list.push_back({{"name", name},
                    {"set", model.is_set()},
                    {"digest", model.digest()},
                    {"scores", model.score_keys()},
                    {"features", features}});
  }
  print_json(list);
}

// "VMAF_integer_feature_adm2_score" -> "integer_adm2", as reports call it.
std::string short_name(std::string name) {
  for (const auto& [prefix, with] :
       {std::pair<std::string_view, std::string_view>{"VMAF_integer_feature_", "integer_"},
        {"VMAF_feature_", ""},
        {"Cambi_feature_", ""},
        {"Speed_chroma_feature_", ""},
        {"Speed_temporal_feature_", ""}})
    if (name.rfind(prefix, 0) == 0) {
      name = std::string(with) + name.substr(prefix.size());
      break;
    }
  constexpr std::string_view kEnd = "_score";
  if (name.size() > kEnd.size() && name.substr(name.size() - kEnd.size()) == kEnd)
    name.resize(name.size() - kEnd.size());
  return name;
}

void print_models() {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, model] : load_builtin_models()) {
    std::vector<std::string> features;
    for (const std::string& feature : feature_names(model)) features.push_back(short_name(feature));
    rows.push_back({name, model.is_set() ? "bootstrap" : "single",
                    fmt::format("{}", fmt::join(features, ", "))});
  }
  put(stdout, "\n{}\n",
      table_text({{"model", Align::kLeft}, {"kind", Align::kLeft}, {"features", Align::kLeft}},
                 rows, terminal_width(stdout), style_of(stdout)));
}

// --- features

Json metric_json(const MetricInfo& metric) {
  Json options = Json::array();
  for (const OptionInfo& option : metric.options)
    options.push_back({{"name", option.name},
                       {"alias", option.alias},
                       {"help", option.help},
                       {"default", option.default_value},
                       {"range", option.range},
                       {"in_key", option.in_key}});
  return {{"name", metric.name},
          {"summary", metric.summary},
          {"smallest", metric.smallest},
          {"keys", metric.keys},
          {"options", options}};
}

void print_metrics() {
  std::vector<std::vector<std::string>> rows;
  for (const MetricInfo& metric : list_metrics())
    rows.push_back({metric.name, metric.smallest, metric.summary});
  put(stdout, "\n{}\n  vmafx features NAME has the keys and options of one\n\n",
      table_text({{"metric", Align::kLeft}, {"smallest", Align::kLeft}, {"measures", Align::kLeft}},
                 rows, terminal_width(stdout), style_of(stdout)));
}

void print_metric(const MetricInfo& metric) {
  const Style style = style_of(stdout);
  put(stdout, "\n  {}  {}\n\n", style.bold(metric.name), metric.summary);
  put(stdout, "  {}  {}\n", style.dim("keys    "), fmt::join(metric.keys, ", "));
  put(stdout, "  {}  {}\n", style.dim("smallest"), metric.smallest);
  std::vector<std::vector<std::string>> rows;
  for (const OptionInfo& option : metric.options)
    rows.push_back({option.name, option.alias, option.default_value, option.range,
                    option.in_key ? "yes" : "", option.help});
  if (rows.empty()) {
    put(stdout, "\n  It has no options.\n\n");
    return;
  }
  put(stdout, "\n{}\n",
      table_text({{"option", Align::kLeft},
                  {"alias", Align::kLeft},
                  {"default", Align::kLeft},
                  {"range", Align::kLeft},
                  {"in key", Align::kLeft},
                  {"meaning", Align::kLeft}},
                 rows, terminal_width(stdout), style));
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

void print_markdown() {
  put(stdout, "| Metric | Keys | Smallest picture | Measures |\n|---|---|---|---|\n");
  for (const MetricInfo& metric : list_metrics())
    put(stdout, "| `{}` | {} | {} | {} |\n", metric.name,
        metric.keys.empty() ? "" : fmt::format("`{}`", fmt::join(metric.keys, "`, `")),
        metric.smallest, markdown_cell(metric.summary));
}

ExitCode show_metric(const std::string& name, bool as_json) {
  const std::vector<MetricInfo> metrics = list_metrics();
  for (const MetricInfo& metric : metrics) {
    if (metric.name != name) continue;
    if (as_json)
      print_json(metric_json(metric));
    else
      print_metric(metric);
    return ExitCode::kOk;
  }
  std::vector<std::string> names;
  for (const MetricInfo& metric : metrics) names.push_back(metric.name);
  return fail(usage(fmt::format("there is no metric \"{}\"", name),
                    fmt::format("there are {}", fmt::join(names, ", "))));
}

void show_metrics(bool as_json) {
  if (!as_json) return print_metrics();
  Json list = Json::array();
  for (const MetricInfo& metric : list_metrics()) list.push_back(metric_json(metric));
  print_json(list);
}

}  // namespace

void add_probe_command(CLI::App& app, ExitCode& code) {
  CLI::App* command = app.add_subcommand("probe", "what this build and machine can do");
  const auto probe = std::make_shared<Probe>();
  CLI::Option* json = command->add_flag("--json", probe->as_json, "as JSON");
  CLI::Option* backend =
      command->add_option("--backend", probe->backend, "test a device of this backend")
          ->type_name("NAME")
          ->excludes(json);
  command->add_option("--device", probe->device, "which: index or part of its name")
      ->type_name("WHICH")
      ->needs(backend);
  CLI::Option* raw =
      command
          ->add_option("--raw", probe->raw,
                       "say what a run of such pictures takes: WIDTHxHEIGHT:CHROMA:DEPTH")
          ->type_name("FORMAT")
          ->needs(backend);
  command->add_option("-m,--model", probe->models, "the run's models, if not the usual one")
      ->type_name("SPEC")
      ->allow_extra_args(false)
      ->needs(raw);
  command->callback([probe, &code] {
    code = ExitCode::kOk;
    if (!probe->backend.empty())
      code = probe_device(*probe);
    else if (probe->as_json)
      print_json(probe_json(cpu_info()));
    else
      print_probe(cpu_info());
  });
}

void add_models_command(CLI::App& app, ExitCode& code) {
  CLI::App* command = app.add_subcommand("models", "the built-in models");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "as JSON");
  command->callback([as_json, &code] {
    if (*as_json)
      print_models_json();
    else
      print_models();
    code = ExitCode::kOk;
  });
}

void add_features_command(CLI::App& app, ExitCode& code) {
  struct Choice {
    std::string name;
    bool as_json = false;
    bool as_markdown = false;
  };
  CLI::App* command = app.add_subcommand("features", "the metrics and their options");
  const auto choice = std::make_shared<Choice>();
  command->add_option("NAME", choice->name, "one metric in detail");
  CLI::Option* json = command->add_flag("--json", choice->as_json, "as JSON");
  command->add_flag("--markdown", choice->as_markdown, "all metrics as a Markdown table")
      ->excludes(json);
  command->callback([choice, &code] {
    code = ExitCode::kOk;
    if (choice->as_markdown)
      print_markdown();
    else if (choice->name.empty())
      show_metrics(choice->as_json);
    else
      code = show_metric(choice->name, choice->as_json);
  });
}

}  // namespace vmafx::tools
