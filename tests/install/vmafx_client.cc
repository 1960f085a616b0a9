// A program on VMAFx's own interface: scores two files and prints the pooled scores.
#include <cstdio>
#include <string>

#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/report.h"
#include "vmafx/session.h"

namespace {

int fail(const vmafx::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

double pooled_mean(const vmafx::Scores& scores, const std::string& key) {
  for (const vmafx::Column& column : scores.columns) {
    if (column.key == key) return vmafx::pool(column)->mean;
  }
  return -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto reference = vmafx::open_source({.path = argv[1]});
  if (!reference) return fail(reference.error());
  const auto distorted = vmafx::open_source({.path = argv[2]});
  if (!distorted) return fail(distorted.error());
  const auto model = vmafx::load_model({.version = "vmaf_v0.6.1"});
  if (!model) return fail(model.error());

  vmafx::Session session({.threads = 2});
  if (const auto added = session.add_model(*model); !added.ok()) return fail(added.error());
  const auto added = session.add_metric("psnr", {{"enable_chroma", "false"}});
  if (!added.ok()) return fail(added.error());
  const auto summary = vmafx::run(**reference, **distorted, session, {});
  if (!summary) return fail(summary.error());

  const vmafx::Scores scores = session.scores();
  std::printf("vmaf %.17g psnr_y %.17g\n", pooled_mean(scores, "vmaf"),
              pooled_mean(scores, "psnr_y"));
  return 0;
}
