// Times the measurement of every metric on one pair of pictures, for every instruction set of this
// machine:
//   vmafx_kernels [--benchmark_filter=vif/1080p] [other options of Google Benchmark]
#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "metrics/metric.h"
#include "metrics/parity_harness.h"

namespace vmafx {
namespace {

struct Size {
  const char* name;
  int width;
  int height;
};

constexpr Size kSizes[] = {{"576p", 576, 324}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}};

void time_measurement(benchmark::State& state, const Metric& metric, const PictureFormat& format,
                      std::int64_t target) {
  const Options defaults(metric.options());
  if (const Status status = metric.check(defaults, format); !status) {
    state.SkipWithError(status.error().message.c_str());
    return;
  }
  const auto measurement = metric.measurement({&defaults, 1}, format);
  if (!measurement) {
    state.SkipWithError(measurement.error().message.c_str());
    return;
  }
  const Window window = (*measurement)->window();
  const auto reference = parity::make_frames(format, window.reference_back + 1, 1);
  const auto distorted = parity::make_frames(format, window.distorted_back + 1, 100);
  std::vector<std::byte> record((*measurement)->record_size());
  Scratch scratch;
  hwy::SetSupportedTargetsForTest(parity::and_worse(target));
  for (auto _ : state) {
    (*measurement)->measure({window.reference_back, reference, distorted}, scratch, record);
    benchmark::DoNotOptimize(record.data());
  }
  hwy::SetSupportedTargetsForTest(0);
}

void register_all() {
  for (const Metric* metric : all_metrics()) {
    for (const Size& size : kSizes) {
      for (const int depth : {8, 10}) {
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
          const PictureFormat format{size.width, size.height, depth, Chroma::k420};
          benchmark::RegisterBenchmark(
              fmt::format("{}/{}/{}/{}", metric->name(), size.name, depth, hwy::TargetName(target))
                  .c_str(),
              [=](benchmark::State& state) { time_measurement(state, *metric, format, target); })
              ->Unit(benchmark::kMillisecond);
        }
      }
    }
  }
}

}  // namespace
}  // namespace vmafx

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  vmafx::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
