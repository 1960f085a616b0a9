// For tests of metrics: what a measurement and its fold report.
#ifndef VMAFX_METRICS_METRIC_TESTING_H_
#define VMAFX_METRICS_METRIC_TESTING_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/metric.h"
#include "metrics/parity_harness.h"

namespace vmafx::metric_testing {

// Takes the features of one frame by the index of their key, each once, and no aggregates.
struct Features final : FeatureSink {
  std::map<std::size_t, double> values;
  void feature(std::int64_t /*frame*/, std::size_t key, double value) override {
    EXPECT_TRUE(values.emplace(key, value).second) << "key " << key << " written twice";
  }
  void aggregate(std::size_t key, double /*value*/) override {
    ADD_FAILURE() << "aggregate " << key;
  }
};

// The same of any frame.
struct FrameFeatures final : FeatureSink {
  std::map<std::pair<std::int64_t, std::size_t>, double> values;
  void feature(std::int64_t frame, std::size_t key, double value) override {
    EXPECT_TRUE(values.emplace(std::pair(frame, key), value).second)
        << "frame " << frame << " key " << key << " written twice";
  }
  void aggregate(std::size_t key, double /*value*/) override {
    ADD_FAILURE() << "aggregate " << key;
  }
  double at(std::int64_t frame, std::size_t key) const { return values.at({frame, key}); }
  bool has(std::int64_t frame, std::size_t key) const { return values.contains({frame, key}); }
};

inline Options parse(const Metric& metric, const OptionText& text) {
  return std::move(Options::parse(metric.options(), text, metric.name()).value());
}

// Features of one frame by report key, of one variant of a group that is measured together.
inline std::map<std::string, double> features_of(const Metric& metric,
                                                 const std::vector<Options>& variants,
                                                 std::size_t which, const Picture& reference,
                                                 const Picture& distorted) {
  const PictureFormat& format = reference.format();
  const auto measurement = std::move(metric.measurement(variants, format).value());
  std::vector<std::byte> record(measurement->record_size());
  Scratch scratch;
  measurement->measure({0, {&reference, 1}, {&distorted, 1}}, scratch, record);
  const auto fold = metric.fold(variants[which], format, which);
  const std::vector<OutputKey> keys = fold->keys();
  Features features;
  fold->push(0, record, features);
  fold->finish(features);
  std::map<std::string, double> by_key;
  for (const auto& [key, value] : features.values) by_key[keys.at(key).key] = value;
  return by_key;
}

// Those of all variants; of two with equal keys the later one's.
inline std::map<std::string, double> features_of(const Metric& metric, const parity::Case& c,
                                                 std::initializer_list<OptionText> texts) {
  std::vector<Options> variants;
  for (const OptionText& text : texts) variants.push_back(parse(metric, text));
  const Picture reference = c.make_reference();
  const Picture distorted = c.make_distorted();
  std::map<std::string, double> by_key;
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (const auto& [key, value] : features_of(metric, variants, v, reference, distorted))
      by_key[key] = value;
  return by_key;
}

}  // namespace vmafx::metric_testing

#endif  // VMAFX_METRICS_METRIC_TESTING_H_
