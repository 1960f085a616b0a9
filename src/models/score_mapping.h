// From the regression's score to the reported one: the model's transform, then its clip.
#ifndef VMAFX_MODELS_SCORE_MAPPING_H_
#define VMAFX_MODELS_SCORE_MAPPING_H_

#include <optional>
#include <vector>

namespace vmafx {

struct Knot {
  double x = 0;
  double y = 0;
};

// Polynomial, then piecewise linear map, then rectification against the input. A step that is not
// set passes its input on.
struct ScoreTransform {
  // p0 + p1 x + p2 x^2; those not set are 0 if another is set.
  std::optional<double> p0 = {};
  std::optional<double> p1 = {};
  std::optional<double> p2 = {};
  std::vector<Knot> knots = {};  // none, or at least two with x increasing and y not decreasing
  bool at_most_input = false;
  bool at_least_input = false;

  double apply(double score) const;
};

struct ScoreClip {
  double min = 0;
  double max = 0;
};

struct ScoreMapping {
  std::optional<ScoreTransform> transform = {};
  bool transform_enabled = false;
  std::optional<ScoreClip> clip = {};

  double apply(double score) const;
};

}  // namespace vmafx

#endif  // VMAFX_MODELS_SCORE_MAPPING_H_
