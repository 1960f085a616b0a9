#include <algorithm>
#include <set>

#include "base/number.h"
#include "report/layout.h"
#include "vmafx/catalog.h"

namespace vmafx {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Length of the well-formed UTF-8 sequence at the start, which is a character that XML 1.0 allows;
// else 0.
std::size_t valid_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  char32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden = (code >= 0xD800 && code < 0xE000) || code == 0xFFFE || code == 0xFFFF;
  return too_long || forbidden || code > 0x10FFFF ? 0 : length;
}

std::string_view escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    default:
      return {};
  }
}

std::string attribute_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = valid_character(text);
    if (length == 0)
      result += kReplacement;
    else if (const std::string_view escape = escaped(text[0]); !escape.empty())
      result += escape;
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

// libvmaf uses keys as attribute names. Ours may hold what a user called a model.
std::string attribute_name(std::string_view key) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  std::string name;
  for (const char c : key) {
    const bool later = (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (later && name.empty()) name += '_';
    name += letter(c) || later ? c : '_';
  }
  return name.empty() ? "_" : name;
}

// An attribute may stand once in an element only.
class AttributeNames {
 public:
  std::string unique(std::string_view key) {
    const std::string name = attribute_name(key);
    std::string candidate = name;
    for (int i = 2; !used_.insert(candidate).second; ++i)
      candidate = name + '_' + std::to_string(i);
    return candidate;
  }

 private:
  std::set<std::string> used_;
};

std::string attribute(std::string_view name, std::string_view value) {
  return std::string(name) + "=\"" + attribute_text(value) + "\" ";
}

std::string attribute(std::string_view name, std::int64_t value) {
  return attribute(name, std::to_string(value));
}

std::string frames_section(const Scores& scores, Precision precision) {
  std::vector<std::string> names;
  AttributeNames unique;
  unique.unique("frameNum");
  for (const Column& column : scores.columns) names.push_back(unique.unique(column.key));
  std::string text = "  <frames>\n";
  for (const Row& row : rows_with_values(scores)) {
    text += "    <frame " + attribute("frameNum", row.frame);
    for (const Cell& cell : row.cells)
      text += attribute(names[static_cast<std::size_t>(cell.column - scores.columns.data())],
                        format_score(cell.value, precision));
    text += "/>\n";
  }
  return text + "  </frames>\n";
}

std::string pools_section(std::string_view section, const std::vector<PooledColumn>& columns,
                          std::vector<NamedValue> (*pools)(const Pooled&), Precision precision) {
  std::string text = "  <" + std::string(section) + ">\n";
  for (const auto& [column, pooled] : columns) {
    text += "    <metric " + attribute("name", column->key);
    for (const NamedValue& value : pools(pooled))
      text += attribute(value.name, format_score(value.value, precision));
    text += "/>\n";
  }
  return text + "  </" + std::string(section) + ">\n";
}

std::string aggregates_section(const Scores& scores, Precision precision) {
  AttributeNames unique;
  std::string text = "  <aggregate_metrics ";
  for (const auto& [key, value] : scores.aggregates)
    text += attribute(unique.unique(key), format_score(value, precision));
  return text + "/>\n";
}

std::string input_element(std::string_view role, const StreamInfo& info) {
  std::string text =
      "    <input " + attribute("role", role) + attribute("path", info.path) +
      attribute("container", info.container) + attribute("codec", info.codec) +
      attribute("width", info.format.width) + attribute("height", info.format.height) +
      attribute("bit_depth", info.format.bit_depth) +
      attribute("chroma", to_string(info.format.chroma)) +
      attribute("range", to_text(info.color.range)) + attribute("matrix", info.color.matrix) +
      attribute("transfer", info.color.transfer) + attribute("primaries", info.color.primaries);
  if (info.frame_rate)
    text += attribute("frame_rate", std::to_string(info.frame_rate->num) + '/' +
                                        std::to_string(info.frame_rate->den));
  if (info.frame_count) text += attribute("frame_count", *info.frame_count);
  if (info.bit_rate) text += attribute("bit_rate", *info.bit_rate);
  text += attribute("interlaced", info.interlaced ? "true" : "false");
  if (info.notes.empty()) return text + "/>\n";
  text.back() = '>';
  text += '\n';
  for (const std::string& note : info.notes)
    text += "      <note " + attribute("text", note) + "/>\n";
  return text + "    </input>\n";
}

std::string origin_sections(const Report& report) {
  std::string text =
      "  <engine " + attribute("name", "VMAFx") + attribute("version", version()) + "/>\n";
  text += "  <inputs>\n";
  if (report.reference) text += input_element("reference", *report.reference);
  if (report.distorted) text += input_element("distorted", *report.distorted);
  text += "  </inputs>\n  <models>\n";
  for (const UsedModel& model : report.models)
    text += "    <model " + attribute("name", model.name) + attribute("version", model.version) +
            attribute("digest", model.digest) + "/>\n";
  text += "  </models>\n  <feature_backends>\n";
  for (const Producer& producer : producers(report))
    text += "    <feature " + attribute("extractor", producer.name) +
            attribute("backend", producer.backend) + "/>\n";
  return text + "  </feature_backends>\n";
}

std::string completeness_sections(const Report& report) {
  std::string text = "  <skipped>\n";
  for (const Skipped& skipped : report.scores.skipped)
    text += "    <feature " + attribute("name", skipped.name) +
            attribute("reason", skipped.reason) + "/>\n";
  text += "  </skipped>\n  <partial " + attribute("value", report.partial ? "true" : "false");
  std::string list;
  for (const std::int64_t frame : identical_frames(report.scores))
    list += (list.empty() ? "" : " ") + std::to_string(frame);
  text += "/>\n  <identical " + attribute("all", all_identical(report.scores) ? "true" : "false") +
          attribute("frames", list);
  text += "/>\n  <left_out " + attribute("reference", report.frames_left_out_reference) +
          attribute("distorted", report.frames_left_out_distorted);
  text += "/>\n  <warnings>\n";
  for (const std::string& warning : report.warnings)
    text += "    <warning " + attribute("text", warning) + "/>\n";
  return text + "  </warnings>\n";
}

}  // namespace

std::string render_xml(const Report& report, Precision precision) {
  const std::vector<PooledColumn> pooled = pooled_columns(report.scores);
  std::string text = "<VMAF version=\"" + attribute_text(version()) + "\">\n";
  text += "  <params " + attribute("qualityWidth", report.width) +
          attribute("qualityHeight", report.height) + "/>\n";
  text += "  <fyi " + attribute("fps", format_fixed(frame_rate(report), 2)) + "/>\n";
  text += frames_section(report.scores, precision);
  text += pools_section("pooled_metrics", pooled, classic_pools, precision);
  text += aggregates_section(report.scores, precision);
  // libvmaf's report ends here.
  text += origin_sections(report);
  text += completeness_sections(report);
  text += pools_section("statistics", pooled, statistics, precision);
  return text + "</VMAF>\n";
}

}  // namespace vmafx
