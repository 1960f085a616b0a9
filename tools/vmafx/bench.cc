// vmafx bench: how fast, and what the time goes to.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "common/scoring.h"
#include "common/terminal.h"
#include "job_options.h"
#include "vmafx/device.h"
#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions : JobOptions {
  std::string reference;
  std::string distorted;
  int seconds = 3;
};

struct Clip {
  std::vector<Picture> reference;
  std::vector<Picture> distorted;
  std::optional<Rational> frame_rate;
  double seconds = 0;  // that reading took
  std::shared_ptr<FrameMemory> memory;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Both streams to `memory`, up to `most` frames.
Result<Clip> read_clip(const ScoringJob& job, std::shared_ptr<FrameMemory> memory,
                       std::int64_t most) {
  SourceOptions options[] = {job.reference, job.distorted[0]};
  for (SourceOptions& source : options) source.memory = memory;
  auto reference = open_source(options[0]);
  if (!reference) return reference.error();
  auto distorted = open_source(options[1]);
  if (!distorted) return distorted.error();
  if (const Status fits = check_pair((*reference)->info(), (*distorted)->info()); !fits)
    return fits.error();
  Clip clip;
  clip.memory = std::move(memory);
  clip.frame_rate = (*reference)->info().frame_rate;
  const auto start = Clock::now();
  while (static_cast<std::int64_t>(clip.reference.size()) < most) {
    auto r = (*reference)->read();
    if (!r) return r.error();
    auto d = (*distorted)->read();
    if (!d) return d.error();
    if (!*r || !*d) break;
    clip.reference.push_back(**std::move(r));
    clip.distorted.push_back(**std::move(d));
  }
  clip.seconds = seconds_since(start);
  if (clip.reference.empty())
    return Error{ErrorCode::kNoFrames, "there is no frame in one of the streams", {}};
  return clip;
}

Status add_all(const ScoringJob& job, const Clip& clip, Session& session) {
  std::vector<Model> models;
  if (const auto failure = add_requests(job, session, models)) return failure->error;
  if (!job.choose_model) return {};
  const ModelChoice choice = choose_model(clip.reference[0].format(), clip.frame_rate);
  const auto model = load_model({.version = choice.version});
  return model ? session.add_model(*model) : Status(model.error());
}

struct Speed {
  std::int64_t frames = 0;
  double seconds = 0;
  DeviceUse device;
  std::vector<DeviceTime> times;
};

// The clip again and again, for that long, after one round to warm up.
Result<Speed> measure(const ScoringJob& job, const Clip& clip, int seconds, bool time_device) {
  SessionConfig config = job.session;
  config.check_samples = false;
  config.time_device = time_device;
  config.frame_memory = clip.memory;
  Session session(config);
  if (const Status added = add_all(job, clip, session); !added) return added.error();
  if (const Status ready = session.prepare(clip.reference[0].format()); !ready)
    return ready.error();
  Speed speed;
  const auto round = [&]() -> Status {
    for (std::size_t n = 0; n < clip.reference.size(); ++n) {
      if (Status status = session.submit(clip.reference[n], clip.distorted[n]); !status)
        return status;
      ++speed.frames;
    }
    return {};
  };
  if (const Status warm = round(); !warm) return warm.error();
  speed.frames = 0;
  const auto start = Clock::now();
  while (seconds_since(start) < seconds)
    if (const Status status = round(); !status) return status.error();
  // As many frames as were warming up are still in flight now: they stand for those at the start.
  speed.seconds = seconds_since(start);
  if (const Status finished = session.finish(); !finished) return finished.error();
  speed.device = session.device_use();
  speed.times = session.device_times();
  return speed;
}

void print_times(const Speed& speed) {
  double all = 0;
  std::int64_t frames = 1;
  for (const DeviceTime& time : speed.times) {
    all += time.seconds;
    if (time.what == "read-back") frames = std::max<std::int64_t>(frames, time.calls);
  }
  put(stdout, "\n  {:>9} {:>7} {:>6}  {}\n", "us/frame", "calls", "share", "one thing at a time");
  for (const DeviceTime& time : speed.times) {
    const double per_frame = 1e6 * time.seconds / static_cast<double>(frames);
    put(stdout, "  {:>9.1f} {:>7.2f} {:>5.1f}%  {}", per_frame,
        static_cast<double>(time.calls) / static_cast<double>(frames), 100 * time.seconds / all,
        printable(time.what));
    if (time.bytes > 0)
      put(stdout, ", {:.1f} GB/s", static_cast<double>(time.bytes) / time.seconds / 1e9);
    put(stdout, "\n");
  }
}

ExitCode run_bench(const BenchOptions& options) {
  auto job = make_job(options);
  if (!job) return fail({ExitCode::kFailure, job.error()});
  job->reference.path = options.reference;
  job->distorted[0].path = options.distorted;
  constexpr std::int64_t kMostFrames = 48;
  auto memory = make_frame_memory(job->session.backend, job->session.device);
  if (!memory) return fail_to_measure(memory.error());
  const auto clip = read_clip(*job, *std::move(memory), job->frame_count.value_or(kMostFrames));
  if (!clip) return fail({code_of(clip.error(), ExitCode::kInputNotOpened), clip.error()});
  const auto frames = static_cast<double>(clip->reference.size());
  put(stdout, "  {:.0f} frames of {}, read at {:.1f} fps\n", frames,
      to_string(clip->reference[0].format()), frames / clip->seconds);

  const auto speed = measure(*job, *clip, options.seconds, false);
  if (!speed) return fail_to_measure(speed.error());
  put(stdout, "  measured from memory at {:.1f} fps",
      static_cast<double>(speed->frames) / speed->seconds);
  if (speed->device.backend.empty()) {
    put(stdout, "\n");
    return ExitCode::kOk;
  }
  put(stdout, ", {} frames in flight, {:.0f} MB of {}\n", speed->device.frames_in_flight,
      static_cast<double>(speed->device.device_bytes) / 1e6, printable(speed->device.name));
  const auto timed = measure(*job, *clip, options.seconds, true);
  if (!timed) return fail_to_measure(timed.error());
  print_times(*timed);
  return ExitCode::kOk;
}

}  // namespace

void add_bench_command(CLI::App& app, ExitCode& code) {
  CLI::App* command =
      app.add_subcommand("bench", "how fast a pair is measured, and what a device's time goes to");
  const auto options = std::make_shared<BenchOptions>();
  command->add_option("REFERENCE", options->reference, "the original video")->required();
  command->add_option("DISTORTED", options->distorted, "the video to judge")->required();
  add_request_options(*command, *options);
  add_run_options(*command, *options);
  command->add_option("--seconds", options->seconds, "for each measurement (default: 3)")
      ->type_name("N")
      ->check(at_least(1));
  command->callback([options, &code] { code = run_bench(*options); });
}

}  // namespace vmafx::tools
