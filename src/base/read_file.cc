#include "base/read_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace vmafx {

int read_file(const std::string& path, std::size_t limit, std::string& content) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) return errno;
  content.clear();
  std::array<char, 1 << 16> buffer;
  std::size_t count = buffer.size();
  while (count == buffer.size()) {
    count = std::fread(buffer.data(), 1, buffer.size(), file.get());
    content.append(buffer.data(), count);
    if (content.size() > limit) return EFBIG;
  }
  return std::ferror(file.get()) != 0 ? errno : 0;
}

}  // namespace vmafx
