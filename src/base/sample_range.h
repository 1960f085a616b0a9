// Samples that do not fit their depth: a 10-bit sample of 2000 would give a wrong score or index
// past a table, so pictures that hold one are refused.
#ifndef VMAFX_BASE_SAMPLE_RANGE_H_
#define VMAFX_BASE_SAMPLE_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "vmafx/picture.h"
#include "vmafx/status.h"

namespace vmafx {

// Whether a format has bit patterns that are no samples: 9 to 15 bits in two bytes.
inline bool has_unused_bits(const PictureFormat& format) {
  return format.bit_depth > 8 && format.bit_depth < 16;
}

// The OR of all samples: some sample is above 2^n - 1 exactly if this is.
std::uint32_t used_bits(const std::uint16_t* samples, std::size_t count);

// kBadInput that names the first sample above 2^depth - 1, if there is one.
Status check_samples(const Picture& picture, const std::string& name, std::int64_t frame);

}  // namespace vmafx

#endif  // VMAFX_BASE_SAMPLE_RANGE_H_
