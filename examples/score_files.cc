// Scores an encode against its reference: score_files REFERENCE DISTORTED
#include <cstdio>
#include <utility>

#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/report.h"
#include "vmafx/session.h"

namespace {

int fail(const vmafx::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "  %s\n", error.hint.c_str());
  return 1;
}

int score(const char* reference_path, const char* distorted_path) {
  auto reference = vmafx::open_source({.path = reference_path});
  if (!reference) return fail(reference.error());
  auto distorted = vmafx::open_source({.path = distorted_path});
  if (!distorted) return fail(distorted.error());
  const vmafx::StreamInfo& info = (*reference)->info();
  if (auto status = vmafx::check_pair(info, (*distorted)->info()); !status)
    return fail(status.error());

  const vmafx::ModelChoice choice = vmafx::choose_model(info.format, info.frame_rate);
  const auto model = vmafx::load_model({.version = choice.version});
  if (!model) return fail(model.error());
  vmafx::Session session({.check_samples = false});  // the sources look at them
  if (auto status = session.add_model(*model); !status) return fail(status.error());
  if (auto status = session.add_metric("psnr", {}); !status) return fail(status.error());

  vmafx::RunOptions options;
  options.on_progress = [](const vmafx::Progress& progress) {
    std::fprintf(stderr, "\r%lld frames", static_cast<long long>(progress.frames));
  };
  const auto summary = vmafx::run(**reference, **distorted, session, options);
  std::fprintf(stderr, "\n");
  if (!summary) return fail(summary.error());

  std::printf("model %s (%s)\n", choice.version.c_str(), choice.reason.c_str());
  for (const vmafx::Column& column : session.scores().columns)
    if (const auto pooled = vmafx::pool(column))
      std::printf("%-40s mean %10.6f  min %10.6f\n", column.key.c_str(), pooled->mean, pooled->min);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: score_files REFERENCE DISTORTED\n");
    return 1;
  }
  return score(argv[1], argv[2]);
}
