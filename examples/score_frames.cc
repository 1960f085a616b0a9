// Scores frames that the program has in memory, without a copy, and shows each frame's score as
// soon as it is final: what an encoder or a player would do.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

#include "vmafx/log.h"
#include "vmafx/model.h"
#include "vmafx/picture.h"
#include "vmafx/session.h"

namespace {

constexpr vmafx::PictureFormat kFormat{320, 180, 8, vmafx::Chroma::k420};

// A frame of the program's own. The session keeps the vector alive for as long as it needs it.
vmafx::Picture make_frame(int number, int noise) {
  const auto samples = std::make_shared<std::vector<std::uint8_t>>(kFormat.tight_bytes());
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < samples->size(); ++i) {
    state = state * 1664525u + 1013904223u;
    const auto ramp =
        static_cast<int>((i + static_cast<std::size_t>(4 * number)) % 320) * 200 / 320;
    (*samples)[i] =
        static_cast<std::uint8_t>(20 + ramp + static_cast<int>(state >> 24) * noise / 256);
  }
  std::array<vmafx::Picture::Plane, 3> planes;
  const auto* data = reinterpret_cast<const std::byte*>(samples->data());
  for (int p = 0; p < kFormat.planes(); ++p) {
    const std::ptrdiff_t stride = kFormat.plane_width(p);
    planes[static_cast<std::size_t>(p)] = {data, stride};
    data += stride * kFormat.plane_height(p);
  }
  return {kFormat, planes, samples};
}

int fail(const vmafx::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  vmafx::SessionConfig config{.threads = 2};
  config.on_frame = [](const vmafx::FrameScores& scores) {
    std::printf("frame %2lld  %s %.4f\n", static_cast<long long>(scores.frame),
                scores.keys.back().c_str(), scores.values.back());
  };
  config.log = [](vmafx::LogLevel, std::string_view line) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  };
  vmafx::Session session(config);
  const auto model = vmafx::load_model({.version = "vmaf_v0.6.1"});
  if (!model) return fail(model.error());
  if (auto status = session.add_model(*model); !status) return fail(status.error());

  for (int number = 0; number < 24; ++number)
    if (auto status = session.submit(make_frame(number, 8), make_frame(number, 30)); !status)
      return fail(status.error());
  if (auto status = session.finish(); !status) return fail(status.error());
  std::printf("%lld frames, each at most %d late\n", static_cast<long long>(session.frames_done()),
              session.delay());
  return 0;
}
