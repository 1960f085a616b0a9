// What a run measures and how its records are folded: everything that two metrics or models share
// is there once.
#ifndef VMAFX_ENGINE_PLAN_H_
#define VMAFX_ENGINE_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "metrics/device_measurement.h"
#include "metrics/metric.h"
#include "vmafx/model.h"
#include "vmafx/picture.h"
#include "vmafx/report.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// What a caller asked for, before the format of the pictures is known.
class Requests {
 public:
  struct MetricRequest {
    const Metric* metric;
    Options options;
    bool by_caller;  // not only needed by a model
  };
  struct ModelRequest {
    Model model;
    std::vector<std::size_t> metrics;  // request of each of the model's features
  };

  Status add_metric(std::string_view name, const OptionText& options);
  Status add_model(const Model& model);

  const std::vector<MetricRequest>& metrics() const { return metrics_; }
  const std::vector<ModelRequest>& models() const { return models_; }

 private:
  std::size_t add(const Metric& metric, Options options, bool by_caller);

  std::vector<MetricRequest> metrics_;
  std::vector<ModelRequest> models_;
};

// The pure part of a plan. Immutable, shared by all workers.
struct MeasurePlan {
  struct Group {
    std::string metric;    // name, for messages
    std::string variants;  // canonical options of each
    std::unique_ptr<Measurement> measurement;
    std::unique_ptr<DeviceMeasurement> on_device;  // null if the CPU measures it
    std::size_t offset = 0;                        // of its record in the frame's bytes
    std::size_t size = 0;
  };

  std::vector<Group> groups;
  std::size_t record_bytes = 0;  // of all groups
  Window window;                 // the widest of all groups
  int subsample = 1;
  std::string device;  // backend that measures what it can; empty: none

  std::string_view backend(const Group& group) const {
    return group.on_device ? std::string_view(device) : "cpu";
  }
  bool reported(std::int64_t frame) const { return frame % subsample == 0; }
  bool measures(const Group& group, std::int64_t frame) const {
    return reported(frame) || group.measurement->every_frame();
  }
};

// A metric's fold and where its records lie.
struct PlannedFold {
  std::string metric;
  std::string backend;
  std::size_t group = 0;
  std::unique_ptr<Fold> fold;
};

struct PlannedModel {
  // By its fold, since two folds may give the same report key different values.
  struct Input {
    std::size_t fold = 0;  // index in Plan::folds
    std::size_t key = 0;   // index in its keys()
  };

  Model model;
  std::vector<Input> inputs;  // of each of the model's features
};

struct Plan {
  std::shared_ptr<const MeasurePlan> measure;
  std::vector<PlannedFold> folds;
  std::vector<PlannedModel> models;
  std::vector<Skipped> skipped;
};

// Metrics that do not apply to the format, and models that need one, are in Plan::skipped.
// kNotApplicable if nothing is left; other errors are passed on. `measure` may be that of an equal
// plan: the new one has folds of its own, which have states, and shares what is measured. `device`
// is the backend that measures what it can; empty: none.
Result<Plan> make_plan(const Requests& requests, const PictureFormat& format, int subsample,
                       std::string_view device,
                       std::shared_ptr<const MeasurePlan> measure = nullptr);

// What records of the plan are, in words. Plans of equal text have records of equal meaning.
std::string describe(const MeasurePlan& plan, const PictureFormat& format);

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_PLAN_H_
