// The shipped pair scores what libvmaf says (samples/README.md).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "vmafx/catalog.h"
#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using Json = nlohmann::json;

const std::string kSamples = VMAFX_SOURCE_DIR "/samples/";

// Half of the last digit that libvmaf prints.
constexpr double kPrinted = 0.5e-6;

// Scores have the bound of docs/exactness.md, 1e-5; features made of the cube root 2e-7, others
// less.
double bound(const std::string& key) { return (key.starts_with("vmaf") ? 1e-5 : 2e-7) + kPrinted; }

Scores score_samples() {
  Session session({});
  EXPECT_TRUE(session.add_metric("psnr", {}).ok());
  const std::pair<const char*, const char*> models[] = {{"vmaf", "vmaf_v0.6.1"},
                                                        {"vmaf_v1", "vmaf_v1.0.16_3d0h"},
                                                        {"vmaf_neg", "vmaf_v0.6.1neg"},
                                                        {"vmaf_b", "vmaf_b_v0.6.3"}};
  for (const auto& [name, version] : models) {
    const auto model = load_model({.version = version, .name = name});
    EXPECT_TRUE(model.ok() && session.add_model(*model).ok()) << version;
  }
  auto reference = open_source({.path = kSamples + "reference.mp4"});
  auto distorted = open_source({.path = kSamples + "distorted.mkv"});
  EXPECT_TRUE(reference.ok() && distorted.ok());
  if (!reference || !distorted) return {};
  const auto summary = run(**reference, **distorted, session, {});
  EXPECT_TRUE(summary.ok());
  return session.scores();
}

TEST(Sample, ScoresAreThoseOfLibvmaf) {
  if (!can_open_containers()) GTEST_SKIP() << "this build cannot open containers";
  std::ifstream file(kSamples + "expected.json");
  const Json expected = Json::parse(file);
  const Scores scores = score_samples();
  ASSERT_EQ(scores.frames.size(), expected.at("frames").get<std::size_t>());
  std::size_t found = 0;
  for (const Column& column : scores.columns) {
    const auto mean = expected.at("mean").find(column.key);
    if (mean == expected.at("mean").end()) continue;
    ++found;
    const auto pooled = pool(column);
    ASSERT_TRUE(pooled.has_value()) << column.key;
    EXPECT_NEAR(pooled->mean, mean->get<double>(), bound(column.key)) << column.key;
    const auto frames = expected.at("per_frame").find(column.key);
    if (frames == expected.at("per_frame").end()) continue;
    for (std::size_t i = 0; i < frames->size(); ++i) {
      EXPECT_NEAR(column.values[i].value(), (*frames)[i].get<double>(), bound(column.key))
          << column.key << " frame " << i;
    }
  }
  EXPECT_EQ(found, expected.at("mean").size());
}

}  // namespace
}  // namespace vmafx
