#include "engine/self_check.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/measurer.h"
#include "engine/plan.h"
#include "metrics/metric.h"
#include "vmafx/picture.h"

namespace vmafx::engine {
namespace {

constexpr std::size_t kFrames = 3;

// Odd sizes and both kinds of samples.
constexpr PictureFormat kFormats[] = {
    {355, 289, 8, Chroma::k420}, {331, 247, 10, Chroma::k420}, {323, 241, 16, Chroma::k444}};
// Their options are not the defaults.
constexpr std::string_view kModels[] = {"vmaf_v0.6.1neg", "vmaf_v1.0.16_3d0h"};

// Slopes with a little noise and flat areas: something of everything that metrics look for.
Picture make_picture(const PictureFormat& format, std::uint32_t seed) {
  std::shared_ptr<std::uint16_t[]> memory(new std::uint16_t[format.tight_bytes()]);
  std::array<Picture::Plane, 3> planes{};
  std::uint16_t* at = memory.get();
  const bool wide = format.bit_depth > 8;
  std::uint32_t noise = seed;
  for (int p = 0; p < 3; ++p) {
    const int width = format.plane_width(p);
    planes[static_cast<std::size_t>(p)] = {reinterpret_cast<const std::byte*>(at),
                                           std::ptrdiff_t{width} * (wide ? 2 : 1)};
    auto* const narrow = reinterpret_cast<std::uint8_t*>(at);
    const int samples = width * format.plane_height(p);
    for (int i = 0; i < samples; ++i) {
      const int x = i % width;
      const int y = i / width;
      noise = noise * 1664525u + 1013904223u;
      const bool flat = (x / 64 + y / 64) % 2 == 0;
      const auto slope = static_cast<std::uint32_t>(x + 2 * y) + seed;
      const std::uint32_t value = (flat ? slope / 16 : slope + (noise >> 28)) % 220 + 16;
      if (wide) {
        at[i] = static_cast<std::uint16_t>(value << (format.bit_depth - 8));
      } else {
        narrow[i] = static_cast<std::uint8_t>(value);
      }
    }
    at += wide ? samples : (samples + 1) / 2;
  }
  return {format, planes, std::shared_ptr<const void>(memory)};
}

Status add_device_metrics(const PictureFormat& format, Requests& requests) {
  for (const Metric* metric : all_metrics()) {
    auto options = Options::parse(metric->options(), {}, metric->name());
    if (!options) return options.error();
    if (!metric->check(*options, format)) continue;
    const auto measurement = metric->measurement(std::span(&*options, 1), format);
    if (!measurement) return measurement.error();
    if (!(*measurement)->on_device(format)) continue;
    if (Status added = requests.add_metric(metric->name(), {}); !added) return added;
  }
  for (const std::string_view version : kModels) {
    const auto model = load_model({.version = std::string(version), .name = std::string(version)});
    if (!model) return model.error();
    if (Status added = requests.add_model(*model); !added) return added;
  }
  return {};
}

// All records, a frame each.
Result<std::vector<std::vector<std::byte>>> measure_frames(
    const std::shared_ptr<const MeasurePlan>& plan, std::unique_ptr<DeviceLanes> lanes,
    const PictureFormat& format) {
  std::vector<std::vector<std::byte>> records;
  Measurer measurer(
      plan, 1, {},
      [&](FrameRecords frame) {
        records.push_back(std::move(frame.encodes[0].bytes));
        return Status();
      },
      std::move(lanes));
  for (std::uint32_t f = 0; f < kFrames; ++f) {
    const Picture distorted = make_picture(format, 1000 + 7 * f);
    if (Status status = measurer.submit(make_picture(format, 5 * f), std::span(&distorted, 1));
        !status)
      return status.error();
  }
  if (Status status = measurer.drain(); !status) return status.error();
  return records;
}

Status test_format(const std::shared_ptr<device::Driver>& driver, const PictureFormat& format) {
  Requests requests;
  if (Status added = add_device_metrics(format, requests); !added) return added;
  auto plan = make_plan(requests, format, 1, driver->info().backend);
  if (!plan) return plan.error();
  const std::shared_ptr<const MeasurePlan> measure = plan->measure;
  const auto expected =
      measure_frames(make_plan(requests, format, 1, {})->measure, nullptr, format);
  if (!expected) return expected.error();
  auto lanes = DeviceLanes::make(driver, measure, format, 1, 2);
  if (!lanes) return lanes.error();
  const auto got = measure_frames(measure, *std::move(lanes), format);
  if (!got) return got.error();
  for (std::size_t f = 0; f < kFrames; ++f) {
    for (const MeasurePlan::Group& group : measure->groups) {
      const auto begin = static_cast<std::ptrdiff_t>(group.offset);
      const auto end = begin + static_cast<std::ptrdiff_t>(group.size);
      if (!std::equal((*got)[f].begin() + begin, (*got)[f].begin() + end,
                      (*expected)[f].begin() + begin))
        return Error{ErrorCode::kUnavailable,
                     fmt::format("{} of frame {}, {}, is not what the CPU measures", group.metric,
                                 f, to_string(format)),
                     {}};
    }
  }
  return {};
}

}  // namespace

Status self_test(const std::shared_ptr<device::Driver>& driver) {
  for (const PictureFormat& format : kFormats) {
    Status status = test_format(driver, format);
    if (status) continue;
    if (status.error().code == ErrorCode::kOutOfMemory) return status;
    const device::DeviceInfo& info = driver->info();
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{} device {}, {}, fails the self-test: {}", info.backend, info.index,
                             info.name, status.error().message),
                 "the device or its driver is broken, or this build is: please report it"};
  }
  return {};
}

}  // namespace vmafx::engine
