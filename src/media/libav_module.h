// The border between the library and the module that links libav*.
#ifndef VMAFX_MEDIA_LIBAV_MODULE_H_
#define VMAFX_MEDIA_LIBAV_MODULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "media/byte_source.h"
#include "media/frame_reader.h"

namespace vmafx {

// C++ types cross the border, so both sides must be built from the same headers. The first number
// is raised when one of them changes in a way that their sizes do not show.
constexpr std::uint64_t libav_module_abi() {
  std::uint64_t abi = 2;
  for (const std::size_t size : {sizeof(StreamInfo), sizeof(Picture), sizeof(Error),
                                 sizeof(std::string), sizeof(Result<std::optional<Picture>>)})
    abi = abi * 1009 + size;
  return abi;
}

struct LibavModule {
  std::uint64_t abi;  // stays the first member for ever
  // `path` is for StreamInfo. Errors name bytes->name().
  Result<std::unique_ptr<FrameReader>> (*open)(std::unique_ptr<ByteSource> bytes,
                                               const std::string& path);
};

// The module's only exported symbol: `extern "C" const LibavModule* vmafx_libav_module()`.
inline constexpr char kLibavModuleEntry[] = "vmafx_libav_module";
inline constexpr char kLibavModuleFile[] = "vmafx_libav.so";

// Loads the module from the first of the folders that has one; it stays loaded. kUnavailable if
// there is none or it does not fit; the message begins with `name`, the file that needs it.
Result<const LibavModule*> load_libav_module(const std::vector<std::string>& folders,
                                             const std::string& name);

}  // namespace vmafx

#endif  // VMAFX_MEDIA_LIBAV_MODULE_H_
