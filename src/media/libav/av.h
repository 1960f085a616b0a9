// libav* headers and owners of its objects.
#ifndef VMAFX_MEDIA_LIBAV_AV_H_
#define VMAFX_MEDIA_LIBAV_AV_H_

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
}

#include <memory>

namespace vmafx::libav {

struct Free {
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVFormatContext* p) const { avformat_close_input(&p); }
  void operator()(AVIOContext* p) const {
    av_freep(static_cast<void*>(&p->buffer));
    avio_context_free(&p);
  }
};

template <class T>
using Owned = std::unique_ptr<T, Free>;

}  // namespace vmafx::libav

#endif  // VMAFX_MEDIA_LIBAV_AV_H_
