#include <new>

#include <fmt/format.h>

#include "base/module_loader.h"
#include "media/libav_module.h"
#include "media/raw.h"
#include "media/read_ahead.h"
#include "media/y4m.h"

namespace vmafx {
namespace {

Result<std::unique_ptr<FrameReader>> open_reader(const SourceOptions& options) {
  Result<std::unique_ptr<ByteSource>> opened = open_bytes(options.path);
  if (!opened.ok()) return opened.error();
  std::unique_ptr<ByteSource> bytes = std::move(opened).value();

  Result<std::span<const std::byte>> head = bytes->peek(16);
  if (!head.ok()) return head.error();
  if (head->empty()) return Error{ErrorCode::kBadInput, bytes->name() + " is empty", {}};
  if (options.raw) return open_raw(std::move(bytes), options.path, *options.raw, options.memory);
  if (is_y4m(*head)) return open_y4m(std::move(bytes), options.path, options.memory);
  Result<const LibavModule*> module = load_libav_module(module_folders(), bytes->name());
  if (!module.ok()) return module.error();
  return (*module)->open(std::move(bytes), options.path);
}

}  // namespace

Result<std::unique_ptr<FrameSource>> open_source(const SourceOptions& options) {
  if (options.skip_frames < 0 || options.read_ahead < 0)
    return Error{
        ErrorCode::kUsage,
        fmt::format("{}: the frames to skip and to read ahead cannot be negative", options.path),
        {}};
  try {
    Result<std::unique_ptr<FrameReader>> reader = open_reader(options);
    if (!reader.ok()) return reader.error();
    return frame_source(std::move(reader).value(), options.skip_frames, options.read_ahead);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kOutOfMemory, "out of memory while opening " + options.path, {}};
  }
}

}  // namespace vmafx
