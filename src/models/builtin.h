// The figures of the built-in models, which tools/import_model.py writes into builtin/.
#ifndef VMAFX_MODELS_BUILTIN_H_
#define VMAFX_MODELS_BUILTIN_H_

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/content.h"

namespace vmafx {

struct BuiltinRegression {
  double rho;
  std::span<const WeightedPoint> terms;
};

// Support vectors and the regressions over them; models that differ in feature options share one.
struct BuiltinTable {
  double gamma;
  std::size_t features;
  std::span<const double> points;  // one support vector after the other
  std::span<const BuiltinRegression> members;
};

extern const BuiltinTable kTable4kV061;
extern const BuiltinTable kTableBV063;
extern const BuiltinTable kTableV061;
extern const BuiltinTable kTableV1016;

struct BuiltinModel {
  std::string_view version;
  std::string_view digest;  // SHA-256 of the imported file
  const BuiltinTable* table;
  std::vector<ModelFeature> features;
  std::vector<LinearRescale> rescale;
  LinearRescale score;
  ScoreMapping mapping;
  std::optional<double> chroma_correction_parameter;
};

const std::vector<BuiltinModel>& builtin_catalog();

// nullptr if there is none of that name.
const BuiltinModel* find_builtin(std::string_view version);

ModelContent make_content(const BuiltinModel& model);

}  // namespace vmafx

#endif  // VMAFX_MODELS_BUILTIN_H_
