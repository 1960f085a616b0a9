#include "engine/measurer.h"

#include <new>

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

}  // namespace
}  // namespace vmafx::engine
