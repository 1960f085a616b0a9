// Writes frames as y4m, or as the planes alone.
#ifndef VMAFX_TOOLS_CLIPGEN_Y4M_WRITER_H_
#define VMAFX_TOOLS_CLIPGEN_Y4M_WRITER_H_

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/clipgen/scene.h"
#include "vmafx/status.h"

namespace vmafx::clipgen {

// "C420", "C422p10", "Cmono", ...
std::string y4m_chroma_tag(const PictureFormat& format);

class Y4mWriter {
 public:
  // "-" is standard output. Without `headers` the file is raw planar YUV, 16-bit samples
  // little-endian.
  static Result<Y4mWriter> open(const std::string& path, const PictureFormat& format, int fps,
                                bool headers);
  ~Y4mWriter();
  Y4mWriter(Y4mWriter&& other) noexcept;
  Y4mWriter& operator=(Y4mWriter&&) = delete;

  Status write(const Frame& frame);
  Status close();

 private:
  Y4mWriter(std::FILE* file, std::string path, bool headers);
  Status put(const void* data, std::size_t size);

  std::FILE* file_;
  std::string path_;
  bool headers_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace vmafx::clipgen

#endif  // VMAFX_TOOLS_CLIPGEN_Y4M_WRITER_H_
