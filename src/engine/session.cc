#include "vmafx/session.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/guard.h"
#include "base/sample_range.h"
#include "device/timing.h"
#include "engine/choose_device.h"
#include "engine/device_lanes.h"
#include "engine/folding.h"
#include "engine/measurer.h"
#include "engine/plan.h"
#include "engine/recorder.h"

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
Status check_planes(const Picture& picture, const std::string& name) {
  const int sample_bytes = picture.format().bytes_per_sample();
  for (int p = 0; p < picture.format().planes(); ++p) {
    if (picture.plane(p).data == nullptr)
      return Error{ErrorCode::kUsage, fmt::format("{} has no samples in plane {}", name, p), {}};
    if (picture.plane(p).stride % sample_bytes != 0)
      return Error{ErrorCode::kUsage,
                   fmt::format("{} has a stride of {} bytes in plane {}, but samples of {}", name,
                               picture.plane(p).stride, p, sample_bytes),
                   {}};
  }
  return {};
}

}  // namespace

class Session::Impl {
 public:
  explicit Impl(const SessionConfig& config)
      : threads_(resolve_threads(config.threads)),
        subsample_(std::max(1, config.subsample)),
        encodes_(config.record_from ? 1 : static_cast<std::size_t>(std::max(1, config.encodes))),
        record_from_(config.record_from),
        backend_(config.backend),
        frame_memory_(config.frame_memory),
        device_times_(config.time_device ? std::make_shared<device::CallTimes>() : nullptr),
        device_name_(config.device),
        next_frame_(std::max<std::int64_t>(0, config.record_from.value_or(0) - kLookBack)),
        check_samples_(config.check_samples),
        on_artifact_(config.on_artifact),
        on_frame_(config.on_frame),
        log_(config.log) {}

  Status add_metric(std::string_view name, const std::map<std::string, std::string>& options) {
    if (plan_) return too_late();
    return requests_.add_metric(name, {options.begin(), options.end()});
  }

  Status add_model(const Model& model) {
    if (plan_) return too_late();
    return requests_.add_model(model);
  }

  Status prepare(const PictureFormat& format) {
    if (plan_) {
      if (format == format_) return {};
      return Error{
          ErrorCode::kUsage, fmt::format("the session is one of {}", to_string(format_)), {}};
    }
    if (Status status = open_device(); !status) return status;
    auto plan = make_plan(format);
    if (!plan) return plan.error();
    if (Status status = make_lanes(format, plan->measure); !status) {
      if (backend_ != "auto") return status;
      if (log_) log_(LogLevel::kInfo, "measuring on the CPU: " + status.error().message);
      driver_ = nullptr;
      no_device_ = true;
      plan = make_plan(format);
      if (!plan) return plan.error();
    }
    return start(format, *std::move(plan));
  }

  Status submit(const Picture& reference, std::span<const Picture> distorted) {
    if (finished_) return Error{ErrorCode::kUsage, "the session is finished", {}};
    if (replayed_)
      return Error{ErrorCode::kUsage, "the session has its measurements from recordings", {}};
    if (distorted.size() != encodes_)
      return Error{
          ErrorCode::kUsage,
          fmt::format("{} pictures in a session of {} encodes", distorted.size(), encodes_),
          {}};
    if (Status status = check_pictures(reference, distorted); !status) return status;
    if (!plan_)
      if (Status status = prepare(reference.format()); !status) return status;
    if (!measurer_) start_measuring();
    Status status = measurer_->submit(reference, distorted);
    if (status) ++next_frame_;
    return status;
  }

  Status replay(const PictureFormat& format, const std::vector<Recording>& recordings) {
    if (finished_ || plan_ || encodes_ != 1 || record_from_)
      return Error{
          ErrorCode::kUsage, "recordings are replayed once, by a session of their own", {}};
    if (cancelled_) return interrupted();
    auto plan = make_plan(format);
    if (!plan) return plan.error();
    Status fit = engine::check_recordings(recordings, engine::describe(*plan->measure, format),
                                          plan->measure->record_bytes);
    if (!fit) return fit;
    for (engine::PlannedFold& fold : plan->folds)
      fold.backend = engine::backends_of(recordings, fold.group);
    if (Status status = start(format, *std::move(plan)); !status) return status;
    replayed_ = true;
    engine::replay(recordings, plan_->record_bytes,
                   [this](std::int64_t frame, const engine::EncodeRecord& record) {
                     foldings_[0].push(frame, record);
                   });
    return {};
  }

  Status finish() {
    if (!finished_) {
      finished_ = true;
      outcome_ = guarded([&] { return fold_the_rest(); });
    }
    return outcome_;
  }

  void cancel() {
    cancelled_ = true;
    const std::lock_guard lock(mutex_);
    if (measurer_) measurer_->cancel();
  }

  std::int64_t frames_done() const {
    const std::lock_guard lock(mutex_);
    if (record_from_) return recording_.frame_count();
    std::int64_t done = foldings_.empty() ? 0 : std::numeric_limits<std::int64_t>::max();
    for (const engine::Folding& folding : foldings_) done = std::min(done, folding.rows_done());
    return done;
  }

  Result<double> score(std::string_view key, std::int64_t frame, int encode) const {
    if (encode < 0 || static_cast<std::size_t>(encode) >= encodes_ || record_from_)
      return Error{ErrorCode::kUsage, fmt::format("encode {} is not scored", encode), {}};
    if (foldings_.empty()) return Error{ErrorCode::kNotYet, "no frames were submitted", {}};
    auto score = score_so_far(key, frame, encode);
    if (score || score.error().code != ErrorCode::kNotYet || finished_ || !measurer_) return score;
    // Its frames may be in and still be measured.
    const Status waited = measurer_->wait_for(frame + delay());
    score = score_so_far(key, frame, encode);
    if (score || waited || score.error().code != ErrorCode::kNotYet) return score;
    return waited.error();
  }

  Scores scores(int encode) const {
    const std::lock_guard lock(mutex_);
    const auto index = static_cast<std::size_t>(encode);
    return index < foldings_.size() ? foldings_[index].scores() : Scores{};
  }

  Recording take_recording() { return std::move(recording_); }

  std::vector<std::string> keys() const { return keys_; }
  int threads() const { return threads_; }
  int max_in_flight() const {
    return device_use_.frames_in_flight > 0 ? device_use_.frames_in_flight
                                            : engine::Measurer::max_in_flight(threads_);
  }
  DeviceUse device_use() const { return device_use_; }
  std::vector<DeviceTime> device_times() const {
    std::vector<DeviceTime> times;
    if (!device_times_) return times;
    for (const auto& [what, time] : device_times_->take())
      times.push_back({what, time.calls, time.bytes, time.seconds});
    std::sort(times.begin(), times.end(),
              [](const DeviceTime& a, const DeviceTime& b) { return a.seconds > b.seconds; });
    return times;
  }
  int delay() const { return foldings_.empty() ? 0 : foldings_[0].delay(); }
  int pictures_kept() const {
    if (!plan_) return 0;
    return plan_->window.reference_back + static_cast<int>(encodes_) * plan_->window.distorted_back;
  }

 private:
  static Error interrupted() { return {ErrorCode::kInterrupted, "cancelled", {}}; }

  // Before anything is done with the first of them.
  Status check_pictures(const Picture& reference, std::span<const Picture> distorted) const {
    const PictureFormat& format = plan_ ? format_ : reference.format();
    if (Status status = check_picture(reference, "the reference", format); !status) return status;
    for (std::size_t e = 0; e < distorted.size(); ++e) {
      const std::string name =
          encodes_ == 1 ? "the distorted picture" : fmt::format("the picture of encode {}", e);
      if (Status status = check_picture(distorted[e], name, format); !status) return status;
    }
    return {};
  }

  Status check_picture(const Picture& picture, const std::string& name,
                       const PictureFormat& format) const {
    if (picture.format() != format)
      return Error{ErrorCode::kMismatch,
                   fmt::format("{} is one of {} in a session of {}", name,
                               to_string(picture.format()), to_string(format)),
                   {}};
    if (Status status = validate(format); !status) return status;
    if (Status status = check_planes(picture, name); !status) return status;
    return check_samples_ ? check_samples(picture, name, next_frame_) : Status();
  }

  Result<engine::Plan> make_plan(const PictureFormat& format) const {
    if (record_from_.value_or(0) < 0)
      return Error{ErrorCode::kUsage, "frames to record are counted from 0", {}};
    if (const Status status = validate(format); !status) return status.error();
    return engine::make_plan(requests_, format, subsample_, device_backend());
  }

  Status fold_the_rest() {
    if (cancelled_ && !measurer_) return interrupted();
    if (!measurer_ && !replayed_)
      return Error{ErrorCode::kNoFrames, "no frames were submitted", {}};
    if (measurer_)
      if (Status status = measurer_->drain(); !status) return status;
    Status outcome;
    {
      const std::lock_guard lock(mutex_);
      for (engine::Folding& folding : foldings_) {
        folding.finish();
        if (outcome.ok()) outcome = folding.status();
      }
    }
    deliver_frames();
    return outcome;
  }

  Result<double> score_so_far(std::string_view key, std::int64_t frame, int encode) const {
    const std::lock_guard lock(mutex_);
    return foldings_[static_cast<std::size_t>(encode)].score(key, frame);
  }

  std::string_view device_backend() const {
    return driver_ ? std::string_view(driver_->info().backend) : std::string_view();
  }

  Status open_device() {
    if (driver_ || no_device_) return {};
    auto driver = engine::choose_device(backend_, device_name_, log_);
    if (!driver) return driver.error();
    driver_ = *std::move(driver);
    if (driver_ && device_times_) driver_ = device::with_timing(driver_, device_times_);
    return {};
  }

  Status make_lanes(const PictureFormat& format,
                    const std::shared_ptr<const engine::MeasurePlan>& plan) {
    const auto& groups = plan->groups;
    if (std::none_of(groups.begin(), groups.end(),
                     [](const auto& group) { return group.on_device != nullptr; }))
      return {};
    // Enough to keep a device busy while frames are read and packed. On the host a lane is a
    // thread.
    constexpr int kLanes = 8;
    const int lanes = device_times_ ? 1 : device_backend() == "host" ? threads_ : kLanes;
    auto made = engine::DeviceLanes::make(driver_, plan, format, encodes_, lanes, frame_memory_);
    if (!made) return made.error();
    lanes_ = *std::move(made);
    device_use_ = {std::string(device_backend()), driver_->info().name, lanes_->max_in_flight(),
                   lanes_->memory().device_bytes, lanes_->memory().pinned_bytes};
    return {};
  }

  Status start(const PictureFormat& format, engine::Plan plan) {
    const auto measure = plan.measure;
    Recording recording;
    std::vector<engine::Folding> foldings;
    std::vector<std::string> keys;
    if (record_from_) {
      recording.plan = engine::describe(*measure, format);
      recording.first_frame = *record_from_;
      for (const auto& group : measure->groups)
        recording.backends.emplace_back(measure->backend(group));
    } else {
      foldings.emplace_back(std::move(plan));
      while (foldings.size() < encodes_) {
        auto another = engine::make_plan(requests_, format, subsample_, device_backend(), measure);
        if (!another) return another.error();
        foldings.emplace_back(*std::move(another));
      }
      for (const Column& column : foldings[0].scores().columns) keys.push_back(column.key);
    }
    next_rows_.resize(foldings.size());
    recording_ = std::move(recording);
    foldings_ = std::move(foldings);
    keys_ = std::move(keys);
    format_ = format;
    plan_ = measure;
    say_what_is_left_out();
    return {};
  }

  void say_what_is_left_out() const {
    if (!log_ || foldings_.empty()) return;
    for (const auto& [key, metric] : foldings_[0].left_out())
      log_(LogLevel::kWarning,
           fmt::format("{} is left out: an earlier request has values of the same key, {}", metric,
                       key));
  }

  void start_measuring() {
    const engine::FrameRange range{next_frame_, record_from_.value_or(0)};
    if (!lanes_ && !device_use_.backend.empty()) throw std::bad_alloc();  // lost in an earlier try
    auto measurer = std::make_unique<engine::Measurer>(
        plan_, threads_, range,
        [this](const engine::FrameRecords& records) { return take(records); }, std::move(lanes_));
    const std::lock_guard lock(mutex_);
    measurer_ = std::move(measurer);
    if (cancelled_) measurer_->cancel();
  }

  Status take(const engine::FrameRecords& records) {
    for (std::size_t e = 0; e < records.encodes.size(); ++e)
      if (Status status = deliver_artifacts(records.encodes[e], static_cast<int>(e)); !status)
        return status;
    {
      const std::lock_guard lock(mutex_);
      if (record_from_) engine::append(recording_, records.encodes[0]);
      for (std::size_t e = 0; e < foldings_.size(); ++e)
        foldings_[e].push(records.frame, records.encodes[e]);
    }
    deliver_frames();
    return {};
  }

  // To on_frame, what became final. By the one thread that delivers, or by finish() after it.
  void deliver_frames() {
    if (!on_frame_) return;
    for (std::size_t e = 0; e < foldings_.size(); ++e)
      while (auto scores = next_frame(e)) on_frame_(*scores);
  }

  // The next one of which every value is there.
  std::optional<FrameScores> next_frame(std::size_t encode) {
    const std::lock_guard lock(mutex_);
    const engine::Folding& folding = foldings_[encode];
    for (std::size_t& row = next_rows_[encode];
         row < static_cast<std::size_t>(folding.rows_done());) {
      row_.clear();
      for (const Column& column : folding.scores().columns)
        if (column.values[row]) row_.push_back(*column.values[row]);
      const std::size_t taken = row++;
      if (row_.size() == keys_.size())
        return FrameScores{folding.scores().frames[taken], static_cast<int>(encode),
                           folding.scores().identical[taken], keys_, row_};
    }
    return std::nullopt;
  }

  Status deliver_artifacts(const engine::EncodeRecord& record, int encode) const {
    for (const std::vector<Artifact>& of_group : record.artifacts) {
      for (const Artifact& artifact : of_group) {
        if (!on_artifact_)
          return Error{ErrorCode::kUsage, fmt::format("nobody takes {}", artifact.file),
                       "set SessionConfig::on_artifact"};
        if (Status status = on_artifact_(artifact, encode); !status) return status;
      }
    }
    return {};
  }

  const int threads_;
  const int subsample_;
  const std::size_t encodes_;
  const std::optional<std::int64_t> record_from_;
  const std::string backend_;
  const std::shared_ptr<const FrameMemory> frame_memory_;
  const std::shared_ptr<device::CallTimes> device_times_;
  const std::string device_name_;
  std::shared_ptr<device::Driver> driver_;
  bool no_device_ = false;                      // "auto" tried one without success
  std::unique_ptr<engine::DeviceLanes> lanes_;  // until the measurer has them
  DeviceUse device_use_;
  std::int64_t next_frame_;
  const bool check_samples_;
  const std::function<Status(const Artifact&, int)> on_artifact_;
  const std::function<void(const FrameScores&)> on_frame_;
  const LogSink log_;
  engine::Requests requests_;
  PictureFormat format_;
  std::shared_ptr<const engine::MeasurePlan> plan_;
  std::vector<std::string> keys_;  // of Scores::columns
  bool replayed_ = false;
  bool finished_ = false;
  Status outcome_;  // of finish()
  std::atomic<bool> cancelled_ = false;

  // Of each encode the row of the table that on_frame_ gets next; touched only by who delivers.
  std::vector<std::size_t> next_rows_;
  std::vector<double> row_;

  // Guards foldings_ and recording_ while workers deliver, and the making of measurer_.
  mutable std::mutex mutex_;
  std::vector<engine::Folding> foldings_;  // of each encode; none while recording
  Recording recording_;
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
Status Session::prepare(const PictureFormat& format) {
  return guarded([&] { return impl_->prepare(format); });
}
Status Session::submit(const Picture& reference, const Picture& distorted) {
  return submit(reference, std::span(&distorted, 1));
}
Status Session::submit(const Picture& reference, std::span<const Picture> distorted) {
  return guarded([&] { return impl_->submit(reference, distorted); });
}
Status Session::replay(const PictureFormat& format, const std::vector<Recording>& recordings) {
  return guarded([&] { return impl_->replay(format, recordings); });
}
Status Session::finish() {
  return guarded([&] { return impl_->finish(); });
}
void Session::cancel() { impl_->cancel(); }
std::int64_t Session::frames_done() const { return impl_->frames_done(); }
Result<double> Session::score(std::string_view key, std::int64_t frame, int encode) const {
  return guarded([&] { return impl_->score(key, frame, encode); });
}
Scores Session::scores(int encode) const { return impl_->scores(encode); }
Recording Session::take_recording() { return impl_->take_recording(); }
std::vector<std::string> Session::keys() const { return impl_->keys(); }
int Session::threads() const { return impl_->threads(); }
int Session::delay() const { return impl_->delay(); }
int Session::pictures_kept() const { return impl_->pictures_kept(); }
std::vector<DeviceTime> Session::device_times() const { return impl_->device_times(); }
DeviceUse Session::device_use() const { return impl_->device_use(); }
int Session::max_in_flight() const { return impl_->max_in_flight(); }

}  // namespace vmafx
