#include "models/json_reader.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sha256.h"
#include "fmt/format.h"
#include "models/libsvm_text.h"
#include "nlohmann/json.hpp"

namespace vmafx {
namespace {

using Json = nlohmann::json;

constexpr int kMaxNesting = 512;

// What is wrong with the file. Thrown and caught in this file only: nlohmann throws as well, and a
// reader of nested members is clearest that way.
struct Invalid : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw Invalid(fmt::format("{}: {}", path, what));
}

// Text of the file, cut to what fits in a line.
std::string shown(std::string_view text) {
  return std::string(text.substr(0, 60)) + (text.size() > 60 ? "..." : "");
}

// ---- JSON ----

// Refuses what nlohmann accepts: deep nesting, and members that are given twice, of which the last
// would win.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kMaxNesting) throw Invalid(fmt::format("nested deeper than {}", kMaxNesting));
    }
    if (event == Event::object_start) members_.emplace_back();
    if (event == Event::object_end) members_.pop_back();
    if (event == Event::key && !members_.back().insert(parsed.get<std::string>()).second) {
      throw Invalid(fmt::format("member '{}' is there twice", shown(parsed.get<std::string>())));
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> members_;
};

// Without nlohmann's "[json.exception.parse_error.101] " and without the token that it quotes,
// which may be most of the file.
std::string clean(std::string_view what) {
  what = what.substr(what.find("] ") + 2);
  what = what.substr(0, what.find("; last read"));
  return std::string(what.substr(0, 160));
}

Json parse_json(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Invalid("the file is empty");
  try {
    return Json::parse(text.begin(), text.end(), Guard());
  } catch (const Json::exception& e) {
    throw Invalid(fmt::format("not JSON: {}", clean(e.what())));
  }
}

// A value and where it is, for error messages.
struct Node {
  const Json& json;
  std::string path;

  // nullopt if there is no such member.
  std::optional<Node> find(const std::string& key) const {
    if (!json.is_object()) fail(path, "is not an object");
    const auto it = json.find(key);
    if (it == json.end()) return std::nullopt;
    return Node{*it, path.empty() ? key : path + "." + key};
  }
  Node at(const std::string& key) const {
    auto node = find(key);
    if (!node) fail(path.empty() ? key : path + "." + key, "is missing");
    return *node;
  }
  std::vector<Node> elements() const {
    if (!json.is_array()) fail(path, "is not an array");
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < json.size(); ++i) {
      nodes.push_back({json[i], fmt::format("{}[{}]", path, i)});
    }
    return nodes;
  }
  double number() const {
    if (!json.is_number()) fail(path, "is not a number");
    return json.get<double>();
  }
  const std::string& text() const {
    if (!json.is_string()) fail(path, "is not a string");
    return json.get_ref<const std::string&>();
  }
};

// ---- Members of model_dict ----

// An option's value as text. A whole number is written without exponent, so that integer options
// take it.
std::string option_text(const Node& node) {
  if (node.json.is_string()) return node.text();
  if (node.json.is_boolean()) return node.json.get<bool>() ? "true" : "false";
  if (!node.json.is_number()) fail(node.path, "is not a number, a string, true or false");
  const double value = node.number();
  if (std::fabs(value) < 1e15 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::vector<ModelFeature> read_features(const Node& model) {
  std::vector<ModelFeature> features;
  const Node names = model.at("feature_names");
  for (const Node& name : names.elements()) features.push_back({name.text(), {}});
  if (features.empty()) fail(names.path, "is empty");

  const auto options = model.find("feature_opts_dicts");
  if (!options) return features;
  const std::vector<Node> each = options->elements();
  if (each.size() != features.size()) {
    fail(options->path, fmt::format("{} entries for {} features", each.size(), features.size()));
  }
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (!each[i].json.is_object()) fail(each[i].path, "is not an object");
    for (const auto& [key, value] : each[i].json.items()) {
      features[i].options.emplace(key, option_text({value, each[i].path + "." + key}));
    }
  }
  return features;
}

// First of the score, then of each feature.
std::vector<LinearRescale> read_rescales(const Node& model, std::size_t features) {
  std::vector<LinearRescale> rescales(features + 1);
  const Node type = model.at("norm_type");
  if (type.text() == "none") return rescales;
  if (type.text() != "linear_rescale") {
    fail(type.path, fmt::format("'{}' is neither linear_rescale nor none", shown(type.text())));
  }
  const auto read = [&](const char* key, double LinearRescale::* field) {
    const Node node = model.at(key);
    const std::vector<Node> values = node.elements();
    if (values.size() != rescales.size()) {
      fail(node.path,
           fmt::format("{} numbers instead of {}: one for the score, then one for each feature",
                       values.size(), rescales.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) rescales[i].*field = values[i].number();
  };
  read("slopes", &LinearRescale::slope);
  read("intercepts", &LinearRescale::intercept);
  for (std::size_t i = 0; i < rescales.size(); ++i) {
    if (rescales[i].slope == 0) fail(fmt::format("{}.slopes[{}]", model.path, i), "is 0");
  }
  return rescales;
}

std::vector<Knot> read_knots(const Node& node) {
  std::vector<Knot> knots;
  for (const Node& each : node.elements()) {
    const std::vector<Node> pair = each.elements();
    if (pair.size() != 2) fail(each.path, "is not [x, y]");
    knots.push_back({pair[0].number(), pair[1].number()});
    if (knots.size() < 2) continue;
    const Knot& previous = knots[knots.size() - 2];
    if (knots.back().x <= previous.x) fail(each.path, "x does not increase");
    if (knots.back().y < previous.y) fail(each.path, "y decreases");
  }
  if (knots.size() < 2) fail(node.path, "fewer than two knots");
  return knots;
}

// libvmaf's files say "true" as a string.
bool read_flag(const Node& transform, const char* key) {
  const auto node = transform.find(key);
  if (!node) return false;
  if (node->json.is_boolean()) return node->json.get<bool>();
  if (node->json == "true" || node->json == "false") return node->json == "true";
  fail(node->path, "is neither true nor false");
}

// nullopt also for null.
std::optional<Node> find_value(const Node& object, const char* key) {
  auto node = object.find(key);
  return node && node->json.is_null() ? std::nullopt : std::move(node);
}

std::optional<double> find_number(const Node& object, const char* key) {
  const auto node = find_value(object, key);
  if (!node) return std::nullopt;
  return node->number();
}

ScoreMapping read_mapping(const Node& model) {
  ScoreMapping mapping;
  if (const auto node = find_value(model, "score_transform")) {
    ScoreTransform transform;
    transform.p0 = find_number(*node, "p0");
    transform.p1 = find_number(*node, "p1");
    transform.p2 = find_number(*node, "p2");
    if (const auto knots = find_value(*node, "knots")) transform.knots = read_knots(*knots);
    transform.at_most_input = read_flag(*node, "out_lte_in");
    transform.at_least_input = read_flag(*node, "out_gte_in");
    mapping.transform = std::move(transform);
    mapping.transform_enabled = read_flag(*node, "enabled");
  }
  if (const auto node = find_value(model, "score_clip")) {
    const std::vector<Node> ends = node->elements();
    if (ends.size() != 2) fail(node->path, "is not [min, max]");
    mapping.clip = ScoreClip{ends[0].number(), ends[1].number()};
    if (mapping.clip->min > mapping.clip->max) fail(node->path, "min is greater than max");
  }
  return mapping;
}

std::optional<ChromaCorrection> read_correction(const Node& model,
                                                const std::vector<ModelFeature>& features) {
  const auto node = model.find("chroma_correction_parameter");
  if (!node) return std::nullopt;
  const double parameter = node->number();
  if (parameter == 0) fail(node->path, "is 0");
  auto correction = chroma_correction(features, parameter);
  if (!correction) {
    fail(node->path, "needs exactly one feature of adm3 and exactly one of speed_chroma");
  }
  return correction;
}

// ---- The model ----

void check_type(const Node& model, bool in_set) {
  const Node type = model.at("model_type");
  const std::string& name = type.text();
  const bool bootstrap = name == "BOOTSTRAP_LIBSVMNUSVR" || name == "RESIDUEBOOTSTRAP_LIBSVMNUSVR";
  if (bootstrap || (name == "LIBSVMNUSVR" && !in_set)) return;
  fail(type.path, fmt::format("'{}' is not {}BOOTSTRAP_LIBSVMNUSVR or RESIDUEBOOTSTRAP_LIBSVMNUSVR",
                              shown(name), in_set ? "" : "LIBSVMNUSVR, "));
}

// Puts the members of a set together; those with equal rescaling share a space and its support
// vectors.
class Assembler {
 public:
  explicit Assembler(ModelContent& content) : content_(content) {}

  void add(const Node& model, bool in_set) {
    check_type(model, in_set);
    std::vector<ModelFeature> features = read_features(model);
    std::vector<LinearRescale> rescales = read_rescales(model, features.size());
    const LinearRescale score = rescales[0];
    rescales.erase(rescales.begin());
    const auto correction = read_correction(model, features);
    const Node text = model.at("model");
    auto svm = parse_libsvm(text.text(), features.size());
    if (!svm) fail(text.path, svm.error().message);

    if (content_.members.empty()) content_.features = features;
    check_features(model, features);
    Pool& pool = find_pool({svm->gamma, std::move(rescales), correction});
    content_.members.push_back(
        {pool.space, pool_regression(pool, *svm), score, read_mapping(model)});
  }

  void finish() {
    for (const Pool& pool : pools_) {
      content_.spaces.push_back(
          {pool.key.rescale, pool.key.correction,
           KernelBasis(pool.key.gamma, content_.features.size(), pool.points)});
    }
  }

 private:
  struct Key {
    double gamma;
    std::vector<LinearRescale> rescale;
    std::optional<ChromaCorrection> correction;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Pool {
    Key key;
    std::size_t space;
    std::map<std::vector<double>, std::uint32_t> index = {};
    std::vector<double> points = {};
  };

  void check_features(const Node& model, const std::vector<ModelFeature>& features) const {
    const auto same = [](const ModelFeature& a, const ModelFeature& b) {
      return a.name == b.name && a.options == b.options;
    };
    const auto& first = content_.features;
    if (!std::equal(first.begin(), first.end(), features.begin(), features.end(), same)) {
      fail(model.path + ".feature_names",
           "the features differ from those of the first model of the set");
    }
  }

  Pool& find_pool(Key key) {
    for (Pool& pool : pools_) {
      if (pool.key == key) return pool;
    }
    pools_.push_back({std::move(key), pools_.size()});
    return pools_.back();
  }

  Regression pool_regression(Pool& pool, const LibsvmModel& svm) const {
    const std::size_t width = content_.features.size();
    Regression regression;
    regression.rho = svm.rho;
    for (std::size_t i = 0; i < svm.weights.size(); ++i) {
      const double* const values = svm.points.data() + i * width;
      const auto [it, is_new] =
          pool.index.try_emplace(std::vector<double>(values, values + width),
                                 static_cast<std::uint32_t>(pool.index.size()));
      if (is_new) pool.points.insert(pool.points.end(), values, values + width);
      regression.terms.push_back({it->second, svm.weights[i]});
    }
    return regression;
  }

  ModelContent& content_;
  std::vector<Pool> pools_;
};

bool is_number(std::string_view key) {
  return !key.empty() && key.find_first_not_of("0123456789") == std::string_view::npos;
}

ModelContent read(std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object()) throw Invalid("is not a JSON object");
  const Node root{json, ""};

  ModelContent content;
  Assembler assembler(content);
  if (root.find("model_dict")) {
    assembler.add(root.at("model_dict"), false);
  } else {
    int count = 0;
    for (const auto& [key, value] : json.items()) count += is_number(key);
    if (count == 0) throw Invalid("has neither model_dict nor members 0, 1, 2, ...: not a model");
    if (count == 1) throw Invalid("a bootstrap set needs at least members 0 and 1");
    for (int i = 0; i < count; ++i)
      assembler.add(root.at(std::to_string(i)).at("model_dict"), true);
  }
  assembler.finish();
  content.digest = sha256(text);
  return content;
}

}  // namespace

Result<ModelContent> read_json_model(std::string_view text) {
  try {
    return read(text);
  } catch (const Invalid& invalid) {
    return Error{ErrorCode::kBadInput, invalid.what(), ""};
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kOutOfMemory, "out of memory while reading the model", ""};
  }
}

}  // namespace vmafx
