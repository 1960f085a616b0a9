#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "metrics/device_measurement.h"
#include "metrics/float_motion/float_motion.h"
#include "metrics/float_motion/kernels.h"

namespace vmafx::float_motion {
namespace {

struct Size {
  int width;
  int height;
};

Size half_of(Size size) { return {(size.width + 1) / 2, (size.height + 1) / 2}; }

PlaneView<float> take_turned(device::Workspace& workspace, Size size) {
  return workspace.take_plane<float>(size.height, size.width);
}

DifferencePlane take_differences(device::Workspace& workspace, Size size) {
  return {take_turned(workspace, size),
          workspace.take<float>(static_cast<std::size_t>(size.height))};
}

struct Memory {
  struct Plane {
    DifferencePlane full;
    // With the half-size term.
    DifferencePlane half;
    PlaneView<float> blurred[kFrames];
  };

  Memory(device::Workspace& workspace, std::span<const Size> sizes, bool with_half) {
    for (const Size size : sizes) {
      Plane& plane = planes.emplace_back();
      plane.full = take_differences(workspace, size);
      if (!with_half) continue;
      plane.half = take_differences(workspace, half_of(size));
      for (PlaneView<float>& blurred : plane.blurred) blurred = take_turned(workspace, size);
    }
  }

  std::vector<Plane> planes;
};

void add_points(int size, int scaled_size, std::vector<Points>& points) {
  const float ratio = static_cast<float>(size) / static_cast<float>(scaled_size);
  for (int i = 0; i < scaled_size; ++i) {
    const ScaledPoints p = scaled_points(Scaling::kBilinear, i, size, ratio);
    points.push_back({{p.position[0], p.position[1]}, {p.weight[0], p.weight[1]}});
  }
}

class FloatMotionOnDevice final : public DeviceMeasurement {
 public:
  FloatMotionOnDevice(const DeviceTask& task, const PictureFormat& format) : task_(task) {
    for (int p = 0; p < task.planes; ++p)
      sizes_.push_back({format.plane_width(p), format.plane_height(p)});
    device::Workspace counted;
    static_cast<void>(Memory(counted, sizes_, task.with_half));
    workspace_bytes_ = counted.used();
    for (const Size size : sizes_) {
      if (!task.with_half) break;
      add_points(size.width, half_of(size).width, points_);
      add_points(size.height, half_of(size).height, points_);
    }
  }

  bool reads_chroma() const override { return task_.planes > 1; }
  std::span<const std::byte> constants() const override {
    return std::as_bytes(std::span(points_));
  }
  std::size_t workspace_bytes() const override { return workspace_bytes_; }
  std::size_t result_bytes() const override { return sizeof(Sums); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    const auto back = static_cast<std::size_t>(task_.back);
    if (back == 0 || input.reference.size() <= back) return;
    device::Workspace workspace(input.workspace);
    const Memory memory(workspace, sizes_, task_.with_half);
    with_sample_type(input.reference[0].format, [&]<class Sample>(Sample) {
      switch (task_.window.radius()) {
        case 0:
          return blur<Sample, 0>(input, memory, queue);
        case 1:
          return blur<Sample, 1>(input, memory, queue);
        default:
          return blur<Sample, 2>(input, memory, queue);
      }
    });
    if (task_.with_half) scale(input, memory, queue);
    sum(memory, reinterpret_cast<float*>(input.result), queue);
  }

  void finish(std::span<const std::byte> result, std::span<std::byte> record) const override {
    Sums sums;
    std::memcpy(sums.data(), result.data(), sizeof sums);
    double total = 0;
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      float difference = mean(sums[p], sizes_[p]);
      if (task_.with_half) difference += mean(sums[sizes_.size() + p], half_of(sizes_[p]));
      total += double{difference};
    }
    std::memcpy(record.data(), &total, sizeof total);
  }

 private:
  // Of the planes at full size, then of those at half size.
  using Sums = std::array<float, kMaxSums>;

  static float mean(float sum, Size size) {
    return sum / static_cast<float>(size.width * size.height);
  }

  // What covers all planes: the first is the largest.
  template <class Kernel>
  device::Grid grid(Size first) const {
    return {device::teams_for(first.width, Kernel::kWidth),
            device::teams_for(first.height, Kernel::kHeight), task_.planes};
  }

  template <class Sample, int kRadius>
  void blur(const DeviceInput& input, const Memory& memory, device::Queue& queue) const {
    using Kernel = BlurredDifferences<Sample, kRadius>;
    Kernel kernel{};
    for (int p = 0; p < task_.planes; ++p) {
      const Memory::Plane& plane = memory.planes[static_cast<std::size_t>(p)];
      kernel.planes[p] = {input.reference[static_cast<std::size_t>(task_.back)].plane<Sample>(p),
                          input.reference[0].plane<Sample>(p),
                          plane.full.turned,
                          {plane.blurred[0], plane.blurred[1]}};
    }
    std::copy_n(task_.window.taps(), task_.window.size(), kernel.taps);
    kernel.step = task_.step;
    queue.launch(grid<Kernel>(sizes_[0]), kernel);
  }

  void scale(const DeviceInput& input, const Memory& memory, device::Queue& queue) const {
    ScaledDifferences kernel{};
    const auto* points = reinterpret_cast<const Points*>(input.constants);
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      const Memory::Plane& plane = memory.planes[p];
      const Size half = half_of(sizes_[p]);
      kernel.planes[p] = {
          {plane.blurred[0], plane.blurred[1]}, plane.half.turned, points, points + half.width};
      points += half.width + half.height;
    }
    queue.launch(grid<ScaledDifferences>(half_of(sizes_[0])), kernel);
  }

  void sum(const Memory& memory, float* totals, device::Queue& queue) const {
    RowSums rows{};
    Totals all{};
    int count = 0;
    for (const Memory::Plane& plane : memory.planes) rows.planes[count++] = plane.full;
    for (const Memory::Plane& plane : memory.planes)
      if (task_.with_half) rows.planes[count++] = plane.half;
    std::copy_n(rows.planes, kMaxSums, all.planes);
    all.totals = totals;
    queue.launch({device::teams_for(sizes_[0].height, RowSums::kThreads), 1, count}, rows);
    queue.launch({count, 1, 1}, all);
  }

  DeviceTask task_;
  std::vector<Size> sizes_;
  std::vector<Points> points_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const DeviceTask& task,
                                                     const PictureFormat& format) {
  return std::make_unique<FloatMotionOnDevice>(task, format);
}

}  // namespace vmafx::float_motion
