// A scoring session as Python sees it.
#ifndef VMAFX_PYTHON_SESSION_H_
#define VMAFX_PYTHON_SESSION_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "streams.h"
#include "vmafx/artifact.h"
#include "vmafx/model.h"
#include "vmafx/report.h"
#include "vmafx/session.h"

namespace vmafx::python {

struct ScoredReport {
  Report report;
  std::optional<ModelChoice> choice;  // of the last of the models
};

// Called with the GIL, which it lets go of while it measures and waits. Python may call from
// several threads: they take turns.
class ScoringSession {
 public:
  // chooses_model: the model for the format of the first pair is added. check_samples: as in
  // SessionConfig.
  ScoringSession(int threads, int subsample, bool chooses_model, bool check_samples);
  ~ScoringSession();
  ScoringSession(const ScoringSession&) = delete;
  ScoringSession& operator=(const ScoringSession&) = delete;

  void add_model(const Model& model);
  void add_metric(const std::string& name, const std::map<std::string, std::string>& options);

  // All frames of two streams, then finish(). `progress` is None or called with the frames scored,
  // their total or None, and the seconds.
  ScoredReport run(const Input& reference, const Input& distorted,
                   const std::optional<std::int64_t>& frames, const nanobind::object& progress);

  void submit(nanobind::handle reference, nanobind::handle distorted,
              const std::optional<int>& bit_depth, const std::optional<Rational>& frame_rate);
  ScoredReport finish();
  // What is final now.
  ScoredReport report();
  // None until it is final.
  std::optional<double> score(const std::string& key, std::int64_t frame);
  std::int64_t frames_done();

  // Drops what is not measured yet and ends the threads. Other calls then raise.
  void close();

 private:
  template <class Use>
  auto in_turn(Use&& use);
  Status submit_pair(Session& session, const Picture& reference, const Picture& distorted,
                     const std::optional<Rational>& frame_rate);
  Status choose_model_for(Session& session, const PictureFormat& format,
                          const std::optional<Rational>& frame_rate);
  ScoredReport report_of(const Session& session);
  void add_noticed(Report& report);

  const std::shared_ptr<ArrayKeeper> keeper_ = std::make_shared<ArrayKeeper>();
  bool closed_ = false;  // guarded by the GIL

  std::mutex turn_;  // guards the rest
  bool chooses_model_;
  std::optional<ModelChoice> choice_;
  std::vector<Model> models_;
  PictureFormat format_;
  std::int64_t submitted_ = 0;
  std::optional<std::chrono::steady_clock::time_point> begin_;
  std::optional<double> seconds_;  // of a finished session
  ArtifactFiles maps_;
  std::mutex noticing_;
  std::vector<std::string> noticed_;  // what no result says; guarded by noticing_
  std::optional<Session> session_;    // its threads use the three above
};

}  // namespace vmafx::python

#endif  // VMAFX_PYTHON_SESSION_H_
