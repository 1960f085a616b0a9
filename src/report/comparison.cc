#include "vmafx/comparison.h"

#include <utility>

#include "base/guard.h"
#include "report/layout.h"
#include "report/write_file.h"
#include "vmafx/bd_rate.h"

namespace vmafx {
namespace {

Status check(const Comparison& comparison) {
  for (const Report& report : comparison.encodes)
    if (!report.distorted)
      return Error{ErrorCode::kUsage, "an encode that is compared has no stream", {}};
  if (comparison.anchors > comparison.encodes.size())
    return Error{ErrorCode::kUsage, "there are fewer encodes than anchors", {}};
  return {};
}

Result<RatePoint> point_of(const Report& report, const std::string& key) {
  const auto quality = mean_of(report, key);
  const auto problem = [&](const std::string& what) {
    return Error{ErrorCode::kNotApplicable, report.distorted->path + what, {}};
  };
  if (!quality) return problem(" has no " + key);
  if (!report.distorted->bit_rate) return problem(" does not tell its bit rate");
  return RatePoint{static_cast<double>(*report.distorted->bit_rate), *quality};
}

Result<BdRate> rate_of(const Comparison& comparison, const std::string& key) {
  std::vector<RatePoint> anchor;
  std::vector<RatePoint> test;
  for (std::size_t e = 0; e < comparison.encodes.size(); ++e) {
    const auto point = point_of(comparison.encodes[e], key);
    if (!point) return point.error();
    (e < comparison.anchors ? anchor : test).push_back(*point);
  }
  return bd_rate(std::move(anchor), std::move(test));
}

std::string render_csv(const Comparison& comparison, Precision precision) {
  std::string text = "encode,bit_rate";
  for (const std::string& key : comparison.keys) text += ',' + csv_field(key);
  for (const Report& report : comparison.encodes) {
    text += '\n' + csv_field(report.distorted->path) + ',';
    if (report.distorted->bit_rate) text += std::to_string(*report.distorted->bit_rate);
    for (const std::string& key : comparison.keys) {
      text += ',';
      if (const auto mean = mean_of(report, key)) text += format_score(*mean, precision);
    }
  }
  return text + '\n';
}

}  // namespace

Result<Comparison> compare(std::vector<Report> encodes, std::vector<std::string> keys,
                           std::size_t anchors) {
  return guarded([&]() -> Result<Comparison> {
    Comparison comparison{std::move(encodes), std::move(keys), anchors, {}};
    if (const Status status = check(comparison); !status) return status.error();
    if (anchors == 0) return comparison;
    for (const std::string& key : comparison.keys) {
      const auto rate = rate_of(comparison, key);
      if (rate)
        comparison.bd_rates.push_back({key, rate->percent, {}});
      else
        comparison.bd_rates.push_back({key, std::nullopt, rate.error().message});
    }
    return comparison;
  });
}

std::optional<double> mean_of(const Report& report, std::string_view key) {
  for (const Column& column : report.scores.columns) {
    if (column.key != key) continue;
    const auto pooled = pool(column);
    return pooled ? std::optional(pooled->mean) : std::nullopt;
  }
  return std::nullopt;
}

Status write_comparison(const Comparison& comparison, ReportFormat format, Precision precision,
                        const std::string& path) {
  return guarded([&]() -> Status {
    if (Status status = check(comparison); !status) return status;
    if (format == ReportFormat::kJson)
      return write_file(render_json(comparison, precision), path, "the report");
    if (format == ReportFormat::kCsv)
      return write_file(render_csv(comparison, precision), path, "the report");
    return Error{ErrorCode::kUsage, "a comparison is written as json or csv", {}};
  });
}

}  // namespace vmafx
