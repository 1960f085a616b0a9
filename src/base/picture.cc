#include "vmafx/picture.h"

#include <fmt/format.h>

namespace vmafx {
namespace {

int rounded_up(int size, int spacing) { return (size + spacing - 1) / spacing; }

}  // namespace

std::string to_string(Chroma chroma) {
  switch (chroma) {
    case Chroma::k400:
      return "400";
    case Chroma::k411:
      return "411";
    case Chroma::k420:
      return "420";
    case Chroma::k422:
      return "422";
    case Chroma::k440:
      return "440";
    case Chroma::k444:
      return "444";
  }
  return "unknown";
}

int PictureFormat::plane_width(int plane) const {
  if (plane == 0) return width;
  return chroma == Chroma::k400 ? 0 : rounded_up(width, chroma_spacing(chroma).x);
}

int PictureFormat::plane_height(int plane) const {
  if (plane == 0) return height;
  return chroma == Chroma::k400 ? 0 : rounded_up(height, chroma_spacing(chroma).y);
}

std::size_t PictureFormat::tight_bytes() const {
  std::size_t samples = 0;
  for (int p = 0; p < planes(); ++p)
    samples += static_cast<std::size_t>(plane_width(p)) * static_cast<std::size_t>(plane_height(p));
  return samples * static_cast<std::size_t>(bytes_per_sample());
}

std::string to_string(const PictureFormat& format) {
  const std::string c = to_string(format.chroma);
  return fmt::format("{}x{} {}:{}:{} {} bit", format.width, format.height, c[0], c[1], c[2],
                     format.bit_depth);
}

Status validate(const PictureFormat& format) {
  if (format.width < 1 || format.height < 1 || format.width > kMaxDimension ||
      format.height > kMaxDimension)
    return Error{ErrorCode::kBadInput,
                 fmt::format("a picture of {}x{} is outside 1x1 to {}x{}", format.width,
                             format.height, kMaxDimension, kMaxDimension),
                 {}};
  if (format.bit_depth < 8 || format.bit_depth > 16)
    return Error{ErrorCode::kBadInput,
                 fmt::format("a depth of {} bits is outside 8 to 16", format.bit_depth),
                 {}};
  return {};
}

}  // namespace vmafx
