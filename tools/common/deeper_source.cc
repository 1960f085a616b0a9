#include "common/deeper_source.h"

#include <new>

#include <fmt/format.h>

namespace vmafx::tools {
namespace {

template <class Sample>
void deepen_row(const Sample* from, int width, int shift, std::uint16_t* to) {
  for (int x = 0; x < width; ++x) to[x] = static_cast<std::uint16_t>(from[x] << shift);
}

Picture deepen(const Picture& picture, const PictureFormat& format) {
  const int shift = format.bit_depth - picture.format().bit_depth;
  auto samples =
      std::make_shared<std::vector<std::uint16_t>>(format.tight_bytes() / sizeof(std::uint16_t));
  std::uint16_t* to = samples->data();
  std::array<Picture::Plane, 3> planes{};
  for (int plane = 0; plane < format.planes(); ++plane) {
    const int width = format.plane_width(plane);
    planes[static_cast<std::size_t>(plane)] = {
        reinterpret_cast<const std::byte*>(to),
        static_cast<std::ptrdiff_t>(sizeof(std::uint16_t)) * width};
    for (int y = 0; y < format.plane_height(plane); ++y, to += width) {
      if (picture.format().bit_depth == 8)
        deepen_row(picture.row<std::uint8_t>(plane, y), width, shift, to);
      else
        deepen_row(picture.row<std::uint16_t>(plane, y), width, shift, to);
    }
  }
  return {format, planes, std::move(samples)};
}

class DeeperSource : public FrameSource {
 public:
  DeeperSource(std::unique_ptr<FrameSource> source, int bit_depth)
      : source_(std::move(source)), info_(source_->info()) {
    info_.notes.push_back(
        fmt::format("brought from {} to {} bit", info_.format.bit_depth, bit_depth));
    info_.format.bit_depth = bit_depth;
  }

  const StreamInfo& info() const override { return info_; }

  Result<std::optional<Picture>> read() override {
    auto picture = source_->read();
    if (!picture || !*picture) return picture;
    try {
      return std::optional(deepen(**picture, info_.format));
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::kOutOfMemory, "out of memory while reading " + info_.path, {}};
    }
  }

 private:
  std::unique_ptr<FrameSource> source_;
  StreamInfo info_;
};

}  // namespace

std::unique_ptr<FrameSource> with_bit_depth(std::unique_ptr<FrameSource> source, int bit_depth) {
  if (source->info().format.bit_depth == bit_depth) return source;
  return std::make_unique<DeeperSource>(std::move(source), bit_depth);
}

}  // namespace vmafx::tools
