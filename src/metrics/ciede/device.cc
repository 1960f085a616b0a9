#include <cstring>
#include <memory>

#include "metrics/ciede/ciede.h"
#include "metrics/ciede/kernels.h"
#include "metrics/device_measurement.h"

namespace vmafx::ciede {
namespace {

template <class Sample>
ColourPlanes<Sample> colour_planes(const DevicePicture& picture) {
  return {picture.plane<Sample>(0), picture.plane<Sample>(1), picture.plane<Sample>(2),
          picture.format.chroma};
}

// The rows' sums are read back: to add a thousand numbers in their order takes a device longer
// than the host.
class CiedeOnDevice final : public DeviceMeasurement {
 public:
  explicit CiedeOnDevice(int height) : rows_(static_cast<std::size_t>(height)) {}

  bool reads_chroma() const override { return true; }
  std::size_t result_bytes() const override { return rows_ * sizeof(double); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    const PictureFormat& format = input.reference[0].format;
    with_sample_type(format, [&]<class Sample>(Sample) {
      queue.launch(SumRows<Sample>::grid(format.height),
                   SumRows<Sample>{colour_planes<Sample>(input.reference[0]),
                                   colour_planes<Sample>(input.distorted[0]),
                                   conversions_of(format.bit_depth),
                                   reinterpret_cast<double*>(input.result)});
    });
  }

  void finish(std::span<const std::byte> result, std::span<std::byte> record) const override {
    double sum = 0;
    for (std::size_t y = 0; y < rows_; ++y) {
      double row = 0;
      std::memcpy(&row, result.data() + y * sizeof row, sizeof row);
      sum += row;
    }
    std::memcpy(record.data(), &sum, sizeof sum);
  }

 private:
  std::size_t rows_;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format) {
  return std::make_unique<CiedeOnDevice>(format.height);
}

}  // namespace vmafx::ciede
