// Folds raw records, in frame order, into features and model scores: the only place with temporal
// state.
#ifndef VMAFX_ENGINE_FOLDING_H_
#define VMAFX_ENGINE_FOLDING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/measurer.h"
#include "engine/plan.h"
#include "vmafx/report.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// Not thread-safe.
class Folding {
 public:
  explicit Folding(Plan plan);

  // Frames in order, without a gap.
  void push(std::int64_t frame, const EncodeRecord& record);
  // After the last frame.
  void finish();

  // Reported frames whose every column is there, but for those of a model that failed.
  std::int64_t rows_done() const { return static_cast<std::int64_t>(rows_done_); }
  // kUsage for an unknown key or a frame that is not reported, kNotYet for one that is not final,
  // and the model's error if it could not score the frame.
  Result<double> score(std::string_view key, std::int64_t frame) const;
  const Scores& scores() const { return scores_; }
  // Keys of which an earlier request's values are reported, with the metric that gave them up.
  const std::vector<std::pair<std::string, std::string>>& left_out() const { return left_out_; }
  // Later frames that must be pushed before a frame is final.
  int delay() const;
  // The first error of a model: a feature or score that is not finite.
  const Status& status() const { return status_; }

 private:
  using Values = std::vector<std::optional<double>>;
  // Where the values of a key are: in scores_.columns, or in shadowed_.
  struct Place {
    bool reported = true;
    std::size_t index = 0;
  };
  struct Use {
    std::size_t group = 0;
    std::unique_ptr<Fold> fold;
    std::vector<Place> columns;              // of each key
    std::vector<std::ptrdiff_t> aggregates;  // of each; -1: another metric has the same key
  };
  struct ModelUse {
    Model model;
    std::vector<Place> inputs;
    std::vector<Place> outputs;  // of each score key
    std::size_t next_row = 0;
    std::map<std::size_t, Error> failures;  // of each row that could not be scored
  };
  class Sink;

  Place add_column(const std::string& key, const std::string& producer, const std::string& backend);
  void add_metric_columns(Plan& plan);
  void add_models(Plan& plan);
  Values& values(const Place& place);
  void add_row(std::int64_t frame, bool identical);
  void set(const Place& place, std::int64_t frame, double value);
  void predict_ready();
  bool predict(ModelUse& use, std::size_t row);
  const Error* failure_of(std::string_view key, std::size_t row) const;
  bool has_failed(std::size_t row) const;
  void advance_done();

  std::shared_ptr<const MeasurePlan> measure_;
  std::vector<Use> uses_;
  std::vector<ModelUse> models_;
  Scores scores_;
  // Columns whose report key an earlier one has; models may read them.
  std::vector<Values> shadowed_;
  std::vector<std::pair<std::string, std::string>> left_out_;
  std::size_t rows_done_ = 0;
  Status status_;
};

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_FOLDING_H_
