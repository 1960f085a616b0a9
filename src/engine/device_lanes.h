// Measures frames on a device: several at once, each by a lane, which is a queue with its own
// memory.
#ifndef VMAFX_ENGINE_DEVICE_LANES_H_
#define VMAFX_ENGINE_DEVICE_LANES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "device/device.h"
#include "engine/plan.h"
#include "engine/records.h"
#include "metrics/device_measurement.h"
#include "vmafx/frame_memory.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// Room for a picture in device memory and in pinned memory of the host. The lane that needs the
// picture first uploads it, others wait for that.
struct DeviceCopy {
  Picture picture;
  device::Buffer memory;
  device::Buffer packed;
  std::unique_ptr<device::Mark> uploaded;
  std::mutex mutex;
  bool queued = false;
  Status outcome;  // of queuing the upload
};

// What is measured of a frame: windows as in MeasureInput, newest first.
struct DeviceFrame {
  std::int64_t frame = 0;
  std::vector<std::shared_ptr<DeviceCopy>> reference;
  std::vector<std::vector<std::shared_ptr<DeviceCopy>>> distorted;  // of each encode
};

// Lanes may be used by a thread each, and copy_of() by another.
class DeviceLanes {
 public:
  // Device memory for a frame in flight, and what all of them share.
  struct Memory {
    std::size_t device_bytes = 0;
    std::size_t pinned_bytes = 0;
  };

  // Takes memory for `lanes` frames at once, or for fewer if the device has not as much.
  // kOutOfMemory if it is not enough for one. The plan has groups that devices measure. Planes that
  // lie in `memory`, row by row as the device wants them, are uploaded from where they are.
  static Result<std::unique_ptr<DeviceLanes>> make(
      const std::shared_ptr<device::Driver>& driver, const std::shared_ptr<const MeasurePlan>& plan,
      const PictureFormat& format, std::size_t encodes, int lanes,
      const std::shared_ptr<const FrameMemory>& memory = {});

  int lanes() const { return static_cast<int>(lanes_.size()); }
  int max_in_flight() const { return max_in_flight(lanes()); }
  // All that make() took.
  const Memory& memory() const { return memory_; }

  // Memory for a picture, which is uploaded when a frame needs it. make() has taken as many as
  // max_in_flight() frames, one that waits, and those that they look back at need.
  Result<std::shared_ptr<DeviceCopy>> copy_of(const Picture& picture);
  // Fills in the records of the groups that the device measures.
  Status measure(int lane, const DeviceFrame& frame, std::span<EncodeRecord> encodes);

 private:
  struct Lane {
    device::Buffer workspace;
    device::Buffer result;
    device::Buffer read_back;  // pinned
    device::Queue queue;       // last: it waits for its work before the memory goes
  };
  // A group of the plan, and where its results of an encode begin.
  struct Part {
    const MeasurePlan::Group* group;
    std::size_t result = 0;
    device::Buffer constants;
  };

  DeviceLanes(std::shared_ptr<device::Driver> driver, std::shared_ptr<const MeasurePlan> plan,
              const PictureFormat& format, std::size_t encodes,
              std::shared_ptr<const FrameMemory> frame_memory);

  static int max_in_flight(int lanes) { return lanes + 2; }
  Status take_memory(int lanes);
  Status upload_constants();
  Status add_lane();
  Status add_copy();
  Result<device::Buffer> take(std::size_t bytes, device::Buffer::Place place);
  bool lies_ready(const Picture& picture, int plane) const;
  void upload(DeviceCopy& copy, device::Queue& queue) const;
  DevicePicture place(DeviceCopy& copy, device::Queue& queue) const;
  std::vector<DevicePicture> place_all(std::span<const std::shared_ptr<DeviceCopy>> copies,
                                       device::Queue& queue) const;
  Status enqueue(Lane& lane, const DeviceFrame& frame) const;

  std::shared_ptr<device::Driver> driver_;
  std::shared_ptr<const MeasurePlan> plan_;
  DevicePictureLayout layout_;
  std::shared_ptr<const FrameMemory> frame_memory_;
  std::size_t encodes_;
  std::size_t workspace_bytes_ = 0;
  std::size_t result_bytes_ = 0;  // of an encode
  Memory memory_;
  std::vector<Part> parts_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<DeviceCopy>> free_copies_;
  std::vector<Lane> lanes_;  // last: their queues wait
};

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_DEVICE_LANES_H_
