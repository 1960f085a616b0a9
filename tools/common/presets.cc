#include "common/presets.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace vmafx::tools {
namespace {

void add_model(ScoringJob& job, std::string version, std::string name) {
  ModelSpec spec;
  spec.version = std::move(version);
  spec.name = std::move(name);
  job.models.push_back(std::move(spec));
}

FeatureRequest in_decibels(std::string name) {
  return {std::move(name), {{"enable_db", "true"}, {"clip_db", "true"}}};
}

}  // namespace

Status add_aom_ctc(std::string_view version, ScoringJob& job) {
  constexpr std::array<std::string_view, 7> kVersions = {"v1.0", "v2.0", "v3.0", "v4.0",
                                                         "v5.0", "v6.0", "v7.0"};
  const auto found = std::find(kVersions.begin(), kVersions.end(), version);
  if (found == kVersions.end())
    return Error{ErrorCode::kUsage,
                 version == "proposed"
                     ? "--aom_ctc proposed no longer exists"
                     : fmt::format("there is no --aom_ctc version \"{}\"", version),
                 fmt::format("the versions are {}", fmt::join(kVersions, ", "))};
  const auto number = found - kVersions.begin() + 1;
  add_model(job, "vmaf_v0.6.1", "vmaf");
  add_model(job, "vmaf_v0.6.1neg", "vmaf_neg");
  job.features.push_back(
      {"psnr", {{"reduced_hbd_peak", "true"}, {"enable_apsnr", "true"}, {"min_sse", "0.5"}}});
  job.features.push_back({"ciede", {}});
  job.features.push_back(in_decibels("float_ssim"));
  if (number >= 7) job.features.back().options.emplace("scale", "1");
  job.features.push_back(in_decibels("float_ms_ssim"));
  job.features.push_back({"psnr_hvs", {}});
  if (number >= 3) job.features.push_back({"cambi", {}});
  if (number >= 6) job.common_bit_depth = true;
  return {};
}

Status add_nflx_ctc(std::string_view version, ScoringJob& job) {
  if (version != "v1.0")
    return Error{ErrorCode::kUsage, fmt::format("there is no --nflx_ctc version \"{}\"", version),
                 "the only version is v1.0"};
  add_model(job, "vmaf_4k_v0.6.1", "vmaf");
  add_model(job, "vmaf_4k_v0.6.1neg", "vmaf_neg");
  job.features.push_back({"psnr", {{"enable_chroma", "true"}, {"enable_apsnr", "true"}}});
  job.features.push_back(in_decibels("float_ssim"));
  job.features.push_back({"cambi", {}});
  return {};
}

}  // namespace vmafx::tools
