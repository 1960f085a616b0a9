#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "metrics/device_measurement.h"
#include "metrics/vif/kernels.h"
#include "metrics/vif/log2_table.h"
#include "metrics/vif/vif.h"

namespace vmafx::vif {
namespace {

std::vector<std::uint16_t> make_log2_groups() {
  constexpr std::size_t kGroup = kLog2Excess.size() / kLog2Groups;
  std::vector<std::uint16_t> groups;
  for (std::size_t first = 0; first < kLog2Excess.size(); first += kGroup) {
    std::size_t sum = 0;
    for (std::size_t i = first; i < first + kGroup; ++i) sum += kLog2Excess[i];
    groups.push_back(static_cast<std::uint16_t>(sum));
  }
  return groups;
}

// The planes of scales 1 and up.
struct Planes {
  Planes(device::Workspace& workspace, const PictureFormat& format) {
    for (int s = 1; s < kScales; ++s)
      scale[static_cast<std::size_t>(s)] =
          workspace.take_plane<std::uint32_t>(format.width >> s, format.height >> s);
  }

  std::array<PlaneView<std::uint32_t>, kScales> scale;
};

// One pass over a frame, with as many gain limits as fit.
struct Pass {
  const DeviceInput& input;
  std::array<PlaneView<std::uint32_t>, kScales> plane;
  std::span<const double> gain_limits;
  bool scale0;
  DeviceSums* sums;  // kScales

  template <int kScale, class Source>
  void measure(const Source& source, device::Queue& queue) const {
    MeasureScale<kScale, Source> kernel{
        .source = source,
        .next = kScale + 1 < kScales ? plane[(kScale + 1) % kScales] : PlaneView<std::uint32_t>(),
        .depth = input.reference[0].format.bit_depth,
        .statistics = kScale > 0 || scale0,
        .limits = static_cast<int>(gain_limits.size()),
        .gain_limit = {},
        .log2_groups =
            reinterpret_cast<const typename MeasureScale<kScale, Source>::Chunk*>(input.constants),
        .sums = sums + kScale};
    std::copy(gain_limits.begin(), gain_limits.end(), kernel.gain_limit);
    queue.launch(kernel.grid(source), kernel);
  }

  template <class Sample, int kBits>
  void measure_pictures(device::Queue& queue) const {
    measure<0>(PicturePair<Sample, kBits>{input.reference[0].plane<Sample>(0),
                                          input.distorted[0].plane<Sample>(0)},
               queue);
  }

  void measure_all(device::Queue& queue) const {
    const int depth = input.reference[0].format.bit_depth;
    if (depth == 8)
      measure_pictures<std::uint8_t, 8>(queue);
    else if (depth < 16)
      measure_pictures<std::uint16_t, 15>(queue);
    else
      measure_pictures<std::uint16_t, 16>(queue);
    measure<1>(WordPlane{plane[1]}, queue);
    measure<2>(WordPlane{plane[2]}, queue);
    measure<3>(WordPlane{plane[3]}, queue);
  }
};

class VifOnDevice final : public DeviceMeasurement {
 public:
  VifOnDevice(const Task& task, const PictureFormat& format)
      : gain_limits_(task.gain_limits.begin(), task.gain_limits.end()), scale0_(task.scale0) {
    device::Workspace counted;
    static_cast<void>(Planes(counted, format));
    workspace_bytes_ = counted.used();
  }

  std::span<const std::byte> constants() const override {
    static const std::vector<std::uint16_t> kGroups = make_log2_groups();
    return std::as_bytes(std::span(kGroups));
  }
  std::size_t workspace_bytes() const override { return workspace_bytes_; }
  std::size_t result_bytes() const override { return passes() * kScales * sizeof(DeviceSums); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    device::Workspace workspace(input.workspace);
    const Planes planes(workspace, input.reference[0].format);
    auto* const sums = reinterpret_cast<DeviceSums*>(input.result);
    for (std::size_t pass = 0; pass < passes(); ++pass)
      Pass{input, planes.scale, limits_of(pass), scale0_, sums + pass * kScales}.measure_all(queue);
  }

  void finish(std::span<const std::byte> result, std::span<std::byte> record) const override {
    for (std::size_t v = 0; v < gain_limits_.size(); ++v) {
      std::array<DeviceSums, kScales> of_pass;
      std::memcpy(of_pass.data(), result.data() + v / kLimits * sizeof of_pass, sizeof of_pass);
      Sums sums;
      for (std::size_t s = 0; s < kScales; ++s)
        sums.scale[s] = {static_cast<std::int64_t>(of_pass[s].num_log[v % kLimits]),
                         static_cast<std::int64_t>(of_pass[s].den_log),
                         static_cast<std::int64_t>(of_pass[s].num_non_log),
                         static_cast<std::int64_t>(of_pass[s].den_non_log)};
      std::memcpy(record.data() + v * sizeof sums, &sums, sizeof sums);
    }
  }

 private:
  std::size_t passes() const { return (gain_limits_.size() + kLimits - 1) / kLimits; }
  std::span<const double> limits_of(std::size_t pass) const {
    const std::size_t first = pass * kLimits;
    return std::span(gain_limits_)
        .subspan(first, std::min<std::size_t>(kLimits, gain_limits_.size() - first));
  }

  std::vector<double> gain_limits_;
  bool scale0_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const Task& task,
                                                     const PictureFormat& format) {
  return std::make_unique<VifOnDevice>(task, format);
}

}  // namespace vmafx::vif
