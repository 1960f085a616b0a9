#include "metrics/float_ms_ssim/float_ms_ssim.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/exact/power.h"

namespace vmafx {
namespace {

using ms_ssim::halved;
using ms_ssim::kScales;

const OptionSpec kOptions[] = {
    {.name = "enable_lcs",
     .help = "report luminance, contrast and structure of each scale of luma too",
     .default_value = false},
    {.name = "enable_db", .help = "report -10 log10(1 - MS-SSIM)", .default_value = false},
    {.name = "clip_db",
     .help = "cap of the dB value: an error of half a step in one sample",
     .default_value = false},
    {.name = "enable_chroma", .help = "measure chroma planes too", .default_value = false},
};

constexpr std::array<std::string_view, 3> kScores = {"float_ms_ssim", "float_ms_ssim_cb",
                                                     "float_ms_ssim_cr"};
constexpr std::array<std::string_view, 3 * kScales> kParts = {
    "float_ms_ssim_l_scale0", "float_ms_ssim_l_scale1", "float_ms_ssim_l_scale2",
    "float_ms_ssim_l_scale3", "float_ms_ssim_l_scale4", "float_ms_ssim_c_scale0",
    "float_ms_ssim_c_scale1", "float_ms_ssim_c_scale2", "float_ms_ssim_c_scale3",
    "float_ms_ssim_c_scale4", "float_ms_ssim_s_scale0", "float_ms_ssim_s_scale1",
    "float_ms_ssim_s_scale2", "float_ms_ssim_s_scale3", "float_ms_ssim_s_scale4"};

// The window must fit the last scale, whose size libvmaf takes as size / 16, rounded down.
constexpr int kMinSize = float_ssim::kTaps << (kScales - 1);

// Exponents of contrast and structure (Wang et al. 2003); that of luminance is 0 but at the last
// scale.
constexpr std::array<float, kScales> kExponents = {0.0448f, 0.2856f, 0.3001f, 0.2363f, 0.1333f};

using PlaneRecord = std::array<float_ssim::Sums, kScales>;
struct Record {
  std::array<PlaneRecord, 3> planes;
};

std::size_t planes_of(const Options& options, const PictureFormat& format) {
  return options.flag("enable_chroma") ? static_cast<std::size_t>(format.planes()) : 1;
}

constexpr int kMargin = 16;  // samples: a cache line

class FloatMsSsimMeasurement final : public Measurement {
 public:
  explicit FloatMsSsimMeasurement(std::size_t planes) : planes_(planes) {}

  std::size_t record_size() const override { return sizeof(Record); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    Record out{};
    for (std::size_t p = 0; p < planes_; ++p) {
      const int plane = static_cast<int>(p);
      out.planes[p] = input.reference[0].format().bit_depth == 8
                          ? plane_record<std::uint8_t>(input, plane, scratch)
                          : plane_record<std::uint16_t>(input, plane, scratch);
    }
    std::memcpy(record.data(), &out, sizeof out);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return ms_ssim::measure_on_device(format, static_cast<int>(planes_));
  }

 private:
  template <class Sample>
  static PlaneRecord plane_record(const MeasureInput& input, int plane, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const int depth = input.reference[0].format().bit_depth;
    const auto r = plane_view<Sample>(input.reference[0], plane);
    const auto d = plane_view<Sample>(input.distorted[0], plane);
    PlaneRecord out;
    out[0] = float_ssim::statistics(r, d, depth, scratch);
    PlaneView<float> reference = take_half(r.width, r.height, scratch);
    PlaneView<float> distorted = take_half(r.width, r.height, scratch);
    ms_ssim::halve(r, depth, reference, scratch);
    ms_ssim::halve(d, depth, distorted, scratch);
    for (std::size_t scale = 1; scale < kScales; ++scale) {
      if (scale > 1) {
        reference = halve(reference, scratch);
        distorted = halve(distorted, scratch);
      }
      out[scale] = float_ssim::statistics(reference, distorted, scratch);
    }
    return out;
  }

  static PlaneView<float> take_half(int width, int height, Scratch& scratch) {
    return take_plane<float>(scratch, halved(width), halved(height), kMargin);
  }

  static PlaneView<float> halve(PlaneView<const float> plane, Scratch& scratch) {
    const PlaneView<float> out = take_half(plane.width, plane.height, scratch);
    ms_ssim::halve(plane, out, scratch);
    return out;
  }

  std::size_t planes_;
};

// base to the power exponent, and 0 for negative means of structure, of which libvmaf makes NaN.
double power(double base, double exponent) { return base > 0 ? exact::pow(base, exponent) : 0; }

class FloatMsSsimFold final : public Fold {
 public:
  FloatMsSsimFold(const Options& options, const PictureFormat& format)
      : format_(format),
        planes_(planes_of(options, format)),
        parts_(options.flag("enable_lcs")),
        decibels_(options.flag("enable_db")) {
    for (std::size_t p = 0; p < planes_; ++p) {
      const int plane = static_cast<int>(p);
      cap_[p] = float_ssim::decibel_cap(options.flag("clip_db"), format.bit_depth,
                                        format.plane_width(plane), format.plane_height(plane));
    }
  }

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    const auto add = [&](std::string_view key) {
      keys.push_back({std::string(key), std::string(key)});
    };
    add(kScores[0]);
    if (parts_) std::for_each(kParts.begin(), kParts.end(), add);
    for (std::size_t p = 1; p < planes_; ++p) add(kScores[p]);
    return keys;
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Record raw;
    std::memcpy(&raw, record.data(), sizeof raw);
    std::size_t key = 0;
    for (std::size_t p = 0; p < planes_; ++p) {
      const auto means = means_of(raw.planes[p], static_cast<int>(p));
      const double score = combine(means);
      sink.feature(frame, key++, decibels_ ? float_ssim::to_decibels(score, cap_[p]) : score);
      if (p > 0 || !parts_) continue;
      for (const float_ssim::Means& m : means) sink.feature(frame, key++, m.luminance);
      for (const float_ssim::Means& m : means) sink.feature(frame, key++, m.contrast);
      for (const float_ssim::Means& m : means) sink.feature(frame, key++, m.structure);
    }
  }

 private:
  using ScaleMeans = std::array<float_ssim::Means, kScales>;

  ScaleMeans means_of(const PlaneRecord& record, int plane) const {
    ScaleMeans means;
    int width = format_.plane_width(plane);
    int height = format_.plane_height(plane);
    for (std::size_t scale = 0; scale < kScales; ++scale) {
      means[scale] = float_ssim::means_of(record[scale], width, height);
      width = halved(width);
      height = halved(height);
    }
    return means;
  }

  static double combine(const ScaleMeans& means) {
    double score = 1;
    for (std::size_t scale = 0; scale < kScales; ++scale) {
      const double exponent = kExponents[scale];
      const double luminance = scale + 1 == kScales ? power(means[scale].luminance, exponent) : 1;
      score *= luminance * power(means[scale].contrast, exponent) *
               power(means[scale].structure, exponent);
    }
    return score;
  }

  PictureFormat format_;
  std::size_t planes_;
  bool parts_;
  bool decibels_;
  std::array<double, 3> cap_{};
};

class FloatMsSsimMetric final : public Metric {
 public:
  std::string_view name() const override { return "float_ms_ssim"; }
  std::string_view summary() const override { return "multi-scale structural similarity"; }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override {
    static const std::vector<std::string_view> kOutputs = [] {
      std::vector<std::string_view> outputs(kScores.begin(), kScores.end());
      outputs.insert(outputs.end(), kParts.begin(), kParts.end());
      return outputs;
    }();
    return kOutputs;
  }

  Status check(const Options& options, const PictureFormat& format) const override {
    const int last = static_cast<int>(planes_of(options, format)) - 1;
    const int width = format.plane_width(last);
    const int height = format.plane_height(last);
    if (width < kMinSize || height < kMinSize) {
      return Error{ErrorCode::kNotApplicable,
                   fmt::format("float_ms_ssim: a plane of {}x{} is too small for {} scales, it "
                               "needs {}x{}",
                               width, height, kScales, kMinSize, kMinSize),
                   {}};
    }
    return {};
  }

  // Options change what is summed, not the sums: one measurement serves all.
  std::string group(const Options& /*options*/) const override { return {}; }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    std::size_t planes = 0;
    for (const Options& options : variants) planes = std::max(planes, planes_of(options, format));
    return std::unique_ptr<Measurement>(std::make_unique<FloatMsSsimMeasurement>(planes));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<FloatMsSsimFold>(options, format);
  }
};

}  // namespace

const Metric& float_ms_ssim_metric() {
  static const FloatMsSsimMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
