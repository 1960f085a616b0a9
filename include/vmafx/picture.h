// Pictures: planar YUV of 8 to 16 bits a sample, over memory that somebody else may own.
#ifndef VMAFX_PICTURE_H_
#define VMAFX_PICTURE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "vmafx/status.h"

namespace vmafx {

enum class Chroma : std::uint8_t { k400, k411, k420, k422, k440, k444 };

// "420", "422", ...
std::string to_string(Chroma chroma);

// How far apart chroma samples are, in luma samples: 2 and 2 for 4:2:0, 1 and 1 without chroma.
struct ChromaSpacing {
  int x = 1;
  int y = 1;
};
constexpr ChromaSpacing chroma_spacing(Chroma chroma) {
  switch (chroma) {
    case Chroma::k411:
      return {4, 1};
    case Chroma::k420:
      return {2, 2};
    case Chroma::k422:
      return {2, 1};
    case Chroma::k440:
      return {1, 2};
    case Chroma::k400:
    case Chroma::k444:
      break;
  }
  return {};
}

// Width and height are of the luma plane in samples. Chroma planes are rounded up:
// ceil(width / 2) x ceil(height / 2) for 4:2:0.
struct PictureFormat {
  int width = 0;
  int height = 0;
  int bit_depth = 8;  // 8..16
  Chroma chroma = Chroma::k420;

  int planes() const { return chroma == Chroma::k400 ? 1 : 3; }
  // In samples, of plane 0 (luma), 1 (Cb) or 2 (Cr); 0 for a plane that is not there.
  int plane_width(int plane) const;
  int plane_height(int plane) const;
  int bytes_per_sample() const { return bit_depth > 8 ? 2 : 1; }
  // Bytes of all planes without padding.
  std::size_t tight_bytes() const;

  friend bool operator==(const PictureFormat&, const PictureFormat&) = default;
};

// "1920x1080 4:2:0 8 bit"
std::string to_string(const PictureFormat& format);

// Largest width or height that is accepted.
inline constexpr int kMaxDimension = 32768;

// Ok if the sizes are 1..kMaxDimension and the depth 8..16, else kBadInput.
Status validate(const PictureFormat& format);

// A cheap handle: copying shares the samples. Samples are uint8_t for a depth of 8, else uint16_t
// in the low bits, native byte order, below 2^bit_depth. Only the samples inside each row are read;
// rows need no alignment beyond that of a sample. Immutable once shared, so safe to read from any
// thread.
class Picture {
 public:
  struct Plane {
    const std::byte* data = nullptr;
    std::ptrdiff_t stride = 0;  // bytes from a row to the next, whole samples; may be negative
  };

  Picture() = default;
  // Wraps memory that `owner` keeps alive for as long as any copy of the picture lives; the last
  // one may go on any thread. Planes that the format lacks are ignored.
  Picture(const PictureFormat& format, const std::array<Plane, 3>& planes,
          std::shared_ptr<const void> owner)
      : format_(format), planes_(planes), owner_(std::move(owner)) {}

  explicit operator bool() const { return planes_[0].data != nullptr; }
  const PictureFormat& format() const { return format_; }
  int width(int plane) const { return format_.plane_width(plane); }
  int height(int plane) const { return format_.plane_height(plane); }
  const Plane& plane(int index) const { return planes_[static_cast<std::size_t>(index)]; }

  // Row y, 0 at the top. Sample is uint8_t or uint16_t and must match the depth.
  template <class Sample>
  const Sample* row(int plane, int y) const {
    const Plane& p = planes_[static_cast<std::size_t>(plane)];
    return reinterpret_cast<const Sample*>(p.data + static_cast<std::ptrdiff_t>(y) * p.stride);
  }

 private:
  PictureFormat format_;
  std::array<Plane, 3> planes_{};
  std::shared_ptr<const void> owner_;
};

// ITU-T H.273 code points; 2 is "unspecified".
struct ColorInfo {
  enum class Range : std::uint8_t { kUnspecified, kLimited, kFull };
  Range range = Range::kUnspecified;
  int matrix = 2;
  int transfer = 2;
  int primaries = 2;

  friend bool operator==(const ColorInfo&, const ColorInfo&) = default;
};

}  // namespace vmafx

#endif  // VMAFX_PICTURE_H_
