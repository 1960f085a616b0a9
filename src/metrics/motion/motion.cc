#include "metrics/motion/motion.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "metrics/motion/fold.h"

namespace vmafx {
namespace {

using motion::kRadius;

constexpr std::string_view kOutputs[] = {
    "VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_motion_score",
    "VMAF_integer_feature_motion2_score", "VMAF_integer_feature_motion3_score"};
constexpr std::string_view kV2Outputs[] = {"VMAF_integer_feature_motion_v2_sad_score",
                                           "VMAF_integer_feature_motion2_v2_score",
                                           "VMAF_integer_feature_motion3_v2_score"};

motion::FoldKeys make_keys(const Options& options) {
  const std::string suffix = options.key_suffix();
  const auto key = [&](std::string_view report, std::string_view name, bool after = false) {
    return OutputKey{std::string(report) + suffix, std::string(name), after};
  };
  motion::FoldKeys keys{{key(kOutputs[0], kOutputs[0]), key("integer_motion2", kOutputs[2], true),
                         key("integer_motion3", kOutputs[3], true)},
                        {0},
                        1,
                        2};
  if (options.flag("debug")) {
    keys.score.push_back(keys.all.size());
    keys.all.push_back(key("integer_motion", kOutputs[1]));
  }
  return keys;
}

// libvmaf has no short names for these.
motion::FoldKeys make_v2_keys(const Options& options) {
  motion::FoldKeys keys{{}, {0}, 1, 2};
  for (const std::string_view name : kV2Outputs)
    keys.all.push_back(
        {std::string(name) + options.key_suffix(), std::string(name), !keys.all.empty()});
  return keys;
}

// Raw sums of a frame.
struct Record {
  std::uint64_t sad;
};

class MotionMeasurement final : public Measurement {
 public:
  // back = 0: no motion is measured.
  explicit MotionMeasurement(int back) : back_(back) {}

  std::size_t record_size() const override { return sizeof(Record); }
  Window window() const override { return {.reference_back = back_}; }
  bool reads_distorted() const override { return false; }
  bool every_frame() const override { return true; }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    Record out{};
    if (back_ > 0 && input.reference.size() > static_cast<std::size_t>(back_)) {
      const Picture& current = input.reference[0];
      const Picture& previous = input.reference[static_cast<std::size_t>(back_)];
      const auto sad_of = current.format().bit_depth == 8 ? sad<std::uint8_t> : sad<std::uint16_t>;
      out.sad = sad_of(previous, current, scratch, input.crew);
    }
    std::memcpy(record.data(), &out, sizeof out);
  }

  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& /*format*/) const override {
    return motion::measure_on_device(back_);
  }

 private:
  template <class Sample>
  static std::uint64_t sad(const Picture& previous, const Picture& current, Scratch& scratch,
                           Crew* crew) {
    return motion::sad(plane_view<Sample>(previous, 0), plane_view<Sample>(current, 0),
                       current.format().bit_depth, scratch, crew);
  }

  int back_;
};

class IntegerFold final : public motion::MotionFold {
 public:
  IntegerFold(const Options& options, motion::FoldKeys keys, const PictureFormat& format)
      : MotionFold(options, std::move(keys), motion::Clipping::kScores),
        pixels_(static_cast<unsigned>(format.width) * static_cast<unsigned>(format.height)) {}

 protected:
  double difference(std::span<const std::byte> record) const override {
    Record raw;
    std::memcpy(&raw, record.data(), sizeof raw);
    return static_cast<double>(raw.sad) / 256. / pixels_;
  }

 private:
  unsigned pixels_;
};

// What motion and motion_v2 have in common: one measurement serves both.
class IntegerMetric : public Metric {
 public:
  std::string_view measured_as() const final { return "motion"; }

  Status check(const Options& /*options*/, const PictureFormat& format) const final {
    constexpr int kSmallest = kRadius + 1;
    if (format.width >= kSmallest && format.height >= kSmallest) return {};
    return Error{ErrorCode::kNotApplicable,
                 fmt::format("{} needs pictures of at least {}x{}, these are {}x{}", name(),
                             kSmallest, kSmallest, format.width, format.height),
                 {}};
  }

  std::string group(const Options& options) const final {
    return std::to_string(motion::frames_back(options));
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& /*format*/) const final {
    return std::unique_ptr<Measurement>(
        std::make_unique<MotionMeasurement>(motion::frames_back(variants[0])));
  }
};

class MotionMetric final : public IntegerMetric {
 public:
  std::string_view name() const override { return "motion"; }
  std::string_view summary() const override {
    return "change of the reference from frame to frame, integer arithmetic";
  }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  std::span<const OptionSpec> options() const override {
    static const std::vector<OptionSpec> kOptions = [] {
      std::vector<OptionSpec> options = motion::fold_options();
      options.push_back({.name = "debug",
                         .help = "report the score before the minimum too",
                         .default_value = false});
      return options;
    }();
    return kOptions;
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<IntegerFold>(options, make_keys(options), format);
  }
};

class MotionV2Metric final : public IntegerMetric {
 public:
  std::string_view name() const override { return "motion_v2"; }
  std::string_view summary() const override {
    return "the values of motion under the names of VMAFx's second version";
  }
  std::span<const std::string_view> outputs() const override { return kV2Outputs; }

  std::span<const OptionSpec> options() const override {
    static const std::vector<OptionSpec> kOptions = motion::fold_options();
    return kOptions;
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<IntegerFold>(options, make_v2_keys(options), format);
  }
};

}  // namespace

const Metric& motion_metric() {
  static const MotionMetric kMetric;
  return kMetric;
}

const Metric& motion_v2_metric() {
  static const MotionV2Metric kMetric;
  return kMetric;
}

}  // namespace vmafx
