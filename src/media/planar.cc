#include "media/planar.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/sample_range.h"

namespace vmafx {
namespace {

// Samples are looked at while they are still in the cache.
constexpr std::size_t kCheckedChunk = 262144;

void to_native_order(std::uint16_t* samples, std::size_t count) {
  if constexpr (std::endian::native == std::endian::big)
    for (std::size_t i = 0; i < count; ++i)
      samples[i] = static_cast<std::uint16_t>(samples[i] << 8 | samples[i] >> 8);
}

}  // namespace

Error cut_frame(const ByteSource& bytes, std::int64_t frame, std::size_t missing,
                std::size_t whole) {
  return {ErrorCode::kBadInput,
          fmt::format("{} ends inside frame {}: {} of its {} bytes are missing", bytes.name(),
                      frame, missing, whole),
          {}};
}

Result<std::optional<Picture>> PlanarReader::read(ByteSource& bytes, std::int64_t frame) {
  std::shared_ptr<std::byte> buffer = pool_.take();
  const std::size_t whole = format_.tight_bytes();
  if (!buffer)
    return Error{ErrorCode::kOutOfMemory,
                 fmt::format("{}: no memory for a frame of {} bytes", bytes.name(), whole),
                 {}};

  const std::size_t chunk = format_.bit_depth > 8 ? kCheckedChunk : whole;
  std::uint32_t bits = 0;
  for (std::size_t done = 0; done < whole;) {
    const std::size_t want = std::min(chunk, whole - done);
    Result<std::size_t> got = bytes.read(buffer.get() + done, want);
    if (!got.ok()) return got.error();
    if (*got < want) {
      if (done + *got == 0) return std::optional<Picture>();
      return cut_frame(bytes, frame, whole - done - *got, whole);
    }
    if (format_.bit_depth > 8) {
      auto* samples = reinterpret_cast<std::uint16_t*>(buffer.get() + done);
      to_native_order(samples, want / 2);
      if (has_unused_bits(format_)) bits |= used_bits(samples, want / 2);
    }
    done += want;
  }
  Picture picture = tight_picture(format_, std::move(buffer));
  if (bits >> format_.bit_depth != 0)
    if (Status status = check_samples(picture, bytes.name(), frame); !status.ok())
      return status.error();
  return std::optional<Picture>(std::move(picture));
}

}  // namespace vmafx
