// From a reader to a FrameSource: skipped frames, the end, and the stream's own thread.
#ifndef VMAFX_MEDIA_READ_AHEAD_H_
#define VMAFX_MEDIA_READ_AHEAD_H_

#include <cstdint>
#include <memory>

#include "media/frame_reader.h"

namespace vmafx {

// At most `read_ahead` pictures are read before they are asked for; 0 uses the caller's thread. The
// source may be destroyed at any time.
Result<std::unique_ptr<FrameSource>> frame_source(std::unique_ptr<FrameReader> reader,
                                                  std::int64_t skip_frames, int read_ahead);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_READ_AHEAD_H_
