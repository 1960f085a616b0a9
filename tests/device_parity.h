// For tests of metrics on devices: every device gives the record of the CPU, to the bit.
#ifndef VMAFX_TESTS_DEVICE_PARITY_H_
#define VMAFX_TESTS_DEVICE_PARITY_H_

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "device/device.h"
#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "metrics/parity_harness.h"
#include "tests/devices.h"

namespace vmafx::parity {

// Oldest frame first.
struct Clip {
  std::vector<Picture> reference;
  std::vector<Picture> distorted;
};

// Without chroma.
inline PictureFormat luma(int width, int height, int depth) {
  return {width, height, depth, Chroma::k400};
}
// With gaps between rows.
inline Case luma_case(int width, int height, int depth, Pattern reference, Pattern distorted) {
  return {luma(width, height, depth), reference, distorted, 5};
}

// `frames` different pictures of a pattern each.
inline Clip make_clip(const Case& c, int frames) {
  Clip clip;
  for (int f = 0; f < frames; ++f) {
    const auto seed = 2 * static_cast<std::uint64_t>(f);
    clip.reference.push_back(make_picture({c.format, c.reference, 11 + seed, c.row_gap}));
    clip.distorted.push_back(make_picture({c.format, c.distorted, 22 + seed, c.row_gap}));
  }
  return clip;
}

// What the engine does for one frame and one measurement, without its pools.
inline Result<std::vector<std::byte>> measure_on(const std::shared_ptr<device::Driver>& driver,
                                                 const DeviceMeasurement& measurement,
                                                 const MeasureInput& input,
                                                 std::size_t record_size) {
  using device::Buffer;
  const DevicePictureLayout layout(input.reference[0].format(), measurement.reads_chroma());
  std::vector<Buffer> buffers;
  Status failure;
  const auto make = [&](std::size_t bytes, Buffer::Place place) {
    auto buffer = Buffer::make(driver, bytes, place);
    if (!buffer) {
      failure = buffer.error();
      return static_cast<std::byte*>(nullptr);
    }
    buffers.push_back(*std::move(buffer));
    return buffers.back().data();
  };
  auto queue = device::Queue::make(driver);
  if (!queue) return queue.error();

  const auto upload = [&](std::span<const Picture> pictures) {
    std::vector<DevicePicture> result;
    for (const Picture& picture : pictures) {
      std::byte* const packed = make(layout.bytes, Buffer::Place::kPinned);
      std::byte* const memory = make(layout.bytes, Buffer::Place::kDevice);
      if (!failure) break;
      layout.pack(picture, packed);
      queue->upload(memory, packed, layout.bytes);
      result.push_back(layout.at(memory));
    }
    return result;
  };
  const std::vector<DevicePicture> reference = upload(input.reference);
  const std::vector<DevicePicture> distorted = upload(input.distorted);
  const std::span<const std::byte> constants = measurement.constants();
  std::byte* const table = make(constants.size(), Buffer::Place::kDevice);
  std::byte* const workspace = make(measurement.workspace_bytes(), Buffer::Place::kDevice);
  std::byte* const result = make(measurement.result_bytes(), Buffer::Place::kDevice);
  if (!failure) return failure.error();
  if (!constants.empty()) queue->upload(table, constants.data(), constants.size());
  queue->zero(result, measurement.result_bytes());
  measurement.enqueue({input.frame, reference, distorted, table, workspace, result}, *queue);
  std::vector<std::byte> read_back(measurement.result_bytes());
  queue->download(read_back.data(), result, read_back.size());
  if (const Status status = queue->finish(); !status) return status.error();
  std::vector<std::byte> record(record_size);
  measurement.finish(read_back, record);
  return record;
}

// The last frame of the clip, measured by the CPU and on every device there is. Variants are of
// one group.
inline void expect_same_on_devices(const Metric& metric, const std::vector<OptionText>& variants,
                                   const Clip& clip) {
  const PictureFormat format = clip.reference[0].format();
  std::vector<Options> options;
  for (const OptionText& text : variants) {
    auto parsed = Options::parse(metric.options(), text, metric.name());
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    ASSERT_TRUE(metric.check(*parsed, format).ok())
        << metric.check(*parsed, format).error().message;
    options.push_back(*std::move(parsed));
  }
  const auto measurement = metric.measurement(options, format);
  ASSERT_TRUE(measurement.ok()) << measurement.error().message;
  const auto on_device = (*measurement)->on_device(format);
  ASSERT_NE(on_device, nullptr) << metric.name() << " has no form for devices";

  const Window window = (*measurement)->window();
  const auto newest_first = [](const std::vector<Picture>& pictures, int back) {
    const std::size_t count = std::min(pictures.size(), static_cast<std::size_t>(back) + 1);
    return std::vector<Picture>(pictures.rbegin(),
                                pictures.rbegin() + static_cast<std::ptrdiff_t>(count));
  };
  const std::vector<Picture> reference = newest_first(clip.reference, window.reference_back);
  const std::vector<Picture> distorted = newest_first(clip.distorted, window.distorted_back);
  const auto frame = static_cast<std::int64_t>(clip.reference.size()) - 1;
  const MeasureInput input{frame, reference, distorted};

  const std::size_t size = (*measurement)->record_size();
  std::vector<std::byte> expected(size);
  Scratch scratch;
  (*measurement)->measure(input, scratch, expected);
  for (const tests::TestDevice& device : tests::test_devices()) {
    if (!tests::is_fast_enough(device, format)) continue;
    const auto got = measure_on(device.driver, *on_device, input, size);
    ASSERT_TRUE(got.ok()) << device.name << ": " << got.error().message;
    EXPECT_TRUE(*got == expected) << metric.name() << " on " << device.name << " differs, "
                                  << to_string(format);
  }
}

inline void expect_same_on_devices(const Metric& metric, const OptionText& options, const Case& c,
                                   int frames = 1) {
  SCOPED_TRACE(::testing::Message() << c);
  expect_same_on_devices(metric, std::vector<OptionText>{options}, make_clip(c, frames));
}

}  // namespace vmafx::parity

#endif  // VMAFX_TESTS_DEVICE_PARITY_H_
