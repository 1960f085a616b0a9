#include <chrono>

#include <fmt/format.h>

#include "vmafx/alignment.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMaxCounted = 1000;
constexpr std::chrono::milliseconds kProgressInterval{100};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::optional<std::int64_t> total_frames(const FrameSource& reference, const FrameSource& distorted,
                                         const RunOptions& options) {
  std::optional<std::int64_t> total = options.frame_count;
  for (const FrameSource* source : {&reference, &distorted}) {
    const auto count = source->info().frame_count;
    if (count && (!total || *count < *total)) total = count;
  }
  return total;
}

// What is left of a stream after the other has ended. Nothing depends on these frames, so one that
// cannot be read ends the count and is no error.
std::int64_t count_rest(FrameSource& source) {
  std::int64_t count = 0;
  while (count < kMaxCounted) {
    const auto picture = source.read();
    if (!picture || !*picture) break;
    ++count;
  }
  return count;
}

Error no_frames(const StreamInfo& info) {
  return {ErrorCode::kNoFrames, fmt::format("{}: there is no frame in it", info.path), {}};
}

class Progressing {
 public:
  Progressing(const RunOptions& options, std::optional<std::int64_t> total)
      : options_(options), total_(total) {}

  void at(std::int64_t frames, bool last) {
    if (!options_.on_progress) return;
    const auto now = Clock::now();
    if (!last && now - reported_ < kProgressInterval) return;
    reported_ = now;
    options_.on_progress({frames, last ? std::optional(frames) : total_, seconds_since(start_)});
  }
  double seconds() const { return seconds_since(start_); }

 private:
  const RunOptions& options_;
  std::optional<std::int64_t> total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point reported_{};
};

}  // namespace

Result<RunSummary> run(FrameSource& reference, FrameSource& distorted, Session& session,
                       const RunOptions& options) {
  Progressing progress(options, total_frames(reference, distorted, options));
  RunSummary summary;
  AlignmentCheck alignment;
  while (!options.frame_count || summary.frames < *options.frame_count) {
    if (options.cancel != nullptr && options.cancel->load()) {
      summary.cancelled = true;
      break;
    }
    auto r = reference.read();
    if (!r) return r.error();
    auto d = distorted.read();
    if (!d) return d.error();
    if (!*r || !*d) {
      if (summary.frames == 0) return no_frames(!*r ? reference.info() : distorted.info());
      for (const bool of_reference : {true, false}) {
        if (!*(of_reference ? r : d)) continue;
        (of_reference ? summary.left_out_reference : summary.left_out_distorted) =
            1 + count_rest(of_reference ? reference : distorted);
      }
      break;
    }
    if (const Status status = session.submit(**r, **d); !status) return status.error();
    if (options.check_alignment) alignment.add(**r, **d);
    ++summary.frames;
    progress.at(summary.frames, false);
  }
  if (summary.frames == 0 && summary.cancelled) {
    summary.seconds = progress.seconds();
    return summary;
  }
  if (const Status status = session.finish(); !status) return status.error();
  progress.at(summary.frames, true);
  summary.frames_late = alignment.frames_late();
  summary.seconds = progress.seconds();
  return summary;
}

}  // namespace vmafx
