// What a second thread is worth, on pictures in memory:
//   vmafx_threads [--threads 2] [--model vmaf_v0.6.1] [--width 1920] [--height 1080] [--depth 8]
//   [--rounds 20]
// Prints medians over rounds, in each of which everything is timed once, so that a busy machine
// disturbs all of it alike:
//   capacity  how much more copies of a loop in registers, one a thread, do in a time than one
//   speed-up  of frames a second over those of one thread
//   latency   how much shorter it takes from submitting a frame alone to its features
#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "metrics/parity_harness.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFrames = 24;       // of a round, one after the other as fast as they go
constexpr int kSingleFrames = 4;  // of a round, each alone

struct Settings {
  std::string model = "vmaf_v0.6.1";
  PictureFormat format{.width = 1920, .height = 1080, .bit_depth = 8, .chroma = Chroma::k420};
  int threads = 2;
  int rounds = 20;
};

class Failed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(const Status& status) {
  if (!status) throw Failed(status.error().message);
}

template <class Work>
double seconds_of(const Work& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// How often a loop in registers runs until then.
std::int64_t laps_until(Clock::time_point end) {
  std::uint64_t a = 1;
  std::uint64_t b = 2;
  std::int64_t laps = 0;
  for (; Clock::now() < end; ++laps) {
    for (int i = 0; i < 10'000; ++i) {
      a = a * 0x9E3779B97F4A7C15U + 1;
      b ^= b << 13;
      b ^= b >> 7;
    }
  }
  volatile std::uint64_t sink = a ^ b;
  static_cast<void>(sink);
  return laps;
}

// Copies of the loop, on threads that live as long as those of a session: where a new thread begins
// says little about the machine.
class Loops {
 public:
  explicit Loops(int threads) : laps_(static_cast<std::size_t>(threads)), meet_(threads) {
    for (std::size_t i = 1; i < laps_.size(); ++i) others_.emplace_back([this, i] { help(i); });
  }
  ~Loops() {
    end_.reset();
    meet_.arrive_and_wait();
    for (std::thread& other : others_) other.join();
  }
  Loops(const Loops&) = delete;
  Loops& operator=(const Loops&) = delete;

  double capacity() {
    const auto one = static_cast<double>(laps_until(Clock::now() + kTime));
    end_ = Clock::now() + kTime;
    meet_.arrive_and_wait();
    laps_[0] = laps_until(*end_);
    meet_.arrive_and_wait();
    return static_cast<double>(std::accumulate(laps_.begin(), laps_.end(), std::int64_t{0})) / one;
  }

 private:
  static constexpr std::chrono::milliseconds kTime{100};

  void help(std::size_t index) {
    while (true) {
      meet_.arrive_and_wait();
      if (!end_) return;
      laps_[index] = laps_until(*end_);
      meet_.arrive_and_wait();
    }
  }

  std::optional<Clock::time_point> end_;  // of what is counted; none: there is no more
  std::vector<std::int64_t> laps_;
  std::barrier<> meet_;
  std::vector<std::thread> others_;
};

struct Clip {
  std::vector<Picture> reference;
  std::vector<Picture> distorted;
};

// A session that goes on over all rounds.
class Runner {
 public:
  Runner(const Settings& settings, const Clip& clip, int threads)
      : clip_(clip), session_({.threads = threads, .check_samples = false}) {
    const auto model = load_model({.version = settings.model, .name = settings.model});
    if (!model) throw Failed(model.error().message);
    check(session_.add_model(*model));
    check(session_.prepare(settings.format));
    // A feature that waits for no later frame, if there is one.
    submit();
    for (const std::string& key : session_.keys())
      if (session_.score(key, 0)) key_ = key;
    if (key_.empty()) throw Failed("every feature of this model waits for later frames");
  }

  // Seconds a frame.
  double frames_at_once() {
    return seconds_of([&] {
             for (int i = 0; i < kFrames; ++i) submit();
             wait();
           }) /
           kFrames;
  }

  double frame_alone() {
    return seconds_of([&] {
      submit();
      wait();
    });
  }

 private:
  void submit() {
    const auto index = static_cast<std::size_t>(next_++) % clip_.reference.size();
    check(session_.submit(clip_.reference[index], clip_.distorted[index]));
  }
  void wait() const {
    const auto score = session_.score(key_, next_ - 1);
    if (!score) throw Failed(score.error().message);
  }

  const Clip& clip_;
  Session session_;
  std::string key_;
  std::int64_t next_ = 0;
};

void time_threads(const Settings& settings) {
  constexpr int kPictures = 4;
  const Clip clip{parity::make_frames(settings.format, kPictures, 1),
                  parity::make_frames(settings.format, kPictures, 100)};
  Runner one(settings, clip, 1);
  Runner all(settings, clip, settings.threads);
  Loops loops(settings.threads);
  std::vector<double> capacities, frame_one, frame_all, speed_ups, relative, alone_one, alone_all;
  for (int round = 0; round < settings.rounds; ++round) {
    capacities.push_back(loops.capacity());
    frame_one.push_back(one.frames_at_once());
    frame_all.push_back(all.frames_at_once());
    speed_ups.push_back(frame_one.back() / frame_all.back());
    relative.push_back(speed_ups.back() / capacities.back());
    for (int i = 0; i < kSingleFrames; ++i) {
      alone_one.push_back(one.frame_alone());
      alone_all.push_back(all.frame_alone());
    }
  }
  fmt::print("{}, {}, {} threads against 1, medians of {} rounds\n", settings.model,
             to_string(settings.format), settings.threads, settings.rounds);
  fmt::print("capacity   {:.2f}\n", median(capacities));
  fmt::print("speed-up   {:.2f} ({:.2f} ms a frame to {:.2f}), by the capacity {:.3f}\n",
             median(speed_ups), 1e3 * median(frame_one), 1e3 * median(frame_all), median(relative));
  const double shorter = median(alone_one) / median(alone_all);
  fmt::print("latency    {:.2f} ({:.2f} ms to {:.2f}), by the capacity {:.3f}\n", shorter,
             1e3 * median(alone_one), 1e3 * median(alone_all), shorter / median(capacities));
}

}  // namespace
}  // namespace vmafx

int main(int argc, char** argv) {
  vmafx::Settings settings;
  CLI::App app("What a second thread is worth, on pictures in memory.");
  app.add_option("--model", settings.model);
  app.add_option("--width", settings.format.width);
  app.add_option("--height", settings.format.height);
  app.add_option("--depth", settings.format.bit_depth);
  app.add_option("--threads", settings.threads)->check(CLI::Range(2, vmafx::kMaxThreads));
  app.add_option("--rounds", settings.rounds)->check(CLI::Range(1, 10000));
  CLI11_PARSE(app, argc, argv);
  try {
    vmafx::time_threads(settings);
  } catch (const vmafx::Failed& failed) {
    fmt::print(stderr, "vmafx_threads: {}\n", failed.what());
    return 1;
  }
  return 0;
}
