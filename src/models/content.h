// What a model consists of, whether it is built in or was read from a file.
#ifndef VMAFX_MODELS_CONTENT_H_
#define VMAFX_MODELS_CONTENT_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/score_mapping.h"
#include "models/svr.h"
#include "vmafx/model.h"

namespace vmafx {

struct LinearRescale {
  double slope = 1;
  double intercept = 0;

  double apply(double x) const { return slope * x + intercept; }
  double invert(double y) const { return (y - intercept) / slope; }

  friend bool operator==(const LinearRescale&, const LinearRescale&) = default;
};

// SpEED of chroma is 0 where it has nothing to measure (flat or singular planes), which is not the
// best quality but an absent one: a guided feature of exactly 0 becomes parameter * (1 - guiding
// feature).
struct ChromaCorrection {
  std::size_t guiding = 0;
  std::size_t guided = 0;
  double parameter = 0;

  friend bool operator==(const ChromaCorrection&, const ChromaCorrection&) = default;
};

// The space of rescaled features, and the support vectors in it.
struct FeatureSpace {
  std::vector<LinearRescale> rescale;  // one for each feature
  std::optional<ChromaCorrection> correction;
  KernelBasis basis;

  // Kernel values of one frame's features.
  void evaluate(std::span<const double> features, std::vector<double>& kernel) const;
};

struct ModelMember {
  std::size_t space = 0;  // index into ModelContent::spaces
  Regression regression;
  LinearRescale score;  // of the training scores; its inverse applies to the regression's result
  ScoreMapping mapping;
};

struct ModelContent {
  std::string digest;
  std::vector<ModelFeature> features;
  std::vector<FeatureSpace> spaces;
  std::vector<ModelMember> members;  // one, or a bootstrap set: the main model first
};

// The correction for features of these names: adm3 guides speed_chroma. nullopt unless exactly one
// feature is of each.
std::optional<ChromaCorrection> chroma_correction(std::span<const ModelFeature> features,
                                                  double parameter);

}  // namespace vmafx

#endif  // VMAFX_MODELS_CONTENT_H_
