#include "vmafx/catalog.h"

#include <algorithm>
#include <thread>

#include "base/dot_products.h"

#include <fmt/format.h>
#include <hwy/targets.h>

#include "base/number.h"
#include "metrics/metric.h"

namespace vmafx {
namespace {

std::string range_of(const OptionSpec& option) {
  if (std::holds_alternative<bool>(option.default_value)) return "true, false";
  if (std::holds_alternative<std::string>(option.default_value))
    return option.choices.empty() ? "any" : fmt::format("{}", fmt::join(option.choices, ", "));
  return format_general(option.min) + ".." + format_general(option.max);
}

// The smallest square picture that passes the metric's check.
std::string smallest_size(const Metric& metric) {
  constexpr int kLargest = 1024;
  const Options defaults(metric.options());
  for (int size = 1; size <= kLargest; ++size)
    if (metric.check(defaults, {size, size, 8, Chroma::k420}).ok())
      return fmt::format("{}x{}", size, size);
  return "none";
}

MetricInfo describe(const Metric& metric) {
  MetricInfo info;
  info.name = metric.name();
  info.summary = metric.summary();
  for (const OptionSpec& option : metric.options()) {
    info.options.push_back({std::string(option.name), std::string(option.alias),
                            std::string(option.help), to_string(option.default_value),
                            range_of(option), option.in_key});
  }
  const auto fold = metric.fold(Options(metric.options()), {1920, 1080, 8, Chroma::k420}, 0);
  for (const OutputKey& key : fold->keys()) info.keys.push_back(key.key);
  for (std::string& key : fold->aggregate_keys()) info.keys.push_back(std::move(key));
  info.smallest = smallest_size(metric);
  return info;
}

// Highway numbers its targets so that a lower bit is a better instruction set.
std::vector<std::string> target_names(std::int64_t targets) {
  std::vector<std::string> names;
  for (std::int64_t bit = 1; bit > 0 && bit <= targets; bit <<= 1)
    if ((targets & bit) != 0) names.emplace_back(hwy::TargetName(bit));
  return names;
}

struct MaskBit {
  std::uint64_t bit;
  std::int64_t targets;  // Highway targets that need this instruction set
};

#if HWY_ARCH_X86
// The target and all better ones, also those that Highway has only had since 1.0.3 (AVX3_ZEN4,
// ...).
constexpr std::int64_t and_better(std::int64_t target) { return 2 * target - 1; }
constexpr MaskBit kMask[] = {{1, and_better(HWY_SSSE3)}, {2, and_better(HWY_SSSE3)},
                             {4, and_better(HWY_SSE4)},  {8, and_better(HWY_AVX2)},
                             {16, and_better(HWY_AVX3)}, {32, and_better(HWY_AVX3_DL)}};
#elif HWY_ARCH_ARM
constexpr MaskBit kMask[] = {{1, HWY_NEON | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128},
                             {2, HWY_SVE2 | HWY_SVE2_128}};
#else
constexpr MaskBit kMask[] = {{0, 0}};
#endif

}  // namespace

std::string_view version() { return VMAFX_VERSION; }

bool has_metric(std::string_view name) { return find_metric(name) != nullptr; }

std::vector<MetricInfo> list_metrics() {
  std::vector<MetricInfo> list;
  for (const Metric* metric : all_metrics()) list.push_back(describe(*metric));
  return list;
}

CpuInfo cpu_info() {
  CpuInfo info;
  info.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
  info.compiled = target_names(HWY_TARGETS);
  info.supported = target_names(supported);
  info.target = info.supported.empty() ? "none" : info.supported.front();
  return info;
}

void disable_instruction_sets(std::uint64_t mask) {
  std::int64_t targets = 0;
  for (const MaskBit& entry : kMask)
    if ((mask & entry.bit) != 0) targets |= entry.targets;
  // Not hwy::DisableTargets(): in Highway 1.0.3 its effect ends with the next SupportedTargets().
  hwy::SetSupportedTargetsForTest(0);
  if (targets == 0) return;
  const std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS & ~targets;
  hwy::SetSupportedTargetsForTest(left != 0 ? left : HWY_STATIC_TARGET);
}

}  // namespace vmafx
