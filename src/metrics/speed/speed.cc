#include "metrics/speed/speed.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "metrics/speed/score.h"

namespace vmafx {
namespace {

using speed::BlockStatistics;
using speed::Content;
using speed::Plan;
using speed::PlaneScore;
using speed::Tail;

const OptionSpec kKernelScale = {.name = "speed_kernelscale",
                                 .alias = "ks",
                                 .help = "factor on the width of the Gaussian windows",
                                 .default_value = 1.0,
                                 .min = 0.1,
                                 .max = 4,
                                 .in_key = true};
const OptionSpec kPrescale = {.name = "speed_prescale",
                              .alias = "ps",
                              .help = "factor by which pictures are scaled before",
                              .default_value = 1.0,
                              .min = 0.1,
                              .max = 4,
                              .in_key = true};
const OptionSpec kPrescaleMethod = {.name = "speed_prescale_method",
                                    .alias = "psm",
                                    .help = "how pictures are scaled",
                                    .default_value = std::string("nearest"),
                                    .choices = {"nearest", "bicubic", "lanczos4", "bilinear"},
                                    .in_key = true};
const OptionSpec kSigmaNn = {.name = "speed_sigma_nn",
                             .alias = "snn",
                             .help = "standard deviation of the neural noise",
                             .default_value = 0.29,
                             .min = 0.1,
                             .max = 2,
                             .in_key = true};
const OptionSpec kNnFloor = {
    .name = "speed_nn_floor",
    .alias = "nnf",
    .help = "share of the noise by which an entropy must exceed it to be seen",
    .default_value = 0.0,
    .min = 0,
    .max = 1,
    .in_key = true};
const OptionSpec kMaxVal = {.name = "speed_max_val",
                            .alias = "mxv",
                            .help = "largest score; larger ones are clipped",
                            .default_value = 1000.0,
                            .min = 0,
                            .max = 1000,
                            .in_key = true};
// libvmaf has the option, puts it into the key and does not clip.
const OptionSpec kUnusedMaxVal = {.name = "speed_max_val",
                                  .alias = "mxv",
                                  .help = "part of the key only, as in libvmaf: nothing is clipped",
                                  .default_value = 1000.0,
                                  .min = 0,
                                  .max = 1000,
                                  .in_key = true};
const OptionSpec kWeightVarMode = {
    .name = "speed_weight_var_mode",
    .alias = "wvm",
    .help =
        "whose variances weight the entropies: 0 each its own, 1 reference, 2 distorted, 3 mean, "
        "4..6 reference and a mixture",
    .default_value = 0,
    .min = 0,
    .max = speed::kWeightModes - 1,
    .in_key = true};
const OptionSpec kUseRefDiff = {.name = "speed_use_ref_diff",
                                .alias = "urd",
                                .help = "compare the distorted frame with the reference before it",
                                .default_value = false,
                                .in_key = true};

const OptionSpec kChromaOptions[] = {kKernelScale, kPrescale, kPrescaleMethod, kSigmaNn,
                                     kNnFloor,     kMaxVal,   kWeightVarMode};
const OptionSpec kTemporalOptions[] = {kKernelScale, kPrescale,     kPrescaleMethod, kSigmaNn,
                                       kNnFloor,     kUnusedMaxVal, kUseRefDiff};

// What the measurement does not depend on, or only in its last, cheap step.
constexpr std::string_view kTailOptions[] = {"speed_nn_floor", "speed_max_val",
                                             "speed_weight_var_mode"};

constexpr std::string_view kChromaOutputs[] = {"Speed_chroma_feature_speed_chroma_u_score",
                                               "Speed_chroma_feature_speed_chroma_v_score",
                                               "Speed_chroma_feature_speed_chroma_uv_score"};
constexpr std::string_view kTemporalOutputs[] = {"Speed_temporal_feature_speed_temporal_score"};

speed::Settings settings_of(const Options& options) {
  return {options.number("speed_kernelscale"), options.number("speed_prescale"),
          scaling_named(options.text("speed_prescale_method")), options.number("speed_sigma_nn")};
}

Status check_size(std::string_view metric, std::string_view plane, int width, int height,
                  double prescale) {
  const auto g = speed::make_geometry(width, height, prescale);
  if (g.blocks() > 0) return {};
  const std::string scaled =
      g.scales() ? fmt::format(", {}x{} after prescaling", g.scaled_width, g.scaled_height) : "";
  return Error{ErrorCode::kNotApplicable,
               fmt::format("{} needs {} of at least {}x{}, here they are {}x{}{}", metric, plane,
                           speed::kSmallest, speed::kSmallest, width, height, scaled),
               {}};
}

BlockStatistics take_statistics(Scratch& scratch, const Plan& plan) {
  const auto blocks = static_cast<std::size_t>(plan.geometry.blocks());
  return {{scratch.take<float>(blocks), blocks}, {scratch.take<float>(blocks), blocks}};
}

// scores[i] is that of tails[i].
template <class Sample>
void score_pair(const Plan& plan, std::span<const Tail> tails,
                const speed::Source<Sample>& reference, const speed::Source<Sample>& distorted,
                Scratch& scratch, std::span<PlaneScore> scores) {
  const Scratch::Frame frame(scratch);
  const BlockStatistics r = take_statistics(scratch, plan);
  const BlockStatistics d = take_statistics(scratch, plan);
  const bool regular = speed::statistics(plan, reference, scratch, r) &&
                       speed::statistics(plan, distorted, scratch, d);
  for (std::size_t i = 0; i < tails.size(); ++i) {
    scores[i] = {};
    if (!regular) continue;
    scores[i] = {speed::compare(r, d, plan.noise, tails[i].floor, tails[i].weight_mode), 1};
  }
}

float step_of(const Picture& picture) { return speed::step_of_depth(picture.format().bit_depth); }

template <class Sample>
speed::Source<Sample> plane_source(const Picture& picture, int plane) {
  return {plane_view<Sample>(picture, plane), {}, step_of(picture)};
}

template <class Sample>
speed::Source<Sample> difference_source(const Picture& earlier, const Picture& later) {
  return {plane_view<Sample>(earlier, 0), plane_view<Sample>(later, 0), step_of(later)};
}

template <class Record>
void store(std::span<std::byte> record, std::size_t variant, const Record& value) {
  std::memcpy(record.data() + variant * sizeof value, &value, sizeof value);
}

template <class Record>
Record load(std::span<const std::byte> record, std::size_t variant) {
  Record value;
  std::memcpy(&value, record.data() + variant * sizeof value, sizeof value);
  return value;
}

struct ChromaRecord {
  PlaneScore u;
  PlaneScore v;
};

class ChromaMeasurement final : public Measurement {
 public:
  ChromaMeasurement(Plan plan, std::vector<Tail> tails)
      : plan_(std::move(plan)), tails_(std::move(tails)) {}

  std::size_t record_size() const override { return tails_.size() * sizeof(ChromaRecord); }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    if (input.reference[0].format().bit_depth == 8) {
      measure_samples<std::uint8_t>(input, scratch, record);
    } else {
      measure_samples<std::uint16_t>(input, scratch, record);
    }
  }
  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& /*format*/) const override {
    return speed::measure_on_device(plan_, tails_, Content::kChroma);
  }

 private:
  template <class Sample>
  void measure_samples(const MeasureInput& input, Scratch& scratch,
                       std::span<std::byte> record) const {
    const Scratch::Frame frame(scratch);
    const std::size_t variants = tails_.size();
    const std::span scores(scratch.take<PlaneScore>(2 * variants), 2 * variants);
    for (int plane = 1; plane <= 2; ++plane) {
      score_pair(plan_, tails_, plane_source<Sample>(input.reference[0], plane),
                 plane_source<Sample>(input.distorted[0], plane), scratch,
                 scores.subspan(plane == 1 ? 0 : variants, variants));
    }
    for (std::size_t i = 0; i < variants; ++i)
      store(record, i, ChromaRecord{scores[i], scores[variants + i]});
  }

  Plan plan_;
  std::vector<Tail> tails_;
};

class ChromaFold final : public Fold {
 public:
  ChromaFold(const Options& options, std::size_t variant)
      : suffix_(options.key_suffix()),
        max_value_(options.number("speed_max_val")),
        variant_(variant) {}

  std::vector<OutputKey> keys() const override {
    return {{"speed_chroma_u" + suffix_, std::string(kChromaOutputs[0])},
            {"speed_chroma_v" + suffix_, std::string(kChromaOutputs[1])},
            {"speed_chroma_uv" + suffix_, std::string(kChromaOutputs[2])}};
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    const auto [u, v] = load<ChromaRecord>(record, variant_);
    // A plane without a score, a flat one for example, takes part in the mean with the other's.
    float both = (u.score + v.score) / 2;
    if (u.regular != v.regular) both = u.regular != 0 ? u.score : v.score;
    const float scores[] = {u.score, v.score, both};
    for (std::size_t key = 0; key < 3; ++key)
      sink.feature(frame, key, std::min(static_cast<double>(scores[key]), max_value_));
  }

 private:
  std::string suffix_;
  double max_value_;
  std::size_t variant_;
};

class TemporalMeasurement final : public Measurement {
 public:
  TemporalMeasurement(Plan plan, std::vector<Tail> tails, bool against_reference)
      : plan_(std::move(plan)), tails_(std::move(tails)), against_reference_(against_reference) {}

  std::size_t record_size() const override { return tails_.size() * sizeof(PlaneScore); }
  Window window() const override { return {.reference_back = 1, .distorted_back = 1}; }
  bool every_frame() const override { return true; }

  void measure(const MeasureInput& input, Scratch& scratch,
               std::span<std::byte> record) const override {
    if (input.reference.size() < 2) {
      for (std::size_t i = 0; i < tails_.size(); ++i) store(record, i, PlaneScore{});
    } else if (input.reference[0].format().bit_depth == 8) {
      measure_samples<std::uint8_t>(input, scratch, record);
    } else {
      measure_samples<std::uint16_t>(input, scratch, record);
    }
  }
  std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& /*format*/) const override {
    return speed::measure_on_device(
        plan_, tails_, against_reference_ ? Content::kChangeToReference : Content::kChange);
  }

 private:
  template <class Sample>
  void measure_samples(const MeasureInput& input, Scratch& scratch,
                       std::span<std::byte> record) const {
    const Scratch::Frame frame(scratch);
    const std::span scores(scratch.take<PlaneScore>(tails_.size()), tails_.size());
    const Picture& after = against_reference_ ? input.reference[0] : input.distorted[0];
    score_pair(plan_, tails_, difference_source<Sample>(input.reference[1], input.reference[0]),
               difference_source<Sample>(input.distorted[1], after), scratch, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) store(record, i, scores[i]);
  }

  Plan plan_;
  std::vector<Tail> tails_;
  bool against_reference_;
};

class TemporalFold final : public Fold {
 public:
  TemporalFold(const Options& options, std::size_t variant)
      : suffix_(options.key_suffix()), variant_(variant) {}

  std::vector<OutputKey> keys() const override {
    return {{"speed_temporal" + suffix_, std::string(kTemporalOutputs[0])}};
  }

  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override {
    sink.feature(frame, 0, static_cast<double>(load<PlaneScore>(record, variant_).score));
  }

 private:
  std::string suffix_;
  std::size_t variant_;
};

std::vector<Tail> tails_of(std::span<const Options> variants, bool has_weight_mode) {
  std::vector<Tail> tails;
  for (const Options& options : variants) {
    tails.push_back({static_cast<float>(options.number("speed_nn_floor")),
                     has_weight_mode ? options.integer("speed_weight_var_mode") : 0});
  }
  return tails;
}

class SpeedChromaMetric final : public Metric {
 public:
  std::string_view name() const override { return "speed_chroma"; }
  std::string_view summary() const override {
    return "SpEED: differences of local entropy of the chroma planes";
  }
  std::span<const OptionSpec> options() const override { return kChromaOptions; }
  std::span<const std::string_view> outputs() const override { return kChromaOutputs; }

  Status check(const Options& options, const PictureFormat& format) const override {
    if (format.chroma == Chroma::k400)
      return Error{ErrorCode::kNotApplicable, "speed_chroma needs chroma planes", {}};
    return check_size(name(), "chroma planes", format.plane_width(1), format.plane_height(1),
                      options.number("speed_prescale"));
  }

  std::string group(const Options& options) const override {
    return options.canonical_without(kTailOptions);
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    return std::unique_ptr<Measurement>(std::make_unique<ChromaMeasurement>(
        speed::make_plan(format.plane_width(1), format.plane_height(1), settings_of(variants[0])),
        tails_of(variants, true)));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& /*format*/,
                             std::size_t variant) const override {
    return std::make_unique<ChromaFold>(options, variant);
  }
};

class SpeedTemporalMetric final : public Metric {
 public:
  std::string_view name() const override { return "speed_temporal"; }
  std::string_view summary() const override {
    return "SpEED: differences of local entropy of luma's change from frame to frame";
  }
  std::span<const OptionSpec> options() const override { return kTemporalOptions; }
  std::span<const std::string_view> outputs() const override { return kTemporalOutputs; }

  Status check(const Options& options, const PictureFormat& format) const override {
    return check_size(name(), "pictures", format.width, format.height,
                      options.number("speed_prescale"));
  }

  std::string group(const Options& options) const override {
    return options.canonical_without(kTailOptions);
  }

  Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                   const PictureFormat& format) const override {
    return std::unique_ptr<Measurement>(std::make_unique<TemporalMeasurement>(
        speed::make_plan(format.width, format.height, settings_of(variants[0])),
        tails_of(variants, false), variants[0].flag("speed_use_ref_diff")));
  }

  std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& /*format*/,
                             std::size_t variant) const override {
    return std::make_unique<TemporalFold>(options, variant);
  }
};

}  // namespace

const Metric& speed_chroma_metric() {
  static const SpeedChromaMetric kMetric;
  return kMetric;
}

const Metric& speed_temporal_metric() {
  static const SpeedTemporalMetric kMetric;
  return kMetric;
}

}  // namespace vmafx
