#include "metrics/float_motion/float_motion.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "metrics/motion/fold.h"

namespace vmafx {
namespace {

constexpr std::string_view kAddScale1 = "motion_add_scale1";
constexpr std::string_view kAddUv = "motion_add_uv";
constexpr std::string_view kFilterSize = "motion_filter_size";

constexpr std::string_view kOutputs[] = {"VMAF_feature_motion2_score", "VMAF_feature_motion_score",
                                         "VMAF_feature_motion3_score"};

// The mirrored border of the largest window needs one sample more than its radius.
constexpr int kSmallest = 3;

class FloatMotionMeasurement final : public Measurement {
 public:
  FloatMotionMeasurement(const Options& options, const PictureFormat& format)
      : back_(motion::frames_back(options)),
        planes_(options.flag(kAddUv) ? format.planes() : 1),
        step_(separable::step_of(format)),
        window_(float_motion::blur_window(options.integer(kFilterSize))) {
    if (!options.flag(kAddScale1)) return;
    for (int p = 0; p < planes_; ++p) {
      const int width = format.plane_width(p);
      const int height = format.plane_height(p);
      halves_[static_cast<std::size_t>(p)].emplace(Scaling::kBilinear, width, height,
                                                   (width + 1) / 2, (height + 1) / 2);
    }
  }

  std::size_t record_size() const override { return sizeof(double); }
  vmafx::Window window() const override { return {.reference_back = back_}; }
  bool reads_distorted() const override { return false; }
  bool every_frame() const override { return true; }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    double sum = 0;
    if (back_ > 0 && input.reference.size() > static_cast<std::size_t>(back_)) {
      const Picture& current = input.reference[0];
      const Picture& previous = input.reference[static_cast<std::size_t>(back_)];
      for (int p = 0; p < planes_; ++p) {
        sum += double{current.format().bit_depth == 8
                          ? difference<std::uint8_t>(previous, current, p, scratch)
                          : difference<std::uint16_t>(previous, current, p, scratch)};
      }
    }
    std::memcpy(record.data(), &sum, sizeof sum);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const override {
    return float_motion::measure_on_device({back_, planes_, step_, window_, halves_[0].has_value()},
                                           format);
  }

 private:
  template <class Sample>
  float difference(const Picture& previous, const Picture& current, int plane,
                   Scratch& scratch) const {
    const auto& half = halves_[static_cast<std::size_t>(plane)];
    return float_motion::difference(plane_view<Sample>(previous, plane),
                                    plane_view<Sample>(current, plane), step_, window_,
                                    half ? &*half : nullptr, scratch);
  }

  int back_;
  int planes_;
  float step_;
  separable::Window window_;
  std::array<std::optional<Scaler>, 3> halves_;
};

class FloatFold final : public motion::MotionFold {
 public:
  explicit FloatFold(const Options& options)
      : MotionFold(options, make_keys(options), motion::Clipping::kReports) {}

 protected:
  double difference(std::span<const std::byte> record) const override {
    double sum = 0;
    std::memcpy(&sum, record.data(), sizeof sum);
    return sum;
  }

 private:
  static motion::FoldKeys make_keys(const Options& options) {
    const std::string suffix = options.key_suffix();
    motion::FoldKeys keys;
    keys.all.push_back({"motion2" + suffix, std::string(kOutputs[0])});
    if (options.flag("debug")) {
      keys.score.push_back(keys.all.size());
      keys.all.push_back({"motion" + suffix, std::string(kOutputs[1])});
    }
    keys.motion3 = keys.all.size();
    // Frame 0 gets it last, when the difference of frame 1 is known.
    keys.all.push_back({"motion3" + suffix, std::string(kOutputs[2]), true});
    return keys;
  }
};

class FloatMotionMetric final : public Metric {
 public:
  std::string_view name() const override { return "float_motion"; }
  std::string_view summary() const override {
    return "change of the reference from frame to frame, floating-point arithmetic";
  }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  std::span<const OptionSpec> options() const override {
    static const std::vector<OptionSpec> kOptions = make_options();
    return kOptions;
  }

  Status check(const Options& options, const PictureFormat& format) const override {
    const bool chroma = options.flag(kAddUv);
    if (chroma && format.planes() == 1) {
      return Error{
          ErrorCode::kNotApplicable, fmt::format("float_motion with {} needs chroma", kAddUv), {}};
    }
    const int plane = chroma ? 1 : 0;
    const int width = format.plane_width(plane);
    const int height = format.plane_height(plane);
    if (width >= kSmallest && height >= kSmallest) return {};
    return Error{
        ErrorCode::kNotApplicable,
        fmt::format("float_motion needs {} of at least {}x{}, these are {}x{}",
                    chroma ? "chroma planes" : "pictures", kSmallest, kSmallest, width, height),
        {}};
  }

  std::string group(const Options& options) const override {
    return fmt::format("{} {} {} {}", motion::frames_back(options), options.flag(kAddScale1),
                       options.flag(kAddUv), options.integer(kFilterSize));
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    return std::unique_ptr<Measurement>(
        std::make_unique<FloatMotionMeasurement>(variants[0], format));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& /*format*/,
                             std::size_t /*variant*/) const override {
    return std::make_unique<FloatFold>(options);
  }

 private:
  static std::vector<OptionSpec> make_options() {
    std::vector<OptionSpec> options = motion::fold_options();
    options.push_back({.name = kAddScale1,
                       .alias = "mdc",
                       .help = "add the difference at half the size",
                       .default_value = false,
                       .in_key = true});
    options.push_back({.name = kAddUv,
                       .alias = "mau",
                       .help = "add the differences of the chroma planes",
                       .default_value = false,
                       .in_key = true});
    options.push_back({.name = kFilterSize,
                       .alias = "mfs",
                       .help = "taps of the blur: 1 (none), 3 or 5; all others mean 5",
                       .default_value = 5,
                       .min = 0,
                       .max = 9,
                       .in_key = true});
    options.push_back({.name = "debug",
                       .help = "report the score before the minimum too",
                       .default_value = true});
    return options;
  }
};

}  // namespace

namespace float_motion {

// Gaussians of standard deviation 1 (5 taps) and 0.6 (3 taps).
separable::Window blur_window(int filter_size) {
  constexpr float kNone[] = {1};
  constexpr float kThree[] = {0.166378498f, 0.667243004f, 0.166378498f};
  constexpr float kFive[] = {0.054488685f, 0.244201342f, 0.402619947f, 0.244201342f, 0.054488685f};
  if (filter_size == 1) return separable::Window(kNone);
  return filter_size == 3 ? separable::Window(kThree) : separable::Window(kFive);
}

}  // namespace float_motion

const Metric& float_motion_metric() {
  static const FloatMotionMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
