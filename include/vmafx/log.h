// Lines for a person about what happens; errors come back as values besides.
#ifndef VMAFX_LOG_H_
#define VMAFX_LOG_H_

#include <cstdint>
#include <functional>
#include <string_view>

namespace vmafx {

enum class LogLevel : std::uint8_t { kError = 1, kWarning, kInfo, kDebug };

// Takes one line without its newline, which lives as long as the call. May be called from any
// thread; must not throw.
using LogSink = std::function<void(LogLevel level, std::string_view line)>;

}  // namespace vmafx

#endif  // VMAFX_LOG_H_
