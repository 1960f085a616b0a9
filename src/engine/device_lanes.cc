#include "engine/device_lanes.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vmafx::engine {
namespace {

using device::Buffer;

// Results of groups begin at multiples of this.
constexpr std::size_t kResultAlignment = 256;

bool reads_chroma(const MeasurePlan& plan) {
  return std::any_of(plan.groups.begin(), plan.groups.end(), [](const MeasurePlan::Group& group) {
    return group.on_device && group.on_device->reads_chroma();
  });
}

Error name_frame(Error error, std::string_view what, std::int64_t frame) {
  error.message = fmt::format("measuring {} of frame {}: {}", what, frame, error.message);
  return error;
}

}  // namespace

DeviceLanes::DeviceLanes(std::shared_ptr<device::Driver> driver,
                         std::shared_ptr<const MeasurePlan> plan, const PictureFormat& format,
                         std::size_t encodes, std::shared_ptr<const FrameMemory> frame_memory)
    : driver_(std::move(driver)),
      plan_(std::move(plan)),
      layout_(format, reads_chroma(*plan_)),
      frame_memory_(std::move(frame_memory)),
      encodes_(encodes) {
  for (const MeasurePlan::Group& group : plan_->groups) {
    if (!group.on_device) continue;
    parts_.push_back({&group, result_bytes_, {}});
    result_bytes_ += (group.on_device->result_bytes() + kResultAlignment - 1) / kResultAlignment *
                     kResultAlignment;
    workspace_bytes_ = std::max(workspace_bytes_, group.on_device->workspace_bytes());
  }
}

Result<std::unique_ptr<DeviceLanes>> DeviceLanes::make(
    const std::shared_ptr<device::Driver>& driver, const std::shared_ptr<const MeasurePlan>& plan,
    const PictureFormat& format, std::size_t encodes, int lanes,
    const std::shared_ptr<const FrameMemory>& memory) {
  for (;; lanes /= 2) {
    std::unique_ptr<DeviceLanes> made(new DeviceLanes(driver, plan, format, encodes, memory));
    Status status = made->take_memory(lanes);
    if (status) return made;
    if (status.error().code != ErrorCode::kOutOfMemory || lanes == 1) return status.error();
  }
}

Result<Buffer> DeviceLanes::take(std::size_t bytes, Buffer::Place place) {
  (place == Buffer::Place::kDevice ? memory_.device_bytes : memory_.pinned_bytes) += bytes;
  return Buffer::make(driver_, bytes, place);
}

Status DeviceLanes::take_memory(int lanes) {
  if (Status status = upload_constants(); !status) return status;
  for (int i = 0; i < lanes; ++i)
    if (Status status = add_lane(); !status) return status;
  // The frame that waits to be taken up, too, has its copies.
  const auto frames = static_cast<std::size_t>(max_in_flight(lanes)) + 1;
  const std::size_t copies =
      frames + static_cast<std::size_t>(plan_->window.reference_back) +
      encodes_ * (frames + static_cast<std::size_t>(plan_->window.distorted_back));
  for (std::size_t i = 0; i < copies; ++i)
    if (Status status = add_copy(); !status) return status;
  return {};
}

Status DeviceLanes::upload_constants() {
  auto queue = device::Queue::make(driver_);
  if (!queue) return queue.error();
  for (Part& part : parts_) {
    const std::span<const std::byte> constants = part.group->on_device->constants();
    if (constants.empty()) continue;
    auto memory = take(constants.size(), Buffer::Place::kDevice);
    if (!memory) return memory.error();
    part.constants = *std::move(memory);
    queue->upload(part.constants.data(), constants.data(), constants.size());
  }
  return queue->finish();
}

Status DeviceLanes::add_lane() {
  auto workspace = take(workspace_bytes_, Buffer::Place::kDevice);
  if (!workspace) return workspace.error();
  auto result = take(encodes_ * result_bytes_, Buffer::Place::kDevice);
  if (!result) return result.error();
  auto read_back = take(encodes_ * result_bytes_, Buffer::Place::kPinned);
  if (!read_back) return read_back.error();
  auto queue = device::Queue::make(driver_);
  if (!queue) return queue.error();
  lanes_.push_back(
      {*std::move(workspace), *std::move(result), *std::move(read_back), *std::move(queue)});
  return {};
}

Status DeviceLanes::add_copy() {
  auto copy = std::make_unique<DeviceCopy>();
  auto memory = take(layout_.bytes, Buffer::Place::kDevice);
  if (!memory) return memory.error();
  auto packed = take(layout_.bytes, Buffer::Place::kPinned);
  if (!packed) return packed.error();
  auto mark = device::make_mark(*driver_);
  if (!mark) return mark.error();
  copy->memory = *std::move(memory);
  copy->packed = *std::move(packed);
  copy->uploaded = *std::move(mark);
  free_copies_.push_back(std::move(copy));
  return {};
}

Result<std::shared_ptr<DeviceCopy>> DeviceLanes::copy_of(const Picture& picture) {
  std::unique_ptr<DeviceCopy> copy;
  {
    const std::lock_guard lock(mutex_);
    if (free_copies_.empty())
      return Error{ErrorCode::kInternal, "too many pictures are in flight", {}};
    copy = std::move(free_copies_.back());
    free_copies_.pop_back();
  }
  copy->picture = picture;
  copy->queued = false;
  copy->outcome = {};
  // Comes back when the last frame that looks at it is done.
  return std::shared_ptr<DeviceCopy>(copy.release(), [this](DeviceCopy* returned) {
    returned->picture = {};
    const std::lock_guard lock(mutex_);
    free_copies_.emplace_back(returned);  // has room
  });
}

bool DeviceLanes::lies_ready(const Picture& picture, int plane) const {
  const auto p = static_cast<std::size_t>(plane);
  const Picture::Plane& at = picture.plane(plane);
  const std::size_t bytes =
      layout_.stride[p] * static_cast<std::size_t>(layout_.format.plane_height(plane));
  return frame_memory_ && at.stride == static_cast<std::ptrdiff_t>(layout_.stride[p]) &&
         frame_memory_->holds(at.data, bytes);
}

void DeviceLanes::upload(DeviceCopy& copy, device::Queue& queue) const {
  bool packs_all = true;
  for (int plane = 0; plane < layout_.planes; ++plane)
    if (lies_ready(copy.picture, plane)) packs_all = false;
  if (packs_all) {
    layout_.pack(copy.picture, copy.packed.data());
    queue.upload(copy.memory.data(), copy.packed.data(), layout_.bytes);
    copy.picture = {};
    return;
  }
  // The picture is kept until the copy comes back, and so is its memory.
  for (int plane = 0; plane < layout_.planes; ++plane) {
    const auto p = static_cast<std::size_t>(plane);
    const std::byte* from = copy.picture.plane(plane).data;
    if (!lies_ready(copy.picture, plane)) {
      layout_.pack(copy.picture, plane, copy.packed.data());
      from = copy.packed.data() + layout_.offset[p];
    }
    queue.upload(copy.memory.data() + layout_.offset[p], from,
                 layout_.stride[p] * static_cast<std::size_t>(layout_.format.plane_height(plane)));
  }
}

DevicePicture DeviceLanes::place(DeviceCopy& copy, device::Queue& queue) const {
  const std::lock_guard lock(copy.mutex);
  if (!copy.queued) {
    copy.queued = true;
    upload(copy, queue);
    queue.record(*copy.uploaded);
    copy.outcome = queue.status();
  } else if (copy.outcome) {
    queue.wait(*copy.uploaded);
  } else {
    // There is nothing on the device to measure.
    queue.fail(copy.outcome.error());
  }
  return layout_.at(copy.memory.data());
}

std::vector<DevicePicture> DeviceLanes::place_all(
    std::span<const std::shared_ptr<DeviceCopy>> copies, device::Queue& queue) const {
  std::vector<DevicePicture> pictures;
  pictures.reserve(copies.size());
  for (const auto& copy : copies) pictures.push_back(place(*copy, queue));
  return pictures;
}

Status DeviceLanes::enqueue(Lane& lane, const DeviceFrame& frame) const {
  const std::vector<DevicePicture> reference = place_all(frame.reference, lane.queue);
  lane.queue.zero(lane.result.data(), lane.result.size());
  for (std::size_t e = 0; e < encodes_; ++e) {
    const std::vector<DevicePicture> distorted = place_all(frame.distorted[e], lane.queue);
    if (!lane.queue.status())
      return name_frame(lane.queue.status().error(), "the pictures", frame.frame);
    for (const Part& part : parts_) {
      if (!plan_->measures(*part.group, frame.frame)) continue;
      if (e > 0 && !part.group->measurement->reads_distorted()) continue;
      part.group->on_device->enqueue(
          {frame.frame, reference, distorted, part.constants.data(), lane.workspace.data(),
           lane.result.data() + e * result_bytes_ + part.result},
          lane.queue);
      if (!lane.queue.status())
        return name_frame(lane.queue.status().error(), part.group->metric, frame.frame);
    }
  }
  lane.queue.download(lane.read_back.data(), lane.result.data(), lane.result.size());
  return {};
}

Status DeviceLanes::measure(int index, const DeviceFrame& frame, std::span<EncodeRecord> encodes) {
  Lane& lane = lanes_[static_cast<std::size_t>(index)];
  Status queued;
  try {
    queued = enqueue(lane, frame);
  } catch (const std::bad_alloc&) {
    // What was queued before still reads the pictures: they must not go yet.
    static_cast<void>(lane.queue.finish());
    throw;
  }
  const Status done = lane.queue.finish();
  if (!queued) return queued;
  if (!done) {
    std::vector<std::string_view> metrics;
    for (const Part& part : parts_) metrics.push_back(part.group->metric);
    return name_frame(done.error(), fmt::format("{}", fmt::join(metrics, ", ")), frame.frame);
  }
  for (const Part& part : parts_) {
    if (!plan_->measures(*part.group, frame.frame)) continue;
    for (std::size_t e = 0; e < encodes_; ++e) {
      const std::size_t measured = part.group->measurement->reads_distorted() ? e : 0;
      const std::span result(lane.read_back.data() + measured * result_bytes_ + part.result,
                             part.group->on_device->result_bytes());
      part.group->on_device->finish(
          result, std::span(encodes[e].bytes).subspan(part.group->offset, part.group->size));
    }
  }
  return {};
}

}  // namespace vmafx::engine
