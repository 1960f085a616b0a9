// Frames whose planes follow one another without padding, as in y4m and raw video.
#ifndef VMAFX_MEDIA_PLANAR_H_
#define VMAFX_MEDIA_PLANAR_H_

#include <cstdint>
#include <optional>

#include "media/buffer_pool.h"
#include "media/byte_source.h"
#include "vmafx/picture.h"

namespace vmafx {

// Reads planes straight into buffers of a pool.
class PlanarReader {
 public:
  // A valid format.
  explicit PlanarReader(const PictureFormat& format)
      : format_(format), pool_(format.tight_bytes()) {}

  const PictureFormat& format() const { return format_; }
  // Frame number `frame`; nullopt if not a byte is left.
  Result<std::optional<Picture>> read(ByteSource& bytes, std::int64_t frame);

 private:
  PictureFormat format_;
  BufferPool pool_;
};

// kBadInput for a stream that ends inside a frame.
Error cut_frame(const ByteSource& bytes, std::int64_t frame, std::size_t missing,
                std::size_t whole);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_PLANAR_H_
