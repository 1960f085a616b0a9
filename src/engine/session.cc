#include "vmafx/session.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/guard.h"
#include "engine/folding.h"
#include "engine/measurer.h"
#include "engine/plan.h"

namespace vmafx {
namespace {

int resolve_threads(int threads) {
  if (threads > 0) return std::min(threads, kMaxThreads);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Error too_late() {
  return {ErrorCode::kUsage, "metrics and models must be added before the first frame", {}};
}

// Planes that would be read from wrong places; Picture takes what it is given.
Status check_planes(const Picture& picture) {
  const int sample_bytes = picture.format().bytes_per_sample();
  for (int p = 0; p < picture.format().planes(); ++p) {
    if (picture.plane(p).data == nullptr)
      return Error{ErrorCode::kUsage, fmt::format("plane {} of a picture has no samples", p), {}};
    if (picture.plane(p).stride % sample_bytes != 0)
      return Error{ErrorCode::kUsage,
                   fmt::format("plane {} of a picture has a stride of {} bytes, but samples of {}",
                               p, picture.plane(p).stride, sample_bytes),
                   {}};
  }
  return {};
}

}  // namespace

class Session::Impl {
 public:
  explicit Impl(const SessionConfig& config)
      : threads_(resolve_threads(config.threads)), subsample_(std::max(1, config.subsample)) {}

  Status add_metric(std::string_view name, const std::map<std::string, std::string>& options) {
    if (measurer_) return too_late();
    return requests_.add_metric(name, {options.begin(), options.end()});
  }

  Status add_model(const Model& model) {
    if (measurer_) return too_late();
    return requests_.add_model(model);
  }

  Status submit(const Picture& reference, const Picture& distorted) {
    if (finished_) return Error{ErrorCode::kUsage, "the session is finished", {}};
    if (!measurer_) {
      if (const Status status = start(reference.format()); !status) return status;
    }
    for (const Picture* picture : {&reference, &distorted}) {
      if (picture->format() != format_)
        return Error{ErrorCode::kMismatch,
                     fmt::format("a picture of {} in a session of {}", to_string(picture->format()),
                                 to_string(format_)),
                     {}};
      if (const Status status = check_planes(*picture); !status) return status;
    }
    return measurer_->submit(reference, distorted);
  }

  Status finish() {
    if (!finished_) {
      finished_ = true;
      outcome_ = guarded([&] { return fold_the_rest(); });
    }
    return outcome_;
  }

  std::int64_t frames_done() const {
    const std::lock_guard lock(mutex_);
    return folding_ ? folding_->rows_done() : 0;
  }

  Result<double> score(std::string_view key, std::int64_t frame) const {
    if (!measurer_) return Error{ErrorCode::kNotYet, "no frames were submitted", {}};
    auto score = score_so_far(key, frame);
    if (score || score.error().code != ErrorCode::kNotYet || finished_) return score;
    // Its frames may be in and still be measured.
    if (const Status status = measurer_->drain(); !status) return status.error();
    return score_so_far(key, frame);
  }

  Scores scores() const {
    const std::lock_guard lock(mutex_);
    return folding_ ? folding_->scores() : Scores{};
  }

  int threads() const { return threads_; }

 private:
  Status fold_the_rest() {
    if (!measurer_) return Error{ErrorCode::kNoFrames, "no frames were submitted", {}};
    if (const Status status = measurer_->drain(); !status) return status;
    const std::lock_guard lock(mutex_);
    folding_->finish();
    return folding_->status();
  }

  Result<double> score_so_far(std::string_view key, std::int64_t frame) const {
    const std::lock_guard lock(mutex_);
    return folding_->score(key, frame);
  }

  Status start(const PictureFormat& format) {
    if (const Status status = validate(format); !status) return status;
    auto plan = engine::make_plan(requests_, format, subsample_);
    if (!plan) return plan.error();
    format_ = format;
    auto measure = plan->measure;
    folding_ = std::make_unique<engine::Folding>(std::move(*plan));
    measurer_ = std::make_unique<engine::Measurer>(std::move(measure), threads_,
                                                   [this](const engine::FrameRecords& records) {
                                                     const std::lock_guard lock(mutex_);
                                                     folding_->push(records);
                                                   });
    return {};
  }

  const int threads_;
  const int subsample_;
  engine::Requests requests_;
  PictureFormat format_;
  bool finished_ = false;
  Status outcome_;  // of finish()

  mutable std::mutex mutex_;  // guards folding_ while workers deliver
  std::unique_ptr<engine::Folding> folding_;
  std::unique_ptr<engine::Measurer> measurer_;  // last: its workers use the members above
};

Session::Session(const SessionConfig& config) : impl_(std::make_unique<Impl>(config)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Status Session::add_metric(std::string_view name,
                           const std::map<std::string, std::string>& options) {
  return guarded([&] { return impl_->add_metric(name, options); });
}
Status Session::add_model(const Model& model) {
  return guarded([&] { return impl_->add_model(model); });
}
Status Session::submit(const Picture& reference, const Picture& distorted) {
  return guarded([&] { return impl_->submit(reference, distorted); });
}
Status Session::finish() { return impl_->finish(); }
std::int64_t Session::frames_done() const { return impl_->frames_done(); }
Result<double> Session::score(std::string_view key, std::int64_t frame) const {
  return guarded([&] { return impl_->score(key, frame); });
}
Scores Session::scores() const { return impl_->scores(); }
int Session::threads() const { return impl_->threads(); }
int Session::max_in_flight() const { return engine::Measurer::max_in_flight(threads()); }

}  // namespace vmafx
