// YUV4MPEG2 (y4m): a text header, then a FRAME line and tight planes for every frame.
#ifndef VMAFX_MEDIA_Y4M_H_
#define VMAFX_MEDIA_Y4M_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "media/byte_source.h"
#include "media/frame_reader.h"

namespace vmafx {

// Whether a file with these first bytes is y4m.
bool is_y4m(std::span<const std::byte> head);

struct Y4mHeader {
  PictureFormat format;
  ColorInfo color;
  std::optional<Rational> frame_rate;
  bool interlaced = false;
  std::size_t alpha_bytes = 0;  // of a plane that follows the others
};

// The line without its end. kBadInput that begins with `name` if it is not understood.
Result<Y4mHeader> parse_y4m_header(std::string_view line, const std::string& name);

// Takes the bytes from the first one on; `path` is for StreamInfo.
Result<std::unique_ptr<FrameReader>> open_y4m(std::unique_ptr<ByteSource> bytes,
                                              const std::string& path,
                                              std::shared_ptr<FrameMemory> memory);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_Y4M_H_
