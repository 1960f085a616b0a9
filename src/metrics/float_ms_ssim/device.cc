#include <cstring>
#include <vector>

#include "base/separable.h"
#include "metrics/device_measurement.h"
#include "metrics/float_ms_ssim/float_ms_ssim.h"
#include "metrics/float_ms_ssim/kernels.h"
#include "metrics/float_ssim/compare_planes.h"

namespace vmafx::ms_ssim {
namespace {

using float_ms_ssim::Halve;
using float_ssim::PlanePair;
using float_ssim::TermPlanes;

constexpr int kPictures = 2;

// Planes of scales 1 and up, and the terms of all scales.
struct Memory {
  struct Scale {
    PlaneView<float> picture[kPictures];
    TermPlanes terms;
  };

  Memory(device::Workspace& workspace, const PictureFormat& format, int planes) {
    for (int p = 0; p < planes; ++p) {
      int width = format.plane_width(p);
      int height = format.plane_height(p);
      for (int s = 0; s < kScales; ++s) {
        Scale& scale = scales.emplace_back();
        if (s > 0) {
          width = halved(width);
          height = halved(height);
          for (PlaneView<float>& plane : scale.picture)
            plane = workspace.take_plane<float>(width, height);
        }
        scale.terms = float_ssim::take_terms(workspace, width, height);
      }
    }
  }

  const Scale& at(int plane, int scale) const {
    return scales[static_cast<std::size_t>(plane * kScales + scale)];
  }

  std::vector<Scale> scales;  // of the first plane, then of the next
};

class FloatMsSsimOnDevice final : public DeviceMeasurement {
 public:
  FloatMsSsimOnDevice(const PictureFormat& format, int planes) : planes_(planes) {
    device::Workspace counted;
    static_cast<void>(Memory(counted, format, planes));
    workspace_bytes_ = counted.used();
  }

  bool reads_chroma() const override { return planes_ > 1; }
  std::size_t workspace_bytes() const override { return workspace_bytes_; }
  std::size_t result_bytes() const override {
    return static_cast<std::size_t>(planes_ * kScales) * sizeof(float_ssim::Sums);
  }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    const PictureFormat& format = input.reference[0].format;
    device::Workspace workspace(input.workspace);
    const Memory memory(workspace, format, planes_);
    with_sample_type(format, [&]<class Sample>(Sample) {
      const float step = separable::step_of(format);
      std::vector<PlanePair<Sample>> pairs;
      for (int p = 0; p < planes_; ++p)
        pairs.push_back({input.reference[0].plane<Sample>(p), input.distorted[0].plane<Sample>(p),
                         memory.at(p, 0).terms});
      halve<Sample, false>(pairs, 1, step, memory, queue);
      float_ssim::compare_windows<Sample, false>(std::span(std::as_const(pairs)), step, queue);
    });
    compare_smaller_scales(memory, queue);
    std::vector<TermPlanes> terms;
    for (const Memory::Scale& scale : memory.scales) terms.push_back(scale.terms);
    float_ssim::sum_terms(terms, reinterpret_cast<float_ssim::Sums*>(input.result), queue);
  }

  void finish(std::span<const std::byte> result, std::span<std::byte> record) const override {
    std::memset(record.data(), 0, record.size());
    std::memcpy(record.data(), result.data(), result.size());
  }

 private:
  void compare_smaller_scales(const Memory& memory, device::Queue& queue) const {
    std::vector<PlanePair<float>> all;
    for (int s = 1; s < kScales; ++s) {
      std::vector<PlanePair<float>> pairs;
      for (int p = 0; p < planes_; ++p) {
        const Memory::Scale& scale = memory.at(p, s);
        pairs.push_back({scale.picture[0], scale.picture[1], scale.terms});
      }
      if (s + 1 < kScales) halve<float, true>(pairs, s + 1, 1, memory, queue);
      all.insert(all.end(), pairs.begin(), pairs.end());
    }
    float_ssim::compare_windows<float, true>(std::span(std::as_const(all)), 1, queue);
  }

  // Makes the planes of scale `to`.
  template <class Sample, bool kSigned>
  static void halve(const std::vector<PlanePair<Sample>>& pairs, int to, float step,
                    const Memory& memory, device::Queue& queue) {
    using Kernel = Halve<Sample, kSigned>;
    Kernel kernel{};
    kernel.step = step;
    int count = 0;
    for (const PlanePair<Sample>& pair : pairs) {
      const Memory::Scale& scale = memory.at(count / kPictures, to);
      kernel.plane[count] = pair.reference;
      kernel.out[count++] = scale.picture[0];
      kernel.plane[count] = pair.distorted;
      kernel.out[count++] = scale.picture[1];
    }
    // No plane is larger than the first one.
    queue.launch({device::teams_for(kernel.out[0].width, Kernel::kWidth),
                  device::teams_for(kernel.out[0].height, Kernel::kHeight), count},
                 kernel);
  }

  int planes_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format, int planes) {
  return std::make_unique<FloatMsSsimOnDevice>(format, planes);
}

}  // namespace vmafx::ms_ssim
