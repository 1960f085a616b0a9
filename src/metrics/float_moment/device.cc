#include "metrics/device_measurement.h"
#include "metrics/float_moment/float_moment.h"
#include "metrics/float_moment/kernels.h"

namespace vmafx::float_moment {
namespace {

class FloatMomentOnDevice final : public DeviceMeasurement {
 public:
  std::size_t result_bytes() const override { return 2 * sizeof(Sums); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    with_sample_type(input.reference[0].format, [&]<class Sample>(Sample) {
      const auto reference = input.reference[0].plane<Sample>(0);
      queue.launch(SumSamples<Sample>::grid(reference),
                   SumSamples<Sample>{{reference, input.distorted[0].plane<Sample>(0)},
                                      reinterpret_cast<Sums*>(input.result)});
    });
  }
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device() {
  return std::make_unique<FloatMomentOnDevice>();
}

}  // namespace vmafx::float_moment
