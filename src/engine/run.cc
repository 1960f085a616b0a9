#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "vmafx/alignment.h"
#include "base/guard.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMaxCounted = 1000;
constexpr std::chrono::milliseconds kProgressInterval{100};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

using Sources = std::vector<FrameSource*>;

std::optional<std::int64_t> total_frames(const Sources& sources, const RunOptions& options) {
  std::optional<std::int64_t> total = options.frame_count;
  for (const FrameSource* source : sources) {
    const auto count = source->info().frame_count;
    if (count && (!total || *count < *total)) total = count;
  }
  return total;
}

// What the streams give for a frame, the reference's first.
struct StreamFrame {
  std::vector<std::optional<Picture>> pictures;
  // The first stream that has ended. What cannot be read of the others is then of no account.
  std::optional<std::size_t> ended;
};

Result<StreamFrame> read_frame(const Sources& sources) {
  StreamFrame frame;
  std::optional<Error> error;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto picture = sources[i]->read();
    if (!picture && !error) error = picture.error();
    if (picture && !*picture && !frame.ended) frame.ended = i;
    frame.pictures.push_back(picture ? *std::move(picture) : std::nullopt);
  }
  if (error && !frame.ended) return *std::move(error);
  return frame;
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

// `last` is what was read when the first of the streams had ended.
void count_left_out(const Sources& sources, const std::vector<std::optional<Picture>>& last,
                    RunSummary& summary) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::int64_t count = last[i] ? 1 + count_rest(*sources[i]) : 0;
    if (i == 0)
      summary.left_out_reference = count;
    else
      summary.left_out_distorted.push_back(count);
  }
}

Status submit(const std::vector<std::optional<Picture>>& pictures, Session& session) {
  std::vector<Picture> distorted;
  for (std::size_t i = 1; i < pictures.size(); ++i) distorted.push_back(*pictures[i]);
  return session.submit(*pictures[0], distorted);
}

Result<RunSummary> run_frames(FrameSource& reference, std::span<FrameSource* const> distorted,
                              Session& session, const RunOptions& options) {
  Sources sources = {&reference};
  sources.insert(sources.end(), distorted.begin(), distorted.end());
  Progressing progress(options, total_frames(sources, options));
  RunSummary summary;
  std::vector<AlignmentCheck> alignment(options.check_alignment ? distorted.size() : 0);
  while (true) {
    const bool enough = options.frame_count && summary.frames >= *options.frame_count;
    if (enough && !options.look_for_end) break;
    if (options.cancel != nullptr && options.cancel->load()) {
      summary.cancelled = true;
      break;
    }
    const auto frame = read_frame(sources);
    if (!frame) return frame.error();
    const auto& pictures = frame->pictures;
    if (frame->ended) {
      if (summary.frames == 0) return no_frames(sources[*frame->ended]->info());
      summary.at_end = true;
      count_left_out(sources, pictures, summary);
      break;
    }
    if (enough) break;
    if (const Status status = submit(pictures, session); !status) {
      if (status.error().code != ErrorCode::kInterrupted) return status.error();
      summary.cancelled = true;
      break;
    }
    for (std::size_t e = 0; e < alignment.size(); ++e)
      alignment[e].add(*pictures[0], *pictures[e + 1]);
    ++summary.frames;
    progress.at(summary.frames, false);
  }
  if (summary.frames == 0 && summary.cancelled) {
    summary.seconds = progress.seconds();
    return summary;
  }
  if (const Status status = session.finish(); !status) {
    if (status.error().code != ErrorCode::kInterrupted) return status.error();
    summary.cancelled = true;
  }
  progress.at(summary.frames, true);
  for (const AlignmentCheck& check : alignment) summary.frames_late.push_back(check.frames_late());
  summary.seconds = progress.seconds();
  return summary;
}

}  // namespace

Result<RunSummary> run(FrameSource& reference, std::span<FrameSource* const> distorted,
                       Session& session, const RunOptions& options) {
  auto summary = guarded([&] { return run_frames(reference, distorted, session, options); });
  // Its workers may still be handing on what they measured.
  if (!summary) static_cast<void>(session.finish());
  return summary;
}

Result<RunSummary> run(FrameSource& reference, FrameSource& distorted, Session& session,
                       const RunOptions& options) {
  FrameSource* const encodes[] = {&distorted};
  return run(reference, encodes, session, options);
}

}  // namespace vmafx
