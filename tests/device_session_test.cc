// Sessions that measure on a device: the same bits as on the CPU whatever the threads, several at
// once, short clips, and what happens when the device fails.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "device/backends.h"
#include "device/faults.h"
#include "tests/devices.h"
#include "tests/scored_clip.h"

namespace vmafx {
namespace {

using tests::Clip;
using tests::expect_same_bits;
using tests::make_clip;
using tests::score;
using tests::usable_backends;

constexpr PictureFormat kFormats[] = {
    {.width = 322, .height = 182, .bit_depth = 8, .chroma = Chroma::k420},
    {.width = 241, .height = 135, .bit_depth = 10, .chroma = Chroma::k422},
};

std::string backend_of(const Scores& scores, const std::string& key) {
  for (const Column& column : scores.columns)
    if (column.key == key) return column.backend;
  return "no column";
}

TEST(DeviceSession, SameBitsAsTheCpuForEveryNumberOfThreads) {
  for (const PictureFormat& format : kFormats) {
    const Clip clip = make_clip(format, 13);  // a multiple of no number of frames in flight
    const Scores cpu = score(clip, {.threads = 1});
    for (const std::string& backend : usable_backends()) {
      for (const int threads : {1, 2, 4, 8}) {
        const Scores got = score(clip, {.threads = threads, .backend = backend});
        expect_same_bits(cpu, got, backend + " with " + std::to_string(threads) + " threads");
        EXPECT_EQ(backend_of(got, "psnr_y"), backend);
        EXPECT_EQ(backend_of(got, "integer_motion2"), backend);
      }
    }
  }
}

TEST(DeviceSession, ShortClips) {
  for (const int frames : {1, 2, 3}) {
    const Clip clip = make_clip(kFormats[0], frames);
    const Scores cpu = score(clip, {.threads = 1});
    for (const std::string& backend : usable_backends())
      expect_same_bits(cpu, score(clip, {.threads = 2, .backend = backend}),
                       backend + ", " + std::to_string(frames) + " frames");
  }
}

TEST(DeviceSession, SubsampledAndEvenSoTheSame) {
  const Clip clip = make_clip(kFormats[0], 11);
  for (const int subsample : {2, 3, 5}) {
    const Scores cpu = score(clip, {.threads = 1, .subsample = subsample});
    for (const std::string& backend : usable_backends())
      expect_same_bits(cpu, score(clip, {.threads = 2, .subsample = subsample, .backend = backend}),
                       backend + ", every " + std::to_string(subsample));
  }
}

TEST(DeviceSession, SeveralEncodes) {
  const Clip clip = make_clip(kFormats[0], 5);
  for (const std::string& backend : usable_backends()) {
    Session session({.threads = 2, .backend = backend, .encodes = 2});
    tests::add_everything(session);
    for (std::size_t n = 0; n < clip.reference.size(); ++n) {
      const Picture encodes[] = {clip.distorted[n], clip.reference[n]};
      const Status status = session.submit(clip.reference[n], encodes);
      ASSERT_TRUE(status.ok()) << status.error().message;
    }
    ASSERT_TRUE(session.finish().ok());
    expect_same_bits(score(clip, {.threads = 1}), session.scores(0), backend + ", encode 0");
    expect_same_bits(score({clip.reference, clip.reference}, {.threads = 1}), session.scores(1),
                     backend + ", encode 1");
  }
}

TEST(DeviceSession, TwoAtOnceOnOneDevice) {
  const Clip clips[] = {make_clip(kFormats[0], 7), make_clip(kFormats[1], 9)};
  const Scores expected[] = {score(clips[0], {.threads = 1}), score(clips[1], {.threads = 1})};
  for (const std::string& backend : usable_backends()) {
    Scores got[2];
    std::thread other([&] { got[1] = score(clips[1], {.threads = 2, .backend = backend}); });
    got[0] = score(clips[0], {.threads = 2, .backend = backend});
    other.join();
    for (const std::size_t i : {0, 1}) expect_same_bits(expected[i], got[i], backend);
  }
}

TEST(DeviceSession, TwentyRepeatsAreIdentical) {
  const Clip clip = make_clip({.width = 176, .height = 144}, 5);
  for (const std::string& backend : usable_backends()) {
    const Scores first = score(clip, {.threads = 3, .backend = backend});
    for (int repeat = 0; repeat < 20; ++repeat)
      expect_same_bits(first, score(clip, {.threads = 3, .backend = backend}), backend);
  }
}

// The clip once more, its planes without gaps in memory that the device fetches from.
Clip in_frame_memory(const Clip& clip, const std::shared_ptr<FrameMemory>& memory) {
  const auto move = [&](const Picture& picture) {
    const PictureFormat& format = picture.format();
    const std::shared_ptr<std::byte> bytes(memory->allocate(format.tight_bytes()),
                                           [memory](std::byte* b) { memory->release(b); });
    std::array<Picture::Plane, 3> planes{};
    std::byte* at = bytes.get();
    for (int p = 0; p < format.planes(); ++p) {
      const std::ptrdiff_t row = std::ptrdiff_t{format.plane_width(p)} * format.bytes_per_sample();
      planes[static_cast<std::size_t>(p)] = {at, row};
      for (int y = 0; y < format.plane_height(p); ++y, at += row)
        std::memcpy(at, picture.row<std::byte>(p, y), static_cast<std::size_t>(row));
    }
    return Picture(format, planes, bytes);
  };
  Clip moved;
  for (const Picture& picture : clip.reference) moved.reference.push_back(move(picture));
  for (const Picture& picture : clip.distorted) moved.distorted.push_back(move(picture));
  return moved;
}

TEST(DeviceSession, PicturesInFrameMemory) {
  // Every plane, luma alone and no plane lie as the device wants them.
  for (const int width : {256, 320, 322}) {
    const Clip clip = make_clip({.width = width, .height = 180}, 5);
    const Scores expected = score(clip, {.threads = 1});
    for (const std::string& backend : usable_backends()) {
      const auto memory = make_frame_memory(backend, "");
      ASSERT_TRUE(memory.ok()) << memory.error().message;
      const Clip moved = in_frame_memory(clip, *memory);
      EXPECT_TRUE((*memory)->holds(moved.reference[0].plane(0).data, 100));
      EXPECT_FALSE((*memory)->holds(clip.reference[0].plane(0).data, 100));
      EXPECT_FALSE((*memory)->holds(moved.reference[0].plane(0).data,
                                    moved.reference[0].format().tight_bytes() + 1));
      expect_same_bits(expected,
                       score(moved, {.threads = 2, .backend = backend, .frame_memory = *memory}),
                       backend + ", width " + std::to_string(width));
    }
  }
}

TEST(DeviceSession, TheCpuHasNoFrameMemory) {
  const auto memory = make_frame_memory("cpu", "");
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(*memory, nullptr);
  EXPECT_FALSE(make_frame_memory("metal", "").ok());
}

TEST(DeviceSession, AnUnknownBackendOrDeviceIsAnError) {
  const auto prepare = [](const std::string& backend, const std::string& device) {
    Session session({.threads = 1, .backend = backend, .device = device});
    EXPECT_TRUE(session.add_metric("psnr", {}).ok());
    return session.prepare({.width = 64, .height = 64});
  };
  Status status = prepare("metal", "");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_EQ(status.error().message, "there is no backend \"metal\"");
  status = prepare("host", "7");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(status.error().message, "host: there is no device \"7\"");
  EXPECT_TRUE(prepare("host", "0").ok());
  EXPECT_TRUE(prepare("host", "KERNELS").ok());
  EXPECT_TRUE(prepare("auto", "").ok());
}

// --- faults

// What VMAFX_DEVICE_FAULT asks of every device that is opened while this is alive.
class Fault {
 public:
  explicit Fault(int nth) { setenv("VMAFX_DEVICE_FAULT", std::to_string(nth).c_str(), 1); }
  ~Fault() { unsetenv("VMAFX_DEVICE_FAULT"); }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
};

struct Outcome {
  Status status;
  Scores scores;
};

Outcome try_to_score(const Clip& clip, const std::string& backend) {
  Session session({.threads = 2, .backend = backend});
  Status status = session.add_metric("psnr", {});
  if (status) status = session.add_metric("motion", {});
  for (std::size_t n = 0; status && n < clip.reference.size(); ++n)
    status = session.submit(clip.reference[n], clip.distorted[n]);
  const Status finished = session.finish();
  if (status) status = finished;
  return {status, session.scores()};
}

TEST(DeviceSession, EveryCallThatFailsLeavesNoLeakAndNoHang) {
  const Clip clip = make_clip({.width = 64, .height = 48}, 4);
  for (const std::string& backend : usable_backends()) {
    const Scores expected = try_to_score(clip, backend).scores;
    int failures = 0;
    for (int nth = 1;; ++nth) {
      SCOPED_TRACE(backend + ", call " + std::to_string(nth));
      const std::int64_t injected_before = device::faults_injected();
      Outcome outcome;
      {
        const Fault fault(nth);
        outcome = try_to_score(clip, backend);
      }
      EXPECT_EQ(device::objects_alive(), 0);
      const bool injected = device::faults_injected() > injected_before;
      if (outcome.status) {
        // Fewer frames in flight do with less memory.
        expect_same_bits(expected, outcome.scores, backend);
      } else {
        ++failures;
        ASSERT_TRUE(injected);
        EXPECT_NE(outcome.status.error().message.find("injected"), std::string::npos)
            << outcome.status.error().message;
        EXPECT_NE(outcome.status.error().message.find(backend), std::string::npos)
            << outcome.status.error().message;
      }
      if (!injected) break;  // there are not as many calls
    }
    EXPECT_GT(failures, 10);
    expect_same_bits(expected, try_to_score(clip, backend).scores, backend + " after all that");
  }
}

TEST(DeviceSession, AFailureNamesMetricFrameAndCall) {
  const Clip clip = make_clip({.width = 64, .height = 48}, 3);
  bool launch_failed = false;
  for (int nth = 1; nth < 200 && !launch_failed; ++nth) {
    const Fault fault(nth);
    const Outcome outcome = try_to_score(clip, "host");
    if (outcome.status) continue;
    const std::string& message = outcome.status.error().message;
    if (message.find("launch of") == std::string::npos) continue;
    launch_failed = true;
    EXPECT_EQ(outcome.status.error().code, ErrorCode::kDevice);
    EXPECT_EQ(message,
              "measuring psnr of frame 0: host: launch of vmafx::psnr::SquaredErrors<unsigned "
              "char>: injected failure");
  }
  EXPECT_TRUE(launch_failed);
}

}  // namespace
}  // namespace vmafx
