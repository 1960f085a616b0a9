// Containers and codecs through libavformat and libavcodec.
#ifndef VMAFX_MEDIA_LIBAV_READER_H_
#define VMAFX_MEDIA_LIBAV_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "media/frame_reader.h"
#include "media/libav/av.h"
#include "media/libav/io.h"
#include "media/libav/log.h"
#include "media/libav/pixels.h"

namespace vmafx::libav {

class Reader final : public FrameReader {
 public:
  Reader(std::unique_ptr<ByteSource> bytes, const std::string& path);

  // Finds the video stream and decodes its first frame, which tells what the others are like.
  Status open();

  const StreamInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override;
  void cancel() noexcept override { input_.bytes().cancel(); }

 private:
  Status open_container();
  Status choose_stream();
  Status open_decoder();
  Status adopt(const AVFrame& frame);
  void describe(const AVFrame& frame);
  void describe_rotation();

  Result<Owned<AVFrame>> decode();
  Status feed();
  Status stop_feeding(std::optional<Error> error);
  bool may_follow_a_gap(const AVFrame& frame) const;
  std::optional<Error> flaw(const AVFrame& frame) const;
  std::optional<Error> flaw_at_end() const;
  bool index_lists_more() const;
  bool ends_inside_transport_packet() const;

  const std::string& name() const { return input_.bytes().name(); }
  Error bad(const std::string& what, int code = 0) const;
  Error undecodable(int code) const;

  StreamLog log_;  // outlives the contexts
  Input input_;
  StreamInfo info_;
  Owned<AVFormatContext> container_;
  Owned<AVCodecContext> decoder_;
  Owned<AVPacket> packet_;
  AVStream* stream_ = nullptr;  // of container_

  // The first frame's; the others must agree.
  int pixel_format_ = -1;
  std::optional<PictureMaker> maker_;
  Owned<AVFrame> first_;

  std::int64_t packets_ = 0;
  std::int64_t last_dts_ = AV_NOPTS_VALUE;  // decoding time of the last packet
  std::int64_t frame_ = 0;                  // number of the next one
  bool draining_ = false;
  std::optional<Error> stopped_by_;  // to be told after the frames before it
};

}  // namespace vmafx::libav

#endif  // VMAFX_MEDIA_LIBAV_READER_H_
