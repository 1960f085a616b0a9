#include "media/libav/log.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <set>
#include <string_view>

#include "media/libav/av.h"

namespace vmafx::libav {
namespace {

// Some decoders and demuxers tell of lost samples in no other way than these lines.
constexpr std::string_view kDamage[] = {
    "concealing",                               // the block decoders' error concealment
    "error while decoding",                     // H.264
    "error dc",                                 // JPEG
    "error count",                              // JPEG
    "Could not find ref with POC",              // HEVC: a missing picture is replaced by grey
    "CRC mismatch",                             // FFV1, PNG
    "File ended prematurely",                   // Matroska
    "invalid as first byte of an EBML number",  // Matroska: skips to the next cluster
    "partial file",                             // MP4
};

// libav* has one log for the process, so this has to be shared by all streams.
struct Registry {
  std::mutex mutex;
  std::set<const void*> streams;
};

void receive(void* context, int level, const char* format, va_list arguments);

Registry& registry() {
  static Registry* const kRegistry = [] {
    av_log_set_callback(receive);
    return new Registry;  // never destroyed: threads of libav* may log until the process ends
  }();
  return *kRegistry;
}

void* owner_of(void* context) {
  while (context != nullptr) {
    const AVClass* const type = *static_cast<const AVClass* const*>(context);
    if (type == nullptr) return nullptr;
    if (type == avformat_get_class()) return static_cast<AVFormatContext*>(context)->opaque;
    if (type == avcodec_get_class()) return static_cast<AVCodecContext*>(context)->opaque;
    if (type->parent_log_context_offset == 0) return nullptr;
    context =
        *reinterpret_cast<void**>(static_cast<char*>(context) + type->parent_log_context_offset);
  }
  return nullptr;
}

void receive(void* context, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  void* const owner = owner_of(context);
  if (owner == nullptr) return;
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  std::string line(text.data());
  while (!line.empty() && (line.back() == '\n' || line.back() == '.')) line.pop_back();
  if (line.empty()) return;

  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  if (known.streams.contains(owner)) static_cast<StreamLog*>(owner)->add(std::move(line));
}

}  // namespace

StreamLog::StreamLog() {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.streams.insert(this);
}

StreamLog::~StreamLog() {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.streams.erase(this);
}

void StreamLog::add(std::string line) {
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
  const std::lock_guard lock(mutex_);
  const bool lost = std::ranges::any_of(
      kDamage, [&](std::string_view phrase) { return line.find(phrase) != line.npos; });
  if (lost && damage_.empty()) damage_ = line;
  last_error_ = std::move(line);
}

std::string StreamLog::last_error() const {
  const std::lock_guard lock(mutex_);
  return last_error_;
}

std::string StreamLog::damage() const {
  const std::lock_guard lock(mutex_);
  return damage_;
}

}  // namespace vmafx::libav
