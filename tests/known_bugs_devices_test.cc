// Reported bugs of GPU code elsewhere, on every device of this machine and on the host. The names
// are those of the issue trackers: N is Netflix/vmaf, V is VMAFx/vmafx.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "metrics/adm/adm.h"
#include "metrics/cambi/cambi.h"
#include "tests/device_parity.h"
#include "metrics/motion/motion.h"
#include "metrics/psnr/psnr.h"
#include "metrics/vif/vif.h"
#include "tests/devices.h"
#include "tests/scored_clip.h"

namespace vmafx {
namespace {

using parity::Case;
using parity::expect_same_on_devices;
using parity::Pattern;
using tests::usable_backends;

Model model_of(const std::string& version) {
  auto model = load_model({.version = version});
  EXPECT_TRUE(model.ok()) << model.error().message;
  return *std::move(model);
}

// N#1562: motion mirrored one sample off.
TEST(KnownBugsOnDevices, B1_MotionMirrorsWhereTheCpuDoes) {
  for (const auto& [width, height] : {std::pair(854, 480), std::pair(853, 479)})
    expect_same_on_devices(motion_metric(), {},
                           {{width, height, 8, Chroma::k420}, Pattern::kTexture, Pattern::kRandom},
                           2);
}

// N#1552: a stride in bytes on 16-bit samples.
TEST(KnownBugsOnDevices, B2_MotionOfDeepPicturesWithGapsBetweenRows) {
  for (const int depth : {10, 12, 16})
    expect_same_on_devices(
        motion_metric(), {},
        {{331, 190, depth, Chroma::k420}, Pattern::kTexture, Pattern::kRandom, 29}, 2);
}

// N#1564: stale rows at the border of small frames.
TEST(KnownBugsOnDevices, B3_AdmOfSmallFrames) {
  for (const auto& [width, height] :
       {std::pair(320, 40), std::pair(40, 320), std::pair(149, 149), std::pair(33, 35)})
    for (const Pattern pattern : {Pattern::kTexture, Pattern::kBars, Pattern::kRandom})
      expect_same_on_devices(adm_metric(), {},
                             {{width, height, 8, Chroma::k420}, Pattern::kTexture, pattern});
}

// N#1614: a race in VIF.
TEST(KnownBugsOnDevices, B5_VifIsTheSameTwentyTimes) {
  for (int repeat = 0; repeat < 20; ++repeat)
    expect_same_on_devices(vif_metric(), {},
                           {{97, 65, 8, Chroma::k420}, Pattern::kTexture, Pattern::kExtremes});
}

// N#1567: models of the first version cannot run.
TEST(KnownBugsOnDevices, B8_NewModelsRunOnTheDeviceAlone) {
  const tests::Clip clip = tests::make_clip({.width = 352, .height = 288}, 3);
  for (const std::string& backend : usable_backends()) {
    Session session({.threads = 1, .backend = backend});
    const Model model = model_of("vmaf_v1.0.16_3d0h");
    ASSERT_TRUE(session.add_model(model).ok());
    for (std::size_t n = 0; n < clip.reference.size(); ++n)
      ASSERT_TRUE(session.submit(clip.reference[n], clip.distorted[n]).ok());
    ASSERT_TRUE(session.finish().ok());
    for (const Column& column : session.scores().columns)
      EXPECT_EQ(column.backend, column.producer == model.version() ? "cpu" : backend) << column.key;
  }
}

// N#1180: a score that is asked for while it is measured.
TEST(KnownBugsOnDevices, B9_AScoreIsWaitedFor) {
  const tests::Clip clip = tests::make_clip({.width = 352, .height = 288}, 4);
  for (const std::string& backend : usable_backends()) {
    Session session({.threads = 2, .backend = backend});
    ASSERT_TRUE(session.add_model(model_of("vmaf_v0.6.1")).ok());
    for (std::size_t n = 0; n < clip.reference.size(); ++n) {
      ASSERT_TRUE(session.submit(clip.reference[n], clip.distorted[n]).ok());
      if (n == 0) continue;
      const auto score = session.score("vmaf", static_cast<std::int64_t>(n) - 1);
      EXPECT_TRUE(score.ok()) << score.error().message;
    }
    ASSERT_TRUE(session.finish().ok());
  }
}

// N#1587: memory that grows while frames come faster than they are measured.
TEST(KnownBugsOnDevices, B10_AFastDecoderIsHeldBack) {
  for (const std::string& backend : usable_backends()) {
    Session session({.threads = 2, .backend = backend});
    ASSERT_TRUE(session.add_metric("vif", {}).ok());
    const PictureFormat format{.width = 256, .height = 256};
    ASSERT_TRUE(session.prepare(format).ok());
    std::vector<std::weak_ptr<const void>> owners;
    const auto alive = [&] {
      return std::count_if(owners.begin(), owners.end(),
                           [](const auto& owner) { return !owner.expired(); });
    };
    for (std::uint64_t n = 0; n < 60; ++n) {
      Picture pictures[2];
      for (const std::uint64_t p : {0, 1}) {
        const Picture made = parity::make_picture({format, Pattern::kRandom, 2 * n + p});
        const auto owner = std::make_shared<Picture>(made);
        owners.push_back(owner);
        pictures[p] = Picture(format, {made.plane(0), made.plane(1), made.plane(2)}, owner);
      }
      ASSERT_TRUE(session.submit(pictures[0], pictures[1]).ok());
      // Those in flight, and the pair of this loop.
      EXPECT_LE(alive(), 2 * (session.max_in_flight() + 1));
    }
    ASSERT_TRUE(session.finish().ok());
  }
}

// V: a host's pointer among a kernel's arguments.
TEST(KnownBugsOnDevices, B32_CambiRuns) {
  expect_same_on_devices(cambi_metric(), {},
                         {{352, 288, 10, Chroma::k420}, Pattern::kRamp, Pattern::kTexture});
}

// V: chroma of odd pictures rounded down, enable_chroma not looked at.
TEST(KnownBugsOnDevices, B34_PsnrOfOddChromaPlanesAndWithoutChroma) {
  const Case odd = {{355, 289, 8, Chroma::k420}, Pattern::kRandom, Pattern::kTexture};
  expect_same_on_devices(psnr_metric(), {}, odd);
  expect_same_on_devices(psnr_metric(), {{"enable_chroma", "false"}}, odd);
}

}  // namespace
}  // namespace vmafx
