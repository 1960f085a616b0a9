#include <fmt/format.h>

#include "vmafx/session.h"

namespace vmafx {
namespace {

std::string left_out_text(std::int64_t frames) {
  // Counting stops there.
  constexpr std::int64_t kMany = 1000;
  if (frames >= kMany) return fmt::format("{} or more frames", kMany);
  return fmt::format("{} frame{}", frames, frames == 1 ? "" : "s");
}

void add_length_warning(const std::string& shorter, const std::string& longer, std::int64_t frames,
                        std::vector<std::string>& warnings) {
  if (frames != 0)
    warnings.push_back(fmt::format("\"{}\" ended before \"{}\": {} of the longer stream not scored",
                                   shorter, longer, left_out_text(frames)));
}

void add_alignment_warning(const std::string& path, std::optional<int> frames_late,
                           std::vector<std::string>& warnings) {
  if (!frames_late) return;
  const bool is_late = *frames_late > 0;
  const int count = is_late ? *frames_late : -*frames_late;
  const std::string frames = count == 1 ? "frame" : "frames";
  warnings.push_back(fmt::format("\"{}\" seems to be {} {} {}: skip {} first {}{} and score again",
                                 path, count, frames, is_late ? "late" : "early",
                                 is_late ? "its" : "the reference's",
                                 count == 1 ? "" : std::to_string(count) + ' ', frames));
}

}  // namespace

Report make_report(const StreamInfo& reference, const StreamInfo& distorted,
                   const std::vector<Model>& models, Scores scores, const RunSummary& summary,
                   std::size_t encode, const std::string& shortest) {
  const std::int64_t left_out =
      encode < summary.left_out_distorted.size() ? summary.left_out_distorted[encode] : 0;
  Report report;
  report.scores = std::move(scores);
  for (const Model& model : models)
    report.models.push_back({model.name(), model.version(), model.digest()});
  report.reference = reference;
  report.distorted = distorted;
  report.width = reference.format.width;
  report.height = reference.format.height;
  report.seconds = summary.seconds;
  report.frames_scored = summary.frames;
  report.frames_left_out_reference = summary.left_out_reference;
  report.frames_left_out_distorted = left_out;
  report.partial = summary.cancelled;
  report.warnings = pair_warnings(reference, distorted);
  if (left_out == 0)
    add_length_warning(distorted.path, reference.path, summary.left_out_reference, report.warnings);
  add_length_warning(shortest, distorted.path, left_out, report.warnings);
  if (encode < summary.frames_late.size())
    add_alignment_warning(distorted.path, summary.frames_late[encode], report.warnings);
  return report;
}

}  // namespace vmafx
