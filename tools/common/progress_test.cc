#include "common/progress.h"

#include <gtest/gtest.h>

namespace vmafx::tools {
namespace {

Progress progress(std::int64_t frames, std::optional<std::int64_t> total, double seconds) {
  Progress value;
  value.frames = frames;
  value.total = total;
  value.seconds = seconds;
  return value;
}

TEST(ProgressJson, KnownAndUnknown) {
  EXPECT_EQ(progress_json(progress(12, 48, 0.5)),
            R"({"frames":12,"total":48,"fps":24.00,"eta":1.50})");
  EXPECT_EQ(progress_json(progress(0, std::nullopt, 0)),
            R"({"frames":0,"total":null,"fps":null,"eta":null})");
  // Containers only estimate how many frames they hold.
  EXPECT_EQ(progress_json(progress(50, 48, 1)),
            R"({"frames":50,"total":48,"fps":50.00,"eta":0.00})");
}

TEST(ProgressLine, FitsTheTerminal) {
  ::setenv("LC_ALL", "C", 1);
  for (const int width : {0, 10, 39, 60, 79, 200})
    EXPECT_LE(progress_line(progress(1240, 2000, 8), width, Style(false)).size(),
              static_cast<std::size_t>(width))
        << width;
  ::unsetenv("LC_ALL");
}

TEST(ProgressLine, ShowsShareSpeedAndTimeLeft) {
  ::setenv("LC_ALL", "C", 1);
  EXPECT_EQ(progress_line(progress(1000, 2000, 10), 79, Style(false)),
            "  [==============              ]   50 %  1000/2000 frames  100.0 fps  0:10 left");
  EXPECT_EQ(progress_line(progress(7, std::nullopt, 2), 79, Style(false)), "  7 frames  3.5 fps");
  EXPECT_NE(progress_line(progress(1, 9001, 1), 79, Style(false)).find("2:30:00 left"),
            std::string::npos);
  ::unsetenv("LC_ALL");
}

}  // namespace
}  // namespace vmafx::tools
