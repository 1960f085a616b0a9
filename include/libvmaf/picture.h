/* Pictures: planes of samples in host memory that the library allocates. */
#ifndef VMAFX_LIBVMAF_PICTURE_H_
#define VMAFX_LIBVMAF_PICTURE_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum VmafPixelFormat {
  VMAF_PIX_FMT_UNKNOWN = 0,
  VMAF_PIX_FMT_YUV420P = 1,
  VMAF_PIX_FMT_YUV422P = 2,
  VMAF_PIX_FMT_YUV444P = 3,
  VMAF_PIX_FMT_YUV400P = 4 /* luma alone */
};

typedef struct VmafRef VmafRef;

/* Planes 0, 1, 2 are luma, Cb, Cr. A sample is a uint8_t for bpc 8, else a uint16_t in native byte
 * order whose value is below 2^bpc. Only the samples are to be written; everything else is the
 * library's. */
typedef struct VmafPicture {
  enum VmafPixelFormat pix_fmt;
  unsigned bpc;        /* bits per sample, 8..16 */
  unsigned w[3], h[3]; /* of each plane, in samples; 0 for planes that the format lacks. Chroma is
                        * rounded up: 9 for 17 columns of 4:2:0 */
  ptrdiff_t stride[3]; /* from a row to the next, in bytes; rows begin at multiples of 64 bytes */
  void* data[3];
  VmafRef* ref;
  void* priv;
} VmafPicture;

/* Fills *picture with zeros; width and height are luma's, 1..32768. What it held before is
 * overwritten, not released. -EINVAL: a format, depth or size that there is not; -ENOMEM. */
int vmaf_picture_alloc(VmafPicture* picture, enum VmafPixelFormat format, unsigned bits,
                       unsigned width, unsigned height);

/* Releases a picture that was not handed to vmaf_read_pictures(), and zeroes *picture. From any
 * thread. -EINVAL: NULL, or no picture of this library, or one that was released or handed over;
 * without a line for a picture of zeros. */
int vmaf_picture_unref(VmafPicture* picture);

#ifdef __cplusplus
}
#endif

#endif /* VMAFX_LIBVMAF_PICTURE_H_ */
