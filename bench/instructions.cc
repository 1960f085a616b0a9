// One measurement of every metric, counted by callgrind: bench/instructions.py runs this and reads
// the dumps, each of which has the name of a metric and a depth.
#include <valgrind/callgrind.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hwy/targets.h>

#include "metrics/metric.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

// Large enough for every metric, and for rows that are longer than a few vectors.
constexpr int kWidth = 480;
constexpr int kHeight = 270;

void count(const Metric& metric, int depth) {
  const PictureFormat format{kWidth, kHeight, depth, Chroma::k420};
  const Options defaults(metric.options());
  if (!metric.check(defaults, format)) return;
  const auto measurement = metric.measurement({&defaults, 1}, format);
  if (!measurement) return;
  const Window window = (*measurement)->window();
  const auto reference = parity::make_frames(format, window.reference_back + 1, 1);
  const auto distorted = parity::make_frames(format, window.distorted_back + 1, 100);
  std::vector<std::byte> record((*measurement)->record_size());
  Scratch scratch;
  const auto measure = [&] {
    (*measurement)->measure({window.reference_back, reference, distorted}, scratch, record);
  };
  measure();  // tables and scratch memory are made
  CALLGRIND_ZERO_STATS;
  measure();
  const std::string name = fmt::format("{}/{}", metric.name(), depth);
  CALLGRIND_DUMP_STATS_AT(name.c_str());
}

}  // namespace
}  // namespace vmafx

int main() {
  if ((hwy::SupportedTargets() & HWY_AVX2) == 0) {
    std::fprintf(stderr, "this machine has no AVX2\n");
    return 77;
  }
  hwy::SetSupportedTargetsForTest(HWY_AVX2);
  for (const vmafx::Metric* metric : vmafx::all_metrics())
    for (const int depth : {8, 10}) vmafx::count(*metric, depth);
  return 0;
}
