#include "metrics/device_measurement.h"
#include "metrics/motion/kernels.h"
#include "metrics/motion/motion.h"

namespace vmafx::motion {
namespace {

class MotionOnDevice final : public DeviceMeasurement {
 public:
  explicit MotionOnDevice(int back) : back_(back) {}

  std::size_t result_bytes() const override { return sizeof(std::uint64_t); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    if (back_ == 0 || input.reference.size() <= static_cast<std::size_t>(back_)) return;
    const DevicePicture& current = input.reference[0];
    const DevicePicture& previous = input.reference[static_cast<std::size_t>(back_)];
    with_sample_type(current.format, [&]<class Sample>(Sample) {
      const auto plane = current.plane<Sample>(0);
      queue.launch(
          BlurredDifferences<Sample>::grid(plane),
          BlurredDifferences<Sample>{previous.plane<Sample>(0), plane, current.format.bit_depth,
                                     reinterpret_cast<std::uint64_t*>(input.result)});
    });
  }

 private:
  int back_;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(int back) {
  return std::make_unique<MotionOnDevice>(back);
}

}  // namespace vmafx::motion
