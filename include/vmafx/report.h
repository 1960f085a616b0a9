// Results of a run and the report files that carry them.
#ifndef VMAFX_REPORT_H_
#define VMAFX_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vmafx/media.h"
#include "vmafx/status.h"

namespace vmafx {

// Values of one report key, a row for each frame of Scores::frames; nullopt where there is none.
struct Column {
  std::string key;  // "integer_motion2", "vmaf"
  // The metric's name or the model's version: a model may be named like a metric.
  std::string producer;
  std::string backend;  // "cpu"
  std::vector<std::optional<double>> values;
};

struct Skipped {
  std::string name;    // the metric or model that was asked for
  std::string reason;  // why it does not apply to this input
};

struct UsedModel {
  std::string name;     // key prefix in the report
  std::string version;  // built-in name or path
  std::string digest;   // SHA-256 of its content
};

// min, max, mean, harmonic mean = n / sum(1 / (x + 1)) - 1, population standard deviation, and
// percentiles by linear interpolation between order statistics.
struct Pooled {
  double min = 0;
  double max = 0;
  double mean = 0;
  double harmonic_mean = 0;
  double stddev = 0;
  std::vector<std::pair<int, double>> percentiles;  // 1, 5, 10, 25, 50, 75, 90, 95
};

// Over the values that are there; nullopt if there is none. Sums run in frame order. Infinite
// values make min, max and mean infinite.
std::optional<Pooled> pool(const Column& column);

struct Scores {
  std::vector<std::int64_t> frames;  // frame numbers, ascending
  std::vector<bool> identical;       // a row each: reference and distorted have the same samples
  std::vector<Column> columns;
  std::vector<std::pair<std::string, double>> aggregates;
  std::vector<Skipped> skipped;
};

struct Report {
  Scores scores;
  std::vector<UsedModel> models;
  std::optional<StreamInfo> reference;
  std::optional<StreamInfo> distorted;
  int width = 0;
  int height = 0;
  double seconds = 0;  // wall clock of the scoring
  std::int64_t frames_scored = 0;
  // Frames of the longer stream past the end of the shorter one.
  std::int64_t frames_left_out_reference = 0;
  std::int64_t frames_left_out_distorted = 0;
  bool partial = false;  // interrupted: holds the finished frames only
  std::vector<std::string> warnings;
};

enum class ReportFormat : std::uint8_t { kXml, kJson, kCsv, kSub };

struct Precision {
  enum class Form : std::uint8_t { kLegacy, kDigits };
  // kLegacy: libvmaf's %.6f, or %.16f for tiny fractions. kDigits: %.<digits>g.
  Form form = Form::kLegacy;
  int digits = 17;  // 1..17; a number outside counts as the nearest
};

// The whole text of a report in libvmaf's layout, with our own sections added where the format
// allows. docs/reports.md describes it.
std::string render_report(const Report& report, ReportFormat format, Precision precision);

// Writes atomically: to a temporary beside `path`, then renamed, so that `path` is never half
// written. Standard output ("-" or /dev/stdout), pipes and devices are written to as they are. kIo
// names the path and the system's reason.
Status write_report(const Report& report, ReportFormat format, Precision precision,
                    const std::string& path);

// The error that write_report() would end with, as far as it can be told before: creates the
// temporary and removes it.
Status check_report_path(const std::string& path);

// A value as a report has it, with a decimal point in every locale. Not finite: "inf", "-inf",
// "nan".
std::string format_score(double value, Precision precision);

}  // namespace vmafx

#endif  // VMAFX_REPORT_H_
