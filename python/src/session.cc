#include "session.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "errors.h"
#include "vmafx/catalog.h"

namespace vmafx::python {
namespace {

namespace nb = nanobind;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Error closed() { return {ErrorCode::kUsage, "the session is closed", {}}; }

struct Streams {
  std::unique_ptr<FrameSource> reference;
  std::unique_ptr<FrameSource> distorted;
};

RunSummary run_streams(Streams& streams, Session& session,
                       const std::optional<std::int64_t>& frames, const nb::object& progress,
                       Errands& errands) {
  std::atomic<bool> cancel = false;
  RunOptions options;
  options.frame_count = frames;
  options.check_alignment = true;
  options.cancel = &cancel;
  options.on_progress = [&](const Progress& at) { errands.tell(at); };
  Result<RunSummary> summary = RunSummary{};
  Errands::Handlers handlers;
  handlers.work = [&] {
    summary = vmafx::run(*streams.reference, *streams.distorted, session, options);
  };
  handlers.stop = [&] {
    cancel = true;
    session.cancel();
    streams.reference->cancel();
    streams.distorted->cancel();
  };
  if (!progress.is_none())
    handlers.show_progress = [&](const Progress& at) {
      progress(at.frames, at.total ? nb::object(nb::int_(*at.total)) : nb::object(nb::none()),
               at.seconds);
    };
  errands.run(handlers);
  return value_of(std::move(summary));
}

}  // namespace

ScoringSession::ScoringSession(int threads, int subsample, bool chooses_model, bool check_samples)
    : chooses_model_(chooses_model) {
  SessionConfig config;
  config.threads = std::min(threads, cpu_info().threads);
  config.subsample = subsample;
  config.check_samples = check_samples;
  config.log = [this](LogLevel /*level*/, std::string_view line) {
    const std::lock_guard lock(noticing_);
    noticed_.emplace_back(line);
  };
  config.on_artifact = [this](const Artifact& map, int encode) {
    return maps_.append(map, encode);
  };
  session_.emplace(config);
}

ScoringSession::~ScoringSession() { close(); }

// Calls `use`, which returns a Status or Result, without the GIL.
template <class Use>
auto ScoringSession::in_turn(Use&& use) {
  const nb::gil_scoped_release no_gil;
  const std::lock_guard turn(turn_);
  using Answer = decltype(use(*session_));
  return session_ ? use(*session_) : Answer(closed());
}

void ScoringSession::close() {
  if (closed_) return;
  closed_ = true;
  session_->cancel();
  static_cast<void>(in_turn([this](Session& /*session*/) {
    session_.reset();
    return Status();
  }));
  keeper_->release();
}

void ScoringSession::add_model(const Model& model) {
  check(in_turn([&](Session& session) {
    Status added = session.add_model(model);
    if (added) models_.push_back(model);
    return added;
  }));
}

void ScoringSession::add_metric(const std::string& name,
                                const std::map<std::string, std::string>& options) {
  check(in_turn([&](Session& session) { return session.add_metric(name, options); }));
}

Status ScoringSession::choose_model_for(Session& session, const PictureFormat& format,
                                        const std::optional<Rational>& frame_rate) {
  if (!std::exchange(chooses_model_, false)) return {};
  choice_ = choose_model(format, frame_rate);
  auto model = load_model({.version = choice_->version});
  if (!model) return model.error();
  models_.push_back(*model);
  return session.add_model(*model);
}

ScoredReport ScoringSession::run(const Input& reference, const Input& distorted,
                                 const std::optional<std::int64_t>& frames,
                                 const nb::object& progress) {
  if (closed_) raise(closed());
  Errands errands;
  Streams streams{open_input(reference, errands, keeper_), open_input(distorted, errands, keeper_)};
  const StreamInfo& info = streams.reference->info();
  const StreamInfo& distorted_info = streams.distorted->info();
  check(check_pair(info, distorted_info));
  check(choose_model_for(*session_, info.format,
                         info.frame_rate ? info.frame_rate : distorted_info.frame_rate));
  const RunSummary summary = run_streams(streams, *session_, frames, progress, errands);
  const std::string& shortest = summary.left_out_reference > 0 ? distorted_info.path : info.path;
  ScoredReport scored{
      make_report(info, distorted_info, models_, session_->scores(), summary, 0, shortest),
      choice_};
  add_noticed(scored.report);
  return scored;
}

Status ScoringSession::submit_pair(Session& session, const Picture& reference,
                                   const Picture& distorted,
                                   const std::optional<Rational>& frame_rate) {
  if (Status chosen = choose_model_for(session, reference.format(), frame_rate); !chosen)
    return chosen;
  if (!begin_) begin_ = Clock::now();
  Status submitted = session.submit(reference, distorted);
  if (!submitted) return submitted;
  format_ = reference.format();
  ++submitted_;
  return {};
}

void ScoringSession::submit(nb::handle reference, nb::handle distorted,
                            const std::optional<int>& bit_depth,
                            const std::optional<Rational>& frame_rate) {
  keeper_->release();
  const Picture first = picture_of(reference, "reference", bit_depth, *keeper_);
  const Picture second = picture_of(distorted, "distorted", bit_depth, *keeper_);
  check(in_turn([&](Session& session) { return submit_pair(session, first, second, frame_rate); }));
}

void ScoringSession::add_noticed(Report& report) {
  const std::lock_guard lock(noticing_);
  report.warnings.insert(report.warnings.end(), noticed_.begin(), noticed_.end());
}

ScoredReport ScoringSession::report_of(const Session& session) {
  ScoredReport scored;
  Report& report = scored.report;
  report.scores = session.scores();
  for (const Model& model : models_)
    report.models.push_back({model.name(), model.version(), model.digest()});
  report.width = format_.width;
  report.height = format_.height;
  report.frames_scored = submitted_;
  report.partial = !seconds_;
  if (begin_) report.seconds = seconds_.value_or(seconds_since(*begin_));
  scored.choice = choice_;
  add_noticed(report);
  return scored;
}

ScoredReport ScoringSession::finish() {
  if (closed_) raise(closed());
  Status finished;
  Errands errands;
  Errands::Handlers handlers;
  handlers.work = [&] {
    const std::lock_guard turn(turn_);
    finished = session_ ? session_->finish() : Status(closed());
    if (!seconds_ && begin_) seconds_ = seconds_since(*begin_);
  };
  handlers.stop = [&] { session_->cancel(); };
  errands.run(handlers);
  check(finished);
  return report();
}

ScoredReport ScoringSession::report() {
  return value_of(
      in_turn([&](const Session& session) { return Result<ScoredReport>(report_of(session)); }));
}

std::optional<double> ScoringSession::score(const std::string& key, std::int64_t frame) {
  const auto score = in_turn([&](const Session& session) { return session.score(key, frame); });
  if (!score && score.error().code == ErrorCode::kNotYet) return std::nullopt;
  return value_of(score);
}

std::int64_t ScoringSession::frames_done() {
  return value_of(
      in_turn([](const Session& session) { return Result<std::int64_t>(session.frames_done()); }));
}

}  // namespace vmafx::python
