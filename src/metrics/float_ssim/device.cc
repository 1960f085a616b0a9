#include "base/separable.h"
#include "metrics/device_measurement.h"
#include "metrics/float_ssim/compare_planes.h"
#include "metrics/float_ssim/float_ssim.h"
#include "metrics/float_ssim/kernels.h"

namespace vmafx::float_ssim {
namespace {

struct Memory {
  Memory(device::Workspace& workspace, const PictureFormat& format, int factor) {
    const int width = decimated(format.width, factor);
    const int height = decimated(format.height, factor);
    if (factor > 1)
      for (PlaneView<float>& plane : samples) plane = workspace.take_plane<float>(width, height);
    terms = take_terms(workspace, width, height);
  }

  PlaneView<float> samples[2];
  TermPlanes terms;
};

class FloatSsimOnDevice final : public DeviceMeasurement {
 public:
  FloatSsimOnDevice(const PictureFormat& format, int factor) : factor_(factor) {
    device::Workspace counted;
    static_cast<void>(Memory(counted, format, factor));
    workspace_bytes_ = counted.used();
  }

  std::size_t workspace_bytes() const override { return workspace_bytes_; }
  std::size_t result_bytes() const override { return sizeof(Sums); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    const PictureFormat& format = input.reference[0].format;
    device::Workspace workspace(input.workspace);
    const Memory memory(workspace, format, factor_);
    with_sample_type(format, [&]<class Sample>(Sample) {
      const PlanePair<Sample> pair = {input.reference[0].plane<Sample>(0),
                                      input.distorted[0].plane<Sample>(0), memory.terms};
      const float step = separable::step_of(format);
      if (factor_ == 1) {
        compare_windows<Sample, false>(std::span(&pair, 1), step, queue);
      } else {
        decimate(pair, step, memory, queue);
      }
    });
    sum_terms(std::span(&memory.terms, 1), reinterpret_cast<Sums*>(input.result), queue);
  }

 private:
  template <class Sample>
  void decimate(const PlanePair<Sample>& pair, float step, const Memory& memory,
                device::Queue& queue) const {
    queue.launch(Decimate<Sample>::grid(memory.samples[0]),
                 Decimate<Sample>{{pair.reference, pair.distorted},
                                  {memory.samples[0], memory.samples[1]},
                                  factor_,
                                  step,
                                  1.f / static_cast<float>(factor_ * factor_)});
    const PlanePair<float> decimated = {memory.samples[0], memory.samples[1], memory.terms};
    compare_windows<float, false>(std::span(&decimated, 1), 1, queue);
  }

  int factor_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format, int factor) {
  return std::make_unique<FloatSsimOnDevice>(format, factor);
}

}  // namespace vmafx::float_ssim
