#include "common/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace vmafx::tools {
namespace {

std::optional<double> frames_a_second(const Progress& progress) {
  if (progress.seconds <= 0 || progress.frames <= 0) return std::nullopt;
  return static_cast<double>(progress.frames) / progress.seconds;
}

std::optional<double> seconds_left(const Progress& progress) {
  const auto fps = frames_a_second(progress);
  if (!fps || !progress.total) return std::nullopt;
  return static_cast<double>(std::max<std::int64_t>(*progress.total - progress.frames, 0)) / *fps;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

class NoProgress : public ProgressDisplay {
 public:
  void update(const Progress&) override {}
  void clear() override {}
};

class JsonProgress : public ProgressDisplay {
 public:
  void update(const Progress& progress) override { put(stderr, "{}\n", progress_json(progress)); }
  void clear() override {}
};

class BarProgress : public ProgressDisplay {
 public:
  void update(const Progress& progress) override {
    put(stderr, "\r{}\x1b[K",
        progress_line(progress, terminal_width(stderr) - 1, style_of(stderr)));
    std::fflush(stderr);
  }
  void clear() override {
    put(stderr, "\r\x1b[K");
    std::fflush(stderr);
  }
};

}  // namespace

std::string progress_line(const Progress& progress, int width, const Style& style) {
  const auto fps = frames_a_second(progress);
  const std::string speed = fps ? fmt::format("  {:.1f} fps", *fps) : "";
  if (!progress.total || *progress.total <= 0)
    return fmt::format("  {} frames{}", progress.frames, speed);
  const double share =
      std::min(1.0, static_cast<double>(progress.frames) / static_cast<double>(*progress.total));
  const auto left = seconds_left(progress);
  const std::string text =
      fmt::format("  {:3.0f} %  {}/{} frames{}{}", 100 * share, progress.frames, *progress.total,
                  speed, left ? fmt::format("  {} left", clock_text(*left)) : "");
  // Two columns before the bar, and two brackets where the bar is ASCII.
  constexpr int kLongest = 40;
  const int room = std::min(width - static_cast<int>(text.size()) - 4, kLongest);
  constexpr int kShortest = 8;
  return room < kShortest ? text.substr(0, static_cast<std::size_t>(std::max(width, 0)))
                          : "  " + bar(share, room, style) + text;
}

std::string progress_json(const Progress& progress) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : std::string("null");
  };
  return fmt::format("{{\"frames\":{},\"total\":{},\"fps\":{},\"eta\":{}}}", progress.frames,
                     progress.total ? fmt::format("{}", *progress.total) : "null",
                     number(frames_a_second(progress)), number(seconds_left(progress)));
}

std::unique_ptr<ProgressDisplay> make_progress(ProgressMode mode) {
  switch (mode) {
    case ProgressMode::kBar:
      return std::make_unique<BarProgress>();
    case ProgressMode::kJson:
      return std::make_unique<JsonProgress>();
    case ProgressMode::kNone:
      break;
  }
  return std::make_unique<NoProgress>();
}

}  // namespace vmafx::tools
