#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "metrics/cambi/cambi.h"
#include "metrics/cambi/kernels.h"
#include "metrics/cambi/parameters.h"
#include "metrics/cambi/sampling.h"
#include "metrics/device_measurement.h"

namespace vmafx::cambi {
namespace {

// Where tables lie in a piece of memory: the reciprocals and visible steps, and for each stream of
// another size than its picture the positions of its pixels.
struct Tables {
  struct Positions {
    int* columns = nullptr;
    int* rows = nullptr;
  };

  Tables(device::Workspace memory, std::span<const Parameters> streams,
         const PictureFormat& format) {
    reciprocals = memory.take<float>(kReciprocals.size());
    visible_steps = memory.take<std::uint32_t>(kMaxLuma + 1);
    for (std::size_t s = 0; s < streams.size(); ++s) {
      if (streams[s].width == format.width && streams[s].height == format.height) continue;
      positions[s].columns = memory.take<int>(static_cast<std::size_t>(streams[s].width));
      positions[s].rows = memory.take<int>(static_cast<std::size_t>(streams[s].height));
    }
    bytes = memory.used();
  }

  float* reciprocals;
  std::uint32_t* visible_steps;
  std::array<Positions, kMaxStreams> positions;
  std::size_t bytes;
};

std::vector<std::byte> make_tables(std::span<const Parameters> streams,
                                   const PictureFormat& format) {
  std::vector<std::byte> memory(Tables({}, streams, format).bytes);
  const Tables tables(device::Workspace(memory.data()), streams, format);
  std::copy(kReciprocals.begin(), kReciprocals.end(), tables.reciprocals);
  const auto& steps = streams[0].visibility->visible_steps;
  std::copy(steps.begin(), steps.end(), tables.visible_steps);
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const auto [columns, rows] = tables.positions[s];
    if (columns == nullptr) continue;
    const std::vector<int> x = nearest_positions(format.width, streams[s].width);
    const std::vector<int> y = nearest_positions(format.height, streams[s].height);
    std::copy(x.begin(), x.end(), columns);
    std::copy(y.begin(), y.end(), rows);
  }
  return memory;
}

// Working memory of a stream. Returns its counters too, which lie in one piece.
struct StreamMemory {
  StreamOnDevice stream;
  std::uint32_t* counters;
};
constexpr int kCounters = kScales * (kFirstDigits + kSecondDigits);

StreamMemory lay_out(device::Workspace& workspace, const Parameters& p) {
  StreamMemory memory{};
  memory.counters = workspace.take<std::uint32_t>(kCounters);
  int width = p.width;
  int height = p.height;
  for (int s = 0; s < kScales; ++s) {
    if (s > 0 || p.halve_first) {
      width = half(width);
      height = half(height);
    }
    ScaleOnDevice& scale = memory.stream.scales[s];
    scale.pixels = workspace.take_plane<std::uint16_t>(width, height);
    scale.contrasts = workspace.take_plane<float>(width, height);
    scale.pooled = static_cast<std::uint32_t>(pooled_count(p.pooled_share, width, height));
    scale.first_tile = memory.stream.tiles;
    memory.stream.tiles += Tile::count(width, height);
    if (memory.counters == nullptr) continue;
    scale.first = memory.counters + s * (kFirstDigits + kSecondDigits);
    scale.second = scale.first + kFirstDigits;
  }
  memory.stream.radius = p.window / 2;
  return memory;
}

ExactSum exact(const SplitSum& sum) {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << SplitSum::kFractionBits) - 1;
  return {sum.whole + (sum.fraction >> SplitSum::kFractionBits), sum.fraction & kFraction};
}

// The largest contrasts of a scale, of which `pooled` are summed.
ExactSum sum_of_largest(const ScaleResult& result, std::uint32_t pooled) {
  if (result.count <= pooled) return exact(result.all);
  ExactSum sum = exact(result.above);
  std::uint32_t left = result.place;
  for (int digit = kThirdDigits - 1; digit >= 0 && left > 0; --digit) {
    const std::uint32_t taken = std::min(left, result.third[digit]);
    const float contrast =
        contrast_of(result.digits * kThirdDigits + static_cast<std::uint32_t>(digit));
    // In parts whose product with a contrast is exact.
    constexpr std::uint32_t kPart = 1 << 15;
    for (std::uint32_t rest = taken; rest > 0; rest -= std::min(rest, kPart))
      sum.add(static_cast<double>(std::min(rest, kPart)) * contrast);
    left -= taken;
  }
  return sum;
}

class CambiOnDevice final : public DeviceMeasurement {
 public:
  CambiOnDevice(const Streams& streams, const PictureFormat& format) : format_(format) {
    streams_.push_back(streams.distorted);
    if (streams.full_reference) streams_.push_back(streams.source);
    tables_ = make_tables(streams_, format);
  }

  std::span<const std::byte> constants() const override { return tables_; }
  std::size_t workspace_bytes() const override {
    device::Workspace workspace;
    for (const Parameters& p : streams_) lay_out(workspace, p);
    return workspace.used();
  }
  std::size_t result_bytes() const override {
    return streams_.size() * kScales * sizeof(ScaleResult);
  }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    device::Workspace workspace(input.workspace);
    std::array<StreamMemory, kMaxStreams> streams{};
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      streams[s] = lay_out(workspace, streams_[s]);
      streams[s].stream.results =
          reinterpret_cast<ScaleResult*>(input.result) + s * std::size_t{kScales};
    }
    // Devices do not write to it.
    auto* const constants = const_cast<std::byte*>(input.constants);
    const Tables tables(device::Workspace(constants), streams_, format_);
    with_sample_type(format_, [&]<class Sample>(Sample) {
      if (streams_[0].halve_first) {
        make_first_scales<Sample, 2>(input, streams, tables, queue);
      } else {
        make_first_scales<Sample, 1>(input, streams, tables, queue);
      }
    });
    make_coarser_scales(streams, tables, queue);
    measure_contrasts(streams, tables, queue);
  }

  void finish(std::span<const std::byte> result, std::span<std::byte> record) const override {
    Record out{};
    PictureSums* const sums[kMaxStreams] = {&out.distorted, &out.source};
    device::Workspace nothing;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const StreamOnDevice stream = lay_out(nothing, streams_[s]).stream;
      for (std::size_t scale = 0; scale < kScales; ++scale) {
        ScaleResult scale_result;
        const std::size_t at = (s * kScales + scale) * sizeof scale_result;
        std::memcpy(&scale_result, result.data() + at, sizeof scale_result);
        (*sums[s])[scale] = sum_of_largest(scale_result, stream.scales[scale].pooled);
      }
    }
    std::memcpy(record.data(), &out, sizeof out);
  }

 private:
  using StreamMemories = std::array<StreamMemory, kMaxStreams>;

  // For each stream in a grid's z, as many teams as the largest needs.
  template <class GridOf>
  device::Grid grid_of_streams(const GridOf& grid_of) const {
    device::Grid grid{0, 0, static_cast<int>(streams_.size())};
    for (int s = 0; s < grid.z; ++s) {
      const device::Grid one = grid_of(static_cast<std::size_t>(s));
      grid.x = std::max(grid.x, one.x);
      grid.y = std::max(grid.y, one.y);
    }
    return grid;
  }

  template <class Sample, int kStep>
  void make_first_scales(const DeviceInput& input, const StreamMemories& streams,
                         const Tables& tables, device::Queue& queue) const {
    using Kernel = FirstScale<Sample, kStep>;
    Kernel kernel{};
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const Parameters& p = streams_[s];
      const DevicePicture& picture = s == 0 ? input.distorted[0] : input.reference[0];
      kernel.streams[s] = {picture.plane<Sample>(0),
                           tables.positions[s].columns,
                           tables.positions[s].rows,
                           p.width,
                           p.height,
                           flatness_threshold(p.width, p.height),
                           streams[s].stream.scales[0].pixels,
                           streams[s].counters,
                           kCounters};
    }
    kernel.visible_steps = tables.visible_steps;
    kernel.bit_depth = format_.bit_depth;
    kernel.anti_dither = streams_[0].anti_dither;
    queue.launch(
        grid_of_streams([&](std::size_t s) { return Kernel::grid(kernel.streams[s].out); }),
        kernel);
  }

  void make_coarser_scales(const StreamMemories& streams, const Tables& tables,
                           device::Queue& queue) const {
    CoarserScales kernel{};
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      for (int scale = 0; scale < kScales; ++scale)
        kernel.scales[s][scale] = streams[s].stream.scales[scale].pixels;
    }
    kernel.visible_steps = tables.visible_steps;
    queue.launch(
        grid_of_streams([&](std::size_t s) { return CoarserScales::grid(kernel.scales[s][1]); }),
        kernel);
  }

  void measure_contrasts(const StreamMemories& streams, const Tables& tables,
                         device::Queue& queue) const {
    Contrasts contrasts{};
    CountDigits<2> second{};
    CountDigits<3> third{};
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      contrasts.streams[s] = streams[s].stream;
      second.streams[s] = streams[s].stream;
      third.streams[s] = streams[s].stream;
    }
    contrasts.reciprocals = tables.reciprocals;
    contrasts.visible_steps = tables.visible_steps;
    std::copy(kStepWeights.begin(), kStepWeights.end(), contrasts.weights);
    contrasts.steps = streams_[0].visibility->steps;
    const device::Grid grid =
        grid_of_streams([&](std::size_t s) { return device::Grid{streams[s].stream.tiles, 1, 1}; });
    queue.launch(grid, contrasts);
    queue.launch(grid, second);
    queue.launch(grid, third);
  }

  PictureFormat format_;
  std::vector<Parameters> streams_;
  std::vector<std::byte> tables_;
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const Streams& streams,
                                                     const PictureFormat& format) {
  return std::make_unique<CambiOnDevice>(streams, format);
}

}  // namespace vmafx::cambi
