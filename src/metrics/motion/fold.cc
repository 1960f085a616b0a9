#include "metrics/motion/fold.h"

#include <algorithm>
#include <utility>

namespace vmafx::motion {
namespace {

constexpr std::string_view kForceZero = "motion_force_zero";
constexpr std::string_view kFiveFrameWindow = "motion_five_frame_window";

}  // namespace

std::vector<OptionSpec> fold_options() {
  return {
      {.name = kForceZero,
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
      {.name = kFiveFrameWindow,
       .alias = "mffw",
       .help = "compare with the frame before the previous one",
       .default_value = false,
       .in_key = true},
      {.name = "motion_moving_average",
       .alias = "mma",
       .help = "average motion3 with that of the frame before",
       .default_value = false,
       .in_key = true},
  };
}

int frames_back(const Options& options) {
  if (options.flag(kForceZero)) return 0;
  return options.flag(kFiveFrameWindow) ? 2 : 1;
}

MotionFold::MotionFold(const Options& options, FoldKeys keys, Clipping clipping)
    : keys_(std::move(keys)),
      clipping_(clipping),
      fps_weight_(options.number("motion_fps_weight")),
      blend_factor_(options.number("motion_blend_factor")),
      blend_offset_(options.number("motion_blend_offset")),
      max_value_(options.number("motion_max_val")),
      first_(options.flag(kFiveFrameWindow) ? 2 : 1),
      force_zero_(options.flag(kForceZero)),
      average_(options.flag("motion_moving_average")) {}

void MotionFold::push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) {
  const double now = score(frame, record);
  for (const std::size_t key : keys_.score) sink.feature(frame, key, std::min(now, max_value_));
  if (force_zero_) return emit(frame, 0, 0, sink);

  last_scores_ = {now, last_scores_[0], last_scores_[1]};
  last_ = frame;
  if (frame == first_) {
    const double stamp = blend(now);
    for (std::int64_t i = 0; i < first_; ++i) emit(i, 0, stamp, sink);
    previous_motion3_ = stamp;
  }
  if (frame > first_) emit_measured(frame - 1, score_before_minimum(frame), sink);
}

void MotionFold::finish(FeatureSink& sink) {
  if (force_zero_) return;
  if (last_ < first_) {
    for (std::int64_t i = 0; i <= last_; ++i) emit(i, 0, 0, sink);
  } else {
    emit_measured(last_, last_scores_[0], sink);
  }
}

double MotionFold::score(std::int64_t frame, std::span<const std::byte> record) const {
  if (force_zero_ || frame < first_) return 0;
  const double weighted = difference(record) * fps_weight_;
  return clipping_ == Clipping::kScores ? std::min(weighted, max_value_) : weighted;
}

double MotionFold::blend(double score) const {
  return std::min(score * blend_factor_ + (1 - blend_factor_) * std::min(blend_offset_, score),
                  max_value_);
}

// motion2 of frame - 1, now that the score of `frame` is known.
double MotionFold::score_before_minimum(std::int64_t frame) const {
  const std::int64_t earlier = frame - 1 - (first_ - 1);
  if (earlier < first_) return last_scores_[0];
  return std::min(last_scores_[static_cast<std::size_t>(first_)], last_scores_[0]);
}

void MotionFold::emit_measured(std::int64_t frame, double motion2, FeatureSink& sink) {
  const double blended = blend(motion2);
  emit(frame, motion2, average_ ? (blended + previous_motion3_) / 2.0 : blended, sink);
  previous_motion3_ = blended;
}

void MotionFold::emit(std::int64_t frame, double motion2, double motion3, FeatureSink& sink) const {
  sink.feature(frame, keys_.motion2, std::min(motion2, max_value_));
  sink.feature(frame, keys_.motion3, motion3);
}

}  // namespace vmafx::motion
