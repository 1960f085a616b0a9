#include "media/raw.h"

#include <fmt/format.h>

#include "media/container_signature.h"
#include "media/planar.h"

namespace vmafx {
namespace {

class RawReader final : public FrameReader {
 public:
  RawReader(std::unique_ptr<ByteSource> bytes, StreamInfo info, std::shared_ptr<FrameMemory> memory)
      : bytes_(std::move(bytes)),
        info_(std::move(info)),
        planes_(info_.format, std::move(memory)) {}

  const StreamInfo& info() const override { return info_; }
  void cancel() noexcept override { bytes_->cancel(); }
  Result<std::optional<Picture>> next() override { return planes_.read(*bytes_, frame_++); }

 private:
  std::unique_ptr<ByteSource> bytes_;
  StreamInfo info_;
  PlanarReader planes_;
  std::int64_t frame_ = 0;
};

}  // namespace

Result<std::unique_ptr<FrameReader>> open_raw(std::unique_ptr<ByteSource> bytes,
                                              const std::string& path, const PictureFormat& format,
                                              std::shared_ptr<FrameMemory> memory) {
  if (Status status = validate(format); !status.ok())
    return Error{
        ErrorCode::kBadInput, fmt::format("{}: {}", bytes->name(), status.error().message), {}};
  Result<std::span<const std::byte>> head = bytes->peek(kSignatureBytes);
  if (!head.ok()) return head.error();
  if (const std::string_view kind = container_signature(*head); !kind.empty())
    return Error{ErrorCode::kBadInput, fmt::format("{} is {}, not raw video", bytes->name(), kind),
                 "give no raw format: the file states its own"};

  StreamInfo info;
  info.path = path;
  info.container = "raw";
  info.codec = "rawvideo";
  info.format = format;
  if (bytes->size())
    info.frame_count = *bytes->size() / static_cast<std::int64_t>(format.tight_bytes());
  return std::unique_ptr<FrameReader>(
      std::make_unique<RawReader>(std::move(bytes), std::move(info), std::move(memory)));
}

}  // namespace vmafx
