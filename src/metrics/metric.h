// What a metric is: a pure measurement of a few frames, and a fold over its raw sums in frame
// order.
#ifndef VMAFX_METRICS_METRIC_H_
#define VMAFX_METRICS_METRIC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/crew.h"
#include "base/options.h"
#include "base/scratch.h"
#include "vmafx/artifact.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx {

class DeviceMeasurement;

// Earlier frames that a measurement looks at. A measurement of frame n gets the frames max(0, n -
// back)..n.
struct Window {
  int reference_back = 0;
  int distorted_back = 0;
};

// The pictures of one measurement; [0] is the current frame, [k] the one k frames earlier.
struct MeasureInput {
  std::int64_t frame = 0;
  std::span<const Picture> reference;
  std::span<const Picture> distorted;
  std::vector<Artifact>* artifacts = nullptr;  // takes maps, if there are any
  Crew* crew = nullptr;                        // helps with parts; null: nobody does
};

// The same of several encodes of one reference.
struct EncodesInput {
  std::int64_t frame = 0;
  std::span<const Picture> reference;
  std::span<const std::span<const Picture>> distorted;  // of each encode
  std::span<std::vector<Artifact>* const> artifacts = {};
  Crew* crew = nullptr;
};

// The pure part. Immutable: any number of threads may call measure() at once, each with its own
// Scratch. Equal pictures give equal bytes on every machine. What is shared with a crew is split by
// fixed sizes, never by the number of threads.
class Measurement {
 public:
  virtual ~Measurement() = default;

  // Bytes of the record of one frame: a trivially copyable struct of raw sums, for each variant.
  virtual std::size_t record_size() const = 0;
  virtual Window window() const { return {}; }
  // False if the record is the reference's alone, and so the same for each of its encodes.
  virtual bool reads_distorted() const { return true; }
  // True if frames that subsampling leaves out of the report are measured too.
  virtual bool every_frame() const { return false; }
  virtual void measure(const MeasureInput& input, Scratch& scratch,
                       std::span<std::byte> record) const = 0;
  // Writes what measure() of each encode would, a record each. Overridden where work on the
  // reference can be shared.
  virtual void measure_encodes(const EncodesInput& input, Scratch& scratch,
                               std::span<const std::span<std::byte>> records) const;
  // The same on devices; null if only CPUs do it. Lives no longer than this.
  virtual std::unique_ptr<DeviceMeasurement> on_device(const PictureFormat& format) const;
};

// Receives features as the fold finishes them. Key indexes are those of Fold::keys() and
// Fold::aggregate_keys().
class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  virtual void feature(std::int64_t frame, std::size_t key, double value) = 0;
  virtual void aggregate(std::size_t key, double value) = 0;
};

struct OutputKey {
  std::string key;  // as reported, with option suffix: "integer_motion2_mmxv_18"
  std::string
      name;  // libvmaf's long name, by which models ask: "VMAF_integer_feature_motion2_score"
  // True if libvmaf writes it at its flush, after all other metrics' columns.
  bool after_all_frames = false;
};

// The sequential part: ordinary host code, called once for each measured frame, in frame order.
class Fold {
 public:
  virtual ~Fold() = default;
  virtual std::vector<OutputKey> keys() const = 0;
  virtual std::vector<std::string> aggregate_keys() const { return {}; }
  // Later frames that must be folded before a frame's features are final.
  virtual int lookahead() const { return 0; }
  virtual void push(std::int64_t frame, std::span<const std::byte> record, FeatureSink& sink) = 0;
  // After the last frame: what was waiting for a successor, and aggregates.
  virtual void finish(FeatureSink& sink) { static_cast<void>(sink); }
};

// A kind of metric. One static instance each, listed in registry.cc.
class Metric {
 public:
  virtual ~Metric() = default;

  virtual std::string_view name() const = 0;  // "vif"
  virtual std::string_view summary() const = 0;
  virtual std::span<const OptionSpec> options() const = 0;
  // Long names of everything the metric can output, so that a model's request finds its metric.
  virtual std::span<const std::string_view> outputs() const = 0;

  // kNotApplicable with the reason if pictures of this format cannot be measured, kUsage if the
  // options contradict each other.
  virtual Status check(const Options& options, const PictureFormat& format) const = 0;

  // Metrics of one text share measurements: their groups mean the same, and the measurement() of
  // any of them takes the options of all.
  virtual std::string_view measured_as() const { return name(); }
  // Requests whose groups are equal text share one measurement with one variant each. By default
  // every difference in options makes a group of its own.
  virtual std::string group(const Options& options) const { return options.canonical(); }

  // Precondition: check() passed and all variants are of one group. Variant i writes the i-th part
  // of the record.
  virtual Result<std::unique_ptr<Measurement>> measurement(std::span<const Options> variants,
                                                           const PictureFormat& format) const = 0;
  virtual std::unique_ptr<Fold> fold(const Options& options, const PictureFormat& format,
                                     std::size_t variant) const = 0;
};

// All metrics, in the order in which documentation lists them.
std::span<const Metric* const> all_metrics();
// nullptr if there is none of that name.
const Metric* find_metric(std::string_view name);
// The metric that outputs this long name, else nullptr.
const Metric* find_metric_by_output(std::string_view long_name);

}  // namespace vmafx

#endif  // VMAFX_METRICS_METRIC_H_
