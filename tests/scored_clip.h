// Clips for tests of sessions, and how to compare what comes out of them.
#ifndef VMAFX_TESTS_SCORED_CLIP_H_
#define VMAFX_TESTS_SCORED_CLIP_H_

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tools/clipgen/distort.h"
#include "tools/clipgen/scene.h"
#include "vmafx/catalog.h"
#include "vmafx/model.h"
#include "vmafx/session.h"

namespace vmafx::tests {

struct Clip {
  std::vector<Picture> reference;
  std::vector<Picture> distorted;
};

inline Picture to_picture(const clipgen::Frame& frame) {
  const PictureFormat& format = frame.format;
  auto samples = std::make_shared<std::vector<std::byte>>(format.tight_bytes());
  std::array<Picture::Plane, 3> planes{};
  std::byte* out = samples->data();
  const int size = format.bytes_per_sample();
  for (int plane = 0; plane < format.planes(); ++plane) {
    planes[static_cast<std::size_t>(plane)] = {out,
                                               std::ptrdiff_t{format.plane_width(plane)} * size};
    for (const std::uint16_t sample : frame.planes[static_cast<std::size_t>(plane)]) {
      if (size == 1) {
        *out = static_cast<std::byte>(sample);
      } else {
        std::memcpy(out, &sample, sizeof(sample));
      }
      out += size;
    }
  }
  return {format, planes, samples};
}

// With a cut every four frames.
inline Clip make_clip(const PictureFormat& format, int frames) {
  clipgen::Scene scene({.format = format, .motion = clipgen::Motion::kCuts, .cut_interval = 4});
  Clip clip;
  for (int n = 0; n < frames; ++n) {
    clipgen::Frame frame = scene.render(n);
    clip.reference.push_back(to_picture(frame));
    distort(frame, n % 2 == 0 ? clipgen::Distortion::kBlur : clipgen::Distortion::kBlocks, 3, n, 1);
    clip.distorted.push_back(to_picture(frame));
  }
  return clip;
}

// Every metric and every built-in model.
inline void add_everything(Session& session) {
  for (const MetricInfo& metric : list_metrics()) {
    const Status status = session.add_metric(metric.name, {});
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
  for (const std::string_view version : builtin_models()) {
    const auto model = load_model({.version = std::string(version), .name = std::string(version)});
    ASSERT_TRUE(model.ok()) << model.error().message;
    const Status status = session.add_model(*model);
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
}

// Scores of everything.
inline Scores score(const Clip& clip, const SessionConfig& config) {
  Session session(config);
  add_everything(session);
  for (std::size_t n = 0; n < clip.reference.size(); ++n) {
    const Status status = session.submit(clip.reference[n], clip.distorted[n]);
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
  const Status status = session.finish();
  EXPECT_TRUE(status.ok()) << status.error().message;
  return session.scores();
}

inline void expect_same_bits(const Scores& a, const Scores& b, const std::string& what) {
  ASSERT_EQ(a.frames, b.frames) << what;
  ASSERT_EQ(a.columns.size(), b.columns.size()) << what;
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    ASSERT_EQ(a.columns[c].key, b.columns[c].key) << what;
    for (std::size_t i = 0; i < a.columns[c].values.size(); ++i) {
      const auto& x = a.columns[c].values[i];
      const auto& y = b.columns[c].values[i];
      ASSERT_EQ(x.has_value(), y.has_value()) << what << " " << a.columns[c].key << " frame " << i;
      if (!x) continue;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(*x), std::bit_cast<std::uint64_t>(*y))
          << what << " " << a.columns[c].key << " frame " << i << ": " << *x << " and " << *y;
    }
  }
  EXPECT_EQ(a.aggregates, b.aggregates) << what;
}

}  // namespace vmafx::tests

#endif  // VMAFX_TESTS_SCORED_CLIP_H_
