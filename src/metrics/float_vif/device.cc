#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "metrics/float_vif/float_vif.h"
#include "metrics/float_vif/kernels.h"

namespace vmafx::float_vif {
namespace {

static_assert(kScales == kDeviceScales && sizeof(ScaleSums) == 2 * sizeof(float));

constexpr int kStripRows = Measure<float, true>::kRows;
constexpr int kUnitReach[kScales] = {8, 4, 2, 1};  // at kernel scale 1

struct Size {
  int width = 0;
  int height = 0;
};

// A plane of each picture.
using Planes = std::array<PlaneView<float>, 2>;

Taps taps_of(const Window& window) {
  Taps taps = {.reach = window.radius(), .padded = {}};
  std::copy_n(window.taps(), window.size(), taps.padded + Taps::kPadding);
  return taps;
}

bool has_unit_kernel_scale(const Task& task) {
  for (std::size_t s = 0; s < kScales; ++s) {
    if (task.windows[s].radius() != kUnitReach[s]) return false;
  }
  return true;
}

std::vector<Point> points_of(std::span<const ScaledPoints> samples, int points) {
  std::vector<Point> all;
  for (const ScaledPoints& sample : samples) {
    for (int i = 0; i < points; ++i) all.push_back({sample.position[i], sample.weight[i]});
  }
  return all;
}

class FloatVifOnDevice final : public DeviceMeasurement {
 public:
  FloatVifOnDevice(const Task& task, const PictureFormat& format)
      : noise_(make_noise(task.noise)),
        variants_(static_cast<int>(task.gain_limits.size())),
        step_(separable::step_of(format)),
        direct_(!task.prescaler && has_unit_kernel_scale(task)) {
    const Scaler scaler = task.prescaler.value_or(
        Scaler(Scaling::kNearest, format.width, format.height, format.width, format.height));
    for (std::size_t s = 0; s < kScales; ++s) {
      taps_[s] = taps_of(task.windows[s]);
      size_[s] = {scaler.width() >> s, scaler.height() >> s};
      const bool measured = s > 0 || task.scale0;
      strips_before_[s + 1] =
          strips_before_[s] + (measured ? device::teams_for(size_[s].height, kStripRows) : 0);
    }
    gain_limits_ = append<float>(task.gain_limits);
    if (direct_) return;
    points_ = scaler.points();
    across_ = append<Point>(points_of(scaler.columns(), points_));
    down_ = append<Point>(points_of(scaler.rows(), points_));
  }

  std::span<const std::byte> constants() const override { return tables_; }
  std::size_t workspace_bytes() const override {
    device::Workspace workspace;
    lay_out(workspace);
    return workspace.used();
  }
  std::size_t result_bytes() const override {
    return static_cast<std::size_t>(variants_) * sizeof(Sums);
  }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    device::Workspace workspace(input.workspace);
    const Layout layout = lay_out(workspace);
    with_sample_type(input.reference[0].format, [&]<class Sample>(Sample) {
      const Source<Sample> reference = {input.reference[0].plane<Sample>(0), step_};
      const Source<Sample> distorted = {input.distorted[0].plane<Sample>(0), step_};
      if (direct_) {
        decimate<Sample, kUnitReach[1]>({reference, distorted}, layout, 1, queue);
        decimate<float, kUnitReach[2]>(sources(layout, 1), layout, 2, queue);
        decimate<float, kUnitReach[3]>(sources(layout, 2), layout, 3, queue);
        return measure<Sample, false>({reference, distorted}, layout, input, queue);
      }
      prescale<Sample>({reference, distorted}, layout, input, queue);
      for (std::size_t s = 1; s < kScales; ++s)
        decimate<float, 0>(sources(layout, s - 1), layout, s, queue);
      measure<float, true>(sources(layout, 0), layout, input, queue);
    });
    add_rows(layout, input, queue);
  }

 private:
  struct Layout {
    std::array<Planes, kScales> plane;  // the first unless direct_
    float* row_sums = nullptr;
  };
  template <class Sample>
  using Sources = std::array<Source<Sample>, 2>;

  // Where it begins in the tables.
  template <class T>
  std::size_t append(std::span<const T> table) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t offset = (tables_.size() + kAlignment - 1) / kAlignment * kAlignment;
    tables_.resize(offset + table.size_bytes());
    std::memcpy(tables_.data() + offset, table.data(), table.size_bytes());
    return offset;
  }
  template <class T>
  static const T* table(const DeviceInput& input, std::size_t offset) {
    return reinterpret_cast<const T*>(input.constants + offset);
  }

  int all_rows() const { return kStripRows * strips_before_[kScales]; }

  Layout lay_out(device::Workspace& workspace) const {
    Layout layout;
    for (std::size_t s = direct_ ? 1 : 0; s < kScales; ++s) {
      for (PlaneView<float>& plane : layout.plane[s])
        plane = workspace.take_plane<float>(size_[s].width, size_[s].height);
    }
    const int passes = device::teams_for(variants_, kLimits);
    layout.row_sums = workspace.take<float>(static_cast<std::size_t>(passes) * kRowSums *
                                            static_cast<std::size_t>(all_rows()));
    return layout;
  }

  static Sources<float> sources(const Layout& layout, std::size_t scale) {
    return {Source<float>{layout.plane[scale][0], 1}, Source<float>{layout.plane[scale][1], 1}};
  }

  template <class Sample>
  void prescale(const Sources<Sample>& from, const Layout& layout, const DeviceInput& input,
                device::Queue& queue) const {
    const Prescale<Sample> kernel = {{from[0], from[1]},
                                     points_,
                                     points_ == points_per_sample(Scaling::kLanczos4),
                                     table<Point>(input, across_),
                                     table<Point>(input, down_),
                                     {layout.plane[0][0], layout.plane[0][1]}};
    queue.launch(kernel.grid(), kernel);
  }

  template <class Sample, int kReach>
  void decimate(const Sources<Sample>& from, const Layout& layout, std::size_t scale,
                device::Queue& queue) const {
    const Decimate<Sample, kReach> kernel = {
        {from[0], from[1]}, {layout.plane[scale][0], layout.plane[scale][1]}, taps_[scale]};
    queue.launch(kernel.grid(), kernel);
  }

  template <class Sample, bool kAnyWindow>
  void measure(const Sources<Sample>& from, const Layout& layout, const DeviceInput& input,
               device::Queue& queue) const {
    Measure<Sample, kAnyWindow> kernel = {.reference = from[0],
                                          .distorted = from[1],
                                          .smaller_reference = {},
                                          .smaller_distorted = {},
                                          .taps = {},
                                          .noise = noise_,
                                          .strips_before = {},
                                          .variants = variants_,
                                          .gain_limits = table<float>(input, gain_limits_),
                                          .row_sums = layout.row_sums};
    for (std::size_t s = 1; s < kScales; ++s) {
      const Sources<float> smaller = sources(layout, s);
      kernel.smaller_reference[s - 1] = smaller[0];
      kernel.smaller_distorted[s - 1] = smaller[1];
    }
    std::copy(taps_.begin(), taps_.end(), kernel.taps);
    std::copy(strips_before_.begin(), strips_before_.end(), kernel.strips_before);
    queue.launch(kernel.grid(), kernel);
  }

  void add_rows(const Layout& layout, const DeviceInput& input, device::Queue& queue) const {
    AddRows kernel = {{},
                      strips_before_[1] == 0 ? 1 : 0,
                      all_rows(),
                      layout.row_sums,
                      reinterpret_cast<float*>(input.result)};
    for (std::size_t s = 0; s < kScales; ++s)
      kernel.scale[s] = {kStripRows * strips_before_[s], size_[s].height};
    queue.launch(kernel.grid(variants_), kernel);
  }

  Noise noise_;
  int variants_;
  float step_;
  bool direct_;  // from pictures, without a plane of floats
  std::array<Taps, kScales> taps_{};
  std::array<Size, kScales> size_{};
  std::array<int, kScales + 1> strips_before_{};
  int points_ = 1;
  // Tables one behind another; and where each begins.
  std::vector<std::byte> tables_;
  std::size_t gain_limits_ = 0;
  std::size_t across_ = 0;
  std::size_t down_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const Task& task,
                                                     const PictureFormat& format) {
  return std::make_unique<FloatVifOnDevice>(task, format);
}

}  // namespace vmafx::float_vif
