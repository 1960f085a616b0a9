#include "metrics/motion/motion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace vmafx {
namespace {

using motion::kRadius;

const OptionSpec kOptions[] = {
    {.name = "motion_force_zero",
     .alias = "force_0",
     .help = "report no motion at all",
     .default_value = false,
     .in_key = true},
    {.name = "motion_fps_weight",
     .alias = "mfw",
     .help = "factor on the score, to compensate for the frame rate",
     .default_value = 1.0,
     .min = 0,
     .max = 5,
     .in_key = true},
    {.name = "motion_blend_factor",
     .alias = "mbf",
     .help = "weight of motion above the blend offset, in motion3",
     .default_value = 1.0,
     .min = 0,
     .max = 1,
     .in_key = true},
    {.name = "motion_blend_offset",
     .alias = "mbo",
     .help = "motion from which blending starts",
     .default_value = 40.0,
     .min = 0,
     .max = 1000,
     .in_key = true},
    {.name = "motion_max_val",
     .alias = "mmxv",
     .help = "largest score; larger ones are clipped",
     .default_value = 10000.0,
     .min = 0,
     .max = 10000,
     .in_key = true},
    {.name = "motion_five_frame_window",
     .alias = "mffw",
     .help = "compare with the frame before the previous one",
     .default_value = false,
     .in_key = true},
    {.name = "motion_moving_average",
     .alias = "mma",
     .help = "average motion3 with that of the frame before",
     .default_value = false,
     .in_key = true},
    {.name = "debug", .help = "report the score before the minimum too", .default_value = false},
};

constexpr std::string_view kSad = "VMAF_integer_feature_motion_sad_score";
constexpr std::string_view kMotion = "VMAF_integer_feature_motion_score";
constexpr std::string_view kMotion2 = "VMAF_integer_feature_motion2_score";
constexpr std::string_view kMotion3 = "VMAF_integer_feature_motion3_score";
constexpr std::string_view kOutputs[] = {kSad, kMotion, kMotion2, kMotion3};

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
  bool every_frame() const override { return true; }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    Record out{};
    if (back_ > 0 && input.reference.size() > static_cast<std::size_t>(back_)) {
      const Picture& current = input.reference[0];
      const Picture& previous = input.reference[static_cast<std::size_t>(back_)];
      out.sad = current.format().bit_depth == 8 ? sad<std::uint8_t>(previous, current, scratch)
                                                : sad<std::uint16_t>(previous, current, scratch);
    }
    std::memcpy(record.data(), &out, sizeof out);
  }

  // Motion is the reference's alone.
  void measure_encodes(const EncodesInput& input, Scratch& scratch,
                       std::span<const std::span<std::byte>> records) const override {
    measure({input.frame, input.reference, input.distorted[0]}, scratch, records[0]);
    for (const std::span<std::byte> record : records.subspan(1))
      std::copy(records[0].begin(), records[0].end(), record.begin());
  }

 private:
  template <class Sample>
  static std::uint64_t sad(const Picture& previous, const Picture& current, Scratch& scratch) {
    return motion::sad(plane_view<Sample>(previous, 0), plane_view<Sample>(current, 0),
                       current.format().bit_depth, scratch);
  }

  int back_;
};

// With S the scores from the sums, m the first frame that has one (1, or 2 with the five-frame
// window):
//   motion2[i] = min(S[i - m + 1], S[i + 1]), where there are such frames
//   motion3[i] = blend(motion2[i]), clipped, averaged with its predecessor on request
// Before frame m there is no motion; motion3 takes blend(S[m]) there.
class MotionFold final : public Fold {
 public:
  MotionFold(const Options& options, const PictureFormat& format)
      : suffix_(options.key_suffix()),
        pixels_(static_cast<unsigned>(format.width) * static_cast<unsigned>(format.height)),
        fps_weight_(options.number("motion_fps_weight")),
        blend_factor_(options.number("motion_blend_factor")),
        blend_offset_(options.number("motion_blend_offset")),
        max_value_(options.number("motion_max_val")),
        first_(options.flag("motion_five_frame_window") ? 2 : 1),
        force_zero_(options.flag("motion_force_zero")),
        average_(options.flag("motion_moving_average")),
        debug_(options.flag("debug")) {}

  std::vector<OutputKey> keys() const override {
    std::vector<OutputKey> keys = {
        {std::string(kSad) + suffix_, std::string(kSad)},
        {"integer_motion2" + suffix_, std::string(kMotion2), true},
        {"integer_motion3" + suffix_, std::string(kMotion3), true},
    };
    if (debug_) keys.push_back({"integer_motion" + suffix_, std::string(kMotion)});
    return keys;
  }

  int lookahead() const override { return static_cast<int>(first_); }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    Record raw;
    std::memcpy(&raw, record.data(), sizeof raw);
    double score = 0;
    if (!force_zero_ && frame >= first_)
      score = std::min(static_cast<double>(raw.sad) / 256. / pixels_ * fps_weight_, max_value_);
    sink.feature(frame, kSadKey, score);
    if (debug_) sink.feature(frame, kMotionKey, score);

    last_scores_ = {score, last_scores_[0], last_scores_[1]};
    last_ = frame;
    if (frame == first_) {
      const double stamp = blend(score);
      for (std::int64_t i = 0; i < first_; ++i) emit(i, 0, stamp, sink);
      previous_motion3_ = stamp;
    }
    if (frame > first_) emit_measured(frame - 1, score_before_minimum(frame), sink);
  }

  void finish(FeatureSink& sink) override {
    if (last_ < first_) {
      for (std::int64_t i = 0; i <= last_; ++i) emit(i, 0, 0, sink);
    } else {
      emit_measured(last_, last_scores_[0], sink);
    }
  }

 private:
  enum Key : std::size_t { kSadKey, kMotion2Key, kMotion3Key, kMotionKey };

  double blend(double score) const {
    return std::min(score * blend_factor_ + (1 - blend_factor_) * std::min(blend_offset_, score),
                    max_value_);
  }

  // motion2 of frame - 1, now that the score of `frame` is known.
  double score_before_minimum(std::int64_t frame) const {
    const std::int64_t earlier = frame - 1 - (first_ - 1);
    if (earlier < first_) return last_scores_[0];
    return std::min(last_scores_[static_cast<std::size_t>(first_)], last_scores_[0]);
  }

  void emit_measured(std::int64_t frame, double motion2, FeatureSink& sink) {
    const double blended = blend(motion2);
    emit(frame, motion2, average_ ? (blended + previous_motion3_) / 2.0 : blended, sink);
    previous_motion3_ = blended;
  }

  static void emit(std::int64_t frame, double motion2, double motion3, FeatureSink& sink) {
    sink.feature(frame, kMotion2Key, motion2);
    sink.feature(frame, kMotion3Key, motion3);
  }

  std::string suffix_;
  unsigned pixels_;
  double fps_weight_;
  double blend_factor_;
  double blend_offset_;
  double max_value_;
  std::int64_t first_;
  bool force_zero_;
  bool average_;
  bool debug_;

  std::int64_t last_ = -1;
  std::array<double, 3> last_scores_{};  // of frames last_, last_ - 1, last_ - 2
  double previous_motion3_ = 0;          // before averaging
};

class MotionMetric final : public Metric {
 public:
  std::string_view name() const override { return "motion"; }
  std::string_view summary() const override {
    return "change of the reference from frame to frame, integer arithmetic";
  }
  std::span<const OptionSpec> options() const override { return kOptions; }
  std::span<const std::string_view> outputs() const override { return kOutputs; }

  Status check(const Options& /*options*/, const PictureFormat& format) const override {
    constexpr int kSmallest = kRadius + 1;
    if (format.width >= kSmallest && format.height >= kSmallest) return {};
    return Error{ErrorCode::kNotApplicable,
                 fmt::format("motion needs pictures of at least {}x{}, these are {}x{}", kSmallest,
                             kSmallest, format.width, format.height),
                 {}};
  }

  std::string group(const Options& options) const override {
    return std::to_string(frames_back(options));
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& /*format*/) const override {
    return std::unique_ptr<Measurement>(
        std::make_unique<MotionMeasurement>(frames_back(variants[0])));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                             std::size_t /*variant*/) const override {
    return std::make_unique<MotionFold>(options, format);
  }

 private:
  static int frames_back(const Options& options) {
    if (options.flag("motion_force_zero")) return 0;
    return options.flag("motion_five_frame_window") ? 2 : 1;
  }
};

}  // namespace

const Metric& motion_metric() {
  static const MotionMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
