#include "tools/clipgen/y4m_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace vmafx::clipgen {
namespace {

Error io_error(const std::string& path) {
  return {ErrorCode::kIo, fmt::format("cannot write {}: {}", path, std::strerror(errno)), ""};
}

}  // namespace

std::string y4m_chroma_tag(const PictureFormat& format) {
  const bool mono = format.chroma == Chroma::k400;
  const std::string name = mono ? "mono" : to_string(format.chroma);
  if (format.bit_depth == 8) return fmt::format("C{}", name);
  return fmt::format("C{}{}{}", name, mono ? "" : "p", format.bit_depth);
}

Y4mWriter::Y4mWriter(std::FILE* file, std::string path, bool headers)
    : file_(file), path_(std::move(path)), headers_(headers) {}

Y4mWriter::Y4mWriter(Y4mWriter&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      path_(std::move(other.path_)),
      headers_(other.headers_) {}

Y4mWriter::~Y4mWriter() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

Result<Y4mWriter> Y4mWriter::open(const std::string& path, const PictureFormat& format, int fps,
                                  bool headers) {
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) return io_error(path);
  Y4mWriter writer(file, path, headers);
  if (headers) {
    const std::string header =
        fmt::format("YUV4MPEG2 W{} H{} F{}:1 Ip A1:1 {} XCOLORRANGE=LIMITED\n", format.width,
                    format.height, fps, y4m_chroma_tag(format));
    if (Status status = writer.put(header.data(), header.size()); !status) return status.error();
  }
  return writer;
}

Status Y4mWriter::put(const void* data, std::size_t size) {
  if (std::fwrite(data, 1, size, file_) != size) return io_error(path_);
  return {};
}

Status Y4mWriter::write(const Frame& frame) {
  if (headers_) {
    if (Status status = put("FRAME\n", 6); !status) return status;
  }
  const auto step = static_cast<std::size_t>(frame.format.bytes_per_sample());
  bytes_.resize(frame.format.tight_bytes());
  std::uint8_t* out = bytes_.data();
  for (int plane = 0; plane < frame.format.planes(); ++plane) {
    for (const std::uint16_t sample : frame.planes[static_cast<std::size_t>(plane)]) {
      out[0] = static_cast<std::uint8_t>(sample & 255U);
      if (step == 2) out[1] = static_cast<std::uint8_t>(sample >> 8);
      out += step;
    }
  }
  return put(bytes_.data(), bytes_.size());
}

Status Y4mWriter::close() {
  std::FILE* file = std::exchange(file_, nullptr);
  if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0) return io_error(path_);
  return {};
}

}  // namespace vmafx::clipgen
