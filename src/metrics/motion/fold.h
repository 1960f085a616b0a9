// From the differences between frames to the scores of the motion metrics.
#ifndef VMAFX_METRICS_MOTION_FOLD_H_
#define VMAFX_METRICS_MOTION_FOLD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/metric.h"

namespace vmafx::motion {

// The options that the fold looks at, and the one that zeroes everything.
std::vector<OptionSpec> fold_options();

// How many frames back the difference of a frame reaches; 0 if none is measured.
int frames_back(const Options& options);

struct FoldKeys {
  std::vector<OutputKey> all;
  std::vector<std::size_t> score;  // indexes in `all` of what is before the minimum
  std::size_t motion2 = 0;
  std::size_t motion3 = 0;
};

// Whether max_val clips the scores, or only what is reported: blending lies between.
enum class Clipping : std::uint8_t { kScores, kReports };

// With S the differences times the weight, m the first frame that has one (1, or 2 with the
// five-frame window):
//   motion2[i] = min(S[i - m + 1], S[i + 1]), where there are such frames
//   motion3[i] = blend(motion2[i]), clipped, averaged with its predecessor on request
// Before frame m there is no motion; motion3 takes blend(S[m]) there.
class MotionFold : public Fold {
 public:
  MotionFold(const Options& options, FoldKeys keys, Clipping clipping);

  std::vector<OutputKey> keys() const override { return keys_.all; }
  int lookahead() const override { return force_zero_ ? 0 : static_cast<int>(first_); }
  void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) override;
  void finish(FeatureSink& sink) override;

 protected:
  // Mean absolute difference of a frame that has one, in 8-bit steps.
  virtual double difference(std::span<const std::byte> record) const = 0;

 private:
  double score(std::int64_t frame, std::span<const std::byte> record) const;
  double blend(double score) const;
  double score_before_minimum(std::int64_t frame) const;
  void emit_measured(std::int64_t frame, double motion2, FeatureSink& sink);
  void emit(std::int64_t frame, double motion2, double motion3, FeatureSink& sink) const;

  FoldKeys keys_;
  Clipping clipping_;
  double fps_weight_;
  double blend_factor_;
  double blend_offset_;
  double max_value_;
  std::int64_t first_;
  bool force_zero_;
  bool average_;

  std::int64_t last_ = -1;
  std::array<double, 3> last_scores_{};  // of frames last_, last_ - 1, last_ - 2
  double previous_motion3_ = 0;          // before averaging
};

}  // namespace vmafx::motion

#endif  // VMAFX_METRICS_MOTION_FOLD_H_
