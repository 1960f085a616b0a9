// Frames that are submitted one at a time, so that idle threads help with their parts, have the
// scores that they have on one thread.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "tests/scored_clip.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

// Heights that give every scale another number of parts.
const PictureFormat kFormats[] = {
    {.width = 96, .height = 1080, .bit_depth = 8, .chroma = Chroma::k420},
    {.width = 70, .height = 777, .bit_depth = 10, .chroma = Chroma::k420},
};

Scores score_one_at_a_time(const tests::Clip& clip, int threads) {
  Session session({.threads = threads});
  for (const char* version : {"vmaf_v0.6.1", "vmaf_v0.6.1neg"}) {
    const auto model = load_model({.version = version, .name = version});
    EXPECT_TRUE(model.ok() && session.add_model(*model).ok());
  }
  for (const char* metric : {"psnr", "float_ssim"})
    EXPECT_TRUE(session.add_metric(metric, {}).ok());
  for (std::size_t n = 0; n < clip.reference.size(); ++n) {
    EXPECT_TRUE(session.submit(clip.reference[n], clip.distorted[n]).ok());
    EXPECT_TRUE(session.score("integer_adm2", static_cast<std::int64_t>(n)).ok());
  }
  EXPECT_TRUE(session.finish().ok());
  return session.scores();
}

TEST(Crew, HelpChangesNoScore) {
  for (const PictureFormat& format : kFormats) {
    const tests::Clip clip = tests::make_clip(format, 3);
    const Scores one = score_one_at_a_time(clip, 1);
    for (const int threads : {2, 4, 8})
      tests::expect_same_bits(one, score_one_at_a_time(clip, threads),
                              to_string(format) + ", " + std::to_string(threads) + " threads");
  }
}

}  // namespace
}  // namespace vmafx
