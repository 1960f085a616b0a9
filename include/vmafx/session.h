// Scoring: a session takes frame pairs in order and gives scores.
#ifndef VMAFX_SESSION_H_
#define VMAFX_SESSION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/picture.h"
#include "vmafx/report.h"
#include "vmafx/status.h"

namespace vmafx {

struct SessionConfig {
  int threads = 0;    // 0: all cores
  int subsample = 1;  // frames n with n mod subsample = 0 are reported
};

// Add metrics and models, submit frames, finish, read the scores. Not thread-safe; it uses its own
// threads. Scores do not depend on the number of threads. Memory is bounded: submit() blocks while
// max_in_flight() pairs are being measured.
class Session {
 public:
  explicit Session(const SessionConfig& config);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // kUsage if the metric, an option or a value does not exist. The same metric with the same
  // options twice is one. Must precede the first submit().
  Status add_metric(std::string_view name, const std::map<std::string, std::string>& options);
  // Adds the metrics that the model needs too. kUsage if a model of that name is there already.
  Status add_model(const Model& model);

  // Frame numbers count up from 0. The first pair fixes the format: metrics that cannot apply to it
  // are skipped with a reason and the others go on. kMismatch if a picture differs from that
  // format. An error of a measurement is returned by the next call.
  Status submit(const Picture& reference, const Picture& distorted);
  // No more frames. Waits for all measurements. kNotApplicable if nothing that was asked for
  // applies.
  Status finish();

  // The frames whose features and models are all final; grows while frames are submitted.
  std::int64_t frames_done() const;
  // kNotYet until the frames that it depends on are submitted; waits while those are being
  // measured.
  Result<double> score(std::string_view key, std::int64_t frame) const;
  // Everything that is final now; after finish() everything.
  Scores scores() const;

  int threads() const;
  int max_in_flight() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct Progress {
  std::int64_t frames = 0;            // scored so far
  std::optional<std::int64_t> total;  // where an input says so
  double seconds = 0;
};

struct RunOptions {
  std::optional<std::int64_t> frame_count;    // stop after so many pairs
  const std::atomic<bool>* cancel = nullptr;  // set from any thread or a signal handler
  std::function<void(const Progress&)>
      on_progress;  // called in the caller's thread, at most 10 times a second
};

struct RunSummary {
  std::int64_t frames = 0;
  // Frames that the longer stream has beyond the shorter one's end and that can be read. Counting
  // stops at 1000.
  std::int64_t left_out_reference = 0;
  std::int64_t left_out_distorted = 0;
  double seconds = 0;
  bool cancelled = false;
};

// Pairs the streams by index, submits every pair and finishes the session. kNoFrames names the
// stream that is empty; a read error is returned as it is. When cancelled, the session is finished
// with the frames so far.
Result<RunSummary> run(FrameSource& reference, FrameSource& distorted, Session& session,
                       const RunOptions& options);

// kMismatch if size, depth or chroma differ: names both and what mends it.
Status check_pair(const StreamInfo& reference, const StreamInfo& distorted);
// One line each: range, matrix, transfer or frame rate that differ, HDR, interlaced.
std::vector<std::string> pair_warnings(const StreamInfo& reference, const StreamInfo& distorted);

}  // namespace vmafx

#endif  // VMAFX_SESSION_H_
