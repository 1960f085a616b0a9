#include "compat/context.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compat/handles.h"

namespace vmafx::compat {
namespace {

using Clock = std::chrono::steady_clock;

VmafLogLevel to_libvmaf(LogLevel level) { return static_cast<VmafLogLevel>(level); }

// A column of the frames of `from`, with a row for each of `to`.
void spread(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to,
            std::vector<std::optional<double>>& values) {
  std::vector<std::optional<double>> rows(to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto row = std::lower_bound(to.begin(), to.end(), from[i]) - to.begin();
    rows[static_cast<std::size_t>(row)] = values[i];
  }
  values = std::move(rows);
}

// Gives the table a row for each of these frames too.
void add_frames(const std::set<std::int64_t>& frames, Scores& scores) {
  std::set<std::int64_t> all = frames;
  all.insert(scores.frames.begin(), scores.frames.end());
  const std::vector<std::int64_t> rows(all.begin(), all.end());
  std::vector<bool> identical(rows.size(), false);
  for (std::size_t i = 0; i < scores.frames.size(); ++i) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), scores.frames[i]) - rows.begin();
    identical[static_cast<std::size_t>(row)] = scores.identical[i];
  }
  for (Column& column : scores.columns) spread(scores.frames, rows, column.values);
  scores.identical = std::move(identical);
  scores.frames = rows;
}

}  // namespace

Context::Context(const VmafConfiguration& config)
    : log_(config.log_level),
      subsample_(static_cast<int>(std::clamp(config.n_subsample, 1u, 1u << 30))),
      session_({.threads = static_cast<int>(
                    std::clamp(config.n_threads, 1u, static_cast<unsigned>(kMaxThreads))),
                .subsample = subsample_,
                .log = [this](LogLevel level,
                              std::string_view line) { log_.write(to_libvmaf(level), line); },
                .on_artifact = [this](const Artifact& artifact,
                                      int encode) { return maps_.append(artifact, encode); }}) {}

Status Context::use(const std::string& metric, const std::map<std::string, std::string>& options) {
  return session_.add_metric(metric, options);
}

Status Context::use(const std::shared_ptr<const Model>& model) {
  if (uses(model)) return {};
  for (const auto& other : models_) {
    if (other->name() != model->name()) continue;
    log_.write(VMAF_LOG_LEVEL_WARNING,
               fmt::format("the score of model {} is not reported: {} has the name {} already",
                           model->version(), other->version(), other->name()));
    return measure_features(*model);
  }
  if (Status status = session_.add_model(*model); !status) return status;
  models_.push_back(model);
  return {};
}

Status Context::measure_features(const Model& model) {
  const std::vector<std::string> metrics = model.metrics();
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (Status status = session_.add_metric(metrics[i], model.features()[i].options); !status)
      return status;
  return {};
}

bool Context::uses(const std::shared_ptr<const Model>& model) const {
  return std::find(models_.begin(), models_.end(), model) != models_.end();
}

std::map<std::int64_t, double>& Context::imports_of(const std::string& key) {
  for (auto& [name, values] : imports_)
    if (name == key) return values;
  return imports_.emplace_back(key, std::map<std::int64_t, double>()).second;
}

Status Context::import_score(const std::string& key, std::int64_t index, double value) {
  if (key.empty()) return Error{ErrorCode::kUsage, "the name of the score is empty", {}};
  if (std::find(keys_.begin(), keys_.end(), key) != keys_.end())
    return Error{ErrorCode::kUsage, fmt::format("{} is measured, not imported", key), {}};
  if (imports_of(key).try_emplace(index, value).second) return {};
  return Error{
      ErrorCode::kUsage, fmt::format("{} of frame {} was imported before", key, index), {}};
}

Status Context::check_pool() const {
  if (!pool_) return {};
  const int needed = 2 + session_.pictures_kept();
  if (pool_->count() >= static_cast<unsigned>(needed)) return {};
  return Error{ErrorCode::kUsage,
               fmt::format("a pool of {} pictures is too small: {} are in use while the next pair "
                           "is fetched",
                           pool_->count(), session_.pictures_kept()),
               fmt::format("preallocate {} or more", needed)};
}

// Before the first pair is taken: what cannot be is refused then, and again if it comes again.
Status Context::start(const PictureFormat& format) {
  if (Status status = session_.prepare(format); !status) return status;
  if (Status status = check_pool(); !status) return status;
  std::vector<std::string> keys = session_.keys();
  for (const auto& [key, values] : imports_)
    if (std::find(keys.begin(), keys.end(), key) != keys.end())
      return Error{ErrorCode::kUsage, fmt::format("{} was imported, and is measured too", key), {}};
  for (const Skipped& skipped : session_.scores().skipped)
    log_.write(VMAF_LOG_LEVEL_WARNING,
               fmt::format("{} is left out: {}", skipped.name, skipped.reason));
  keys_ = std::move(keys);
  format_ = format;
  begin_ = Clock::now();
  return {};
}

Status Context::read(const Picture& reference, const Picture& distorted, std::int64_t index) {
  if (flushed_)
    return Error{ErrorCode::kUsage, fmt::format("pictures {} come after the flush", index), {}};
  if (index != next_index_)
    return Error{ErrorCode::kUsage,
                 fmt::format("pictures {} come where pictures {} are due", index, next_index_),
                 "indexes are 0, 1, 2 and so on"};
  if (reference.format() != distorted.format())
    return Error{ErrorCode::kMismatch,
                 fmt::format("the reference is {}, the distorted picture {}",
                             to_string(reference.format()), to_string(distorted.format())),
                 {}};
  if (keys_.empty())
    if (Status status = start(reference.format()); !status) return status;
  if (Status status = session_.submit(reference, distorted); !status) return status;
  ++next_index_;
  return {};
}

Status Context::flush() {
  if (flushed_) return Error{ErrorCode::kUsage, "it was flushed before", {}};
  flushed_ = true;
  Status status = session_.finish();
  end_ = Clock::now();
  return status;
}

Result<double> Context::score(std::string_view key, std::int64_t index) {
  for (const auto& [name, values] : imports_)
    if (name == key)
      if (const auto value = values.find(index); value != values.end()) return value->second;
  auto score = session_.score(key, index);
  if (score || score.error().code != ErrorCode::kNotYet || !flushed_) return score;
  return Error{ErrorCode::kUsage, fmt::format("there is no score {} of frame {}", key, index), {}};
}

Result<double> Context::score(const std::shared_ptr<const Model>& model, std::int64_t index) {
  if (uses(model)) return score(model->name(), index);
  const auto all = scores(model, index);
  return all ? Result<double>(all->front()) : all.error();
}

Result<std::vector<double>> Context::scores(const std::shared_ptr<const Model>& model,
                                            std::int64_t index) {
  const bool used = uses(model);
  std::vector<double> values;
  for (const std::string& key : used ? model->score_keys() : model->feature_keys()) {
    auto value = score(key, index);
    if (!value) return value.error();
    values.push_back(*value);
  }
  if (used) return values;
  std::vector<double> results(model->score_keys().size());
  if (Status status = model->predict(values, results); !status) return status.error();
  return results;
}

Status Context::make_pool(const PictureFormat& format, unsigned count) {
  constexpr unsigned kMostPictures = 4096;
  if (count < 2 || count > kMostPictures)
    return Error{ErrorCode::kUsage,
                 fmt::format("a pool has 2 to {} pictures, not {}", kMostPictures, count),
                 {}};
  if (pool_) return Error{ErrorCode::kUsage, "the context has a pool already", {}};
  pool_ = std::make_shared<PicturePool>(format, count);
  return {};
}

Scores Context::all_scores() const {
  Scores scores = session_.scores();
  std::set<std::int64_t> frames;
  for (const auto& [key, values] : imports_)
    for (const auto& [index, value] : values) frames.insert(index);
  if (!frames.empty()) add_frames(frames, scores);
  for (const auto& [key, values] : imports_) {
    Column column{key, "import", "", {}};
    for (const std::int64_t frame : scores.frames) {
      const auto value = values.find(frame);
      column.values.push_back(value == values.end() ? std::nullopt : std::optional(value->second));
    }
    scores.columns.push_back(std::move(column));
  }
  return scores;
}

Status Context::write(const char* path, ReportFormat format) const {
  Report report;
  report.scores = all_scores();
  report.frames_scored = static_cast<std::int64_t>(report.scores.frames.size());
  for (const auto& model : models_)
    report.models.push_back({model->name(), model->version(), model->digest()});
  if (!keys_.empty()) {
    report.width = format_.width;
    report.height = format_.height;
    report.seconds = std::chrono::duration<double>(end_.value_or(Clock::now()) - begin_).count();
  }
  return write_report(report, format, Precision{}, path);
}

Result<double> pool(const VmafPoolingMethod& method, const std::vector<double>& values) {
  const auto pooled = pool(Column{"", "", "", {values.begin(), values.end()}});
  if (!pooled) return Error{ErrorCode::kUsage, "no frame of that range is scored", {}};
  switch (number_of(method)) {
    case VMAF_POOL_METHOD_MIN:
      return pooled->min;
    case VMAF_POOL_METHOD_MAX:
      return pooled->max;
    case VMAF_POOL_METHOD_HARMONIC_MEAN:
      return pooled->harmonic_mean;
    default:
      return pooled->mean;
  }
}

}  // namespace vmafx::compat
