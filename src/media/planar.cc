#include "media/planar.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>
#include <thread>

#include <fmt/format.h>

#include "base/sample_range.h"

namespace vmafx {
namespace {

// Samples are looked at while they are still in the cache.
constexpr int kCheckedChunk = 262144;
// Copying out of the system's cache takes a core as long as scoring takes a GPU. So larger frames
// of regular files are read in parts by several threads, where there are cores to spare.
constexpr std::int64_t kSmallestParted = 1 << 20;
constexpr int kPart = 1 << 20;

void to_native_order(std::uint16_t* samples, std::size_t count) {
  if constexpr (std::endian::native == std::endian::big)
    for (std::size_t i = 0; i < count; ++i)
      samples[i] = static_cast<std::uint16_t>(samples[i] << 8 | samples[i] >> 8);
}

// Without exceptions, for threads that nobody would catch them in.
bool read_whole(const ByteSource& bytes, std::int64_t place, std::byte* to, std::size_t count) {
  try {
    const auto got = bytes.read_at(place, to, count);
    return got.ok() && *got == count;
  } catch (const std::bad_alloc&) {
    return false;  // for the text of an error
  }
}

}  // namespace

Error cut_frame(const ByteSource& bytes, std::int64_t frame, std::size_t missing,
                std::size_t whole) {
  return {ErrorCode::kBadInput,
          fmt::format("{} ends inside frame {}: {} of its {} bytes are missing", bytes.name(),
                      frame, missing, whole),
          {}};
}

int PlanarReader::spare_cores() {
  constexpr unsigned kMost = 3;
  return static_cast<int>(std::min(kMost, std::thread::hardware_concurrency() / 4));
}

bool PlanarReader::read_in_parts(ByteSource& bytes, std::byte* to, std::uint32_t& bits) {
  const auto whole = static_cast<std::int64_t>(format_.tight_bytes());
  const std::int64_t begin = bytes.position();
  if (whole < kSmallestParted || !bytes.size() || *bytes.size() - begin < whole) return false;
  if (!team_) team_.emplace(helpers_);
  const bool wide = format_.bit_depth > 8;
  std::atomic<std::uint32_t> used = 0;
  std::atomic<bool> complete = true;
  const std::int64_t part_bytes = wide ? kCheckedChunk : kPart;
  team_->run(static_cast<int>((whole + part_bytes - 1) / part_bytes), [&](int part) {
    const std::int64_t offset = part * part_bytes;
    const auto count = static_cast<std::size_t>(std::min(part_bytes, whole - offset));
    if (!read_whole(bytes, begin + offset, to + offset, count)) {
      complete = false;
    } else if (wide) {
      auto* const samples = reinterpret_cast<std::uint16_t*>(to + offset);
      to_native_order(samples, count / 2);
      if (has_unused_bits(format_)) used |= used_bits(samples, count / 2);
    }
  });
  if (!complete || !bytes.seek(begin + whole)) return false;
  bits = used;
  return true;
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
  const bool done_in_parts = helpers_ > 0 && read_in_parts(bytes, buffer.get(), bits);
  for (std::size_t done = done_in_parts ? whole : 0; done < whole;) {
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
