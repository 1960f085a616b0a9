#include "base/sample_range.h"

#include <fmt/format.h>

namespace vmafx {
namespace {

constexpr const char* kPlaneNames[] = {"luma", "Cb", "Cr"};

}  // namespace

std::uint32_t used_bits(const std::uint16_t* samples, std::size_t count) {
  std::uint16_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) bits = static_cast<std::uint16_t>(bits | samples[i]);
  return bits;
}

Status check_samples(const Picture& picture, const std::string& name, std::int64_t frame) {
  if (!has_unused_bits(picture.format())) return {};
  const std::uint32_t largest = (1u << picture.format().bit_depth) - 1;
  for (int p = 0; p < picture.format().planes(); ++p) {
    for (int y = 0; y < picture.height(p); ++y) {
      const auto* row = picture.row<std::uint16_t>(p, y);
      if (used_bits(row, static_cast<std::size_t>(picture.width(p))) <= largest) continue;
      int x = 0;
      while (row[x] <= largest) ++x;
      return Error{ErrorCode::kBadInput,
                   fmt::format("{}: frame {}, {} row {}, column {} holds {}, but the largest "
                               "{}-bit sample is {}",
                               name, frame, kPlaneNames[p], y, x, row[x],
                               picture.format().bit_depth, largest),
                   "check the bit depth; samples must be in the low bits"};
    }
  }
  return {};
}

}  // namespace vmafx
