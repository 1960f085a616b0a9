#include "metrics/device_measurement.h"

namespace vmafx {

DevicePictureLayout::DevicePictureLayout(const PictureFormat& picture_format, bool with_chroma)
    : format(picture_format), planes(with_chroma ? picture_format.planes() : 1) {
  constexpr std::size_t kAlignment = 256;
  constexpr std::size_t kRowAlignment = 64;
  for (int p = 0; p < planes; ++p) {
    const auto i = static_cast<std::size_t>(p);
    const auto row = static_cast<std::size_t>(format.plane_width(p)) *
                     static_cast<std::size_t>(format.bytes_per_sample());
    offset[i] = bytes;
    stride[i] = (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    bytes += stride[i] * static_cast<std::size_t>(format.plane_height(p));
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
}

DevicePicture DevicePictureLayout::at(std::byte* memory) const {
  DevicePicture picture{format, {}, {}};
  for (std::size_t p = 0; p < static_cast<std::size_t>(planes); ++p) {
    picture.data[p] = memory + offset[p];
    picture.stride[p] = static_cast<std::ptrdiff_t>(stride[p]);
  }
  return picture;
}

void DevicePictureLayout::pack(const Picture& picture, std::byte* memory) const {
  for (int plane = 0; plane < planes; ++plane) pack(picture, plane, memory);
}

void DevicePictureLayout::pack(const Picture& picture, int plane, std::byte* memory) const {
  const auto p = static_cast<std::size_t>(plane);
  const auto row = static_cast<std::size_t>(format.plane_width(plane)) *
                   static_cast<std::size_t>(format.bytes_per_sample());
  for (int y = 0; y < format.plane_height(plane); ++y) {
    std::byte* const to = memory + offset[p] + stride[p] * static_cast<std::size_t>(y);
    std::memcpy(to, picture.row<std::byte>(plane, y), row);
  }
}

}  // namespace vmafx
