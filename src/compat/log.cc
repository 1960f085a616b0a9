#include "compat/log.h"

#include <cerrno>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

namespace vmafx::compat {
namespace {

constexpr const char* kNames[] = {"", "ERROR", "WARNING", "INFO", "DEBUG"};

int to_errno(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotYet:
      return EAGAIN;
    case ErrorCode::kOutOfMemory:
      return ENOMEM;
    case ErrorCode::kIo:
    case ErrorCode::kDevice:
      return EIO;
    case ErrorCode::kInterrupted:
      return EINTR;
    case ErrorCode::kUnavailable:
      return ENOSYS;
    case ErrorCode::kUsage:
    case ErrorCode::kBadInput:
    case ErrorCode::kMismatch:
    case ErrorCode::kNotApplicable:
    case ErrorCode::kNoFrames:
    case ErrorCode::kInternal:
      break;
  }
  return EINVAL;
}

// Without memory for the line a caller still has the return code, and this.
constexpr std::string_view kNoMemory = "libvmaf ERROR out of memory\n";

void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

void Log::write(VmafLogLevel level, std::string_view line) const noexcept {
  if (level > level_) return;
  try {
    constexpr std::size_t kLongest = 1000;
    std::string text(line.substr(0, kLongest));
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ') c = '?';
    put(fmt::format("libvmaf {} {}\n", kNames[level], text));
  } catch (const std::exception&) {
    put(kNoMemory);
  }
}

int Log::result(std::string_view call, const Status& status) const noexcept {
  if (status) return 0;
  const Error& error = status.error();
  try {
    const std::string hint = error.hint.empty() ? "" : fmt::format(" ({})", error.hint);
    write(error.code == ErrorCode::kNotYet ? VMAF_LOG_LEVEL_DEBUG : VMAF_LOG_LEVEL_ERROR,
          fmt::format("{}: {}{}", call, error.message, hint));
  } catch (const std::exception&) {
    if (level_ >= VMAF_LOG_LEVEL_ERROR) put(kNoMemory);
  }
  return -to_errno(error.code);
}

}  // namespace vmafx::compat
