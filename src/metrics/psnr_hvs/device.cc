#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "metrics/device_measurement.h"
#include "metrics/psnr_hvs/kernels.h"
#include "metrics/psnr_hvs/psnr_hvs.h"

namespace vmafx::psnr_hvs {
namespace {

// The terms of each plane.
struct Layout {
  Layout(device::Workspace& workspace, const PictureFormat& format, int plane_count)
      : planes(plane_count) {
    for (int p = 0; p < planes; ++p) {
      const int count = blocks_along(format.plane_width(p)) * blocks_along(format.plane_height(p));
      const int stride = device::teams_for(count, device::kGroup) * device::kGroup;
      terms[p] = {workspace.take<float>(static_cast<std::size_t>(stride) * kCoefficients), stride,
                  count};
      most_blocks = std::max(most_blocks, count);
    }
  }

  int planes;
  int most_blocks = 0;
  Terms terms[kMaxPlanes] = {};
};

class PsnrHvsOnDevice final : public DeviceMeasurement {
 public:
  PsnrHvsOnDevice(int planes, const PictureFormat& format) : planes_(planes) {
    device::Workspace counted;
    static_cast<void>(Layout(counted, format, planes));
    workspace_bytes_ = counted.used();
  }

  bool reads_chroma() const override { return planes_ > 1; }
  std::size_t workspace_bytes() const override { return workspace_bytes_; }
  std::size_t result_bytes() const override { return 2 * sizeof(std::uint64_t); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    device::Workspace workspace(input.workspace);
    const Layout layout(workspace, input.reference[0].format, planes_);
    with_sample_type(input.reference[0].format,
                     [&]<class Sample>(Sample) { measure<Sample>(input, layout, queue); });
    SumTerms sum{.planes = {}, .sums = reinterpret_cast<float*>(input.result)};
    std::copy_n(layout.terms, planes_, sum.planes);
    queue.launch({1, 1, planes_}, sum);
  }

 private:
  template <class Sample>
  static void measure(const DeviceInput& input, const Layout& layout, device::Queue& queue) {
    MeasureBlocks<Sample> kernel{};
    for (int p = 0; p < layout.planes; ++p) {
      const auto reference = input.reference[0].plane<Sample>(p);
      kernel.planes[p] = {reference, input.distorted[0].plane<Sample>(p),
                          blocks_along(reference.width), layout.terms[p],
                          kWeights[static_cast<std::size_t>(p)]};
    }
    queue.launch(kernel.grid(layout.most_blocks, layout.planes), kernel);
  }

  int planes_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(int planes, const PictureFormat& format) {
  return std::make_unique<PsnrHvsOnDevice>(planes, format);
}

}  // namespace vmafx::psnr_hvs
