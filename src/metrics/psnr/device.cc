#include "metrics/device_measurement.h"
#include "metrics/psnr/kernels.h"
#include "metrics/psnr/psnr.h"

namespace vmafx::psnr {
namespace {

class PsnrOnDevice final : public DeviceMeasurement {
 public:
  explicit PsnrOnDevice(int planes) : planes_(planes) {}

  bool reads_chroma() const override { return planes_ > 1; }
  std::size_t result_bytes() const override { return 3 * sizeof(std::uint64_t); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    const auto sums = reinterpret_cast<std::uint64_t*>(input.result);
    with_sample_type(input.reference[0].format, [&]<class Sample>(Sample) {
      for (int p = 0; p < planes_; ++p) {
        const auto reference = input.reference[0].plane<Sample>(p);
        queue.launch(
            SquaredErrors<Sample>::grid(reference),
            SquaredErrors<Sample>{reference, input.distorted[0].plane<Sample>(p), sums + p});
      }
    });
  }

 private:
  int planes_;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(int planes) {
  return std::make_unique<PsnrOnDevice>(planes);
}

}  // namespace vmafx::psnr
