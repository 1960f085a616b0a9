// Which kind of file some first bytes announce.
#ifndef VMAFX_MEDIA_CONTAINER_SIGNATURE_H_
#define VMAFX_MEDIA_CONTAINER_SIGNATURE_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace vmafx {

// As many first bytes as container_signature() looks at.
inline constexpr std::size_t kSignatureBytes = 2048;

// "an MP4 or QuickTime file", "a Matroska or WebM file", ...; empty if the bytes may be raw video.
// Only what raw video cannot look like by chance is recognised.
std::string_view container_signature(std::span<const std::byte> head);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_CONTAINER_SIGNATURE_H_
