#include "engine/folding.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace vmafx::engine {

namespace {

// For one more, so that adding it does not throw.
template <class Vector>
void make_room(Vector& values) {
  constexpr std::size_t kFewest = 16;
  if (values.size() == values.capacity()) values.reserve(std::max(kFewest, 2 * values.size()));
}

}  // namespace

class Folding::Sink final : public FeatureSink {
 public:
  Sink(Folding& folding, const Use& use) : folding_(folding), use_(use) {}

  void feature(std::int64_t frame, std::size_t key, double value) override {
    folding_.set(use_.columns[key], frame, value);
  }
  void aggregate(std::size_t key, double value) override {
    if (use_.aggregates[key] >= 0)
      folding_.scores_.aggregates[static_cast<std::size_t>(use_.aggregates[key])].second = value;
  }

 private:
  Folding& folding_;
  const Use& use_;
};

Folding::Folding(Plan plan) : measure_(std::move(plan.measure)) {
  scores_.skipped = std::move(plan.skipped);
  add_metric_columns(plan);
  add_models(plan);
}

Folding::Place Folding::add_column(const std::string& key, const std::string& producer,
                                   const std::string& backend) {
  for (const Column& column : scores_.columns) {
    if (column.key != key) continue;
    shadowed_.emplace_back();
    left_out_.emplace_back(key, producer);
    return {false, shadowed_.size() - 1};
  }
  scores_.columns.push_back({key, producer, backend, {}});
  return {true, scores_.columns.size() - 1};
}

// libvmaf's order: metrics as they were registered, and after all of them what it computes at its
// flush.
void Folding::add_metric_columns(Plan& plan) {
  for (PlannedFold& planned : plan.folds) {
    Use use;
    use.group = planned.group;
    use.fold = std::move(planned.fold);
    use.columns.resize(use.fold->keys().size());
    for (const std::string& key : use.fold->aggregate_keys()) {
      const bool there = std::any_of(scores_.aggregates.begin(), scores_.aggregates.end(),
                                     [&](const auto& other) { return other.first == key; });
      use.aggregates.push_back(there ? -1 : static_cast<std::ptrdiff_t>(scores_.aggregates.size()));
      if (!there) scores_.aggregates.emplace_back(key, 0);
    }
    uses_.push_back(std::move(use));
  }
  for (const bool late : {false, true}) {
    for (std::size_t u = 0; u < uses_.size(); ++u) {
      const auto keys = uses_[u].fold->keys();
      for (std::size_t k = 0; k < keys.size(); ++k)
        if (keys[k].after_all_frames == late)
          uses_[u].columns[k] =
              add_column(keys[k].key, plan.folds[u].metric, plan.folds[u].backend);
    }
  }
}

void Folding::add_models(Plan& plan) {
  for (PlannedModel& planned : plan.models) {
    ModelUse use{planned.model, {}, {}, 0, {}};
    for (const PlannedModel::Input& input : planned.inputs)
      use.inputs.push_back(uses_[input.fold].columns[input.key]);
    for (const std::string& key : planned.model.score_keys())
      use.outputs.push_back(add_column(key, planned.model.version(), "cpu"));
    models_.push_back(std::move(use));
  }
}

int Folding::delay() const {
  int delay = 0;
  for (const Use& use : uses_) delay = std::max(delay, use.fold->lookahead());
  return delay;
}

Folding::Values& Folding::values(const Place& place) {
  return place.reported ? scores_.columns[place.index].values : shadowed_[place.index];
}

void Folding::set(const Place& place, std::int64_t frame, double value) {
  if (measure_->reported(frame))
    values(place)[static_cast<std::size_t>(frame / measure_->subsample)] = value;
}

// All columns or none.
void Folding::add_row(std::int64_t frame, bool identical) {
  make_room(scores_.frames);
  make_room(scores_.identical);
  for (Column& column : scores_.columns) make_room(column.values);
  for (Values& column : shadowed_) make_room(column);
  scores_.frames.push_back(frame);
  scores_.identical.push_back(identical);
  for (Column& column : scores_.columns) column.values.emplace_back();
  for (Values& column : shadowed_) column.emplace_back();
}

void Folding::push(std::int64_t frame, const EncodeRecord& record) {
  if (measure_->reported(frame)) add_row(frame, record.identical);
  for (Use& use : uses_) {
    const MeasurePlan::Group& group = measure_->groups[use.group];
    if (!measure_->measures(group, frame)) continue;
    Sink sink(*this, use);
    use.fold->push(frame, std::span(record.bytes).subspan(group.offset, group.size), sink);
  }
  predict_ready();
}

void Folding::finish() {
  for (Use& use : uses_) {
    Sink sink(*this, use);
    use.fold->finish(sink);
  }
  predict_ready();
}

void Folding::predict_ready() {
  for (ModelUse& use : models_)
    while (use.next_row < scores_.frames.size() && predict(use, use.next_row)) ++use.next_row;
  advance_done();
}

bool Folding::predict(ModelUse& use, std::size_t row) {
  std::vector<double> features;
  for (const Place& input : use.inputs) {
    const std::optional<double>& value = values(input)[row];
    if (!value) return false;
    features.push_back(*value);
  }
  std::vector<double> results(use.model.score_keys().size());
  const Status status = use.model.predict(features, results);
  if (!status) {
    // The model is at fault, not the input.
    const Error error{ErrorCode::kUsage,
                      fmt::format("model {} at frame {}: {}", use.model.name(), scores_.frames[row],
                                  status.error().message),
                      status.error().hint};
    if (status_.ok()) status_ = error;
    use.failures.emplace(row, error);
    return true;
  }
  for (std::size_t k = 0; k < results.size(); ++k)
    set(use.outputs[k], scores_.frames[row], results[k]);
  return true;
}

void Folding::advance_done() {
  const auto complete = [&](std::size_t row) {
    if (has_failed(row)) return true;
    return std::all_of(scores_.columns.begin(), scores_.columns.end(),
                       [&](const Column& column) { return column.values[row].has_value(); });
  };
  while (rows_done_ < scores_.frames.size() && complete(rows_done_)) ++rows_done_;
}

const Error* Folding::failure_of(std::string_view key, std::size_t row) const {
  for (const ModelUse& use : models_) {
    const std::vector<std::string>& keys = use.model.score_keys();
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
    if (const auto failure = use.failures.find(row); failure != use.failures.end())
      return &failure->second;
  }
  return nullptr;
}

bool Folding::has_failed(std::size_t row) const {
  return std::any_of(models_.begin(), models_.end(),
                     [&](const ModelUse& use) { return use.failures.contains(row); });
}

Result<double> Folding::score(std::string_view key, std::int64_t frame) const {
  const auto column = std::find_if(scores_.columns.begin(), scores_.columns.end(),
                                   [&](const Column& c) { return c.key == key; });
  if (column == scores_.columns.end())
    return Error{ErrorCode::kUsage, fmt::format("there is no score \"{}\"", key), {}};
  if (frame < 0 || !measure_->reported(frame))
    return Error{ErrorCode::kUsage, fmt::format("frame {} is not scored", frame), {}};
  const auto row = static_cast<std::size_t>(frame / measure_->subsample);
  if (const Error* failure = failure_of(key, row)) return *failure;
  if (row >= column->values.size() || !column->values[row])
    return Error{
        ErrorCode::kNotYet, fmt::format("{} of frame {} is not known yet", key, frame), {}};
  return *column->values[row];
}

}  // namespace vmafx::engine
