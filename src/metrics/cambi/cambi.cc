#include "metrics/cambi/cambi.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "metrics/cambi/contrast.h"
#include "metrics/cambi/parameters.h"
#include "metrics/device_measurement.h"

namespace vmafx {
namespace {

using cambi::ContrastMaps;
using cambi::ExactSum;
using cambi::kScales;
using cambi::Parameters;
using cambi::PictureSums;
using cambi::Record;
using cambi::Streams;

constexpr std::string_view kCambi = "Cambi_feature_cambi_score";
constexpr std::string_view kSource = "cambi_source";
constexpr std::string_view kFullReference = "cambi_full_reference";
constexpr std::string_view kOutputs[] = {kCambi, kSource, kFullReference};

PictureSums sums_of(const Picture& picture, const Parameters& parameters, Scratch& scratch,
                    ContrastMaps* maps) {
  const int depth = picture.format().bit_depth;
  return depth == 8
             ? cambi::sums(plane_view<std::uint8_t>(picture, 0), depth, parameters, scratch, maps)
             : cambi::sums(plane_view<std::uint16_t>(picture, 0), depth, parameters, scratch, maps);
}

// The largest contrast becomes 65535; little-endian.
Artifact heat_map(const cambi::ContrastMap& map, std::size_t scale, const Parameters& parameters,
                  const std::string& folder) {
  const float weight =
      cambi::kStepWeights[static_cast<std::size_t>(parameters.visibility->steps - 1)];
  const int largest = static_cast<int>(weight) * parameters.window * parameters.window / 4;
  const double factor = largest > 0 ? 65535.0 / largest : 0;
  Artifact artifact{
      folder,
      fmt::format("cambi_heatmap_scale_{}_{}x{}_16b.gray", scale, map.width, map.height),
      {}};
  artifact.bytes.reserve(2 * map.values.size());
  for (const float contrast : map.values) {
    // With small windows `largest` is rounded down.
    const auto value =
        static_cast<unsigned>(std::min(factor * static_cast<double>(contrast), 65535.0));
    artifact.bytes.push_back(static_cast<std::byte>(value & 0xff));
    artifact.bytes.push_back(static_cast<std::byte>(value >> 8));
  }
  return artifact;
}

class CambiMeasurement final : public Measurement {
 public:
  CambiMeasurement(Streams streams, std::string heat_maps)
      : streams_(std::move(streams)), heat_maps_(std::move(heat_maps)) {}

  std::size_t record_size() const override { return sizeof(Record); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    Record out{};
    ContrastMaps maps;
    const bool has_maps = !heat_maps_.empty() && input.artifacts != nullptr;
    out.distorted =
        sums_of(input.distorted[0], streams_.distorted, scratch, has_maps ? &maps : nullptr);
    for (std::size_t s = 0; has_maps && s < maps.size(); ++s)
      input.artifacts->push_back(heat_map(maps[s], s, streams_.distorted, heat_maps_));
    if (streams_.full_reference)
      out.source = sums_of(input.reference[0], streams_.source, scratch, nullptr);
    std::memcpy(record.data(), &out, sizeof out);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    if (!heat_maps_.empty()) return nullptr;
    return cambi::measure_on_device(streams_, format);
  }

 private:
  Streams streams_;
  std::string heat_maps_;  // folder; empty: none
};

// The means of the largest contrasts, weighted 16 : 8 : 4 : 2 : 1 from the finest scale to the
// coarsest, per pixel of the window.
double score(const PictureSums& sums, const Parameters& parameters) {
  int width = parameters.width;
  int height = parameters.height;
  double total = 0;
  for (int scale = 0; scale < kScales; ++scale) {
    if (scale > 0 || parameters.halve_first) {
      width = cambi::half(width);
      height = cambi::half(height);
    }
    const auto count = cambi::pooled_count(parameters.pooled_share, width, height);
    const double mean = sums[static_cast<std::size_t>(scale)].value() / static_cast<double>(count);
    total += mean * (1 << (kScales - 1 - scale));
  }
  return total / (parameters.window * parameters.window);
}

class CambiFold final : public Fold {
 public:
  CambiFold(const Options& options, Streams streams)
      : suffix_(options.key_suffix()),
        max_value_(options.number("cambi_max_val")),
        streams_(std::move(streams)) {}

  // libvmaf gives options a suffix only in the key of the distorted picture's score.
  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys = {{"cambi" + suffix_, std::string(kCambi)}};
    if (streams_.full_reference) {
      keys.push_back({std::string(kSource), std::string(kSource)});
      keys.push_back({std::string(kFullReference), std::string(kFullReference)});
    }
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Record raw;
    std::memcpy(&raw, record.data(), sizeof raw);
    const double distorted = score(raw.distorted, streams_.distorted);
    sink.feature(frame, 0, std::min(distorted, max_value_));
    if (!streams_.full_reference) return;
    const double source = score(raw.source, streams_.source);
    sink.feature(frame, 1, std::min(source, max_value_));
    sink.feature(frame, 2, std::min(std::max(0.0, distorted - source), max_value_));
  }

 private:
  std::string suffix_;
  double max_value_;
  Streams streams_;
};

class CambiMetric final : public Metric {
 public:
  std::string_view name() const override { return "cambi"; }
  std::string_view summary() const override {
    return "visibility of banding in the distorted picture (luma; needs no reference)";
  }
  std::span<const OptionSpec> options() const override { return cambi::option_specs(); }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& options, const PictureFormat& format) const override {
    const auto streams = cambi::plan_streams(options, format);
    return streams ? Status() : Status(streams.error());
  }

  std::string group(const Options& options) const override {
    constexpr std::string_view kFoldOnly[] = {"cambi_max_val"};
    return options.canonical_without(kFoldOnly);
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    auto streams = cambi::plan_streams(variants[0], format);
    if (!streams) return streams.error();
    const auto visibility = std::make_shared<const cambi::Visibility>(
        cambi::make_visibility(cambi::visibility_options(variants[0])));
    streams->distorted.visibility = visibility;
    streams->source.visibility = visibility;
    return std::unique_ptr<Measurement>(
        std::make_unique<CambiMeasurement>(*std::move(streams), variants[0].text("heatmaps_path")));
  }

  // Variants of a group differ only in the clipping of the score and read the same record.
  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<CambiFold>(options, *cambi::plan_streams(options, format));
  }
};

}  // namespace

const Metric& cambi_metric() {
  static const CambiMetric metric;
  return metric;
}

int cambi::flatness_threshold(int width, int height) {
  const auto blocks =
      static_cast<std::uint32_t>(width / 64) * static_cast<std::uint32_t>(height / 64);
  const int log_blocks = blocks == 0 ? 0 : std::bit_width(blocks - 1);
  return (7 * 7 - 1 + 3 * (log_blocks - 11)) >> 1;
}

}  // namespace vmafx
