#include "common/option_text.h"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace vmafx::tools {
namespace {

Error usage(std::string message, std::string hint = {}) {
  return {ErrorCode::kUsage, std::move(message), std::move(hint)};
}

// The backslashes that end right before `end`, counted back to `begin`.
std::size_t backslashes_before(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t count = 0;
  while (end - count > begin && text[end - count - 1] == '\\') ++count;
  return count;
}

bool is_drive(std::string_view text, std::size_t begin) {
  return begin + 2 < text.size() && std::isalpha(static_cast<unsigned char>(text[begin])) != 0 &&
         text[begin + 1] == ':' && (text[begin + 2] == '\\' || text[begin + 2] == '/');
}

// The first of `signs` from `begin` on that no odd run of backslashes escapes; a drive's colon is
// none.
std::size_t find_sign(std::string_view text, std::size_t begin, std::string_view signs) {
  for (std::size_t at = is_drive(text, begin) ? begin + 2 : begin; at < text.size(); ++at)
    if (signs.find(text[at]) != std::string_view::npos &&
        backslashes_before(text, begin, at) % 2 == 0)
      return at;
  return text.size();
}

std::string unescape_key(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() &&
                        std::string_view(":=.\\").find(text[i + 1]) != std::string_view::npos;
    if (escape) ++i;
    result += text[i];
  }
  return result;
}

std::string unescape_value(std::string_view text) {
  std::string result;
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t run = 0;
    while (i + run < text.size() && text[i + run] == '\\') ++run;
    const std::size_t after = i + run;
    const bool paired = after == text.size() || text[after] == ':' || text[after] == '=';
    // A last single backslash at the end escapes nothing and stays.
    const std::size_t kept = !paired ? run : after == text.size() ? (run + 1) / 2 : run / 2;
    result.append(kept, '\\');
    if (after < text.size()) result += text[after];
    i = after + 1;
  }
  return result;
}

KeyValue bare_word(std::string_view text) { return {{}, unescape_value(text), std::nullopt}; }

KeyValue pair_of(std::string_view key, std::string_view value) {
  KeyValue pair;
  const std::size_t dot = find_sign(key, 0, ".");
  if (dot < key.size()) {
    pair.scope = unescape_key(key.substr(0, dot));
    key.remove_prefix(dot + 1);
  }
  pair.key = unescape_key(key);
  pair.value = unescape_value(value);
  return pair;
}

bool is_path(std::string_view text) {
  return text.find_first_of("/\\") != std::string_view::npos ||
         (text.size() > 5 && text.substr(text.size() - 5) == ".json");
}

// true, false, or an error.
Result<bool> parse_flag(const KeyValue& pair) {
  if (!pair.value || *pair.value == "true" || *pair.value == "1") return true;
  if (*pair.value == "false" || *pair.value == "0") return false;
  return usage(fmt::format("model option {}={} is not true or false", pair.key, *pair.value));
}

Status apply_model_word(const KeyValue& pair, ModelSpec& spec) {
  if (pair.key == "disable_clip" || pair.key == "enable_transform") {
    const auto flag = parse_flag(pair);
    if (!flag) return flag.error();
    if (pair.key == "disable_clip")
      spec.disable_clip = *flag;
    else if (*flag)
      spec.transform = TransformUse::kOn;
    return {};
  }
  if (!pair.value) return usage(fmt::format("model option \"{}\" has no value", pair.key));
  if ((pair.key == "version" && !spec.version.empty()) ||
      (pair.key == "path" && !spec.path.empty()))
    return usage(fmt::format("model option {}= is given twice", pair.key));
  if (pair.key == "name" && pair.value->empty()) return usage("model option name= is empty");
  if (pair.key == "version")
    spec.version = *pair.value;
  else if (pair.key == "path")
    spec.path = *pair.value;
  else if (pair.key == "name")
    spec.name = *pair.value;
  else
    return usage(fmt::format("there is no model option \"{}\"", pair.key),
                 "models take version=, path=, name=, disable_clip, enable_transform and "
                 "METRIC.OPTION=VALUE");
  return {};
}

}  // namespace

std::vector<KeyValue> split_pairs(std::string_view text) {
  std::vector<KeyValue> pairs;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t sign = find_sign(text, begin, ":=");
    std::size_t end = sign;
    if (sign < text.size() && text[sign] == '=') {
      end = find_sign(text, sign + 1, ":");
      pairs.push_back(
          pair_of(text.substr(begin, sign - begin), text.substr(sign + 1, end - sign - 1)));
    } else {
      pairs.push_back(bare_word(text.substr(begin, end - begin)));
    }
    begin = end + 1;
  }
  return pairs;
}

Result<FeatureRequest> parse_feature(std::string_view text) {
  const std::size_t equals = text.find('=');
  FeatureRequest request;
  request.name = text.substr(0, equals);
  if (request.name.empty())
    return usage(fmt::format("feature \"{}\" has no name", text),
                 "write NAME or NAME=OPTION=VALUE:OPTION=VALUE");
  if (equals == std::string_view::npos) return request;
  for (const KeyValue& pair : split_pairs(text.substr(equals + 1))) {
    const std::string key = pair.scope.empty() ? pair.key : pair.scope + '.' + pair.key;
    if (!pair.value)
      return usage(fmt::format("feature {}: option \"{}\" has no value", request.name, key),
                   "write NAME=OPTION=VALUE:OPTION=VALUE");
    const auto [known, is_new] = request.options.emplace(key, *pair.value);
    if (!is_new && known->second != *pair.value)
      return usage(fmt::format("feature {}: {} is given twice, as {} and as {}", request.name, key,
                               known->second, *pair.value));
  }
  return request;
}

Result<ModelSpec> parse_model(std::string_view text) {
  ModelSpec spec;
  const std::vector<KeyValue> pairs = split_pairs(text);
  for (const KeyValue& pair : pairs) {
    const bool is_flag = pair.key == "disable_clip" || pair.key == "enable_transform";
    if (&pair == &pairs.front() && !pair.value && !is_flag && !pair.key.empty()) {
      (is_path(pair.key) ? spec.path : spec.version) = pair.key;
    } else if (!pair.scope.empty()) {
      spec.overloads.push_back({pair.scope, pair.key, *pair.value});
    } else if (const Status status = apply_model_word(pair, spec); !status) {
      return status.error();
    }
  }
  if (spec.version.empty() == spec.path.empty())
    return usage(fmt::format("model \"{}\" needs either version= or path=", text),
                 "for example --model version=vmaf_v0.6.1 or --model path=my_model.json");
  return spec;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  std::uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Chroma> parse_chroma(std::string_view text) {
  for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
    if (text == to_string(chroma)) return chroma;
  return std::nullopt;
}

std::optional<Precision> parse_precision(std::string_view text) {
  if (text == "legacy") return Precision{Precision::Form::kLegacy, 0};
  if (text == "max" || text == "full") return Precision{Precision::Form::kDigits, 17};
  const auto digits = parse_number(text);
  if (!digits || *digits < 1 || *digits > 17) return std::nullopt;
  return Precision{Precision::Form::kDigits, static_cast<int>(*digits)};
}

Result<PictureFormat> parse_raw_format(std::string_view text) {
  const auto bad = [&] {
    return usage(fmt::format("raw format \"{}\" is not WIDTHxHEIGHT:CHROMA:DEPTH", text),
                 "for example --raw 1920x1080:420:8; chroma is 400, 420, 422 or 444");
  };
  const std::size_t cross = text.find('x');
  const std::size_t colon = text.find(':');
  if (cross == std::string_view::npos || colon == std::string_view::npos || cross > colon)
    return bad();
  const std::size_t second = text.find(':', colon + 1);
  const auto width = parse_number(text.substr(0, cross));
  const auto height = parse_number(text.substr(cross + 1, colon - cross - 1));
  const auto chroma = parse_chroma(text.substr(colon + 1, second - colon - 1));
  const auto depth = second == std::string_view::npos ? std::optional<std::uint64_t>(8)
                                                      : parse_number(text.substr(second + 1));
  if (!width || !height || !chroma || !depth || *depth > 16) return bad();
  if (*width > kMaxDimension || *height > kMaxDimension)
    return usage(fmt::format("raw size {}x{} is out of range, each side takes 1 to {}", *width,
                             *height, kMaxDimension));
  const PictureFormat format{static_cast<int>(*width), static_cast<int>(*height),
                             static_cast<int>(*depth), *chroma};
  const Status valid = validate(format);
  if (!valid) return valid.error();
  return format;
}

}  // namespace vmafx::tools
