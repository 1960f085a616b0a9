#include "metrics/psnr/psnr.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "base/exact/log.h"

namespace vmafx {
namespace {

const OptionSpec kOptions[] = {
    {.name = "enable_chroma", .help = "measure chroma planes too", .default_value = true},
    {.name = "enable_mse", .help = "report the mean squared error too", .default_value = false},
    {.name = "enable_apsnr",
     .help = "report the PSNR of the mean error of all frames, as an aggregate",
     .default_value = false},
    {.name = "reduced_hbd_peak",
     .help = "peak 255 * 2^(depth - 8) in place of 2^depth - 1",
     .default_value = false},
    {.name = "min_sse",
     .help = "sum of squared errors that sets the cap; 0: 6 * depth + 12 dB",
     .default_value = 0.0,
     .min = 0,
     .max = DBL_MAX},
    {.name = "uncapped",
     .help = "no cap: equal planes give the PSNR of a mean squared error of 1e-16",
     .default_value = false},
};

constexpr std::array<std::string_view, 3> kPsnr = {"psnr_y", "psnr_cb", "psnr_cr"};
constexpr std::array<std::string_view, 3> kMse = {"mse_y", "mse_cb", "mse_cr"};
constexpr std::array<std::string_view, 3> kApsnr = {"apsnr_y", "apsnr_cb", "apsnr_cr"};
constexpr std::string_view kOutputs[] = {"psnr_y", "psnr_cb", "psnr_cr",
                                         "mse_y",  "mse_cb",  "mse_cr"};

constexpr double kSmallestMse = 1e-16;

// Raw sums of a frame; 0 for planes that are not measured.
struct Record {
  std::array<std::uint64_t, 3> sse;
};

std::size_t planes_of(const Options& options, const PictureFormat& format) {
  return options.flag("enable_chroma") ? static_cast<std::size_t>(format.planes()) : 1;
}

class PsnrMeasurement final : public Measurement {
 public:
  PsnrMeasurement(std::size_t planes, bool every_frame)
      : planes_(planes), every_frame_(every_frame) {}

  std::size_t record_size() const override { return sizeof(Record); }
  bool every_frame() const override { return every_frame_; }

  void measure(const MeasureInput& input, Scratch& /*scratch*/,
               std::span<std::byte> record) const override {
    Record out{};
    for (std::size_t p = 0; p < planes_; ++p) {
      out.sse[p] = input.reference[0].format().bit_depth == 8
                       ? sse<std::uint8_t>(input, static_cast<int>(p))
                       : sse<std::uint16_t>(input, static_cast<int>(p));
    }
    std::memcpy(record.data(), &out, sizeof out);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& /*format*/) const override {
    return psnr::measure_on_device(static_cast<int>(planes_));
  }

 private:
  template <class Sample>
  static std::uint64_t sse(const MeasureInput& input, int plane) {
    return psnr::sse(plane_view<Sample>(input.reference[0], plane),
                     plane_view<Sample>(input.distorted[0], plane),
                     input.reference[0].format().bit_depth);
  }

  std::size_t planes_;
  bool every_frame_;
};

class PsnrFold final : public Fold {
 public:
  PsnrFold(const Options& options, const PictureFormat& format)
      : planes_(planes_of(options, format)),
        report_mse_(options.flag("enable_mse")),
        report_apsnr_(options.flag("enable_apsnr")) {
    const double peak = options.flag("reduced_hbd_peak") ? 255 << (format.bit_depth - 8)
                                                         : (1 << format.bit_depth) - 1;
    peak_squared_ = peak * peak;
    for (std::size_t p = 0; p < planes_; ++p) {
      const auto plane = static_cast<int>(p);
      pixels_[p] = static_cast<double>(format.plane_width(plane)) * format.plane_height(plane);
      const double min_sse = options.number("min_sse");
      cap_[p] =
          min_sse == 0 ? 6 * format.bit_depth + 12 : std::ceil(decibels(min_sse / pixels_[p]));
      if (options.flag("uncapped")) cap_[p] = HUGE_VAL;
    }
  }

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys;
    for (std::size_t p = 0; p < planes_; ++p) {
      keys.push_back({std::string(kPsnr[p]), std::string(kPsnr[p])});
      if (report_mse_) keys.push_back({std::string(kMse[p]), std::string(kMse[p])});
    }
    return keys;
  }

  std::vector<std::string> aggregate_keys() const override {
    if (!report_apsnr_) return {};
    return {kApsnr.begin(), kApsnr.begin() + static_cast<std::ptrdiff_t>(planes_)};
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Record raw;
    std::memcpy(&raw, record.data(), sizeof raw);
    std::size_t key = 0;
    for (std::size_t p = 0; p < planes_; ++p) {
      total_sse_[p] += raw.sse[p];
      const double mse = static_cast<double>(raw.sse[p]) / pixels_[p];
      sink.feature(frame, key++, std::min(decibels(std::max(mse, kSmallestMse)), cap_[p]));
      if (report_mse_) sink.feature(frame, key++, mse);
    }
    ++frames_;
  }

  void finish(FeatureSink& sink) override {
    if (!report_apsnr_ || frames_ == 0) return;
    for (std::size_t p = 0; p < planes_; ++p) {
      const double pixels = pixels_[p] * static_cast<double>(frames_);
      const double apsnr = 10 * (exact::log10(peak_squared_) + exact::log10(pixels) -
                                 exact::log10(static_cast<double>(total_sse_[p])));
      const double cap = std::ceil(10 * exact::log10(peak_squared_ * pixels * 2));
      sink.aggregate(p, std::min(apsnr, cap));
    }
  }

 private:
  double decibels(double mse) const { return 10. * exact::log10(peak_squared_ / mse); }

  std::size_t planes_;
  bool report_mse_;
  bool report_apsnr_;
  double peak_squared_ = 0;
  std::array<double, 3> pixels_{};
  std::array<double, 3> cap_{};

  std::array<std::uint64_t, 3> total_sse_{};
  std::int64_t frames_ = 0;
};

class PsnrMetric final : public Metric {
 public:
  std::string_view name() const override { return "psnr"; }
  std::string_view summary() const override {
    return "peak signal-to-noise ratio of each plane, in dB";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& /*options*/, const PictureFormat& /*format*/) const override {
    return {};
  }

  // Options change what is summed, not the sums: one measurement serves all.
  std::string group(const Options& /*options*/) const override { return {}; }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    std::size_t planes = 0;
    bool every_frame = false;
    for (const Options& options : variants) {
      planes = std::max(planes, planes_of(options, format));
      every_frame = every_frame || options.flag("enable_apsnr");
    }
    return std::unique_ptr<Measurement>(std::make_unique<PsnrMeasurement>(planes, every_frame));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<PsnrFold>(options, format);
  }
};

}  // namespace

const Metric& psnr_metric() {
  static const PsnrMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
