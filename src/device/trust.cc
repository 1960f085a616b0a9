#include "device/trust.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "base/module_loader.h"

namespace vmafx::device {
namespace {

std::filesystem::path memory_file() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::filesystem::path(value != nullptr ? value : "");
  };
  std::filesystem::path folder = variable("XDG_CACHE_HOME");
  if (!folder.is_absolute()) {
    folder = variable("HOME");
    if (!folder.is_absolute()) return {};
    folder /= ".cache";
  }
  return folder / "vmafx" / "trusted-devices";
}

// The module's size and time of change stand for its content.
std::string identity(const DeviceInfo& info) {
  std::string module = "built in";
  for (const std::string& folder : module_folders()) {
    struct stat status{};
    if (stat(fmt::format("{}/vmafx_{}.so", folder, info.backend).c_str(), &status) != 0) continue;
    module = fmt::format("{} bytes of {}", status.st_size, status.st_mtime);
    break;
  }
  return fmt::format("{} {}; {} {}; {}; {}", VMAFX_VERSION, module, info.backend, info.index,
                     info.name, info.driver);
}

}  // namespace

bool is_trusted(const DeviceInfo& info) {
  std::ifstream file(memory_file());
  const std::string wanted = identity(info);
  for (std::string line; std::getline(file, line);)
    if (line == wanted) return true;
  return false;
}

void remember_trusted(const DeviceInfo& info) {
  const std::filesystem::path path = memory_file();
  if (path.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  // A line at a time is written whole, also where several processes do.
  std::ofstream(path, std::ios::app) << identity(info) + '\n' << std::flush;
}

}  // namespace vmafx::device
