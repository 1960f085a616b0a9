#include <cmath>
#include <span>

#include <nlohmann/json.hpp>

#include "base/number.h"
#include "report/layout.h"
#include "vmafx/catalog.h"

namespace vmafx {
namespace {

// Writes values as they come, one member a line. A general JSON library prints numbers its own way.
class JsonWriter {
 public:
  explicit JsonWriter(Precision precision) : precision_(precision) {}

  void begin_object() { open('{'); }
  void begin_object(std::string_view key) { open(key, '{'); }
  void begin_array(std::string_view key) { open(key, '['); }
  void end_object() { close('}'); }
  void end_array() { close(']'); }

  void string(std::string_view key, std::string_view value) { member(key, quoted(value)); }
  void string(std::string_view value) { item(quoted(value)); }
  void integer(std::string_view key, std::int64_t value) { member(key, std::to_string(value)); }
  void boolean(std::string_view key, bool value) { member(key, value ? "true" : "false"); }
  void null(std::string_view key) { member(key, "null"); }
  void raw(std::string_view key, std::string_view value) { member(key, value); }
  void score(std::string_view key, double value) {
    member(key, std::isfinite(value) ? format_score(value, precision_) : "null");
  }

  std::string take() && { return std::move(text_) + '\n'; }

 private:
  static std::string quoted(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void start_line() {
    if (depth_ > 0) text_ += first_ ? "\n" : ",\n";
    text_.append(2 * depth_, ' ');
    first_ = false;
  }
  void start_member(std::string_view key) {
    start_line();
    text_ += quoted(key);
    text_ += ": ";
  }
  void member(std::string_view key, std::string_view value) {
    start_member(key);
    text_ += value;
  }
  void item(std::string_view value) {
    start_line();
    text_ += value;
  }
  void open(char bracket) {
    start_line();
    push(bracket);
  }
  void open(std::string_view key, char bracket) {
    start_member(key);
    push(bracket);
  }
  void push(char bracket) {
    text_ += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    first_ = false;
    text_ += '\n';
    text_.append(2 * depth_, ' ');
    text_ += bracket;
  }

  Precision precision_;
  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

void write_frames(JsonWriter& json, const Scores& scores) {
  json.begin_array("frames");
  for (const Row& row : rows_with_values(scores)) {
    json.begin_object();
    json.integer("frameNum", row.frame);
    json.begin_object("metrics");
    for (const Cell& cell : row.cells) json.score(cell.column->key, cell.value);
    json.end_object();
    json.end_object();
  }
  json.end_array();
}

void write_pools(JsonWriter& json, std::string_view section,
                 const std::vector<PooledColumn>& columns,
                 std::vector<NamedValue> (*pools)(const Pooled&)) {
  json.begin_object(section);
  for (const auto& [column, pooled] : columns) {
    json.begin_object(column->key);
    for (const NamedValue& value : pools(pooled)) json.score(value.name, value.value);
    json.end_object();
  }
  json.end_object();
}

void write_optional(JsonWriter& json, std::string_view key,
                    const std::optional<std::int64_t>& value) {
  if (value)
    json.integer(key, *value);
  else
    json.null(key);
}

void write_input(JsonWriter& json, std::string_view role, const StreamInfo& info) {
  json.begin_object(role);
  json.string("path", info.path);
  json.string("container", info.container);
  json.string("codec", info.codec);
  json.integer("width", info.format.width);
  json.integer("height", info.format.height);
  json.integer("bit_depth", info.format.bit_depth);
  json.string("chroma", to_string(info.format.chroma));
  json.string("range", to_text(info.color.range));
  json.integer("matrix", info.color.matrix);
  json.integer("transfer", info.color.transfer);
  json.integer("primaries", info.color.primaries);
  if (info.frame_rate)
    json.string("frame_rate",
                std::to_string(info.frame_rate->num) + '/' + std::to_string(info.frame_rate->den));
  else
    json.null("frame_rate");
  write_optional(json, "frame_count", info.frame_count);
  write_optional(json, "bit_rate", info.bit_rate);
  json.boolean("interlaced", info.interlaced);
  json.begin_array("notes");
  for (const std::string& note : info.notes) json.string(note);
  json.end_array();
  json.end_object();
}

void write_origin(JsonWriter& json, const Report& report) {
  json.begin_object("engine");
  json.string("name", "VMAFx");
  json.string("version", version());
  json.end_object();
  json.begin_object("inputs");
  if (report.reference) write_input(json, "reference", *report.reference);
  if (report.distorted) write_input(json, "distorted", *report.distorted);
  json.end_object();
  json.begin_array("models");
  for (const UsedModel& model : report.models) {
    json.begin_object();
    json.string("name", model.name);
    json.string("version", model.version);
    json.string("digest", model.digest);
    json.end_object();
  }
  json.end_array();
  json.begin_array("feature_backends");
  for (const Producer& producer : producers(report)) {
    json.begin_object();
    json.string("extractor", producer.name);
    json.string("backend", producer.backend);
    json.end_object();
  }
  json.end_array();
}

void write_frame_list(JsonWriter& json, const Scores& scores) {
  std::string list;
  for (const std::int64_t frame : identical_frames(scores))
    list += (list.empty() ? "" : ", ") + std::to_string(frame);
  json.begin_object("identical");
  json.boolean("all", all_identical(scores));
  // One line: a member may have as many numbers as the film has frames.
  json.raw("frames", '[' + list + ']');
  json.end_object();
}

void write_completeness(JsonWriter& json, const Report& report) {
  json.begin_array("skipped");
  for (const Skipped& skipped : report.scores.skipped) {
    json.begin_object();
    json.string("name", skipped.name);
    json.string("reason", skipped.reason);
    json.end_object();
  }
  json.end_array();
  json.boolean("partial", report.partial);
  write_frame_list(json, report.scores);
  json.begin_object("left_out");
  json.integer("reference", report.frames_left_out_reference);
  json.integer("distorted", report.frames_left_out_distorted);
  json.end_object();
  json.begin_array("warnings");
  for (const std::string& warning : report.warnings) json.string(warning);
  json.end_array();
}

void write_report(JsonWriter& json, const Report& report) {
  const double fps = frame_rate(report);
  const std::vector<PooledColumn> pooled = pooled_columns(report.scores);
  json.begin_object();
  json.string("version", version());
  json.raw("fps", std::isfinite(fps) ? format_fixed(fps, 2) : "null");
  write_frames(json, report.scores);
  write_pools(json, "pooled_metrics", pooled, classic_pools);
  json.begin_object("aggregate_metrics");
  for (const auto& [key, value] : report.scores.aggregates) json.score(key, value);
  json.end_object();
  // libvmaf's report ends here.
  write_origin(json, report);
  write_completeness(json, report);
  write_pools(json, "statistics", pooled, statistics);
  json.end_object();
}

void write_ladder(JsonWriter& json, std::string_view name, std::span<const Report> encodes) {
  json.begin_array(name);
  for (const Report& report : encodes) json.string(report.distorted->path);
  json.end_array();
}

void write_bd_rates(JsonWriter& json, const Comparison& comparison) {
  const std::span<const Report> encodes(comparison.encodes);
  json.begin_object("bd_rate");
  write_ladder(json, "anchor", encodes.first(comparison.anchors));
  write_ladder(json, "test", encodes.subspan(comparison.anchors));
  json.begin_object("percent");
  for (const BdRateResult& rate : comparison.bd_rates)
    if (rate.percent) json.score(rate.key, *rate.percent);
  json.end_object();
  json.begin_object("none");
  for (const BdRateResult& rate : comparison.bd_rates)
    if (!rate.percent) json.string(rate.key, rate.reason);
  json.end_object();
  json.end_object();
}

}  // namespace

std::string render_json(const Report& report, Precision precision) {
  JsonWriter json(precision);
  write_report(json, report);
  return std::move(json).take();
}

std::string render_json(const Comparison& comparison, Precision precision) {
  JsonWriter json(precision);
  json.begin_object();
  json.string("version", version());
  json.begin_array("encodes");
  for (const Report& report : comparison.encodes) write_report(json, report);
  json.end_array();
  if (comparison.anchors > 0) write_bd_rates(json, comparison);
  json.end_object();
  return std::move(json).take();
}

}  // namespace vmafx
