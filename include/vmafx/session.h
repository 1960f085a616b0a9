// Scoring: a session takes frame pairs in order and gives scores.
#ifndef VMAFX_SESSION_H_
#define VMAFX_SESSION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vmafx/artifact.h"
#include "vmafx/device.h"
#include "vmafx/frame_memory.h"
#include "vmafx/log.h"
#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/picture.h"
#include "vmafx/recording.h"
#include "vmafx/report.h"
#include "vmafx/status.h"

namespace vmafx {

// A Session that is asked for more threads takes this many, so that a wrong number cannot exhaust
// the machine.
inline constexpr int kMaxThreads = 1024;

// All values of a frame, in the order of Scores::columns. What it refers to lives as long as the
// call that hands it over.
struct FrameScores {
  std::int64_t frame = 0;
  int encode = 0;
  bool identical = false;  // reference and distorted have the same samples
  std::span<const std::string> keys;
  std::span<const double> values;
};

struct SessionConfig {
  int threads = 0;    // 0 or less: all cores; 1: everything runs in the caller's thread
  int subsample = 1;  // frames n with n mod subsample = 0 are reported; less than 1 counts as 1
  // "cpu"; "auto": a device if one works, and the log says which or why none; or a backend that
  // must work: "cuda", "hip", "sycl", or "host", which runs the kernels for devices on the CPU.
  // What a device cannot measure the CPU does. No choice changes a score.
  std::string backend = "cpu";
  std::string device = {};  // of that backend: its index or a part of its name; empty: the first
  // Pictures that lie in it are not copied on their way to the device; they must then not change
  // until they are measured, as always. Of the same backend and device.
  std::shared_ptr<const FrameMemory> frame_memory = {};
  // Session::device_times() tells what the device spends its time on. One frame is then measured at
  // a time, and one thing at a time of it: it takes longer.
  bool time_device = false;
  int encodes = 1;  // of the one reference, scored side by side; less than 1 counts as 1
  // Set, 0 or more: nothing is scored, the raw measurements of one encode's frames from here on are
  // kept. The kLookBack frames before it, or as many as there are, are submitted first.
  std::optional<std::int64_t> record_from = {};
  // Whether submit() looks for samples that do not fit their depth. False for pictures of
  // open_source(), which has looked.
  bool check_samples = true;
  // Takes every reported frame once its values are final, in frame order, from one thread at a
  // time: that of submit() or finish(), or a worker's. Session::delay() says how late. Frames that
  // a model could not score are left out. Must not throw, and of the session may call cancel()
  // only.
  std::function<void(const FrameScores& scores)> on_frame = {};
  // Takes what no result says: that a metric's values are left out, for instance.
  LogSink log = {};
  // Takes the maps that metrics were asked for, in frame order, from one thread at a time. Its
  // error ends the run; without it a map does. Must not throw.
  std::function<Status(const Artifact& artifact, int encode)> on_artifact = {};
};

// Add metrics and models, submit frames, finish, read the scores. Not thread-safe, but for
// cancel(); it uses its own threads. Calls that return a plain value may throw std::bad_alloc.
// Scores do not depend on the number of threads. Memory is bounded: submit() blocks while
// max_in_flight() pairs are being measured, and every call keeps its pictures until they and, for
// metrics that look back, the frames after them are measured. Of a Session that was moved from only
// the destructor and assignment may be called.
class Session {
 public:
  explicit Session(const SessionConfig& config);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // `options`: name or alias -> value, as in "vmafx features NAME"; those left out are at their
  // default. kUsage if the metric, an option or a value does not exist, and after the first
  // submit(). The same metric with the same options twice is one. If two requests have a report key
  // in common (their options differ in something that is not part of keys), the report has the
  // earlier one's values; a model always reads those of its own options.
  Status add_metric(std::string_view name, const std::map<std::string, std::string>& options);
  // Adds the metrics that the model needs too. kUsage if a model of that name is there already.
  Status add_model(const Model& model);

  // Fixes the format: metrics that cannot apply to it are skipped with a reason and the others go
  // on; kNotApplicable if none is left, kUsage if none was added or the format is fixed already to
  // another. Opens the device: kUnavailable if that which is asked for does not work, kOutOfMemory
  // if it has not enough memory. Optional: the first submit() does the same.
  Status prepare(const PictureFormat& format);

  // Frame numbers count up from 0. kMismatch if a picture is not of the session's format, kUsage if
  // it has no samples, kBadInput if a sample is not below 2^bit_depth: these do not count as a
  // frame. An error of a measurement is returned by the next call, and by every later one.
  Status submit(const Picture& reference, const Picture& distorted);
  // The same with a picture of each encode; kUsage if there are not as many.
  Status submit(const Picture& reference, std::span<const Picture> distorted);
  // In place of submit(), with a configuration like that of the recordings and once: scores what
  // was measured elsewhere, in any order. kMismatch names the recording that was made with other
  // metrics, models, pictures or another version; kBadInput the frames that are missing, counted
  // from 0, or that two recordings measured differently.
  Status replay(const PictureFormat& format, const std::vector<Recording>& recordings);
  // No more frames. Waits for all measurements. kNoFrames if there was none; the error of a
  // measurement or of a model if one failed: its scores are then absent. Again: the same answer.
  Status finish();
  // From any thread, at any time: what is being measured is still measured, the rest is dropped,
  // and submit() and finish() return kInterrupted. Frames that are done keep their scores.
  void cancel();

  // The frames whose features and models are all final; grows while frames are submitted.
  std::int64_t frames_done() const;
  // kNotYet until the frames that it depends on are submitted; waits while those, and no others,
  // are being measured. kUsage for a key or a frame that is not scored; the error of its model or
  // of a measurement if that is why it is not there.
  Result<double> score(std::string_view key, std::int64_t frame, int encode = 0) const;
  // Everything that is final now; after finish() everything. `encode` is below
  // SessionConfig::encodes.
  Scores scores(int encode = 0) const;
  // After finish(): what was measured, if SessionConfig::record_from is set.
  Recording take_recording();

  int threads() const;
  int max_in_flight() const;
  // From prepare() or the first submit() on, empty and 0 before that.
  // The report keys, in the order of Scores::columns.
  std::vector<std::string> keys() const;
  // A frame is final at the latest when so many frames
  // after it are measured: 0, or 1 with motion, 2 with its five-frame window.
  int delay() const;
  // Pictures of earlier frames that metrics still look at when nothing is being measured, of the
  // reference and of all encodes.
  int pictures_kept() const;
  DeviceUse device_use() const;
  // After finish(), with time_device set: what took longest first.
  std::vector<DeviceTime> device_times() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct Progress {
  std::int64_t frames = 0;            // scored so far
  std::optional<std::int64_t> total;  // where an input says so; an estimate
  double seconds = 0;                 // wall clock since run() began
};

struct RunOptions {
  std::optional<std::int64_t> frame_count = {};  // stop after so many frames
  // After frame_count frames one more is read, to tell whether there are more.
  bool look_for_end = false;
  bool check_alignment = false;               // fills RunSummary::frames_late
  const std::atomic<bool>* cancel = nullptr;  // set from any thread or a signal handler
  std::function<void(const Progress&)> on_progress =
      {};  // called in the caller's thread, at most 10 times a second
};

struct RunSummary {
  std::int64_t frames = 0;
  // A stream has ended: known unless frame_count stopped the run without look_for_end.
  bool at_end = false;
  // Frames that a stream has beyond the shortest one's end and that can be read. Counting stops at
  // 1000.
  std::int64_t left_out_reference = 0;
  std::vector<std::int64_t> left_out_distorted;  // of each encode
  // With check_alignment, by how much each encode seems to be out of step (vmafx/alignment.h).
  // Nothing is shifted.
  std::vector<std::optional<int>> frames_late;
  double seconds = 0;
  bool cancelled = false;
};

// Pairs the streams by index, submits every frame until the first of them ends and finishes the
// session. `distorted` has a stream for each of the session's encodes. kNoFrames names the stream
// that is empty; a read error is returned as it is, unless another stream ends at that frame, and
// the session is then finished too. When cancelled, the session is finished with the frames so far.
Result<RunSummary> run(FrameSource& reference, std::span<FrameSource* const> distorted,
                       Session& session, const RunOptions& options);
// The same of one encode.
Result<RunSummary> run(FrameSource& reference, FrameSource& distorted, Session& session,
                       const RunOptions& options);

// The report of encode `encode` of a finished session. `shortest` is the path of the stream that
// ended first.
Report make_report(const StreamInfo& reference, const StreamInfo& distorted,
                   const std::vector<Model>& models, Scores scores, const RunSummary& summary,
                   std::size_t encode, const std::string& shortest);

// kMismatch if size, depth or chroma differ: names both and what mends it.
Status check_pair(const StreamInfo& reference, const StreamInfo& distorted);
// One line each: range, matrix, transfer or frame rate that differ, HDR, interlaced.
std::vector<std::string> pair_warnings(const StreamInfo& reference, const StreamInfo& distorted);

}  // namespace vmafx

#endif  // VMAFX_SESSION_H_
