// Compares every feature and model with libvmaf's results on the golden pairs, within the bounds of
// docs/exactness.md. Each pair is decoded once; what can be asked for together is scored in one
// pass.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/presets.h"
#include "vmafx/catalog.h"
#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

fs::path golden_folder() {
  const char* shared = std::getenv("VMAFX_SHARED");
  return fs::path(shared != nullptr ? shared : VMAFX_SOURCE_DIR "/../shared") / "golden";
}

bool any_prefix(const std::string& key, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return key.starts_with(prefix); });
}

// Absolute or relative, whichever is larger; the reasons are in docs/exactness.md.
double bound(const std::string& key, bool is_score) {
  if (is_score || any_prefix(key, {"speed"})) return 1e-5;
  if (any_prefix(key, {"integer_adm", "integer_aim"})) return 2e-7;
  if (any_prefix(key, {"integer_", "VMAF_integer_", "psnr_y", "psnr_cb", "psnr_cr", "apsnr", "mse",
                       "cambi"}) &&
      !any_prefix(key, {"psnr_hvs"})) {
    return 1e-9;
  }
  return 1e-6;
}

struct FeatureRequest {
  std::string metric;
  std::map<std::string, std::string> options;
};

// One entry of a results file: what was asked for, and what libvmaf gave.
struct Case {
  std::string name;
  std::vector<FeatureRequest> features;
  std::vector<ModelSpec> models;
  std::int64_t skip_reference = 0;
  std::int64_t skip_distorted = 0;
  std::optional<std::int64_t> frame_count;
  int subsample = 1;
  const Json* expected = nullptr;

  // Cases of one stream setting may be scored in one pass.
  auto stream_setting() const {
    return std::tuple(skip_reference, skip_distorted, frame_count.value_or(-1), subsample);
  }
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

FeatureRequest parse_feature(const std::string& text) {
  const auto equals = text.find('=');
  FeatureRequest request{text.substr(0, equals), {}};
  if (equals == std::string::npos) return request;
  for (const std::string& part : split(text.substr(equals + 1), ':')) {
    const auto at = part.find('=');
    request.options[part.substr(0, at)] = part.substr(at + 1);
  }
  return request;
}

ModelSpec parse_model(const std::string& text) {
  ModelSpec spec;
  for (const std::string& part : split(text, ':')) {
    const auto equals = part.find('=');
    const std::string key = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    const auto dot = key.find('.');
    if (dot != std::string::npos) {
      spec.overloads.push_back({key.substr(0, dot), key.substr(dot + 1), value});
    } else if (key == "version") {
      spec.version = value;
    } else if (key == "name") {
      spec.name = value;
    } else if (key == "disable_clip") {
      spec.disable_clip = true;
    } else if (key == "enable_transform") {
      spec.transform = TransformUse::kOn;
    } else {
      ADD_FAILURE() << "unknown model option " << part;
    }
  }
  return spec;
}

void add_preset(const std::string& word, const std::string& version, Case& parsed) {
  tools::ScoringJob job;
  const Status added =
      word == "--aom_ctc" ? tools::add_aom_ctc(version, job) : tools::add_nflx_ctc(version, job);
  ASSERT_TRUE(added.ok()) << added.error().message;
  parsed.models = job.models;
  for (const tools::FeatureRequest& feature : job.features)
    parsed.features.push_back({feature.name, feature.options});
}

Case parse_case(const std::string& name, const Json& result) {
  Case parsed;
  parsed.name = name;
  parsed.expected = &result;
  const std::vector<std::string> words = split(result.at("args").get<std::string>(), ' ');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-n") continue;
    if (i + 1 == words.size()) {
      ADD_FAILURE() << "argument " << word << " has no value";
      break;
    }
    const std::string& value = words[++i];
    if (word == "-m") {
      parsed.models.push_back(parse_model(value));
    } else if (word == "--feature") {
      parsed.features.push_back(parse_feature(value));
    } else if (word.ends_with("_ctc")) {
      add_preset(word, value, parsed);
    } else if (word == "--subsample") {
      parsed.subsample = std::stoi(value);
    } else if (word == "--frame_cnt") {
      parsed.frame_count = std::stoi(value);
    } else if (word == "--frame_skip_ref") {
      parsed.skip_reference = std::stoi(value);
    } else if (word == "--frame_skip_dist") {
      parsed.skip_distorted = std::stoi(value);
    } else {
      ADD_FAILURE() << "unknown argument " << word;
    }
  }
  return parsed;
}

// True if this build has every metric and model that the case asks for.
bool is_built(const Case& wanted) {
  static const std::set<std::string> metrics = [] {
    std::set<std::string> names;
    for (const MetricInfo& metric : list_metrics()) names.insert(metric.name);
    return names;
  }();
  const auto models = builtin_models();
  return std::all_of(wanted.features.begin(), wanted.features.end(),
                     [](const FeatureRequest& f) { return metrics.contains(f.metric); }) &&
         std::all_of(wanted.models.begin(), wanted.models.end(), [&](const ModelSpec& spec) {
           return std::find(models.begin(), models.end(), spec.version) != models.end();
         });
}

// True if both give the same values for every key that both have, so that it does not matter which
// of the two a column of that key belongs to.
bool compatible(const Case& a, const Case& b) {
  if (a.stream_setting() != b.stream_setting()) return false;
  for (const char* part : {"metrics", "aggregate"}) {
    for (const auto& [key, values] : a.expected->at(part).items()) {
      const auto other = b.expected->at(part).find(key);
      const bool is_score = std::any_of(
          a.models.begin(), a.models.end(),
          [&, k = key](const auto& m) { return k == m.name || k.starts_with(m.name + "_"); });
      if (!is_score && other != b.expected->at(part).end() && *other != values) return false;
    }
  }
  return true;
}

std::vector<std::vector<Case>> group_into_passes(std::vector<Case> cases) {
  std::vector<std::vector<Case>> passes;
  for (Case& one : cases) {
    const auto pass =
        std::find_if(passes.begin(), passes.end(), [&](const std::vector<Case>& members) {
          return std::all_of(members.begin(), members.end(),
                             [&](const Case& m) { return compatible(m, one); });
        });
    if (pass != passes.end()) {
      pass->push_back(std::move(one));
    } else {
      passes.push_back({std::move(one)});
    }
  }
  return passes;
}

std::vector<Picture> decode(const std::string& name) {
  const fs::path path = golden_folder() / "clips" / name;
  std::vector<Picture> pictures;
  auto source = open_source({.path = path.string()});
  if (!source) {
    ADD_FAILURE() << source.error().message;
    return pictures;
  }
  while (true) {
    auto picture = (*source)->read();
    if (!picture) {
      ADD_FAILURE() << picture.error().message;
      break;
    }
    if (!picture->has_value()) break;
    pictures.push_back(**picture);
  }
  return pictures;
}

// The report key of a model's score within a pass, where every model needs a name of its own.
std::string name_in_pass(const Case& one, const ModelSpec& spec) {
  return one.name + "/" + spec.name;
}

struct ReportKey {
  std::string key;
  bool is_score = false;
};

ReportKey key_in_pass(const Case& one, const std::string& key) {
  for (const ModelSpec& spec : one.models) {
    if (key == spec.name || key.starts_with(spec.name + "_")) {
      return {name_in_pass(one, spec) + key.substr(spec.name.size()), true};
    }
  }
  return {key, false};
}

// Where the recorded value is no reference; said by GoldenFiles.AllAreCompared.
struct Exemption {
  std::string_view pair;  // empty: of every pair
  std::string_view what;  // the start of a case's name
  std::initializer_list<std::string_view> keys;
  std::string_view reason;
};

const Exemption kExemptions[] = {
    {"tiny_17x17",
     "",
     {"integer_adm", "integer_aim", "vmaf"},
     "libvmaf's ADM reads beyond its buffers"},
    {"tiny_32x32",
     "",
     {"integer_adm", "integer_aim", "vmaf"},
     "libvmaf's ADM reads beyond its buffers"},
    {"tiny_16x16",
     "",
     {"adm", "aim", "vmaf"},
     "libvmaf's ADM reads beyond its buffers; not applicable here"},
    {"grad10_q16",
     "opt.adm.egl12",
     {"integer_adm", "integer_aim"},
     "recorded from libvmaf's vector code, which differs from its scalar code by 1.4e-6"},
    {"city400_8_x264crf35", "model.vmaf_v1", {""}, "libvmaf stops at frame 0, for want of chroma"},
    {"", "", {"float_ansnr", "float_anpsnr"}, "a metric that is not built: of no use any more"},
    {"mega_odd_353x289_blurnoise",
     "opt.float_motion.mau",
     {"motion"},
     "libvmaf has one chroma row and column less"},
    {"",
     "opt.float_motion.mdcmau",
     {"motion"},
     "libvmaf takes luma's stride for chroma's at half the size, and reads what was never written"},
};

bool is_exempt(const std::string& pair, const std::string& what, const std::string& key) {
  return std::any_of(std::begin(kExemptions), std::end(kExemptions), [&](const Exemption& e) {
    return (e.pair.empty() || pair == e.pair) && what.starts_with(e.what) &&
           any_prefix(key, e.keys);
  });
}

// False if they differ.
bool expect_close(const std::string& where, const Json& expected, std::optional<double> got,
                  double tolerance) {
  if (expected.is_null()) return true;  // not finite in libvmaf
  const double want = expected.get<double>();
  if (!got.has_value()) {
    ADD_FAILURE() << where << ": missing, should be " << want;
    return false;
  }
  const bool close = std::abs(*got - want) <= tolerance * std::max(1.0, std::abs(want));
  EXPECT_TRUE(close) << where << ": " << fmt::format("{} instead of {}", *got, want);
  return close;
}

void compare_column(const std::string& where, const Json& values, const Json* pooled,
                    const Column& column, double tolerance) {
  ASSERT_EQ(column.values.size(), values.size()) << where;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // One message a column says enough.
    if (!expect_close(where + " row " + std::to_string(i), values[i], column.values[i], tolerance))
      return;
  }
  const std::optional<Pooled> ours = pool(column);
  if (pooled == nullptr || !ours) return;
  expect_close(where + " min", pooled->at("min"), ours->min, tolerance);
  expect_close(where + " max", pooled->at("max"), ours->max, tolerance);
  expect_close(where + " mean", pooled->at("mean"), ours->mean, tolerance);
  expect_close(where + " harmonic mean", pooled->at("harmonic_mean"), ours->harmonic_mean,
               tolerance);
}

void compare_case(const std::string& pair, const Case& one, const Scores& scores) {
  const Json& expected = *one.expected;
  const std::string prefix = pair + " " + one.name + " ";
  if (!is_exempt(pair, one.name, "frames")) {
    EXPECT_EQ(Json(scores.frames), expected.at("frames")) << prefix;
  }
  for (const auto& [key, values] : expected.at("metrics").items()) {
    if (is_exempt(pair, one.name, key)) continue;
    const ReportKey wanted = key_in_pass(one, key);
    bool found = false;
    for (const Column& column : scores.columns) {
      if (column.key != wanted.key) continue;
      found = true;
      const auto pooled = expected.at("pooled").find(key);
      compare_column(prefix + key, values,
                     pooled == expected.at("pooled").end() ? nullptr : &*pooled, column,
                     bound(key, wanted.is_score));
    }
    EXPECT_TRUE(found) << prefix << key << " is not in the report";
  }
  for (const auto& [key, value] : expected.at("aggregate").items()) {
    const auto at =
        std::find_if(scores.aggregates.begin(), scores.aggregates.end(),
                     [&, k = key](const auto& aggregate) { return aggregate.first == k; });
    expect_close(prefix + key, value,
                 at == scores.aggregates.end() ? std::nullopt : std::optional(at->second),
                 bound(key, false));
  }
}

void add_requests(Session& session, const Case& one) {
  for (const FeatureRequest& feature : one.features) {
    const Status status = session.add_metric(feature.metric, feature.options);
    ASSERT_TRUE(status.ok()) << one.name << ": " << status.error().message;
  }
  for (ModelSpec spec : one.models) {
    spec.name = name_in_pass(one, spec);
    const auto model = load_model(spec);
    ASSERT_TRUE(model.ok()) << one.name << ": " << model.error().message;
    const Status status = session.add_model(*model);
    ASSERT_TRUE(status.ok()) << one.name << ": " << status.error().message;
  }
}

void run_pass(const std::string& pair, const std::vector<Case>& cases,
              const std::vector<Picture>& reference, const std::vector<Picture>& distorted) {
  const Case& any = cases.front();
  Session session({.subsample = any.subsample});
  for (const Case& one : cases) ASSERT_NO_FATAL_FAILURE(add_requests(session, one));
  auto r = static_cast<std::size_t>(any.skip_reference);
  auto d = static_cast<std::size_t>(any.skip_distorted);
  for (std::int64_t n = 0; r < reference.size() && d < distorted.size(); ++n, ++r, ++d) {
    if (any.frame_count && n == *any.frame_count) break;
    const Status status = session.submit(reference[r], distorted[d]);
    ASSERT_TRUE(status.ok()) << pair << ": " << status.error().message;
  }
  const Status status = session.finish();
  ASSERT_TRUE(status.ok()) << pair << ": " << status.error().message;
  const Scores scores = session.scores();
  for (const Case& one : cases) compare_case(pair, one, scores);
}

Json read_json(const fs::path& path) {
  std::ifstream file(path);
  return Json::parse(file);
}

std::vector<fs::path> result_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(golden_folder() / "results"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The pairs are tested by family, so that ctest can run them side by side.
constexpr const char* kFamilies[] = {"city", "cock",   "dog", "grad", "mega",
                                     "ped",  "rocket", "syn", "tiny"};

class Golden : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden, EqualsLibvmaf) {
  if (!fs::exists(golden_folder())) GTEST_SKIP() << "no golden clips in " << golden_folder();
  if (!can_open_containers()) GTEST_SKIP() << "this build cannot open containers";
  int pairs = 0;
  for (const fs::path& file : result_files()) {
    if (!file.filename().string().starts_with(GetParam())) continue;
    const Json pair = read_json(file);
    const std::string name = pair.at("pair");
    std::vector<Case> cases;
    for (const auto& [what, result] : pair.at("results").items()) {
      Case one = parse_case(what, result);
      if (is_built(one)) cases.push_back(std::move(one));
    }
    const std::vector<Picture> reference = decode(pair.at("reference"));
    const std::vector<Picture> distorted = decode(pair.at("distorted"));
    ASSERT_FALSE(reference.empty() || distorted.empty()) << name;
    for (const auto& pass : group_into_passes(std::move(cases)))
      run_pass(name, pass, reference, distorted);
    ++pairs;
  }
  EXPECT_GT(pairs, 0);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Golden, ::testing::ValuesIn(kFamilies),
                         [](const auto& family) { return std::string(family.param); });

TEST(GoldenFiles, EveryPairBelongsToAFamily) {
  if (!fs::exists(golden_folder())) GTEST_SKIP() << "no golden clips in " << golden_folder();
  for (const fs::path& file : result_files()) {
    EXPECT_TRUE(std::any_of(std::begin(kFamilies), std::end(kFamilies), [&](const char* family) {
      return file.filename().string().starts_with(family);
    })) << file;
  }
}

// Says by name which golden results have no counterpart in this build.
TEST(GoldenFiles, AllAreCompared) {
  if (!fs::exists(golden_folder())) GTEST_SKIP() << "no golden clips in " << golden_folder();
  std::set<std::string> left_out;
  for (const fs::path& file : result_files()) {
    const Json pair = read_json(file);
    for (const auto& [what, result] : pair.at("results").items()) {
      if (!is_built(parse_case(what, result))) left_out.insert(what);
    }
  }
  std::string message;
  for (const Exemption& e : kExemptions)
    message += fmt::format("{} {} is no reference: {}; ", e.pair, e.what, e.reason);
  GTEST_SKIP() << message
               << fmt::format("{} cases are not built yet: {}", left_out.size(),
                              fmt::join(left_out, " "));
}

}  // namespace
}  // namespace vmafx
