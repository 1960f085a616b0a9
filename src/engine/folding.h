// Folds raw records, in frame order, into features and model scores: the only place with temporal
// state.
#ifndef VMAFX_ENGINE_FOLDING_H_
#define VMAFX_ENGINE_FOLDING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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
  void push(const FrameRecords& records);
  // After the last frame.
  void finish();

  // Reported frames whose every column is there.
  std::int64_t rows_done() const { return static_cast<std::int64_t>(rows_done_); }
  // kUsage for an unknown key or a frame that is not reported, kNotYet for one that is not final.
  Result<double> score(std::string_view key, std::int64_t frame) const;
  const Scores& scores() const { return scores_; }
  // The first error of a model: a feature or score that is not finite.
  const Status& status() const { return status_; }

 private:
  struct Use {
    std::size_t group = 0;
    std::unique_ptr<Fold> fold;
    std::vector<std::ptrdiff_t> columns;     // of each key; -1: another metric has the same key
    std::vector<std::ptrdiff_t> aggregates;  // likewise
  };
  struct ModelUse {
    Model model;
    std::vector<std::size_t> inputs;
    std::vector<std::ptrdiff_t> outputs;  // column of each score key; -1: taken by another
    std::size_t next_row = 0;
  };
  class Sink;

  std::ptrdiff_t add_column(const std::string& key, const std::string& producer);
  void add_metric_columns(Plan& plan);
  void add_models(Plan& plan);
  void set(std::ptrdiff_t column, std::int64_t frame, double value);
  void predict_ready();
  bool predict(ModelUse& use, std::size_t row);
  void advance_done();

  std::shared_ptr<const MeasurePlan> measure_;
  std::vector<Use> uses_;
  std::vector<ModelUse> models_;
  Scores scores_;
  std::size_t rows_done_ = 0;
  Status status_;
};

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_FOLDING_H_
