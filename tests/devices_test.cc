#include "tests/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <typeinfo>

#include "device/backends.h"
#include "device/device.h"

namespace vmafx {
namespace {

using Numbers = std::array<std::int32_t, 1000>;

device::Buffer make_buffer(const tests::TestDevice& device, std::size_t bytes) {
  auto buffer = device::Buffer::make(device.driver, bytes, device::Buffer::Place::kDevice);
  if (buffer) return *std::move(buffer);
  ADD_FAILURE() << buffer.error().message;
  return {};
}

TEST(Devices, TheStandInForSyclIsTested) {
#ifdef VMAFX_HAS_SYCL_STAND_IN
  EXPECT_EQ(tests::why_not_tested("sycl, stand-in"), "");
#else
  GTEST_SKIP() << "not part of a build for one instruction set";
#endif
}

TEST(Devices, AllBackendsAreTested) {
  std::string missing;
  for (const std::string_view backend : device::backend_names()) {
    const std::string reason = tests::why_not_tested(backend);
    if (!reason.empty()) missing += (missing.empty() ? "" : "; ") + reason;
  }
  if (!missing.empty()) GTEST_SKIP() << missing;
}

TEST(Devices, MemoryIsAligned) {
  for (const tests::TestDevice& device : tests::test_devices()) {
    for (const std::size_t bytes : {1, 3, 300, 70000}) {
      const device::Buffer buffer = make_buffer(device, bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0u) << device.name;
    }
  }
}

TEST(Devices, CopyAndClearMemory) {
  Numbers numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i + 1);
  Numbers expected = numbers;
  std::fill_n(expected.begin(), expected.size() / 2, 0);
  for (const tests::TestDevice& device : tests::test_devices()) {
    SCOPED_TRACE(device.name);
    Numbers back{};
    const device::Buffer memory = make_buffer(device, sizeof(Numbers));
    auto queue = device::Queue::make(device.driver);
    ASSERT_TRUE(queue.ok());
    queue->upload(memory.data(), numbers.data(), sizeof(Numbers));
    queue->zero(memory.data(), sizeof(Numbers) / 2);
    queue->download(back.data(), memory.data(), sizeof(Numbers));
    ASSERT_TRUE(queue->finish().ok());
    EXPECT_EQ(back, expected);
  }
}

TEST(Devices, QueuesWaitForMarks) {
  const Numbers numbers = {7, 8, 9};
  for (const tests::TestDevice& device : tests::test_devices()) {
    SCOPED_TRACE(device.name);
    Numbers back{};
    const device::Buffer memory = make_buffer(device, sizeof(Numbers));
    const auto uploaded = device.driver->make_mark();
    const auto passed_on = device.driver->make_mark();
    ASSERT_TRUE(uploaded.ok());
    ASSERT_TRUE(passed_on.ok());
    auto first = device::Queue::make(device.driver);
    auto second = device::Queue::make(device.driver);
    auto third = device::Queue::make(device.driver);
    ASSERT_TRUE(first.ok() && second.ok() && third.ok());
    first->upload(memory.data(), numbers.data(), sizeof(Numbers));
    first->record(**uploaded);
    second->wait(**uploaded);
    second->record(**passed_on);  // behind what the queue waits for, though it does nothing else
    third->wait(**passed_on);
    third->download(back.data(), memory.data(), sizeof(Numbers));
    ASSERT_TRUE(third->finish().ok());
    EXPECT_EQ(back, numbers);
    EXPECT_TRUE(second->finish().ok());
    EXPECT_TRUE(first->finish().ok());
  }
}

struct NobodysKernel {};

TEST(Devices, AnUnknownKernelIsAnError) {
  for (const tests::TestDevice& device : tests::test_devices()) {
    const auto stream = device.driver->make_stream();
    ASSERT_TRUE(stream.ok()) << device.name;
    const NobodysKernel kernel;
    const Status status =
        device.driver->launch(**stream, typeid(NobodysKernel).name(), {1, 1, 1}, &kernel);
    ASSERT_FALSE(status.ok()) << device.name;
    EXPECT_EQ(status.error().code, ErrorCode::kInternal) << device.name;
  }
}

}  // namespace
}  // namespace vmafx
