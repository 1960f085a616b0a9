// Frames whose planes follow one another without padding, as in y4m and raw video.
#ifndef VMAFX_MEDIA_PLANAR_H_
#define VMAFX_MEDIA_PLANAR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "media/buffer_pool.h"
#include "media/byte_source.h"
#include "media/team.h"
#include "vmafx/picture.h"

namespace vmafx {

// Reads planes straight into buffers of a pool.
class PlanarReader {
 public:
  // A valid format. Large frames of regular files are read by `helpers` more threads.
  explicit PlanarReader(const PictureFormat& format, std::shared_ptr<FrameMemory> memory,
                        int helpers = spare_cores())
      : format_(format), helpers_(helpers), pool_(format.tight_bytes(), std::move(memory)) {}

  const PictureFormat& format() const { return format_; }
  // Frame number `frame`; nullopt if not a byte is left.
  Result<std::optional<Picture>> read(ByteSource& bytes, std::int64_t frame);

 private:
  // False if the file ends before the frame does, or part of it cannot be read: then nothing is
  // consumed. `bits` gets all bits that samples have.
  bool read_in_parts(ByteSource& bytes, std::byte* to, std::uint32_t& bits);

  // A few where the machine has many, else none.
  static int spare_cores();

  PictureFormat format_;
  int helpers_;
  BufferPool pool_;
  std::optional<Team> team_;
};

// kBadInput for a stream that ends inside a frame.
Error cut_frame(const ByteSource& bytes, std::int64_t frame, std::size_t missing,
                std::size_t whole);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_PLANAR_H_
