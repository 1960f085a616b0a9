#include "metrics/device_measurement.h"
#include "metrics/ssim/kernels.h"
#include "metrics/ssim/ssim.h"

namespace vmafx::ssim {
namespace {

struct Memory {
  Memory(device::Workspace& workspace, const PictureFormat& format)
      : terms(workspace.take_plane<double>(format.width, format.height)),
        sums(workspace.take<double>(static_cast<std::size_t>(format.width))) {}

  PlaneView<double> terms;
  double* sums;
};

// Depths whose products of samples, times the taps of a window down, fit 32 bits.
constexpr int kDepthOf32Bits = 12;

class SsimOnDevice final : public DeviceMeasurement {
 public:
  explicit SsimOnDevice(const PictureFormat& format) {
    device::Workspace counted;
    static_cast<void>(Memory(counted, format));
    workspace_bytes_ = counted.used();
  }

  std::size_t workspace_bytes() const override { return workspace_bytes_; }
  std::size_t result_bytes() const override { return sizeof(double); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    const PictureFormat& format = input.reference[0].format;
    device::Workspace workspace(input.workspace);
    const Memory memory(workspace, format);
    if (format.bit_depth == 8) {
      compare<std::uint8_t, std::uint32_t>(input, memory.terms, queue);
    } else if (format.bit_depth <= kDepthOf32Bits) {
      compare<std::uint16_t, std::uint32_t>(input, memory.terms, queue);
    } else {
      compare<std::uint16_t, std::uint64_t>(input, memory.terms, queue);
    }
    queue.launch(ColumnSums::grid(memory.terms), ColumnSums{memory.terms, memory.sums});
    queue.launch({}, Total{memory.sums, format.width, reinterpret_cast<double*>(input.result)});
  }

 private:
  template <class Sample, class Word>
  static void compare(const DeviceInput& input, PlaneView<double> terms, device::Queue& queue) {
    const auto reference = input.reference[0].plane<Sample>(0);
    const double peak = (1 << input.reference[0].format.bit_depth) - 1;
    using Kernel = WindowTerms<Sample, Word>;
    constexpr double kFullWeight = Kernel::kFullWeight * Kernel::kFullWeight;
    queue.launch(Kernel::grid(reference),
                 Kernel{reference, input.distorted[0].plane<Sample>(0), peak * peak,
                        stabilizers(peak * peak, kFullWeight), terms});
  }

  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format) {
  return std::make_unique<SsimOnDevice>(format);
}

}  // namespace vmafx::ssim
