// What the readers of the formats have in common.
#ifndef VMAFX_MEDIA_FRAME_READER_H_
#define VMAFX_MEDIA_FRAME_READER_H_

#include <optional>

#include "vmafx/media.h"

namespace vmafx {

// Pictures of one stream, in order; for one thread, except cancel(). It is not called again after
// an error or the end: FrameSource's promises about that are kept by frame_source().
class FrameReader {
 public:
  virtual ~FrameReader() = default;
  virtual const StreamInfo& info() const = 0;
  virtual Result<std::optional<Picture>> next() = 0;
  // From any thread: next() returns soon, with kInterrupted if it was waiting for a pipe.
  virtual void cancel() noexcept = 0;
};

}  // namespace vmafx

#endif  // VMAFX_MEDIA_FRAME_READER_H_
