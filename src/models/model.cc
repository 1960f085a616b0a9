#include "vmafx/model.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/guard.h"
#include "base/options.h"
#include "base/read_file.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "metrics/metric.h"
#include "models/bootstrap.h"
#include "models/builtin.h"
#include "models/content.h"
#include "models/json_reader.h"

namespace vmafx {

struct Model::Impl {
  std::string name;
  std::string version;
  ModelContent content;
  std::vector<std::string> keys;
  std::vector<std::string> feature_keys;
};

namespace {

constexpr std::size_t kMaxFileSize = std::size_t{64} << 20;

Result<std::string> content_of(const std::string& path) {
  std::string text;
  const int code = read_file(path, kMaxFileSize, text);
  if (code == 0) return text;
  if (code == EFBIG)
    return Error{ErrorCode::kBadInput, fmt::format("{}: larger than 64 MiB, not a model", path),
                 ""};
  return Error{ErrorCode::kIo,
               fmt::format("cannot read model {}: {}", path, std::generic_category().message(code)),
               ""};
}

Result<ModelContent> load_file(const std::string& path) {
  if (path.ends_with(".pkl")) {
    return Error{ErrorCode::kBadInput, fmt::format("{}: .pkl models are not supported", path),
                 "use the model's .json file"};
  }
  auto text = content_of(path);
  if (!text) return text.error();
  auto content = read_json_model(*text);
  if (content) return content;
  Error error = content.error();
  error.message = fmt::format("{}: {}", path, error.message);
  return error;
}

Result<ModelContent> load_builtin(const std::string& version) {
  if (const BuiltinModel* model = find_builtin(version)) return make_content(*model);
  return Error{ErrorCode::kUsage, fmt::format("no built-in model is called '{}'", version),
               fmt::format("there are {}", fmt::join(builtin_models(), ", "))};
}

void apply_use(const ModelSpec& spec, ModelContent& content) {
  for (ModelMember& member : content.members) {
    if (spec.disable_clip) member.mapping.clip.reset();
    if (spec.transform != TransformUse::kModelDecides) {
      member.mapping.transform_enabled = spec.transform == TransformUse::kOn;
    }
  }
}

std::vector<std::string> score_keys(const std::string& name, std::size_t members) {
  std::vector<std::string> keys = {name};
  if (members == 1) return keys;
  for (std::size_t i = 1; i < members; ++i) keys.push_back(fmt::format("{}_{:04}", name, i));
  for (const char* suffix : {"_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"}) {
    keys.push_back(name + suffix);
  }
  return keys;
}

std::string feature_key(const ModelFeature& feature) {
  const Metric* metric = find_metric_by_output(feature.name);
  if (metric == nullptr) return {};
  const auto options = Options::parse(
      metric->options(), {feature.options.begin(), feature.options.end()}, metric->name());
  if (!options) return {};
  const PictureFormat format{1920, 1080, 8, Chroma::k420};  // keys do not depend on it
  if (!metric->check(*options, format)) return {};
  const auto fold = metric->fold(*options, format, 0);
  for (const OutputKey& key : fold->keys())
    if (key.name == feature.name) return key.key;
  return {};
}

std::vector<std::string> keys_of_features(const ModelContent& content) {
  std::vector<std::string> keys;
  for (const ModelFeature& feature : content.features) keys.push_back(feature_key(feature));
  return keys;
}

// The option's full name, if the metric has it and the value is valid.
Result<std::string> resolve_option(const Metric& metric, const FeatureOverload& overload) {
  const OptionText text = {{overload.option, overload.value}};
  if (auto parsed = Options::parse(metric.options(), text, metric.name()); !parsed) {
    return parsed.error();
  }
  for (const OptionSpec& spec : metric.options()) {
    if (spec.name == overload.option || spec.alias == overload.option)
      return std::string(spec.name);
  }
  return Error{ErrorCode::kInternal, "an option that parses is not in its schema", ""};
}

}  // namespace

const std::string& Model::name() const { return impl_->name; }
const std::string& Model::version() const { return impl_->version; }
const std::string& Model::digest() const { return impl_->content.digest; }
const std::vector<ModelFeature>& Model::features() const { return impl_->content.features; }
std::vector<std::string> Model::metrics() const {
  std::vector<std::string> names;
  for (const ModelFeature& feature : features()) {
    const Metric* metric = find_metric_by_output(feature.name);
    names.emplace_back(metric == nullptr ? std::string_view() : metric->name());
  }
  return names;
}
const std::vector<std::string>& Model::feature_keys() const { return impl_->feature_keys; }
bool Model::is_set() const { return impl_->content.members.size() > 1; }
const std::vector<std::string>& Model::score_keys() const { return impl_->keys; }

Status Model::predict(std::span<const double> features, std::span<double> scores) const {
  return guarded([&]() -> Status {
    const ModelContent& content = impl_->content;
    if (features.size() != content.features.size() || scores.size() != impl_->keys.size()) {
      return Error{ErrorCode::kInternal, fmt::format("model {}: wrong number of values", name()),
                   ""};
    }
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (std::isfinite(features[i])) continue;
      return Error{ErrorCode::kBadInput,
                   fmt::format("model {}: its feature {} is {}", name(), content.features[i].name,
                               features[i]),
                   ""};
    }

    std::vector<std::vector<double>> kernels(content.spaces.size());
    for (std::size_t i = 0; i < kernels.size(); ++i)
      content.spaces[i].evaluate(features, kernels[i]);

    const std::size_t members = content.members.size();
    std::vector<double> raw(members);
    for (std::size_t i = 0; i < members; ++i) {
      const ModelMember& member = content.members[i];
      raw[i] = member.score.invert(member.regression.evaluate(kernels[member.space]));
      scores[i] = member.mapping.apply(raw[i]);
      // The clip would turn an overflow into a perfect score.
      if (!std::isfinite(raw[i]) || !std::isfinite(scores[i])) {
        return Error{ErrorCode::kBadInput,
                     fmt::format("model {}: the score {} is not finite", name(), impl_->keys[i]),
                     ""};
      }
    }
    if (members > 1) {
      const auto spread = summarize(std::span(raw).subspan(1), content.members[1].mapping);
      scores[members] = spread.bagging;
      scores[members + 1] = spread.stddev;
      scores[members + 2] = spread.ci_p95_lo;
      scores[members + 3] = spread.ci_p95_hi;
    }
    return {};
  });
}

Status Model::check(const PictureFormat& format) const {
  return guarded([&]() -> Status {
    for (const ModelFeature& feature : features()) {
      const Metric* metric = find_metric_by_output(feature.name);
      if (metric == nullptr)
        return Error{ErrorCode::kUsage,
                     fmt::format("model {}: no metric gives {}", version(), feature.name), ""};
      const auto options = Options::parse(
          metric->options(), {feature.options.begin(), feature.options.end()}, metric->name());
      if (!options) return options.error();
      if (Status status = metric->check(*options, format); !status) return status;
    }
    return {};
  });
}

Result<Model> Model::with_overload(const FeatureOverload& overload) const {
  return guarded([&]() -> Result<Model> {
    const Metric* metric = find_metric(overload.metric);
    if (metric == nullptr) {
      return Error{ErrorCode::kUsage,
                   fmt::format("model {}: no metric is called '{}'", name(), overload.metric), ""};
    }
    auto option = resolve_option(*metric, overload);
    if (!option) {
      Error error = option.error();
      error.message = fmt::format("model {}: {}", name(), error.message);
      return error;
    }

    auto impl = std::make_shared<Impl>(*impl_);
    bool found = false;
    for (ModelFeature& feature : impl->content.features) {
      if (find_metric_by_output(feature.name) != metric) continue;
      feature.options[*option] = overload.value;
      found = true;
    }
    if (!found) {
      return Error{
          ErrorCode::kUsage,
          fmt::format("model {}: none of its features is of metric '{}'", name(), overload.metric),
          ""};
    }
    impl->feature_keys = keys_of_features(impl->content);
    return Model(std::move(impl));
  });
}

Result<Model> load_model(const ModelSpec& spec) {
  return guarded([&]() -> Result<Model> {
    if (spec.version.empty() == spec.path.empty()) {
      return Error{ErrorCode::kUsage, "a model needs either a version or a path", ""};
    }
    if (spec.name.empty()) return Error{ErrorCode::kUsage, "the name of a model is empty", ""};
    auto content = spec.path.empty() ? load_builtin(spec.version) : load_file(spec.path);
    if (!content) return content.error();
    apply_use(spec, *content);

    auto keys = score_keys(spec.name, content->members.size());
    auto inputs = keys_of_features(*content);
    Model model(std::make_shared<Model::Impl>(
        Model::Impl{spec.name, spec.path.empty() ? spec.version : spec.path, std::move(*content),
                    std::move(keys), std::move(inputs)}));
    for (const FeatureOverload& overload : spec.overloads) {
      auto changed = model.with_overload(overload);
      if (!changed) return changed.error();
      model = std::move(*changed);
    }
    return model;
  });
}

std::vector<std::string_view> builtin_models() {
  std::vector<std::string_view> names;
  for (const BuiltinModel& model : builtin_catalog()) {
    const bool measurable = std::all_of(
        model.features.begin(), model.features.end(),
        [](const ModelFeature& feature) { return find_metric_by_output(feature.name) != nullptr; });
    if (measurable) names.push_back(model.version);
  }
  return names;
}

}  // namespace vmafx
