// A measurement on a device: the same record, to the bit, as the Measurement that it belongs to.
#ifndef VMAFX_METRICS_DEVICE_MEASUREMENT_H_
#define VMAFX_METRICS_DEVICE_MEASUREMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/plane.h"
#include "device/device.h"
#include "device/workspace.h"
#include "vmafx/picture.h"

namespace vmafx {

// A picture in device memory. Planes that no measurement of the run reads have no data. Rows begin
// at multiples of 64 bytes; what lies between them is unspecified.
struct DevicePicture {
  PictureFormat format;
  std::array<std::byte*, 3> data{};
  std::array<std::ptrdiff_t, 3> stride{};  // bytes

  // Sample is uint8_t for a depth of 8, else uint16_t.
  template <class Sample>
  PlaneView<const Sample> plane(int index) const {
    const auto p = static_cast<std::size_t>(index);
    return {reinterpret_cast<const Sample*>(data[p]),
            stride[p] / static_cast<std::ptrdiff_t>(sizeof(Sample)), format.plane_width(index),
            format.plane_height(index)};
  }
};

// Where the planes of a picture lie in one piece of memory.
struct DevicePictureLayout {
  DevicePictureLayout(const PictureFormat& picture_format, bool with_chroma);

  DevicePicture at(std::byte* memory) const;
  // Copies the samples of a picture to `memory`, which is the host's.
  void pack(const Picture& picture, std::byte* memory) const;
  void pack(const Picture& picture, int plane, std::byte* memory) const;

  PictureFormat format;
  int planes = 0;
  std::array<std::size_t, 3> offset{};
  std::array<std::size_t, 3> stride{};  // bytes
  std::size_t bytes = 0;
};

// f(uint8_t{}) or f(uint16_t{}), whichever holds samples of this depth.
template <class F>
void with_sample_type(const PictureFormat& format, const F& f) {
  if (format.bit_depth == 8) {
    f(std::uint8_t{});
  } else {
    f(std::uint16_t{});
  }
}

// As MeasureInput: [0] is the current frame, [k] the one k frames earlier.
struct DeviceInput {
  std::int64_t frame = 0;
  std::span<const DevicePicture> reference;
  std::span<const DevicePicture> distorted;
  const std::byte* constants = nullptr;  // constants(), on the device
  std::byte* workspace = nullptr;        // of workspace_bytes(), contents unspecified
  std::byte* result = nullptr;           // of result_bytes(), zero
};

// Immutable: several threads may call enqueue() and finish() at once, each with its own queue.
class DeviceMeasurement {
 public:
  virtual ~DeviceMeasurement() = default;

  // Whether it reads chroma planes, beside luma.
  virtual bool reads_chroma() const { return false; }
  // Tables, copied to the device once.
  virtual std::span<const std::byte> constants() const { return {}; }
  // Device memory for one frame.
  virtual std::size_t workspace_bytes() const { return 0; }
  // What is read back for one frame; a multiple of 8.
  virtual std::size_t result_bytes() const = 0;
  // Queues the work of a frame, and waits for nothing. The queue keeps errors.
  virtual void enqueue(const DeviceInput& input, device::Queue& queue) const = 0;
  // Makes the record of what was read back.
  virtual void finish(std::span<const std::byte> result, std::span<std::byte> record) const {
    std::memcpy(record.data(), result.data(), record.size());
  }
};

}  // namespace vmafx

#endif  // VMAFX_METRICS_DEVICE_MEASUREMENT_H_
