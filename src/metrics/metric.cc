#include "metrics/metric.h"

#include <algorithm>

#include "metrics/device_measurement.h"

namespace vmafx {

void Measurement::measure_encodes(const EncodesInput& input, Scratch& scratch,
                                  std::span<const std::span<std::byte>> records) const {
  const std::size_t measured = reads_distorted() ? records.size() : 1;
  for (std::size_t e = 0; e < measured; ++e) {
    const Scratch::Frame scope(scratch);
    const MeasureInput one = {input.frame, input.reference, input.distorted[e],
                              input.artifacts.empty() ? nullptr : input.artifacts[e], input.crew};
    measure(one, scratch, records[e]);
  }
  for (const std::span<std::byte> record : records.subspan(measured))
    std::copy(records[0].begin(), records[0].end(), record.begin());
}

std::unique_ptr<DeviceMeasurement> Measurement::on_device(const PictureFormat& /*format*/) const {
  return nullptr;
}

}  // namespace vmafx
