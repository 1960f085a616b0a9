// From libav*'s pixel layouts to planar YUV pictures.
#ifndef VMAFX_MEDIA_LIBAV_PIXELS_H_
#define VMAFX_MEDIA_LIBAV_PIXELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "media/buffer_pool.h"
#include "media/libav/av.h"
#include "vmafx/picture.h"

namespace vmafx::libav {

// How a pixel layout becomes a picture.
struct Layout {
  enum class Way : std::uint8_t {
    kShare,   // the decoder's planes as they are
    kRepack,  // the same samples, moved: semi-planar, packed, other byte order, 1 bit
    kRgb,     // RGB, GBR and palettes: R'G'B' to Y'CbCr 4:4:4
  };
  Way way = Way::kShare;
  PictureFormat format;
  bool full_range = false;  // the layout itself says so
  std::vector<std::string> notes;
};

// "yuv420p10le", ...
std::string pixel_format_name(int pixel_format);

// kBadInput that names the layout if it has no counterpart.
Result<Layout> layout_of(int pixel_format, int width, int height);

// Makes pictures of one layout.
class PictureMaker {
 public:
  PictureMaker(int pixel_format, const Layout& layout);
  // Null picture if memory is short.
  Picture make(Owned<AVFrame> frame);

 private:
  Picture share(Owned<AVFrame> frame) const;
  template <class Sample>
  void fill(const AVFrame& frame, std::byte* buffer);
  void read_component(const AVFrame& frame, int component, int y, int width,
                      std::uint16_t* to) const;
  void read_rgb(const AVFrame& frame, int y);

  int pixel_format_;
  const AVPixFmtDescriptor& descriptor_;
  Layout layout_;
  BufferPool pool_;
  std::vector<std::uint16_t> line_;  // three components of one row
};

}  // namespace vmafx::libav

#endif  // VMAFX_MEDIA_LIBAV_PIXELS_H_
