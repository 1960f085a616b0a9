#include "base/guard.h"
#include "report/layout.h"
#include "report/write_file.h"

namespace vmafx {

std::string render_report(const Report& report, ReportFormat format, Precision precision) {
  switch (format) {
    case ReportFormat::kXml:
      return render_xml(report, precision);
    case ReportFormat::kJson:
      return render_json(report, precision);
    case ReportFormat::kCsv:
      return render_csv(report, precision);
    case ReportFormat::kSub:
      return render_sub(report, precision);
  }
  return {};
}

Status write_report(const Report& report, ReportFormat format, Precision precision,
                    const std::string& path) {
  return guarded(
      [&] { return write_file(render_report(report, format, precision), path, "the report"); });
}

Status check_report_path(const std::string& path) {
  return guarded([&] { return check_path(path, "the report"); });
}

}  // namespace vmafx
