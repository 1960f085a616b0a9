// Reading video: y4m, raw planar YUV, and with the libav module every container and codec that the
// installed libavformat and libavcodec open.
#ifndef VMAFX_MEDIA_H_
#define VMAFX_MEDIA_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vmafx/frame_memory.h"
#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx {

struct Rational {
  std::int64_t num = 0;
  std::int64_t den = 1;
};

struct StreamInfo {
  std::string path;       // as given
  std::string container;  // "y4m", "raw", or libavformat's name
  std::string codec;      // "rawvideo", "h264", ...
  PictureFormat format;
  ColorInfo color;
  std::optional<Rational> frame_rate;
  // Of the frames that are read, skipped ones left out. Where the container says so; an estimate,
  // not a promise.
  std::optional<std::int64_t> frame_count;
  // Bits per second: what the container says of the video stream, else of a file that has no other.
  std::optional<std::int64_t> bit_rate;
  bool interlaced = false;
  // Conversions that were made or left out: "RGB converted to 4:4:4 BT.709 limited range".
  std::vector<std::string> notes;
};

// A stream of pictures of one format, in presentation order. Not thread-safe; the pictures are.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual const StreamInfo& info() const = 0;
  // The next picture, or nullopt after the last. A file that ends inside a frame gives kBadInput in
  // place of that frame, and so does a sample that does not fit the depth; calling again gives
  // nullopt. Waits for a slow pipe; destroying the source does not.
  virtual Result<std::optional<Picture>> read() = 0;
  // From any thread: a read() that waits for a slow pipe gives kInterrupted.
  virtual void cancel() noexcept {}
};

struct SourceOptions {
  std::string path;  // "-" is standard input: y4m, raw or a container
  // Set for headerless planar YUV; each frame is its planes without padding, 16-bit samples
  // little-endian.
  std::optional<PictureFormat> raw = {};
  std::int64_t skip_frames = 0;  // read and dropped before frame 0
  // Pictures decoded ahead by the stream's own thread; 0 reads in the caller's thread.
  int read_ahead = 1;
  // For the pictures of y4m and raw video; null: ordinary memory.
  std::shared_ptr<FrameMemory> memory = {};
};

// Opens a stream. Errors name the path and the reason: kIo if it cannot be opened or read,
// kBadInput if it is not what it should be, kUnavailable if it needs the libav module and that is
// not installed, kUsage for a negative option.
Result<std::unique_ptr<FrameSource>> open_source(const SourceOptions& options);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_H_
