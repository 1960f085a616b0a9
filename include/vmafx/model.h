// Models: a support vector regression, or a bootstrap set of them, from features of a frame to a
// score.
#ifndef VMAFX_MODEL_H_
#define VMAFX_MODEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vmafx/media.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx {

// Sets an option of every feature of a model that `metric` measures: {"adm", "adm_enhn_gain_limit",
// "1"}.
struct FeatureOverload {
  std::string metric;
  std::string option;  // name or alias
  std::string value;
};

// Whether the score goes through the model's own transform: as the model says, always or never.
enum class TransformUse : std::uint8_t { kModelDecides, kOn, kOff };

struct ModelSpec {
  // Exactly one of the two is set.
  std::string version = {};  // name of a built-in model
  std::string path = {};     // libvmaf's JSON form of a model or of a bootstrap set; at most 64 MiB

  std::string name = "vmaf";  // report key, and prefix of the keys of a bootstrap set; not empty
  bool disable_clip = false;  // scores may leave the model's range
  // No effect on a model that has no transform.
  TransformUse transform = TransformUse::kModelDecides;
  std::vector<FeatureOverload> overloads = {};
};

// A feature that a model asks for.
struct ModelFeature {
  std::string name;                            // long name: "VMAF_integer_feature_adm2_score"
  std::map<std::string, std::string> options;  // of its metric; those left out are at their default
};

// Immutable and cheap to copy; any number of threads may use one at once.
class Model {
 public:
  const std::string& name() const;
  const std::string& version() const;  // built-in name, or path
  // SHA-256, in hex, of the JSON file; a built-in model has that of the file it was imported from.
  const std::string& digest() const;
  const std::vector<ModelFeature>& features() const;
  // The metric that measures each of the features; empty text if this build has none.
  std::vector<std::string> metrics() const;
  // Report keys of the features: "integer_adm2_egl_1". Empty text for one that cannot be measured,
  // of which check() tells.
  const std::vector<std::string>& feature_keys() const;

  // A bootstrap set: its first member gives the main score, the others the spread.
  bool is_set() const;
  // Report keys of the scores, in the order of the report. A model has one, its name. A set has
  // <name>, <name>_0001 ... for each further member, <name>_bagging, <name>_stddev,
  // <name>_ci_p95_lo and <name>_ci_p95_hi.
  const std::vector<std::string>& score_keys() const;

  // Scores of one frame: features in the order of features(), scores in that of score_keys().
  // kBadInput if a feature is not finite or the score would not be, kInternal if the numbers of
  // values are wrong. Scores are in the model's own range, for VMAF 0..100.
  Status predict(std::span<const double> features, std::span<double> scores) const;

  // kNotApplicable with the reason if a feature cannot be measured on pictures of this format,
  // kUsage if no metric of this build measures it.
  Status check(const PictureFormat& format) const;

  // The same model with one more overload. kUsage if there is no such metric, option or value, or
  // no feature of the model is of that metric.
  Result<Model> with_overload(const FeatureOverload& overload) const;

 private:
  struct Impl;
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  friend Result<Model> load_model(const ModelSpec& spec);

  std::shared_ptr<const Impl> impl_;
};

// kUsage for a wrong spec (an unknown version lists those that there are), kIo for a file that
// cannot be read, kBadInput for one that is not a model; the message names file and member.
Result<Model> load_model(const ModelSpec& spec);

// Names of the built-in models whose features this build can measure.
std::vector<std::string_view> builtin_models();

struct ModelChoice {
  std::string version;  // of a built-in model
  std::string reason;   // "height up to 1440, below 45 fps"
};

// The model for a user who names none: of VMAF v1.0.16, 3d0h for heights up to 1440 and 1d5h_2160
// above, in the form for high frame rates from 45 a second on; vmaf_v0.6.1 where that one does not
// apply to the format. An unknown frame rate counts as below 45.
ModelChoice choose_model(const PictureFormat& format, std::optional<Rational> frame_rate);

}  // namespace vmafx

#endif  // VMAFX_MODEL_H_
