#include "engine/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "vmafx/recording.h"

namespace vmafx::engine {
namespace {

constexpr std::size_t kRecordAlignment = 16;

std::string list_of_metrics() {
  std::string names = "there are: ";
  for (const Metric* metric : all_metrics()) {
    if (metric != all_metrics().front()) names += ", ";
    names += metric->name();
  }
  return names;
}

// For each request its reason not to apply, if any.
std::vector<std::optional<std::string>> reasons_to_skip(const Requests& requests,
                                                        const PictureFormat& format,
                                                        Status& failure) {
  std::vector<std::optional<std::string>> reasons;
  for (const auto& request : requests.metrics()) {
    const Status status = request.metric->check(request.options, format);
    if (!status && status.error().code != ErrorCode::kNotApplicable) failure = status;
    reasons.push_back(status ? std::nullopt : std::optional(status.error().message));
  }
  return reasons;
}

// Requests that share a measurement, in the order of their first member.
using GroupedRequests = std::vector<std::vector<std::size_t>>;

GroupedRequests group_requests(const Requests& requests,
                               const std::vector<std::optional<std::string>>& reasons) {
  GroupedRequests groups;
  std::map<std::pair<std::string_view, std::string>, std::size_t> index;
  for (std::size_t i = 0; i < requests.metrics().size(); ++i) {
    if (reasons[i]) continue;
    const auto& request = requests.metrics()[i];
    const auto [it, added] = index.try_emplace(
        {request.metric->measured_as(), request.metric->group(request.options)}, groups.size());
    if (added) groups.emplace_back();
    groups[it->second].push_back(i);
  }
  return groups;
}

Result<MeasurePlan::Group> make_group(const Requests& requests,
                                      const std::vector<std::size_t>& members,
                                      const PictureFormat& format, bool on_device) {
  std::vector<Options> variants;
  variants.reserve(members.size());
  for (const std::size_t i : members) variants.push_back(requests.metrics()[i].options);
  const Metric& metric = *requests.metrics()[members[0]].metric;
  auto measurement = metric.measurement(variants, format);
  if (!measurement) return measurement.error();
  MeasurePlan::Group group;
  group.metric = metric.name();
  for (const Options& options : variants) group.variants += '[' + options.canonical() + ']';
  group.size = (*measurement)->record_size();
  if (on_device) group.on_device = (*measurement)->on_device(format);
  group.measurement = std::move(*measurement);
  return group;
}

void append(MeasurePlan& plan, MeasurePlan::Group group) {
  group.offset = plan.record_bytes;
  plan.record_bytes += (group.size + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
  const Window window = group.measurement->window();
  plan.window.reference_back = std::max(plan.window.reference_back, window.reference_back);
  plan.window.distorted_back = std::max(plan.window.distorted_back, window.distorted_back);
  plan.groups.push_back(std::move(group));
}

Result<std::shared_ptr<const MeasurePlan>> make_measure_plan(const Requests& requests,
                                                             const GroupedRequests& groups,
                                                             const PictureFormat& format,
                                                             int subsample,
                                                             std::string_view device) {
  auto plan = std::make_shared<MeasurePlan>();
  plan->device = device;
  plan->subsample = subsample;
  for (const auto& members : groups) {
    auto group = make_group(requests, members, format, !device.empty());
    if (!group) return group.error();
    append(*plan, std::move(*group));
  }
  if (std::max(plan->window.reference_back, plan->window.distorted_back) > kLookBack)
    return Error{ErrorCode::kInternal, "a metric looks back further than recordings do", {}};
  return std::shared_ptr<const MeasurePlan>(std::move(plan));
}

// Folds in the order of the requests, and what is skipped of those. Returns the fold of each
// request that has one.
std::vector<std::size_t> plan_folds(const Requests& requests,
                                    const std::vector<std::optional<std::string>>& reasons,
                                    const GroupedRequests& groups, const PictureFormat& format,
                                    Plan& plan) {
  std::vector<PlannedFold> folds(requests.metrics().size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t variant = 0; variant < groups[g].size(); ++variant) {
      const std::size_t i = groups[g][variant];
      const auto& request = requests.metrics()[i];
      const MeasurePlan::Group& group = plan.measure->groups[g];
      folds[i] = {std::string(request.metric->name()), std::string(plan.measure->backend(group)), g,
                  request.metric->fold(request.options, format, variant)};
    }
  }
  std::vector<std::size_t> fold_of_request(folds.size());
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (reasons[i] && requests.metrics()[i].by_caller)
      plan.skipped.push_back({std::string(requests.metrics()[i].metric->name()), *reasons[i]});
    if (reasons[i]) continue;
    fold_of_request[i] = plan.folds.size();
    plan.folds.push_back(std::move(folds[i]));
  }
  return fold_of_request;
}

// Index in the fold's keys().
std::optional<std::size_t> find_key(const Fold& fold, std::string_view long_name) {
  const std::vector<OutputKey> keys = fold.keys();
  const auto it = std::find_if(keys.begin(), keys.end(),
                               [&](const OutputKey& key) { return key.name == long_name; });
  if (it == keys.end()) return std::nullopt;
  return static_cast<std::size_t>(it - keys.begin());
}

void plan_models(const Requests& requests, const std::vector<std::optional<std::string>>& reasons,
                 const std::vector<std::size_t>& fold_of_request, Plan& plan) {
  for (const auto& request : requests.models()) {
    PlannedModel planned{request.model, {}};
    std::optional<std::string> reason;
    for (std::size_t f = 0; f < request.metrics.size() && !reason; ++f) {
      const std::size_t metric = request.metrics[f];
      const std::string& feature = request.model.features()[f].name;
      if (reasons[metric]) {
        reason = reasons[metric];
      } else if (const auto key = find_key(*plan.folds[fold_of_request[metric]].fold, feature)) {
        planned.inputs.push_back({fold_of_request[metric], *key});
      } else {
        reason = fmt::format("{} is not an output of {} with these options", feature,
                             requests.metrics()[metric].metric->name());
      }
    }
    if (reason) {
      plan.skipped.push_back({request.model.name(), *reason});
    } else {
      plan.models.push_back(std::move(planned));
    }
  }
}

// A model under the name of a feature, or of another model's spread, would pass for it.
Status check_model_keys(const Plan& plan) {
  std::set<std::string> keys;
  for (const PlannedFold& planned : plan.folds)
    for (const auto& output : planned.fold->keys()) keys.insert(output.key);
  for (const PlannedModel& planned : plan.models)
    for (const std::string& key : planned.model.score_keys())
      if (!keys.insert(key).second)
        return Error{ErrorCode::kUsage,
                     fmt::format("model {} would report \"{}\", which is another score's key",
                                 planned.model.version(), key),
                     "give it another name with name="};
  return {};
}

}  // namespace

std::size_t Requests::add(const Metric& metric, Options options, bool by_caller) {
  const std::string canonical = options.canonical();
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (metrics_[i].metric == &metric && metrics_[i].options.canonical() == canonical) {
      metrics_[i].by_caller = metrics_[i].by_caller || by_caller;
      return i;
    }
  }
  metrics_.push_back({&metric, std::move(options), by_caller});
  return metrics_.size() - 1;
}

Status Requests::add_metric(std::string_view name, const OptionText& options) {
  const Metric* metric = find_metric(name);
  if (metric == nullptr)
    return Error{ErrorCode::kUsage, fmt::format("there is no metric \"{}\"", name),
                 list_of_metrics()};
  auto parsed = Options::parse(metric->options(), options, metric->name());
  if (!parsed) return parsed.error();
  add(*metric, std::move(*parsed), true);
  return {};
}

Status Requests::add_model(const Model& model) {
  for (const ModelRequest& other : models_)
    if (other.model.name() == model.name())
      return Error{ErrorCode::kUsage, fmt::format("two models are named \"{}\"", model.name()),
                   "give each a name of its own with name="};
  ModelRequest request{model, {}};
  for (const ModelFeature& feature : model.features()) {
    const Metric* metric = find_metric_by_output(feature.name);
    if (metric == nullptr)
      return Error{ErrorCode::kUsage,
                   fmt::format("model {}: no metric gives {}", model.version(), feature.name),
                   list_of_metrics()};
    auto options = Options::parse(metric->options(),
                                  {feature.options.begin(), feature.options.end()}, metric->name());
    if (!options) return options.error();
    request.metrics.push_back(add(*metric, std::move(*options), false));
  }
  models_.push_back(std::move(request));
  return {};
}

Result<Plan> make_plan(const Requests& requests, const PictureFormat& format, int subsample,
                       std::string_view device, std::shared_ptr<const MeasurePlan> measure) {
  Status failure;
  const auto reasons = reasons_to_skip(requests, format, failure);
  if (!failure) return failure.error();
  const GroupedRequests groups = group_requests(requests, reasons);
  if (!measure) {
    auto made = make_measure_plan(requests, groups, format, subsample, device);
    if (!made) return made.error();
    measure = *std::move(made);
  }

  Plan plan;
  plan.measure = std::move(measure);
  const std::vector<std::size_t> fold_of_request =
      plan_folds(requests, reasons, groups, format, plan);
  plan_models(requests, reasons, fold_of_request, plan);
  if (const Status status = check_model_keys(plan); !status) return status.error();
  if (plan.folds.empty()) {
    const std::string reason =
        plan.skipped.empty() ? "no metric and no model was asked for" : plan.skipped[0].reason;
    return Error{plan.skipped.empty() ? ErrorCode::kUsage : ErrorCode::kNotApplicable, reason, {}};
  }
  return plan;
}

std::string describe(const MeasurePlan& plan, const PictureFormat& format) {
  std::string text =
      fmt::format("vmafx {}, {}, every {}", VMAFX_VERSION, to_string(format), plan.subsample);
  for (const MeasurePlan::Group& group : plan.groups)
    text += fmt::format(", {}{} in {} bytes", group.metric, group.variants, group.size);
  return text;
}

}  // namespace vmafx::engine
