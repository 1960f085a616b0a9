#include "media/libav/reader.h"

#include <algorithm>
#include <array>
#include <new>
#include <thread>

#include <fmt/format.h>

#include "base/sample_range.h"

namespace vmafx::libav {
namespace {

constexpr unsigned kMostThreads = 16;
constexpr const char* kRawHint = "headerless video needs its size, chroma format and bit depth";

// Demuxers that libavformat picks by the file's name alone and that would show any text as video.
constexpr std::string_view kGuesses[] = {"tty", "bin", "xbin", "adf", "idf", "rawvideo"};

std::string reason(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

bool is_interlaced(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame.interlaced_frame != 0;
#endif
}

const std::int32_t* display_matrix(const AVStream& stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
  const AVPacketSideData* const data =
      av_packet_side_data_get(stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data,
                              AV_PKT_DATA_DISPLAYMATRIX);
  return data != nullptr ? reinterpret_cast<const std::int32_t*>(data->data) : nullptr;
#else
  return reinterpret_cast<const std::int32_t*>(
      av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr));
#endif
}

// A still image, for which libavformat makes up a frame rate.
bool is_image(const AVInputFormat& format) {
  const std::string_view name = format.name;
  return name.ends_with("_pipe") || name == "image2";
}

ColorInfo::Range range_of(AVColorRange range) {
  switch (range) {
    case AVCOL_RANGE_MPEG:
      return ColorInfo::Range::kLimited;
    case AVCOL_RANGE_JPEG:
      return ColorInfo::Range::kFull;
    default:
      return ColorInfo::Range::kUnspecified;
  }
}

// The frame's value, or the container's where the frame has none. Both number as H.273 does.
int specified(int frame, int container) { return frame != 2 ? frame : container; }

}  // namespace

Reader::Reader(std::unique_ptr<ByteSource> bytes, const std::string& path)
    : input_(std::move(bytes)), packet_(av_packet_alloc()) {
  if (!packet_) throw std::bad_alloc();
  info_.path = path;
}

Error Reader::bad(const std::string& what, int code) const {
  if (input_.error()) return *input_.error();
  if (code == AVERROR(ENOMEM)) return {ErrorCode::kOutOfMemory, name() + ": out of memory", {}};
  std::string message = fmt::format("{}: {}", name(), what);
  if (code != 0) message += ": " + reason(code);
  if (const std::string said = log_.last_error(); !said.empty())
    message += fmt::format(" (libav: {})", said);
  return {ErrorCode::kBadInput, std::move(message), {}};
}

// The number is that of the first frame which the decoder did not give out; it holds some back to
// order them.
Error Reader::undecodable(int code) const {
  return bad(fmt::format("frame {} or a later one cannot be decoded", frame_), code);
}

Status Reader::open() {
  for (const auto step : {&Reader::open_container, &Reader::choose_stream, &Reader::open_decoder})
    if (Status status = (this->*step)(); !status.ok()) return status;
  Result<Owned<AVFrame>> frame = decode();
  if (!frame.ok()) return frame.error();
  first_ = std::move(frame).value();
  if (first_) return adopt(*first_);

  // No frame at all: the container's word has to do.
  if (stream_->codecpar->format < 0)
    return Error{ErrorCode::kNoFrames, name() + ": there is not a single frame", {}};
  Owned<AVFrame> empty(av_frame_alloc());
  if (!empty) return Error{ErrorCode::kOutOfMemory, name() + ": out of memory", {}};
  empty->format = stream_->codecpar->format;
  empty->width = stream_->codecpar->width;
  empty->height = stream_->codecpar->height;
  return adopt(*empty);
}

Status Reader::open_container() {
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) return Error{ErrorCode::kOutOfMemory, name() + ": out of memory", {}};
  context->pb = input_.context();
  context->opaque = &log_;
  AVDictionary* options = nullptr;
  // Playlists may name other files, never addresses.
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  // Frees the context when it fails.
  const int opened = avformat_open_input(&context, info_.path.c_str(), nullptr, &options);
  av_dict_free(&options);
  if (opened >= 0) container_.reset(context);
  const bool guessed =
      container_ && std::ranges::find(kGuesses, container_->iformat->name) != std::end(kGuesses);
  if (opened < 0 || guessed) {
    Error error = bad("neither y4m nor a container that libav can read", opened);
    if (error.code == ErrorCode::kBadInput) error.hint = kRawHint;
    return error;
  }
  info_.container = container_->iformat->name;
  return {};
}

Status Reader::choose_stream() {
  if (const int found = avformat_find_stream_info(container_.get(), nullptr); found < 0)
    return bad("the streams cannot be read", found);
  for (const int unwanted : {AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS, 0}) {
    for (unsigned i = 0; i < container_->nb_streams && stream_ == nullptr; ++i) {
      AVStream* const stream = container_->streams[i];
      if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
          (stream->disposition & unwanted) == 0)
        stream_ = stream;
    }
  }
  if (stream_ == nullptr)
    return bad(fmt::format("there is no video in this {} file", info_.container));
  for (unsigned i = 0; i < container_->nb_streams; ++i)
    if (container_->streams[i] != stream_) container_->streams[i]->discard = AVDISCARD_ALL;
  return {};
}

Status Reader::open_decoder() {
  const AVCodecParameters& parameters = *stream_->codecpar;
  info_.codec = avcodec_get_name(parameters.codec_id);
  const AVCodec* const codec = avcodec_find_decoder(parameters.codec_id);
  if (codec == nullptr)
    return Error{
        ErrorCode::kUnavailable,
        fmt::format("{}: the installed libavcodec has no decoder for {}", name(), info_.codec),
        {}};
  decoder_.reset(avcodec_alloc_context3(codec));
  if (!decoder_) return Error{ErrorCode::kOutOfMemory, name() + ": out of memory", {}};
  int result = avcodec_parameters_to_context(decoder_.get(), &parameters);
  decoder_->opaque = &log_;
  decoder_->pkt_timebase = stream_->time_base;
  decoder_->thread_count =
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads));
  decoder_->thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE;
  // Crop to the sample, and show broken frames rather than leave them out unseen: they are refused.
  decoder_->flags |= AV_CODEC_FLAG_UNALIGNED | AV_CODEC_FLAG_OUTPUT_CORRUPT;
  decoder_->err_recognition |= AV_EF_CRCCHECK;
  if (result >= 0) result = avcodec_open2(decoder_.get(), codec, nullptr);
  if (result < 0) return bad(fmt::format("the {} decoder cannot be opened", info_.codec), result);
  return {};
}

Status Reader::adopt(const AVFrame& frame) {
  Result<Layout> layout = layout_of(frame.format, frame.width, frame.height);
  if (!layout.ok()) {
    Error error = layout.error();
    error.message = fmt::format("{}: {}", name(), error.message);
    return error;
  }
  pixel_format_ = frame.format;
  maker_.emplace(pixel_format_, *layout);
  info_.format = layout->format;
  info_.notes = layout->notes;
  describe(frame);
  if (layout->full_range) info_.color.range = ColorInfo::Range::kFull;
  if (layout->way == Layout::Way::kRgb) {
    info_.color.range = ColorInfo::Range::kLimited;
    info_.color.matrix = 1;
  }
  return {};
}

void Reader::describe(const AVFrame& frame) {
  const AVCodecParameters& parameters = *stream_->codecpar;
  info_.color.range = range_of(
      frame.color_range != AVCOL_RANGE_UNSPECIFIED ? frame.color_range : parameters.color_range);
  info_.color.matrix = specified(frame.colorspace, parameters.color_space);
  info_.color.transfer = specified(frame.color_trc, parameters.color_trc);
  info_.color.primaries = specified(frame.color_primaries, parameters.color_primaries);
  info_.interlaced = is_interlaced(frame) || parameters.field_order > AV_FIELD_PROGRESSIVE;
  if (parameters.bit_rate > 0) info_.bit_rate = parameters.bit_rate;
  describe_rotation();
  if (is_image(*container_->iformat)) return;
  // Matroska and others know the whole file's alone.
  if (!info_.bit_rate && container_->nb_streams == 1 && container_->bit_rate > 0)
    info_.bit_rate = container_->bit_rate;

  const AVRational rate = av_guess_frame_rate(container_.get(), stream_, nullptr);
  if (rate.num > 0 && rate.den > 0) info_.frame_rate = Rational{rate.num, rate.den};
  if (stream_->nb_frames > 0)
    info_.frame_count = stream_->nb_frames;
  else if (info_.frame_rate && container_->duration > 0)
    info_.frame_count =
        av_rescale_q(container_->duration, AVRational{1, AV_TIME_BASE}, av_inv_q(rate));
}

void Reader::describe_rotation() {
  const std::int32_t* const matrix = display_matrix(*stream_);
  if (matrix == nullptr) return;
  const double degrees = av_display_rotation_get(matrix);
  if (degrees != 0)
    info_.notes.push_back(fmt::format("rotation by {:.0f} degrees not applied", degrees));
}

// The next packet of the stream to the decoder, or the end.
Status Reader::feed() {
  int result = 0;
  do {
    av_packet_unref(packet_.get());
    result = av_read_frame(container_.get(), packet_.get());
  } while (result >= 0 && packet_->stream_index != stream_->index);

  std::optional<Error> end;
  if (input_.error()) {
    end = input_.error();
  } else if (result == AVERROR_EOF) {
    return stop_feeding(flaw_at_end());
  } else if (result < 0) {
    end = bad(fmt::format("cannot be read after packet {} of the video", packets_ - 1), result);
  } else {
    ++packets_;
    if (packet_->dts != AV_NOPTS_VALUE) last_dts_ = packet_->dts;
    if ((packet_->flags & AV_PKT_FLAG_CORRUPT) != 0)
      end = bad(fmt::format("packet {} of the video is cut short or damaged", packets_ - 1));
  }
  if (end) return stop_feeding(std::move(end));
  result = avcodec_send_packet(decoder_.get(), packet_.get());
  av_packet_unref(packet_.get());
  if (result < 0) return undecodable(result);
  return {};
}

// Lets the decoder give out what it holds; then `error` is told, if there is one.
Status Reader::stop_feeding(std::optional<Error> error) {
  draining_ = true;
  stopped_by_ = std::move(error);
  if (const int result = avcodec_send_packet(decoder_.get(), nullptr); result < 0)
    return stopped_by_.value_or(undecodable(result));
  return {};
}

// Whether a frame of a missing packet might stand before this one. Packets come in the order of
// their decoding times, and no picture is shown before its own.
bool Reader::may_follow_a_gap(const AVFrame& frame) const {
  return stopped_by_ && frame.best_effort_timestamp >= last_dts_;
}

std::optional<Error> Reader::flaw(const AVFrame& frame) const {
  if ((frame.flags & AV_FRAME_FLAG_CORRUPT) == 0 && frame.decode_error_flags == 0) return {};
  return bad(fmt::format("frame {} is damaged", frame_));
}

// MP4 lists its frames; if the file is cut, libavformat just ends.
bool Reader::index_lists_more() const {
  return info_.container.starts_with("mov,") &&
         packets_ < avformat_index_get_entries_count(stream_);
}

std::optional<Error> Reader::flaw_at_end() const {
  if (stopped_by_) return stopped_by_;
  if (const std::string damage = log_.damage(); !damage.empty())
    return Error{ErrorCode::kBadInput,
                 fmt::format("{}: the video is damaged or cut short (libav: {})", name(), damage),
                 {}};
  if (ends_inside_transport_packet())
    return Error{
        ErrorCode::kBadInput, name() + " is cut short: it ends inside a transport packet", {}};
  if (index_lists_more())
    return Error{ErrorCode::kBadInput,
                 fmt::format("{} is cut short: it ends after {} of {} frames", name(), packets_,
                             avformat_index_get_entries_count(stream_)),
                 {}};
  return {};
}

// Transport streams are rows of packets of one size, which has three kinds.
bool Reader::ends_inside_transport_packet() const {
  const std::int64_t size = input_.bytes().size().value_or(0);
  return info_.container == "mpegts" && size % 188 != 0 && size % 192 != 0 && size % 204 != 0;
}

// The next frame, or null after the last.
Result<Owned<AVFrame>> Reader::decode() {
  Owned<AVFrame> frame(av_frame_alloc());
  if (!frame) return Error{ErrorCode::kOutOfMemory, name() + ": out of memory", {}};
  for (;;) {
    const int result = avcodec_receive_frame(decoder_.get(), frame.get());
    if (result >= 0) {
      if (std::optional<Error> error = flaw(*frame)) return *error;
      if (may_follow_a_gap(*frame)) return *stopped_by_;
      return frame;
    }
    if (result == AVERROR_EOF) {
      if (std::optional<Error> error = flaw_at_end()) return *error;
      return Owned<AVFrame>();
    }
    if (result != AVERROR(EAGAIN)) return stopped_by_.value_or(undecodable(result));
    if (Status status = feed(); !status.ok()) return status.error();
  }
}

Result<std::optional<Picture>> Reader::next() {
  Result<Owned<AVFrame>> frame = first_ ? std::move(first_) : decode();
  if (!frame.ok()) return frame.error();
  if (!*frame) return std::optional<Picture>();
  const AVFrame& f = **frame;
  if (f.width != info_.format.width || f.height != info_.format.height || f.format != pixel_format_)
    return Error{
        ErrorCode::kBadInput,
        fmt::format("{}: frame {} changes from {}x{} {} to {}x{} {}", name(), frame_,
                    info_.format.width, info_.format.height, pixel_format_name(pixel_format_),
                    f.width, f.height, pixel_format_name(f.format)),
        "split the file where it changes"};
  Picture picture = maker_->make(std::move(frame).value());
  if (!picture) return Error{ErrorCode::kOutOfMemory, name() + ": out of memory", {}};
  if (Status status = check_samples(picture, name(), frame_); !status.ok()) return status.error();
  ++frame_;
  return std::optional<Picture>(std::move(picture));
}

}  // namespace vmafx::libav
