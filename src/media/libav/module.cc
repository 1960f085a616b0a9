#include "media/libav_module.h"

#include <new>

#include "media/libav/reader.h"

namespace vmafx::libav {
namespace {

Result<std::unique_ptr<FrameReader>> open(std::unique_ptr<ByteSource> bytes,
                                          const std::string& path) {
  try {
    auto reader = std::make_unique<Reader>(std::move(bytes), path);
    if (Status status = reader->open(); !status.ok()) return status.error();
    return std::unique_ptr<FrameReader>(std::move(reader));
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kOutOfMemory, "out of memory while opening " + path, {}};
  }
}

}  // namespace
}  // namespace vmafx::libav

extern "C" __attribute__((visibility("default"))) const vmafx::LibavModule* vmafx_libav_module() {
  static constexpr vmafx::LibavModule kModule = {vmafx::libav_module_abi(), &vmafx::libav::open};
  return &kModule;
}
