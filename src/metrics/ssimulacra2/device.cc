#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>

#include "metrics/device_measurement.h"
#include "metrics/ssimulacra2/kernels.h"
#include "metrics/ssimulacra2/ssimulacra2.h"

namespace vmafx::ssimulacra2 {
namespace {

ChromaTaps chroma_taps(const PictureFormat& format) {
  ChromaTaps taps{.spacing = chroma_spacing(format.chroma), .across = {}, .down = {}};
  for (int i = 0; i < taps.spacing.x; ++i) {
    const auto weights = taps_across(i, taps.spacing.x).weights;
    std::copy(weights.begin(), weights.end(), taps.across[i]);
  }
  for (int i = 0; i < taps.spacing.y; ++i) {
    const auto weights = taps_down(i, taps.spacing.y).weights;
    std::copy(weights.begin(), weights.end(), taps.down[i]);
  }
  return taps;
}

DeviceScales lay_out(device::Workspace& workspace, const PictureFormat& format) {
  constexpr int kStrideUnit = 32;  // columns that are read and written together
  DeviceScales scales{.count = scale_count(format.width, format.height), .at = {}};
  int width = format.width;
  int height = format.height;
  for (int s = 0; s < scales.count; ++s) {
    const int stride = device::teams_for(width + kAhead, kStrideUnit) * kStrideUnit;
    const std::size_t plane = static_cast<std::size_t>(stride) * static_cast<std::size_t>(height);
    scales.at[s] = {.width = width,
                    .height = height,
                    .stride = stride,
                    .xyb = workspace.take<float>(kPictures * kChannels * plane),
                    .blurred = workspace.take<float>(kChannels * kProducts * plane),
                    .row_sums = workspace.take<double>(
                        static_cast<std::size_t>(kChannels * kErrorSums * height))};
    width = half_size(width);
    height = half_size(height);
  }
  return scales;
}

class Ssimulacra2OnDevice final : public DeviceMeasurement {
 public:
  Ssimulacra2OnDevice(Colour colour, const PictureFormat& format)
      : has_chroma_(format.chroma != Chroma::k400),
        conversion_(conversion(format, colour)),
        taps_(chroma_taps(format)) {
    assert(colour != Colour::kRgb);
    device::Workspace counted;
    static_cast<void>(lay_out(counted, format));
    workspace_bytes_ = counted.used();
  }

  bool reads_chroma() const override { return has_chroma_; }
  std::size_t workspace_bytes() const override { return workspace_bytes_; }
  std::size_t result_bytes() const override { return sizeof(Sums); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    const PictureFormat& format = input.reference[0].format;
    device::Workspace workspace(input.workspace);
    const DeviceScales scales = lay_out(workspace, format);
    with_sample_type(format, [&]<class Sample>(Sample) {
      queue.launch(MakeXyb<Sample>::grid(scales),
                   MakeXyb<Sample>{{planes_of<Sample>(input.reference[0]),
                                    planes_of<Sample>(input.distorted[0])},
                                   conversion_,
                                   taps_,
                                   scales});
    });
    queue.launch(BlurRows::grid(scales), BlurRows{scales});
    queue.launch(FindErrors::grid(scales), FindErrors{scales});
    queue.launch(SumRows::grid(scales), SumRows{scales});
    queue.launch({scales.count, kChannels, 1},
                 SumScales{scales, reinterpret_cast<double*>(input.result)});
  }

 private:
  template <class Sample>
  SamplePlanes<Sample> planes_of(const DevicePicture& picture) const {
    if (!has_chroma_) return {{picture.plane<Sample>(0), {}, {}}};
    return {{picture.plane<Sample>(0), picture.plane<Sample>(1), picture.plane<Sample>(2)}};
  }

  bool has_chroma_;
  Conversion conversion_;
  ChromaTaps taps_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(Colour colour, const PictureFormat& format) {
  return std::make_unique<Ssimulacra2OnDevice>(colour, format);
}

}  // namespace vmafx::ssimulacra2
