// Headerless planar video: nothing but tight planes.
#ifndef VMAFX_MEDIA_RAW_H_
#define VMAFX_MEDIA_RAW_H_

#include <memory>
#include <string>

#include "media/byte_source.h"
#include "media/frame_reader.h"

namespace vmafx {

// Refuses files that announce themselves as something else.
Result<std::unique_ptr<FrameReader>> open_raw(std::unique_ptr<ByteSource> bytes,
                                              const std::string& path, const PictureFormat& format,
                                              std::shared_ptr<FrameMemory> memory);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_RAW_H_
