// Several encodes of one reference, side by side.
#ifndef VMAFX_COMPARISON_H_
#define VMAFX_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vmafx/report.h"
#include "vmafx/status.h"

namespace vmafx {

// BD-rate of the mean of one key; docs/bd-rate.md.
struct BdRateResult {
  std::string key;
  std::optional<double> percent;  // of the anchor's rate; none: reason says why
  std::string reason;
};

struct Comparison {
  std::vector<Report> encodes;    // in the order in which they were given
  std::vector<std::string> keys;  // whose means are compared
  // The first so many encodes are the anchor's ladder, the others the tested one; 0: no ladders.
  std::size_t anchors = 0;
  std::vector<BdRateResult> bd_rates;  // of each key, if there are ladders
};

// Rates are the streams' bit rates. kUsage if a report has no distorted stream, or if there are
// more anchors than encodes.
Result<Comparison> compare(std::vector<Report> encodes, std::vector<std::string> keys,
                           std::size_t anchors);

// The mean over the frames; nullopt if the report has no such key or no value of it.
std::optional<double> mean_of(const Report& report, std::string_view key);

// JSON: {"encodes": [a report each], "bd_rate": {...}}; CSV: a row of means for each encode. kUsage
// for the other formats, and for what compare() would refuse. Written like write_report().
Status write_comparison(const Comparison& comparison, ReportFormat format, Precision precision,
                        const std::string& path);

}  // namespace vmafx

#endif  // VMAFX_COMPARISON_H_
