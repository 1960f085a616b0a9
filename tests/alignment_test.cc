// Finds streams that are out of step, and no others.
#include "vmafx/alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tools/clipgen/distort.h"
#include "tools/clipgen/scene.h"

namespace vmafx {
namespace {

using clipgen::Distortion;
using clipgen::Frame;
using clipgen::Motion;
using clipgen::Scene;

constexpr int kFrames = 16;

Picture picture_of(const Frame& frame) {
  struct Samples {
    std::array<std::vector<std::uint8_t>, 3> bytes;
    std::array<std::vector<std::uint16_t>, 3> words;
  };
  auto samples = std::make_shared<Samples>();
  std::array<Picture::Plane, 3> planes{};
  for (int plane = 0; plane < frame.format.planes(); ++plane) {
    const auto i = static_cast<std::size_t>(plane);
    const std::ptrdiff_t width = frame.format.plane_width(plane);
    if (frame.format.bit_depth == 8) {
      samples->bytes[i].assign(frame.planes[i].begin(), frame.planes[i].end());
      planes[i] = {reinterpret_cast<const std::byte*>(samples->bytes[i].data()), width};
    } else {
      samples->words[i] = frame.planes[i];
      planes[i] = {reinterpret_cast<const std::byte*>(samples->words[i].data()), 2 * width};
    }
  }
  return {frame.format, planes, samples};
}

using Clip = std::vector<Frame>;

Clip clip(Motion motion, int depth = 8, int grain = 16) {
  Scene scene({.format = {.width = 192, .height = 108, .bit_depth = depth},
               .motion = motion,
               .grain = grain,
               .cut_interval = 7});
  Clip frames;
  for (int n = 0; n < kFrames; ++n) frames.push_back(scene.render(n));
  return frames;
}

Clip distorted(Clip frames, Distortion kind, int strength) {
  for (int n = 0; n < kFrames; ++n)
    distort(frames[static_cast<std::size_t>(n)], kind, strength, n, 5);
  return frames;
}

Clip brightened(Clip frames, const std::function<int(int frame, int luma)>& map) {
  for (int n = 0; n < kFrames; ++n)
    for (std::uint16_t& sample : frames[static_cast<std::size_t>(n)].planes[0])
      sample = static_cast<std::uint16_t>(map(n, sample));
  return frames;
}

// Frame n is frame `from(n)` of the clip.
Clip picked(const Clip& frames, const std::function<int(int)>& from) {
  Clip result;
  for (int n = 0; n < kFrames; ++n)
    result.push_back(frames[static_cast<std::size_t>(std::clamp(from(n), 0, kFrames - 1))]);
  return result;
}

Clip late(const Clip& frames, int by) {
  return picked(frames, [=](int n) { return n - by; });
}

std::optional<int> frames_late(const Clip& reference, const Clip& encode) {
  AlignmentCheck check;
  for (std::size_t n = 0; n < reference.size(); ++n)
    check.add(picture_of(reference[n]), picture_of(encode[n]));
  return check.frames_late();
}

constexpr Motion kMoving[] = {Motion::kPan, Motion::kZoom, Motion::kRotate, Motion::kObjects,
                              Motion::kCuts};
constexpr std::pair<Distortion, int> kDistortions[] = {{Distortion::kNone, 0},
                                                       {Distortion::kBlur, 2},
                                                       {Distortion::kBlocks, 4},
                                                       {Distortion::kNoise, 4}};

TEST(Alignment, FindsHowLateOrEarly) {
  for (const Motion motion : kMoving)
    for (const int depth : {8, 10}) {
      const Clip reference = clip(motion, depth);
      for (const auto& [kind, strength] : kDistortions)
        for (const int by : {-2, -1, 1, 2})
          EXPECT_EQ(frames_late(reference, late(distorted(reference, kind, strength), by)), by)
              << "motion " << static_cast<int>(motion) << ", distortion " << static_cast<int>(kind);
    }
}

TEST(Alignment, StreamsInStepAre) {
  for (const Motion motion : kMoving) {
    const Clip reference = clip(motion);
    for (const auto& [kind, strength] : kDistortions)
      EXPECT_EQ(frames_late(reference, distorted(reference, kind, strength)), std::nullopt);
  }
}

TEST(Alignment, BadEncodesAreInStep) {
  for (const Motion motion : kMoving) {
    const Clip reference = clip(motion);
    for (const auto& [kind, strength] :
         {std::pair(Distortion::kBlur, 16), std::pair(Distortion::kBlocks, 16),
          std::pair(Distortion::kNoise, 16)})
      EXPECT_EQ(frames_late(reference, distorted(reference, kind, strength)), std::nullopt);
  }
}

TEST(Alignment, StillVideoTellsNothing) {
  const Clip still = clip(Motion::kStill, 8, 0);
  for (const int by : {0, 1}) {
    EXPECT_EQ(frames_late(still, late(still, by)), std::nullopt);
    EXPECT_EQ(frames_late(still, late(distorted(still, Distortion::kNoise, 8), by)), std::nullopt);
  }
}

// Contrast and brightness change, the picture does not; the encode is brighter, so that it looks
// like a later frame of the fade. Without noise it would be that frame to the sample.
TEST(Alignment, FadesTellNothing) {
  const Clip still = clip(Motion::kStill, 8, 0);
  const auto fade = [](int n, int luma) { return 16 + (luma - 16) * (n + 4) / (kFrames + 4); };
  const Clip reference = brightened(still, fade);
  const Clip brighter = distorted(
      brightened(still, [&](int n, int luma) { return fade(std::min(n + 1, kFrames), luma); }),
      Distortion::kNoise, 2);
  EXPECT_EQ(frames_late(reference, brighter), std::nullopt);
  const Clip moving = clip(Motion::kPan);
  EXPECT_EQ(frames_late(brightened(moving, fade),
                        distorted(brightened(moving, fade), Distortion::kBlur, 2)),
            std::nullopt);
}

TEST(Alignment, BlackTellsNothing) {
  const auto black = [](int, int) { return 16; };
  const Clip moving = clip(Motion::kPan);
  EXPECT_EQ(frames_late(brightened(moving, black), brightened(moving, black)), std::nullopt);
  EXPECT_EQ(frames_late(moving, brightened(moving, black)), std::nullopt);
  EXPECT_EQ(frames_late(brightened(moving, black), moving), std::nullopt);
}

TEST(Alignment, AnotherVideoIsNotLate) {
  EXPECT_EQ(frames_late(clip(Motion::kPan), clip(Motion::kRotate)), std::nullopt);
}

TEST(Alignment, FrozenStreamsAreNotLate) {
  for (const Motion motion : kMoving) {
    const Clip reference = clip(motion);
    EXPECT_EQ(frames_late(reference, picked(reference, [](int) { return 0; })), std::nullopt);
    EXPECT_EQ(frames_late(reference, picked(reference, [](int n) { return n < 5 ? n : 5; })),
              std::nullopt);
  }
}

TEST(Alignment, HalfTheFrameRateIsNotLate) {
  for (const Motion motion : kMoving) {
    const Clip reference = clip(motion);
    EXPECT_EQ(frames_late(reference, picked(reference, [](int n) { return n / 2 * 2; })),
              std::nullopt);
    EXPECT_EQ(frames_late(reference, picked(reference, [](int n) { return n / 3 * 3; })),
              std::nullopt);
  }
}

// Further out than is looked for: it must not be called two frames.
TEST(Alignment, BeyondTheReachNothingIsClaimed) {
  for (const Motion motion : {Motion::kPan, Motion::kZoom, Motion::kRotate, Motion::kObjects}) {
    const Clip reference = clip(motion);
    for (const int by : {-5, -3, 3, 5})
      EXPECT_EQ(frames_late(reference, late(reference, by)), std::nullopt);
  }
}

TEST(Alignment, FewFramesTellNothing) {
  const Clip reference = clip(Motion::kPan);
  const Clip encode = late(reference, 1);
  AlignmentCheck check;
  for (std::size_t n = 0; n < 5; ++n) check.add(picture_of(reference[n]), picture_of(encode[n]));
  EXPECT_EQ(check.frames_late(), std::nullopt);
}

TEST(Alignment, AnySizeGoes) {
  for (const auto& [width, height] :
       {std::pair(1, 1), std::pair(2, 700), std::pair(700, 2), std::pair(3, 5)}) {
    Scene scene({.format = {.width = width, .height = height}});
    AlignmentCheck check;
    for (int n = 0; n < 12; ++n)
      check.add(picture_of(scene.render(n)), picture_of(scene.render(n)));
    EXPECT_EQ(check.frames_late(), std::nullopt);
  }
}

}  // namespace
}  // namespace vmafx
