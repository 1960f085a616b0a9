// Small video files for the tests of this folder.
#ifndef VMAFX_MEDIA_MEDIA_TESTING_H_
#define VMAFX_MEDIA_MEDIA_TESTING_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "vmafx/media.h"

namespace vmafx::media_testing {

// A folder that is removed with everything in it.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vmafx_media_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }

 private:
  std::string path_;
};

// A sample that depends on all of its coordinates and uses all bits.
inline unsigned sample(const PictureFormat& format, int frame, int plane, int x, int y) {
  const auto mixed = [](int value, std::uint32_t factor) {
    return static_cast<std::uint32_t>(value) * factor;
  };
  std::uint32_t v =
      mixed(frame, 7919) + mixed(plane, 104729) + mixed(y, 1299709) + mixed(x, 15485863) + 1;
  v ^= v >> 15;
  v *= 2246822519u;
  v ^= v >> 13;
  return v & ((1u << format.bit_depth) - 1);
}

// The planes of one frame as raw video has them.
inline std::string raw_frame(const PictureFormat& format, int frame) {
  std::string bytes;
  for (int p = 0; p < format.planes(); ++p)
    for (int y = 0; y < format.plane_height(p); ++y)
      for (int x = 0; x < format.plane_width(p); ++x) {
        const unsigned v = sample(format, frame, p, x, y);
        bytes += static_cast<char>(v & 0xFF);
        if (format.bit_depth > 8) bytes += static_cast<char>(v >> 8);
      }
  return bytes;
}

inline std::string raw_frames(const PictureFormat& format, int frames) {
  std::string bytes;
  for (int n = 0; n < frames; ++n) bytes += raw_frame(format, n);
  return bytes;
}

inline unsigned sample_of(const Picture& picture, int plane, int x, int y) {
  return picture.format().bit_depth > 8 ? picture.row<std::uint16_t>(plane, y)[x]
                                        : picture.row<std::uint8_t>(plane, y)[x];
}

// Whether it is frame number `frame` of the files made here.
inline bool is_frame(const Picture& picture, int frame) {
  const PictureFormat& f = picture.format();
  for (int p = 0; p < f.planes(); ++p)
    for (int y = 0; y < f.plane_height(p); ++y)
      for (int x = 0; x < f.plane_width(p); ++x)
        if (sample_of(picture, p, x, y) != sample(f, frame, p, x, y)) return false;
  return true;
}

inline Result<std::unique_ptr<FrameSource>> open(const std::string& path, int read_ahead = 2) {
  SourceOptions options;
  options.path = path;
  options.read_ahead = read_ahead;
  return open_source(options);
}

inline Result<std::unique_ptr<FrameSource>> open_raw(const std::string& path,
                                                     const PictureFormat& format) {
  SourceOptions options;
  options.path = path;
  options.raw = format;
  return open_source(options);
}

// What reading to the end gives.
struct Outcome {
  std::vector<Picture> pictures;
  std::string error;  // empty if there was none
};

inline Outcome read_all(FrameSource& source) {
  Outcome outcome;
  for (;;) {
    Result<std::optional<Picture>> next = source.read();
    if (!next.ok()) {
      EXPECT_EQ(next.error().code, ErrorCode::kBadInput);
      outcome.error = next.error().message;
      Result<std::optional<Picture>> after = source.read();
      EXPECT_TRUE(after.ok() && !after->has_value()) << "an error is the last thing";
      return outcome;
    }
    if (!next->has_value()) return outcome;
    outcome.pictures.push_back(**next);
  }
}

}  // namespace vmafx::media_testing

#endif  // VMAFX_MEDIA_MEDIA_TESTING_H_
