#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "metrics/device_measurement.h"
#include "metrics/speed/kernels.h"
#include "metrics/speed/score.h"
#include "metrics/speed/speed.h"

namespace vmafx::speed {
namespace {

// Tables one behind another; a table is found by where it begins.
class Tables {
 public:
  template <class T>
  std::size_t add(std::span<const T> table) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t offset = (bytes_.size() + kAlignment - 1) / kAlignment * kAlignment;
    bytes_.resize(offset + table.size_bytes());
    std::memcpy(bytes_.data() + offset, table.data(), table.size_bytes());
    return offset;
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

std::vector<Point> points_of(const Axis& axis) {
  std::vector<Point> points;
  for (int output = 0; output < axis.outputs; ++output) {
    for (int tap = 0; tap < axis.taps; ++tap) {
      for (int i = 0; i < axis.points; ++i) {
        const std::size_t at = axis.index(i, tap, output);
        points.push_back({axis.position[at], axis.weight[at]});
      }
    }
  }
  return points;
}

std::vector<Comparison> comparisons_of(std::span<const Tail> tails, float noise) {
  std::vector<Comparison> comparisons;
  for (const Tail& tail : tails)
    comparisons.push_back({invisible_entropy(noise, tail.floor), mode_numbered(tail.weight_mode)});
  return comparisons;
}

class SpeedOnDevice final : public DeviceMeasurement {
 public:
  SpeedOnDevice(const Plan& plan, std::span<const Tail> tails, Content content)
      : geometry_(plan.geometry),
        noise_(plan.noise),
        points_(plan.x.points),
        antialias_(plan.antialias),
        local_mean_(plan.local_mean),
        variants_(static_cast<int>(tails.size())),
        content_(content) {
    assert(antialias_.size() <= kMaxTaps && local_mean_.size() <= kMaxMeanTaps);
    across_ = tables_.add<Point>(points_of(plan.x));
    down_ = tables_.add<Point>(points_of(plan.y));
    comparisons_ = tables_.add<Comparison>(comparisons_of(tails, noise_));
  }

  bool reads_chroma() const override { return content_ == Content::kChroma; }
  std::span<const std::byte> constants() const override { return tables_.bytes(); }
  std::size_t workspace_bytes() const override {
    device::Workspace workspace;
    lay_out(workspace);
    return workspace.used();
  }
  std::size_t result_bytes() const override {
    return static_cast<std::size_t>(variants_ * planes()) * sizeof(PlaneScore);
  }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    if (!reads_chroma() && input.reference.size() < 2) return;
    device::Workspace workspace(input.workspace);
    const Parts parts = lay_out(workspace);
    with_sample_type(input.reference[0].format, [&]<class Sample>(Sample) {
      switch (points_) {
        case 1:
          return decimate<Sample, 1>(input, parts, queue);
        case 2:
          return decimate<Sample, 2>(input, parts, queue);
        case 4:
          return decimate<Sample, 4>(input, parts, queue);
        default:
          return decimate<Sample, kMaxPoints>(input, parts, queue);
      }
    });
    Statistics statistics{geometry_,
                          noise_,
                          static_cast<int>(local_mean_.size()),
                          {},
                          parts.decimated,
                          parts.detail,
                          parts.entropy,
                          parts.variance,
                          parts.regular};
    std::ranges::copy(local_mean_, statistics.local_mean);
    queue.launch({1, 1, sources()}, statistics);
    queue.launch(Compare::grid(variants_, planes()),
                 Compare{geometry_.blocks(), parts.entropy, parts.variance, parts.regular,
                         table<Comparison>(input, comparisons_),
                         reinterpret_cast<PlaneScore*>(input.result)});
  }

 private:
  // Of every source, one after the other.
  struct Parts {
    PlaneView<float> decimated;
    PlaneView<float> detail;
    float* entropy;
    float* variance;
    std::uint32_t* regular;
  };

  Parts lay_out(device::Workspace& workspace) const {
    const auto count = static_cast<std::size_t>(sources());
    const auto blocks = count * static_cast<std::size_t>(geometry_.blocks());
    const int height = sources() * geometry_.decimated_height;
    return {workspace.take_plane<float>(geometry_.decimated_width, height),
            workspace.take_plane<float>(geometry_.decimated_width, height),
            workspace.take<float>(blocks), workspace.take<float>(blocks),
            workspace.take<std::uint32_t>(count)};
  }

  int planes() const { return reads_chroma() ? 2 : 1; }
  int sources() const { return 2 * planes(); }

  template <class T>
  static const T* table(const DeviceInput& input, std::size_t offset) {
    return reinterpret_cast<const T*>(input.constants + offset);
  }

  template <class Sample, int points>
  void decimate(const DeviceInput& input, const Parts& parts, device::Queue& queue) const {
    Decimate<Sample, points> kernel{{},
                                    table<Point>(input, across_),
                                    table<Point>(input, down_),
                                    static_cast<int>(antialias_.size()),
                                    {},
                                    geometry_.decimated_height,
                                    parts.decimated};
    std::ranges::copy(antialias_, kernel.antialias);
    set_sources(input, kernel.source);
    queue.launch(kernel.grid(parts.decimated, geometry_.decimated_height, sources()), kernel);
  }

  // The streams of each plane.
  template <class Sample>
  void set_sources(const DeviceInput& input, Source<Sample> (&source)[kMaxSources]) const {
    const float step = step_of_depth(input.reference[0].format.bit_depth);
    if (content_ == Content::kChroma) {
      for (int p = 0; p < 2; ++p) {
        source[2 * p] = {input.reference[0].plane<Sample>(p + 1), {}, step};
        source[2 * p + 1] = {input.distorted[0].plane<Sample>(p + 1), {}, step};
      }
      return;
    }
    const bool to_reference = content_ == Content::kChangeToReference;
    const DevicePicture& after = to_reference ? input.reference[0] : input.distorted[0];
    source[0] = {input.reference[1].plane<Sample>(0), input.reference[0].plane<Sample>(0), step};
    source[1] = {input.distorted[1].plane<Sample>(0), after.plane<Sample>(0), step};
  }

  const Geometry geometry_;
  const float noise_;
  const int points_;
  const std::vector<float> antialias_;
  const std::vector<float> local_mean_;
  const int variants_;
  const Content content_;
  Tables tables_;
  // In the tables.
  std::size_t across_ = 0;
  std::size_t down_ = 0;
  std::size_t comparisons_ = 0;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const Plan& plan, std::span<const Tail> tails,
                                                     Content content) {
  return std::make_unique<SpeedOnDevice>(plan, tails, content);
}

}  // namespace vmafx::speed
