// A stream brought to a larger bit depth.
#ifndef VMAFX_TOOLS_COMMON_DEEPER_SOURCE_H_
#define VMAFX_TOOLS_COMMON_DEEPER_SOURCE_H_

#include <memory>

#include "vmafx/media.h"

namespace vmafx::tools {

// Samples are multiplied by 2^(bit_depth - depth of the source), as video standards define the same
// level in more bits. Returns the source itself if it has that depth. Precondition: bit_depth is
// not smaller.
std::unique_ptr<FrameSource> with_bit_depth(std::unique_ptr<FrameSource> source, int bit_depth);

}  // namespace vmafx::tools

#endif  // VMAFX_TOOLS_COMMON_DEEPER_SOURCE_H_
