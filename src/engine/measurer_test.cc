#include "engine/measurer.h"

#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/parity_harness.h"

namespace vmafx::engine {
namespace {

Picture picture() {
  return parity::make_picture({{16, 16, 8, Chroma::k400}, parity::Pattern::kFlat, 1, 0});
}

// Memory runs out as soon as a frame that subsampling leaves out is planned.
class Exhausting final : public Measurement {
 public:
  std::size_t record_size() const override { return 0; }
  bool every_frame() const override { throw std::bad_alloc(); }
  void measure(const MeasureInput& /*input*/, Scratch& /*scratch*/,
               std::span<std::byte> /*record*/) const override {}
};

TEST(Measurer, AFrameThatIsLostForLackOfMemoryEndsTheRun) {
  for (const int threads : {1, 2}) {
    auto plan = std::make_shared<MeasurePlan>();
    plan->subsample = 2;
    plan->groups.push_back({"exhausting", "", std::make_unique<Exhausting>(), 0, 0});
    Measurer measurer(plan, threads, {}, [](const FrameRecords&) { return Status(); });
    const Picture distorted[] = {picture()};
    EXPECT_TRUE(measurer.submit(picture(), distorted).ok());
    EXPECT_EQ(measurer.submit(picture(), distorted).error().code, ErrorCode::kOutOfMemory);
    EXPECT_EQ(measurer.submit(picture(), distorted).error().code, ErrorCode::kOutOfMemory);
    // It must not wait for the lost frame.
    EXPECT_EQ(measurer.drain().error().code, ErrorCode::kOutOfMemory);
  }
}

// Shares parts that do as a test says.
class Sharer final : public Measurement {
 public:
  Sharer(int parts, Crew::RunPart run) : parts_(parts), run_(std::move(run)) {}

  std::size_t record_size() const override { return 1; }
  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    share(input.crew, scratch, parts_, run_);
    record[0] = std::byte{1};
  }

 private:
  int parts_;
  Crew::RunPart run_;
};

std::shared_ptr<MeasurePlan> sharing_plan(int parts, Crew::RunPart run) {
  auto plan = std::make_shared<MeasurePlan>();
  plan->groups.push_back(
      {"sharer", "", std::make_unique<Sharer>(parts, std::move(run)), nullptr, 0, 1});
  plan->record_bytes = 1;
  return plan;
}

Status submit_one(Measurer& measurer) {
  const Picture distorted[] = {picture()};
  return measurer.submit(picture(), distorted);
}

TEST(MeasurerCrew, EveryPartRunsOnce) {
  constexpr int kParts = 23;
  constexpr int kFrames = 20;
  for (const int threads : {1, 2, 4, 8}) {
    for (const bool one_at_a_time : {true, false}) {
      std::vector<std::atomic<int>> runs(kParts);
      int delivered = 0;
      Measurer measurer(sharing_plan(kParts,
                                     [&](int part, Scratch& scratch) {
                                       *scratch.take<int>(1000) = part;
                                       ++runs[static_cast<std::size_t>(part)];
                                     }),
                        threads, {}, [&](const FrameRecords& records) {
                          EXPECT_EQ(records.encodes[0].bytes[0], std::byte{1});
                          ++delivered;
                          return Status();
                        });
      for (int frame = 0; frame < kFrames; ++frame) {
        EXPECT_TRUE(submit_one(measurer).ok());
        if (!one_at_a_time) continue;
        EXPECT_TRUE(measurer.wait_for(frame).ok());
        for (const auto& run : runs) EXPECT_EQ(run, frame + 1);
      }
      EXPECT_TRUE(measurer.drain().ok());
      for (const auto& run : runs) EXPECT_EQ(run, kFrames);
      EXPECT_EQ(delivered, kFrames);
    }
  }
}

// Two parts that each wait for the other end only if they run at the same time.
TEST(MeasurerCrew, AnIdleThreadHelps) {
  std::barrier both(2);
  Measurer measurer(sharing_plan(2, [&](int, Scratch&) { both.arrive_and_wait(); }), 2, {},
                    [](const FrameRecords&) { return Status(); });
  EXPECT_TRUE(submit_one(measurer).ok());
  EXPECT_TRUE(measurer.drain().ok());
}

// Several tasks share at the same time, and there are more tasks than threads.
TEST(MeasurerCrew, TasksThatShareDoNotWaitForEachOther) {
  constexpr std::size_t kGroups = 6;
  constexpr int kParts = 5;
  constexpr int kFrames = 30;
  for (const int threads : {2, 4}) {
    std::atomic<int> runs = 0;
    const auto plan = std::make_shared<MeasurePlan>();
    for (std::size_t group = 0; group < kGroups; ++group)
      plan->groups.push_back({"sharer", "",
                              std::make_unique<Sharer>(kParts, [&](int, Scratch&) { ++runs; }),
                              nullptr, group, 1});
    plan->record_bytes = kGroups;
    Measurer measurer(plan, threads, {}, [](const FrameRecords&) { return Status(); });
    for (int frame = 0; frame < kFrames; ++frame) EXPECT_TRUE(submit_one(measurer).ok());
    EXPECT_TRUE(measurer.drain().ok());
    EXPECT_EQ(runs, kFrames * int{kGroups} * kParts);
  }
}

TEST(MeasurerCrew, TheExceptionOfAPartEndsTheRunWhenTheOthersHaveEnded) {
  for (const int threads : {1, 2, 4}) {
    for (const int failing : {0, 3, 7}) {
      std::atomic<int> running = 0;
      Measurer measurer(sharing_plan(8,
                                     [&](int part, Scratch&) {
                                       ++running;
                                       std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                       --running;
                                       if (part == failing) throw std::bad_alloc();
                                     }),
                        threads, {}, [](const FrameRecords&) { return Status(); });
      static_cast<void>(submit_one(measurer));
      const Status status = measurer.drain();
      ASSERT_FALSE(status.ok());
      EXPECT_EQ(running, 0);
      EXPECT_EQ(status.error().code, ErrorCode::kOutOfMemory);
      EXPECT_EQ(status.error().message, "out of memory while measuring sharer of frame 0");
    }
  }
}

TEST(MeasurerCrew, WhenCancelledPartsInProgressEndFirst) {
  for (const int threads : {2, 4}) {
    std::atomic<int> running = 0;
    std::atomic<Measurer*> cancelled = nullptr;
    Measurer measurer(sharing_plan(40,
                                   [&](int part, Scratch&) {
                                     ++running;
                                     if (part == 3) cancelled.load()->cancel();
                                     std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                     --running;
                                   }),
                      threads, {}, [](const FrameRecords&) { return Status(); });
    cancelled = &measurer;
    static_cast<void>(submit_one(measurer));
    static_cast<void>(submit_one(measurer));
    EXPECT_EQ(measurer.drain().error().code, ErrorCode::kInterrupted);
    EXPECT_EQ(running, 0);
    EXPECT_EQ(submit_one(measurer).error().code, ErrorCode::kInterrupted);
  }
}

// The picture lives until the last part that looks at it has ended, also that of a helper.
TEST(MeasurerCrew, TheEndOfAMeasurerWaitsForParts) {
  for (const int threads : {2, 4}) {
    std::atomic<int> started = 0;
    std::atomic<int> running = 0;
    {
      Measurer measurer(sharing_plan(8,
                                     [&](int, Scratch&) {
                                       ++running;
                                       ++started;
                                       std::this_thread::sleep_for(std::chrono::milliseconds(2));
                                       --running;
                                     }),
                        threads, {}, [](const FrameRecords&) { return Status(); });
      EXPECT_TRUE(submit_one(measurer).ok());
      while (started == 0) std::this_thread::yield();
    }
    EXPECT_EQ(running, 0);
    EXPECT_EQ(started, 8);
  }
}

}  // namespace
}  // namespace vmafx::engine
