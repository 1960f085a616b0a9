#include "media/container_signature.h"

#include <algorithm>
#include <cstdint>

namespace vmafx {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  std::string_view name;
};

constexpr std::string_view kMp4 = "an MP4 or QuickTime file";
constexpr std::string_view kH264 = "an H.264 stream";

constexpr Signature kSignatures[] = {
    {0, "YUV4MPEG2"sv, "a y4m file"},
    {4, "ftyp"sv, kMp4},
    {4, "moov"sv, kMp4},
    {4, "mdat"sv, kMp4},
    {4, "wide"sv, kMp4},
    {4, "free"sv, kMp4},
    {4, "skip"sv, kMp4},
    {0, "\x1A\x45\xDF\xA3"sv, "a Matroska or WebM file"},
    {8, "AVI LIST"sv, "an AVI file"},
    {8, "WEBPVP8"sv, "a WebP image"},
    {0, "DKIF\0\0"sv, "an IVF file"},
    {0, "OggS\0"sv, "an Ogg file"},
    {0, "FLV\x01"sv, "an FLV file"},
    {0, "\x06\x0E\x2B\x34"sv, "an MXF file"},
    {0, "\x30\x26\xB2\x75\x8E\x66"sv, "an ASF or WMV file"},
    {0, "nut/multimedia container"sv, "a NUT file"},
    {0, "\x00\x00\x01\xBA"sv, "an MPEG program stream"},
    {0, "\x00\x00\x01\xB3"sv, "an MPEG video stream"},
    {0, "\x00\x00\x00\x01\x67"sv, kH264},
    {0, "\x00\x00\x00\x01\x09\x10"sv, kH264},
    {0, "\x00\x00\x00\x01\x09\xF0"sv, kH264},
    {0, "\x00\x00\x00\x01\x40\x01"sv, "an HEVC stream"},
    {0, "\x12\x00\x0A\x0A"sv, "an AV1 stream"},
    {0, "\x12\x00\x0A\x0B"sv, "an AV1 stream"},
    {0, "\x89PNG\r\n\x1A\n"sv, "a PNG image"},
    {0, "GIF89a"sv, "a GIF image"},
    {0, "GIF87a"sv, "a GIF image"},
    {6, "JFIF\0"sv, "a JPEG image"},
    {6, "Exif\0"sv, "a JPEG image"},
};

// Packets of 188 bytes, or 192 with a time stamp before each, that begin with 0x47. Flat areas of
// raw video repeat any byte, so the headers must also be valid and not all the same.
bool is_transport_stream(std::span<const std::byte> head, std::size_t first, std::size_t packet) {
  constexpr std::size_t kHeader = 4;
  constexpr std::size_t kFewest = 4;
  std::size_t packets = 0;
  bool differ = false;
  for (std::size_t at = first; at + kHeader <= head.size(); at += packet, ++packets) {
    const std::span<const std::byte> header = head.subspan(at, kHeader);
    const bool has_content = (header[3] & std::byte{0x30}) != std::byte{0};
    if (header[0] != std::byte{0x47} || !has_content) return false;
    differ = differ || !std::ranges::equal(header, head.subspan(first, kHeader));
  }
  return packets >= kFewest && differ;
}

}  // namespace

std::string_view container_signature(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  for (const Signature& s : kSignatures)
    if (text.size() >= s.offset && text.substr(s.offset).starts_with(s.bytes)) return s.name;
  if (is_transport_stream(head, 0, 188) || is_transport_stream(head, 4, 192))
    return "an MPEG transport stream";
  return {};
}

}  // namespace vmafx
