// Layout: a line that names the format, a line of JSON, a byte for each frame that says whether it
// is identical, the records, and the SHA-256 of all that in hexadecimal.
#include "vmafx/measurement_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/guard.h"
#include "base/read_file.h"
#include "base/sha256.h"
#include "report/write_file.h"

namespace vmafx {

NLOHMANN_JSON_SERIALIZE_ENUM(TransformUse, {{TransformUse::kModelDecides, "model"},
                                            {TransformUse::kOn, "on"},
                                            {TransformUse::kOff, "off"}})
NLOHMANN_JSON_SERIALIZE_ENUM(ColorInfo::Range, {{ColorInfo::Range::kUnspecified, "unspecified"},
                                                {ColorInfo::Range::kLimited, "limited"},
                                                {ColorInfo::Range::kFull, "full"}})

namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "records are written in the machine's byte order, which the format says is little");
constexpr std::string_view kMagic = "vmafx measurements 1\n";
constexpr std::size_t kDigestSize = 64;
constexpr Chroma kChromas[] = {Chroma::k400, Chroma::k411, Chroma::k420,
                               Chroma::k422, Chroma::k440, Chroma::k444};

// A heading that this program does not write.
struct Absurd : std::exception {};

constexpr std::int64_t kMaxCount = std::int64_t{1} << 40;

std::int64_t count_of(const Json& json, std::int64_t max = kMaxCount) {
  if (!json.is_number_integer() || json < 0 || json > max) throw Absurd();
  return json.get<std::int64_t>();
}

int number_of(const Json& json, int min, int max) {
  const std::int64_t value = count_of(json, max);
  if (value < min) throw Absurd();
  return static_cast<int>(value);
}

// An enumeration's text; an unknown one would become the first.
template <class Enum>
Enum name_of(const Json& json) {
  const auto value = json.get<Enum>();
  if (Json(value) != json) throw Absurd();
  return value;
}

template <class T>
Json optional_to_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const StreamInfo& info) {
  Json json = {{"path", info.path},
               {"container", info.container},
               {"codec", info.codec},
               {"width", info.format.width},
               {"height", info.format.height},
               {"bit_depth", info.format.bit_depth},
               {"chroma", to_string(info.format.chroma)},
               {"range", info.color.range},
               {"matrix", info.color.matrix},
               {"transfer", info.color.transfer},
               {"primaries", info.color.primaries},
               {"frame_rate", Json()},
               {"frame_count", optional_to_json(info.frame_count)},
               {"bit_rate", optional_to_json(info.bit_rate)},
               {"interlaced", info.interlaced},
               {"notes", info.notes}};
  if (info.frame_rate) json["frame_rate"] = {info.frame_rate->num, info.frame_rate->den};
  return json;
}

StreamInfo stream_of(const Json& json) {
  StreamInfo info;
  json.at("path").get_to(info.path);
  json.at("container").get_to(info.container);
  json.at("codec").get_to(info.codec);
  info.format.width = number_of(json.at("width"), 1, kMaxDimension);
  info.format.height = number_of(json.at("height"), 1, kMaxDimension);
  info.format.bit_depth = number_of(json.at("bit_depth"), 8, 16);
  const auto chroma = std::find_if(std::begin(kChromas), std::end(kChromas), [&](Chroma known) {
    return json.at("chroma") == to_string(known);
  });
  if (chroma == std::end(kChromas)) throw Absurd();
  info.format.chroma = *chroma;
  info.color.range = name_of<ColorInfo::Range>(json.at("range"));
  info.color.matrix = number_of(json.at("matrix"), 0, 255);
  info.color.transfer = number_of(json.at("transfer"), 0, 255);
  info.color.primaries = number_of(json.at("primaries"), 0, 255);
  if (const Json& rate = json.at("frame_rate"); !rate.is_null())
    info.frame_rate = Rational{count_of(rate.at(0)), count_of(rate.at(1))};
  for (const auto& [name, value] :
       {std::pair{"frame_count", &info.frame_count}, std::pair{"bit_rate", &info.bit_rate}})
    if (!json.at(name).is_null()) *value = count_of(json.at(name));
  json.at("interlaced").get_to(info.interlaced);
  json.at("notes").get_to(info.notes);
  return info;
}

Json to_json(const MeasurementFile::Model& model) {
  Json overloads = Json::array();
  for (const FeatureOverload& overload : model.spec.overloads)
    overloads.push_back({overload.metric, overload.option, overload.value});
  return {{"version", model.spec.version},
          {"path", model.spec.path},
          {"name", model.spec.name},
          {"disable_clip", model.spec.disable_clip},
          {"transform", model.spec.transform},
          {"overloads", overloads},
          {"digest", model.digest}};
}

MeasurementFile::Model model_of(const Json& json) {
  MeasurementFile::Model model;
  json.at("version").get_to(model.spec.version);
  json.at("path").get_to(model.spec.path);
  json.at("name").get_to(model.spec.name);
  json.at("disable_clip").get_to(model.spec.disable_clip);
  model.spec.transform = name_of<TransformUse>(json.at("transform"));
  for (const Json& overload : json.at("overloads"))
    model.spec.overloads.push_back({overload.at(0), overload.at(1), overload.at(2)});
  json.at("digest").get_to(model.digest);
  return model;
}

Json header_of(const MeasurementFile& file) {
  Json json = {{"plan", file.recording.plan},
               {"backends", file.recording.backends},
               {"first_frame", file.recording.first_frame},
               {"frames", file.recording.frame_count()},
               {"reference", to_json(file.reference)},
               {"distorted", to_json(file.distorted)},
               {"models", Json::array()},
               {"metrics", Json::array()},
               {"skipped", {file.skipped_reference, file.skipped_distorted}},
               {"subsample", file.subsample},
               {"seconds", file.seconds},
               {"at_end", file.at_end},
               {"left_out", {file.left_out_reference, file.left_out_distorted}}};
  for (const auto& model : file.models) json["models"].push_back(to_json(model));
  for (const auto& metric : file.metrics)
    json["metrics"].push_back({{"name", metric.name}, {"options", metric.options}});
  return json;
}

// Returns the number of frames.
std::size_t read_header(const Json& json, MeasurementFile& file) {
  json.at("plan").get_to(file.recording.plan);
  json.at("backends").get_to(file.recording.backends);
  file.recording.first_frame = count_of(json.at("first_frame"));
  file.reference = stream_of(json.at("reference"));
  file.distorted = stream_of(json.at("distorted"));
  for (const Json& model : json.at("models")) file.models.push_back(model_of(model));
  for (const Json& metric : json.at("metrics"))
    file.metrics.push_back({metric.at("name"), metric.at("options")});
  file.skipped_reference = count_of(json.at("skipped").at(0));
  file.skipped_distorted = count_of(json.at("skipped").at(1));
  file.subsample = number_of(json.at("subsample"), 1, std::numeric_limits<int>::max());
  json.at("seconds").get_to(file.seconds);
  if (!(file.seconds >= 0)) throw Absurd();
  json.at("at_end").get_to(file.at_end);
  file.left_out_reference = count_of(json.at("left_out").at(0));
  file.left_out_distorted = count_of(json.at("left_out").at(1));
  return static_cast<std::size_t>(number_of(json.at("frames"), 1, std::numeric_limits<int>::max()));
}

std::string serialize(const MeasurementFile& file) {
  std::string text(kMagic);
  text += header_of(file).dump(-1, ' ', true, Json::error_handler_t::replace);
  text += '\n';
  for (const bool identical : file.recording.identical) text += identical ? '\1' : '\0';
  const auto& records = file.recording.records;
  text.append(reinterpret_cast<const char*>(records.data()), records.size());
  return text + sha256(text);
}

Error damaged(const std::string& path, std::string_view how) {
  return {ErrorCode::kBadInput, fmt::format("{}: {}", path, how),
          "measure that range of frames again"};
}

Result<MeasurementFile> parse(std::string_view text, const std::string& path) {
  if (!text.starts_with(kMagic))
    return Error{ErrorCode::kBadInput, fmt::format("{}: not a file of measurements", path),
                 "vmafx score --measurements writes such files"};
  if (text.size() < kMagic.size() + kDigestSize ||
      text.substr(text.size() - kDigestSize) != sha256(text.substr(0, text.size() - kDigestSize)))
    return damaged(path, "the measurements are cut off or changed");
  text.remove_suffix(kDigestSize);
  text.remove_prefix(kMagic.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos)
    return damaged(path, "the heading of the measurements cannot be read");
  MeasurementFile file;
  try {
    const std::size_t frames = read_header(Json::parse(text.substr(0, line)), file);
    text.remove_prefix(line + 1);
    if (text.size() < frames) return damaged(path, "there are fewer measurements than frames");
    for (const char identical : text.substr(0, frames))
      file.recording.identical.push_back(identical != 0);
    text.remove_prefix(frames);
    if (text.size() % frames != 0) return damaged(path, "the measurements are not equally long");
  } catch (const Json::exception&) {
    return damaged(path, "the heading of the measurements cannot be read");
  } catch (const Absurd&) {
    return damaged(path, "the heading of the measurements cannot be read");
  }
  file.recording.source = path;
  file.recording.records.resize(text.size());
  std::memcpy(file.recording.records.data(), text.data(), text.size());
  return file;
}

Result<std::string> content_of(const std::string& path) {
  std::string content;
  const int code = read_file(path, std::numeric_limits<std::size_t>::max(), content);
  if (code == 0) return content;
  return Error{ErrorCode::kIo,
               fmt::format("cannot read \"{}\": {}", path, std::generic_category().message(code)),
               {}};
}

}  // namespace

Status write_measurements(const MeasurementFile& file, const std::string& path) {
  return guarded([&] { return write_file(serialize(file), path, "the measurements"); });
}

Result<MeasurementFile> read_measurements(const std::string& path) {
  return guarded([&]() -> Result<MeasurementFile> {
    const auto content = content_of(path);
    if (!content) return content.error();
    return parse(*content, path);
  });
}

}  // namespace vmafx
