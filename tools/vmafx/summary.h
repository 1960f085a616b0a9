// The result of `vmafx score`, for people.
#ifndef VMAFX_TOOLS_VMAFX_SUMMARY_H_
#define VMAFX_TOOLS_VMAFX_SUMMARY_H_

#include <string>
#include <vector>

#include "common/scoring.h"
#include "common/terminal.h"

namespace vmafx::tools {

struct SummaryOptions {
  std::vector<FeatureRequest> features;  // that were asked for by name
  std::string note;                      // about the choice of the model; may be empty
  std::string report_path;               // empty: none was written
  bool bars = false;
  int width = 80;
  Style style{false};
};

std::string summary_text(const ScoringResult& result, const SummaryOptions& options);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_VMAFX_SUMMARY_H_
